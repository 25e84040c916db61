"""An agent that talks over, answers a pause, cuts itself, says "mm" or nothing: each moves its own figure."""

from __future__ import annotations

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.scoring.summary import pooled
from tests.live.test_outcomes import Manner, answers, breaks_off, called, is_silent, says_mm

pytestmark = [pytest.mark.live, pytest.mark.calls(places=6), pytest.mark.long]

# The caller's second and fifth line is the clip "interrupt", 2.97 s with pauses at 0.40-0.72 and 1.28-1.57 s.


def talks_over(number: int) -> Manner:
    """Begins 0.48 s after the caller went on after the first pause, and before the second."""
    return answers(number) | {"begin_after_ms": 1200}


def answers_a_pause(number: int) -> Manner:
    """Begins 0.37 s after the caller fell silent, and 0.08 s after it went on."""
    return answers(number) | {"begin_after_ms": 1650}


OWN_FIGURE = {
    talks_over: "agent_overlap_rate",
    answers_a_pause: "split_turn_rate",
    is_silent: "unanswered_rate",
    breaks_off: "self_cut_rate",
    says_mm: "empty_reply_rate",
}
NOT_PLANTED = ("false_start_rate", "long_silence_rate")
FIGURES = (*OWN_FIGURE.values(), *NOT_PLANTED)


@pytest.mark.usefixtures("whisper_folder")
def test_each_defect_moves_its_own_figure() -> None:
    """A clean call and one for each defect, of six turns with two planted (the silent agent's with one)."""
    planted = [answers, *OWN_FIGURE]
    calls = [
        [answers, defect, answers, answers, answers if defect is is_silent else defect, answers]
        for defect in planted
    ]
    compared = [one.compared for one in called(calls)]
    found = {}
    for defect, one in zip(planted, compared, strict=True):
        figures = pooled([ScoredCall(scores=one.scores)])
        counted = {name: round((figures[name].value or 0.0) * figures[name].n) for name in FIGURES}
        found[defect.__name__] = {name: times for name, times in counted.items() if times}
    assert found == {
        defect.__name__: {OWN_FIGURE[defect]: 1 if defect is is_silent else 2} if defect in OWN_FIGURE else {}
        for defect in planted
    }
