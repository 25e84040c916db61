"""A whole made call whose agent tells its known times: what its scores and the figures of its run say.

Asked from 10 to 12 s and from 20 to 22 s, heard at 13.0 and 23.1 s. The agent tells that the turns were over
0.4 s after their ends, and that its model took 0.3 s, for the second 0.4 s, and its voice 0.2 s.
"""

from __future__ import annotations

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.records.scores import CallScores
from harness.scoring.summary import pooled
from metrics.score import Status
from tests.unit.harness.analysis.test_call import _activity, _analysed, _Listener, _said
from tests.unit.harness.analysis.told.test_split import MODEL, VOICE, Message, read, ttfb

NAMES = ("told_end_of_turn_ms", "told_model_ms", "told_voice_ms", "not_told_ms")
TELLS: list[Message] = [
    (12.4, "user-stopped-speaking", {}),
    (12.7, "metrics", ttfb(MODEL, 0.3)),
    (12.9, "metrics", ttfb(VOICE, 0.2)),
    (22.4, "user-stopped-speaking", {}),
    (22.8, "metrics", ttfb(MODEL, 0.4)),
    (23.0, "metrics", ttfb(VOICE, 0.2)),
]


def scored(sent: list[Message]) -> CallScores:
    listener = _Listener(_activity((13.0, 16.0), (23.1, 26.0)))
    asked = (_said(0, 10.0, 12.0), _said(1, 20.0, 22.0))
    scores, _ = _analysed(listener, *asked, events=read(sent or [(1.0, "bot-ready", {})]))
    return scores


def test_the_claims_stand_beside_what_was_measured_and_move_none_of_it() -> None:
    scores, silent = scored(TELLS), scored([])
    assert [one.model_ms for one in scores.told] == pytest.approx([300.0, 400.0])
    assert [one.not_told_ms for one in scores.told] == pytest.approx([100.0, 100.0])
    assert [one.not_told_ms for one in silent.told] == pytest.approx([1000.0, 1100.0])
    ours = [[one for one in every.scores if one.metric not in NAMES] for every in (scores, silent)]
    assert ours[0] == ours[1]
    assert scores.turns == silent.turns


def test_the_figures_of_the_run_are_those_of_its_answers() -> None:
    scores = scored(TELLS)
    own = {one.metric: one.value for one in scores.scores if one.metric in NAMES}
    assert own == pytest.approx(dict(zip(NAMES, (400.0, 350.0, 200.0, 100.0), strict=True)))
    figures = pooled([ScoredCall(scores=scores)])
    assert {name: figures[name].value for name in NAMES} == pytest.approx(own)
    assert {figures[name].n for name in NAMES} == {2}


def test_an_agent_that_tells_nothing_has_no_figure_and_a_reason() -> None:
    scores = scored([])
    for one in scores.scores:
        if one.metric in NAMES:
            assert (one.value, one.status) == (None, Status.NOT_APPLICABLE)
            assert one.reason.startswith("the agent t")


def test_an_agent_that_lies_moves_no_figure_of_ours() -> None:
    lies = [(at_s, kind, ttfb(MODEL, 30.0) if kind == "metrics" else {}) for at_s, kind, _ in TELLS]
    scores, silent = scored(lies), scored([])
    assert all(one.contradiction for one in scores.told)
    assert scores.turns == silent.turns
    by_name = {one.metric: one for one in scores.scores}
    assert {by_name[name].status for name in NAMES} == {Status.INDETERMINATE}
