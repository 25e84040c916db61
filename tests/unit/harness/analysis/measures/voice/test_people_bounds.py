"""What stands behind a mean opinion: every stretch by itself, and no more of them than a page can show."""

from __future__ import annotations

import pytest

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.units import MOS
from harness.analysis.measures.voice.people import MOS_BY_PEOPLE, opinion_score
from harness.records.scores import CallScores
from harness.records.scores.listening import Listened, ListenedClip
from metrics.listening.opinion import Rating, mean_opinion
from metrics.score import Status

Given = tuple[int, float, float, int]
"""A rater's number, a stretch from and to, and the value."""


def call(name: str, *ratings: Given) -> ScoredCall:
    given = tuple(
        ListenedClip(start_s=start_s, end_s=end_s, rater=f"{rater:012x}", value=value)
        for rater, start_s, end_s, value in ratings
    )
    listening = Listened(recording_sha256="a" * 64, ratings=given)
    return ScoredCall(scores=CallScores(call_id=name, listening=listening))


def test_every_stretch_of_a_call_is_a_clip_of_its_own() -> None:
    """Two that begin together, and two that end together."""
    score = MOS_BY_PEOPLE.pool(
        [
            call("a", (1, 1.0, 4.0, 4), (1, 1.0, 8.0, 2), (2, 1.0, 4.0, 5), (2, 5.0, 8.0, 1)),
            call("b", (1, 1.0, 4.0, 3)),
        ]
    )
    assert score.reason == "2 raters, 4 clips"
    assert (score.value, score.n) == (3.0, 5)
    assert [(one.call_id, one.start_s, one.end_s, one.value) for one in score.evidence] == [
        ("a", 1.0, 4.0, 4.5),
        ("a", 1.0, 8.0, 2.0),
        ("a", 5.0, 8.0, 1.0),
        ("b", 1.0, 4.0, 3.0),
    ]


def test_evidence_is_of_the_first_200_clips_and_the_figure_of_all() -> None:
    score = MOS_BY_PEOPLE.pool([call(f"c-{number}", (1, 1.0, 4.0, 4)) for number in range(201)])
    assert (score.n, score.reason) == (201, "1 rater, 201 clips")
    assert [one.call_id for one in score.evidence] == [f"c-{number}" for number in range(200)]


def test_every_field_of_the_figure() -> None:
    ratings = [
        Rating(rater=rater, clip=clip, value=value)
        for rater, values in (("a", (4.0, 3.0, 5.0)), ("b", (2.0, 3.0, 4.0)))
        for clip, value in zip("xyz", values, strict=True)
    ]
    found, score = mean_opinion(ratings), opinion_score(ratings)
    assert (score.metric, score.unit, score.status) == ("mos", "mos", Status.MEASURED)
    assert (score.value, score.n, score.reason) == (3.5, 6, "2 raters, 3 clips")
    assert (score.ci_low, score.ci_high) == (found.interval.low, found.interval.high)
    assert score.ci_low is not None
    assert score.interval_method == found.interval.method


def test_an_entry_of_the_catalogue() -> None:
    entry = MOS_BY_PEOPLE.entry
    assert (entry.unit, entry.better, entry.paper, entry.counted) == (MOS, "higher", "Table 16", "rating")
    assert (entry.needs, entry.when_absent) == ((Need.SOUND,), "needs ratings by people")
    assert MOS_BY_PEOPLE.scores_calls is False
    with pytest.raises(ValueError, match="no ratings"):
        opinion_score([])
