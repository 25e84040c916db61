"""In calls of an agent that talks over, cuts itself, says "mm" or nothing, each moves its own figure."""

from __future__ import annotations

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.scoring.summary import pooled
from tests.live.test_outcomes import answers, breaks_off, called, is_silent, says_mm, talks_over

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

FIGURES = ("agent_overlap_rate", "unanswered_rate", "self_cut_rate", "empty_reply_rate")


@pytest.mark.usefixtures("whisper_folder")
def test_each_defect_moves_its_own_figure() -> None:
    """Five calls of six turns, one clean, each other with two planted turns, the silent one with one."""
    planted = (answers, talks_over, is_silent, breaks_off, says_mm)
    calls = [
        [answers, defect, answers, answers, answers if defect is is_silent else defect, answers]
        for defect in planted
    ]
    compared = called(calls, seed=4)
    names = dict(zip(planted[1:], FIGURES, strict=True))
    told = []
    for defect, one in zip(planted, compared, strict=True):
        found = pooled([ScoredCall(scores=one.scores)])
        counted = {name: round((found[name].value or 0.0) * found[name].n) for name in FIGURES}
        counted["others"] = sum(
            turn.entry in ("split", "false_start") or (turn.silence_s or 0) >= 4
            for turn in one.scores.conduct
        )
        told.append((defect.__name__, counted))
    assert told == [
        (
            defect.__name__,
            dict.fromkeys((*FIGURES, "others"), 0)
            | ({names[defect]: 1 if defect is is_silent else 2} if defect in names else {}),
        )
        for defect in planted
    ]
