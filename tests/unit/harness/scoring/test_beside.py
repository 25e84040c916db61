"""Processes that listen beside each other: what they tell is counted, and who is lost has lost nothing."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from harness.analysis.instruments import KINDS
from harness.scoring.beside import HeardBeside, Order, hear_beside, processes_for


def order(call_id: str) -> Order:
    return Order(folder=Path(), call_id=call_id, only=KINDS, caller_words=False, threads=1, fresh=False)


TELLS = """
import json, sys
for line in sys.stdin:
    call = json.loads(line)["call_id"]
    told = {"call_id": call, "asked": 4, "measured": 2, "failed": "no sound" if call == "broken" else ""}
    print(json.dumps(told), flush=True)
"""
DIES = "import os, signal, sys; sys.stdin.readline(); os.kill(os.getpid(), signal.SIGKILL)"
RAVES = "import sys; sys.stdin.readline(); print('no JSON', flush=True); sys.stdin.readline()"


def heard_by(program: str, *names: str, processes: int = 2) -> tuple[HeardBeside, list[tuple[str, int, int]]]:
    told: list[tuple[str, int, int]] = []
    found = hear_beside(
        [order(name) for name in names],
        processes=processes,
        on_heard=lambda *what: told.append(what),
        command=(sys.executable, "-c", program),
    )
    return found, told


def test_calls_are_heard_by_several_and_one_that_fails_is_left_to_the_scoring() -> None:
    found, told = heard_by(TELLS, "a", "b", "broken")
    assert sorted(found.calls) == ["a", "b"]
    assert found.calls["a"].measured == 2
    assert found.problem == ""
    assert sorted(name for name, _, _ in told) == ["a", "b", "broken"]
    assert {n for _, _, n in told} == {3}


@pytest.mark.parametrize("program", [DIES, RAVES, "raise SystemExit(3)"])
def test_a_process_that_is_lost_ends_neither_the_scoring_nor_is_it_waited_for(program: str) -> None:
    found, _ = heard_by(program, "a", "b", "c")
    assert found.calls == {}
    assert "was lost" in found.problem


def test_what_one_that_is_lost_leaves_another_hears() -> None:
    # Whoever is given the call named "b" dies of it.
    program = TELLS.replace("    told =", "    if call == 'b': raise SystemExit(1)\n    told =")
    found, _ = heard_by(program, "a", "b", "c", "d")
    assert sorted(found.calls) == ["a", "c", "d"]
    assert "was lost" in found.problem


def test_none_is_left_when_scoring_is_broken_off() -> None:
    def broken_off(*_: object) -> None:
        raise KeyboardInterrupt

    begun = set(children())
    with pytest.raises(KeyboardInterrupt):
        hear_beside(
            [order("a"), order("b")],
            processes=2,
            on_heard=broken_off,
            command=(sys.executable, "-c", TELLS),
        )
    assert set(children()) <= begun


def children() -> list[str]:
    return Path(f"/proc/self/task/{threading.main_thread().native_id}/children").read_text().split()


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
