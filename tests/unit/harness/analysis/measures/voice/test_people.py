"""The mean opinion score of a run: ratings in, figure out; they go with the recording that was rated."""

from __future__ import annotations

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.voice.people import MOS_BY_PEOPLE
from harness.records.scores import CallScores
from harness.records.scores.listening import Listened, ListenedClip
from harness.scoring.run import still_rated
from metrics.score import Status

SHA = "a" * 64


def call(name: str, *by_rater: int) -> ScoredCall:
    ratings = tuple(
        ListenedClip(start_s=1.0, end_s=4.0, rater=f"{number:012x}", value=value)
        for number, value in enumerate(by_rater)
    )
    listening = Listened(recording_sha256=SHA, ratings=ratings) if ratings else None
    return ScoredCall(scores=CallScores(call_id=name, listening=listening))


def test_without_ratings_there_is_no_figure() -> None:
    score = MOS_BY_PEOPLE.pool([call("a"), call("b")])
    assert score.status is Status.NOT_APPLICABLE
    assert "needs ratings by people" in score.reason


def test_ratings_of_all_calls_make_one_figure() -> None:
    score = MOS_BY_PEOPLE.pool([call("a", 4, 2), call("b", 3, 3), call("c", 5, 4), call("d")])
    assert score.value == pytest.approx(3.5)
    assert score.n == 6
    assert "2 raters, 3 clips" in score.reason
    assert score.ci_low is not None
    assert score.ci_high is not None
    assert score.ci_low < 3.5 < score.ci_high
    assert [(one.call_id, one.value) for one in score.evidence] == [("a", 3.0), ("b", 3.0), ("c", 4.5)]


def test_a_worse_voice_moves_it_down() -> None:
    good = MOS_BY_PEOPLE.pool([call("a", 4, 5), call("b", 4, 4)]).value
    worse = MOS_BY_PEOPLE.pool([call("a", 3, 4), call("b", 3, 3)]).value
    worst = MOS_BY_PEOPLE.pool([call("a", 2, 2), call("b", 1, 2)]).value
    assert good is not None
    assert worse is not None
    assert worst is not None
    assert good > worse > worst


def test_one_rater_gives_a_value_and_no_interval() -> None:
    score = MOS_BY_PEOPLE.pool([call("a", 4), call("b", 3)])
    assert score.value == pytest.approx(3.5)
    assert score.ci_low is None
    assert "one rater" in score.interval_method


def test_ratings_are_kept_for_the_recording_that_was_rated_alone() -> None:
    listened = call("a", 4).scores.listening
    assert still_rated(listened, SHA) is listened
    assert still_rated(listened, "b" * 64) is None
    assert still_rated(None, SHA) is None
