"""What GIC keeps beside its value: which replies, in what order, how many, and when a dimension is open."""

from __future__ import annotations

import pytest

from metrics.dialogue.interaction_quality import InteractionQuality, interaction_quality
from metrics.dialogue.verdicts import Dimension, ReplyVerdict
from metrics.score import Score, Status
from tests.unit.metrics.dialogue.sessions import dialogue, scored, unscored

D = Dimension
CALL = dialogue("A: hello one", "C: yes", "A: two three")


def _quality(*verdicts: ReplyVerdict, judged: set[Dimension], replies: int = 0) -> InteractionQuality:
    call = dialogue(*(f"A: reply {number}" for number in range(replies))) if replies else CALL
    return interaction_quality(call, verdicts, judged=judged, judge="ours", version="9", call_id="c7")


def _score(found: InteractionQuality, metric: str) -> Score:
    return next(score for score in found.scores if score.metric == metric)


@pytest.mark.parametrize(("failed", "open_"), [(2, False), (3, True)])
def test_up_to_a_tenth_of_the_replies_may_fail(failed: int, open_: bool) -> None:
    """Of twenty replies two are a tenth."""
    verdicts = [scored(turn, D.SAFETY, 2) for turn in range(20 - failed)]
    verdicts += [unscored(turn, D.SAFETY, "failed") for turn in range(20 - failed, 20)]
    safety = _score(_quality(*verdicts, judged={D.SAFETY}, replies=20), "gic_safety")
    assert (safety.status is Status.INDETERMINATE) == open_


def test_just_over_a_tenth_is_too_many() -> None:
    """Five of 48 are 10.4 %."""
    verdicts = [scored(turn, D.SAFETY, 2) for turn in range(43)]
    verdicts += [unscored(turn, D.SAFETY, "failed") for turn in range(43, 48)]
    safety = _score(_quality(*verdicts, judged={D.SAFETY}, replies=48), "gic_safety")
    # 43/48 at worst.
    assert safety.reason == "5 judgements failed; it lies between 0.896 and 1.000"
    assert safety.n == 43


def test_the_five_worst_replies_are_shown_worst_first_then_in_order() -> None:
    points = [1, 0, 2, 1, 0, 1, 1]
    verdicts = [scored(turn, D.SAFETY, point) for turn, point in enumerate(points)]
    safety = _score(_quality(*verdicts, judged={D.SAFETY}, replies=7), "gic_safety")
    shown = [(one.value, one.text.partition(":")[0], one.call_id) for one in safety.evidence]
    assert shown == [
        (0.0, "turn 1", "c7"),
        (0.0, "turn 4", "c7"),
        (1.0, "turn 0", "c7"),
        (1.0, "turn 3", "c7"),
        (1.0, "turn 5", "c7"),
    ]


def test_replies_with_full_marks_or_without_a_verdict_are_not_shown() -> None:
    verdicts = [scored(turn, D.SAFETY, 2) for turn in range(19)] + [unscored(19, D.SAFETY, "failed")]
    assert _score(_quality(*verdicts, judged={D.SAFETY}, replies=20), "gic_safety").evidence == ()


@pytest.mark.parametrize(("length", "shown"), [(200, 200), (201, 200)])
def test_long_reasons_are_cut_at_200_characters(length: int, shown: int) -> None:
    verdict = ReplyVerdict(turn=0, dimension=D.SAFETY, outcome="scored", score=1, reason="x" * length)
    found = _quality(verdict, scored(2, D.SAFETY, 2), judged={D.SAFETY})
    told = _score(found, "gic_safety").evidence[0].text
    reason = told.removeprefix("turn 0: ").removesuffix(": “hello one”")
    assert len(reason) == shown
    assert reason == "x" * length if length == shown else reason == "x" * 199 + "…"


def test_verdicts_are_kept_in_the_order_of_replies_and_of_table_5() -> None:
    """Neither as they were given nor by the letters of the dimensions' names."""
    dimensions = (D.SAFETY, D.NATURALNESS, D.COHERENCE)
    given = [scored(turn, one, 2) for one in dimensions for turn in (2, 0)]
    found = _quality(*given, judged=set(dimensions))
    assert [(one.turn, one.dimension) for one in found.replies] == [
        (0, D.NATURALNESS),
        (0, D.COHERENCE),
        (0, D.SAFETY),
        (2, D.NATURALNESS),
        (2, D.COHERENCE),
        (2, D.SAFETY),
    ]


def test_the_first_of_two_verdicts_counts_and_a_missing_one_failed() -> None:
    found = _quality(scored(0, D.SAFETY, 0), scored(0, D.SAFETY, 2), judged={D.SAFETY})
    assert [(one.turn, one.outcome, one.score) for one in found.replies] == [
        (0, "scored", 0),
        (2, "failed", None),
    ]
    assert found.replies[1].reason == "the judge gave no verdict"


def test_only_what_the_judge_can_judge_is_missed() -> None:
    found = _quality(scored(0, D.SAFETY, 2), scored(2, D.SAFETY, 2), judged={D.SAFETY})
    assert {one.dimension for one in found.replies} == {D.SAFETY}


def test_gic_counts_the_replies_of_its_best_known_dimension() -> None:
    found = _quality(
        scored(0, D.SAFETY, 2),
        unscored(2, D.SAFETY, "not_applicable"),
        scored(0, D.COHERENCE, 2),
        scored(2, D.COHERENCE, 2),
        judged={D.SAFETY, D.COHERENCE},
    )
    assert (_score(found, "gic").n, _score(found, "gic_safety").n) == (2, 1)


def test_partial_is_a_gic_that_some_dimension_did_not_go_into() -> None:
    full = [scored(turn, one, 2) for turn in (0, 2) for one in D]
    nothing = [unscored(turn, D.SAFETY, "not_applicable") for turn in (0, 2)]
    without_safety = [one for one in full if one.dimension is not D.SAFETY]
    assert not _quality(*full, judged=set(D)).partial
    assert _quality(*without_safety, judged=set(D) - {D.SAFETY}).partial
    assert _quality(*without_safety, *nothing, judged=set(D)).partial
    assert not _quality(*nothing, judged={D.SAFETY}).partial


def test_every_score_has_the_version() -> None:
    found = _quality(scored(0, D.SAFETY, 2), scored(2, D.SAFETY, 2), judged={D.SAFETY})
    assert {score.version for score in found.scores} == {"9"}
    nothing = [unscored(turn, D.SAFETY, "not_applicable") for turn in (0, 2)]
    none = _quality(*nothing, judged={D.SAFETY})
    assert {score.version for score in none.scores} == {"9"}
    assert _score(none, "gic").reason == "no dimension has a value"
    assert none.scores[0].metric == "gic"


def test_a_dimension_that_is_not_judged_says_how_many_planted_places_had_a_reply() -> None:
    turns = list(CALL.turns)
    turns[1] = turns[1].model_copy(update={"planted": ("noise_resistance",)})
    call = CALL.model_copy(update={"turns": tuple(turns)})
    found = interaction_quality(call, [], judged=set(), judge="ours", version="9")
    assert _score(found, "gic_noise_resistance").reason == "ours cannot judge it (1 reply to a planted place)"
    assert _score(found, "gic_safety").reason == "ours cannot judge it"
