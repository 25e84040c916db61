"""What decides a verdict, each condition by itself: which second attempts count, and which word it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.plans.checks.checks import Checks
from harness.records.call import CallStatus
from harness.runs.reader import AGAIN
from harness.scoring.gates.decide import verdict_now, verdict_of
from harness.scoring.gates.held_to import HeldCall, as_second_attempts
from tests.nights import held, night_call
from tests.report.make_run import write_run


def _checks(*gates: Any, **expect: Any) -> Checks:
    return Checks.model_validate({"gates": list(gates), "expect": expect})


def test_of_a_rerun_that_was_cut_off_what_was_not_scored_says_nothing(tmp_path: Path) -> None:
    """But that no call came about is known without scores, and so is that it was our doing."""
    folder = write_run(tmp_path / "run", [night_call("done")])
    write_run(
        folder / AGAIN,
        [
            night_call("done"),
            night_call("cut", scored=False),
            night_call("ours", status=CallStatus.HARNESS_FAULT, scored=False),
            night_call("refused", status=CallStatus.SETUP_FAILED),
        ],
    )
    whole = verdict_now(folder).rerun
    (folder / AGAIN / "summary.json").unlink()
    cut_off = verdict_now(folder).rerun
    assert whole is not None
    assert cut_off is not None
    assert (whole[0], cut_off[0]) == (4, 3)


@pytest.mark.parametrize(
    ("guilty", "word"),
    [((False, False), "not_placed"), ((True, False), "failed"), ((True, True), "failed")],
)
def test_that_no_call_came_about_is_the_agent_s_doing_in_every_one(guilty: Sequence[bool], word: str) -> None:
    """Not where our own caller was at fault in one of them."""
    refused = held(night_call("r", status=CallStatus.SETUP_FAILED))
    calls = [replace(refused, guilty=one) for one in guilty]
    assert verdict_of(calls, _checks("response_rate >= 1")).word == word


def test_one_limit_on_latency_among_others_is_enough() -> None:
    calls = [held(night_call("a"))]
    assert verdict_of(calls, _checks("response_rate >= 1", "response_latency_ms <= 900")).notes == ()
    within = _checks("response_rate >= 1", a=[{"what": "answered"}, {"what": {"within_ms": 900}}])
    assert verdict_of(calls, within).notes == ()


def test_figures_are_made_only_where_a_gate_asks_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(calls: Sequence[HeldCall]) -> None:
        raise AssertionError("nobody asked")

    monkeypatch.setattr("harness.scoring.gates.decide.summary_of", none)
    calls = [held(night_call("a"))]
    assert verdict_of(calls, _checks("calls.completed >= 1", "calls.timeout <= 0")).word == "passed"
    with pytest.raises(AssertionError, match="nobody asked"):
        verdict_of(calls, _checks("calls.completed >= 1", "response_rate >= 1"))


def test_of_three_expectations_each_is_held_to_its_own_second_attempt() -> None:
    wanted = [{"what": {"said": word}} for word in ("forty", "dollars", "please")]
    again = as_second_attempts([held(night_call("a", [500.0], says=["Forty, please."]))])
    first = [held(night_call("a", [500.0], says=["Forty dollars, please."]))]
    found = verdict_of(first, _checks("response_rate >= 0", a=wanted), again=again).checks
    assert [one.result for one in found if one.of == "expect"] == ["passed", "failed", "passed"]
