"""Processes that listen beside each other: what they tell is counted, and who is lost has lost nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from harness.analysis.instruments import KINDS
from harness.scoring.beside import Heard, Order, hear_beside, processes_for


def order(call_id: str) -> Order:
    return Order(folder=Path(), call_id=call_id, only=KINDS, caller_words=False, threads=1, fresh=False)


def tells(order: Order) -> Heard:
    """Of a call named ``broken`` that it could not be heard."""
    failed = "ValueError: no sound" if order.call_id == "broken" else ""
    return Heard(call_id=order.call_id, asked=4, measured=2, failed=failed)


def dies(order: Order) -> Heard:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_calls_are_heard_by_several_and_one_that_fails_is_left_to_the_scoring() -> None:
    told: list[tuple[str, int, int]] = []
    found = hear_beside(
        [order(name) for name in ("a", "b", "broken")],
        processes=2,
        hear=tells,
        on_heard=lambda *what: told.append(what),
    )
    assert sorted(found.calls) == ["a", "b"]
    assert found.calls["a"].measured == 2
    assert found.problem == ""
    assert sorted(name for name, _, _ in told) == ["a", "b", "broken"]
    assert {n for _, _, n in told} == {3}


def test_a_process_that_is_killed_ends_neither_the_scoring_nor_is_it_waited_for() -> None:
    found = hear_beside([order("a"), order("b")], processes=2, hear=dies, on_heard=lambda *_: None)
    assert found.calls == {}
    assert "was lost" in found.problem


@pytest.mark.parametrize(
    ("seconds", "kinds", "asked", "wanted"),
    [
        (5.0, KINDS, None, 1),
        (4000.0, KINDS, None, os.cpu_count()),
        (4000.0, frozenset({"timing"}), None, 1),
        (4000.0, frozenset({"timing", "text"}), None, 1),
        (4000.0, KINDS, 1, 1),
        (1.0, KINDS, 3, 3),
    ],
)
def test_as_many_processes_as_are_worth_it(
    seconds: float, kinds: frozenset[str], asked: int | None, wanted: int
) -> None:
    assert processes_for(seconds, only=kinds, asked=asked) == wanted  # type: ignore[arg-type]
