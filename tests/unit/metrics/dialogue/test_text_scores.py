"""GIC and Final against values worked out by hand, and what becomes of missing and failed verdicts."""

from __future__ import annotations

import asyncio

import pytest

from metrics.dialogue.interaction_quality import WEIGHTS, interaction_quality
from metrics.dialogue.judging import judge_session, judgements
from metrics.dialogue.share import Share
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.text_scores import TextScores, final_score, text_scores, without_replies
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from metrics.score import Score, Status
from spoken_language.dialogue import Dialogue
from tests.unit.metrics.dialogue.sessions import (
    absent,
    achieved,
    dialogue,
    failed,
    flow,
    missed,
    node,
    scored,
    unscored,
)

D = Dimension
CALL = dialogue("A: hello one", "C: yes", "A: two three")
ALL = frozenset(Dimension)


def quality(*verdicts: ReplyVerdict, judged: frozenset[Dimension] = ALL) -> dict[str, Score]:
    found = interaction_quality(CALL, verdicts, judged=judged, judge="ours", version="t")
    return {score.metric: score for score in found.scores}


def everywhere(points: dict[Dimension, tuple[int, int]]) -> list[ReplyVerdict]:
    """Points of the two replies on some dimensions; the others do not apply."""
    verdicts = []
    for dimension in Dimension:
        for turn, place in ((0, 0), (2, 1)):
            if dimension in points:
                verdicts.append(scored(turn, dimension, points[dimension][place]))
            else:
                verdicts.append(unscored(turn, dimension, "not_applicable"))
    return verdicts


def test_the_weights_are_those_of_table_5() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    assert set(WEIGHTS) == set(Dimension)
    assert WEIGHTS[D.NATURALNESS] + WEIGHTS[D.COHERENCE] + WEIGHTS[D.HALLUCINATION] == pytest.approx(0.6)


def test_all_eight_dimensions_by_hand() -> None:
    # Means of score / 2: naturalness (2+1)/4 = 0.75, coherence 1, hallucination (0+2)/4 = 0.5,
    # redundancy (1+1)/4 = 0.5, emotion 1, intent 0, noise 1, safety 0.5.
    # 0.2 x 0.75 + 0.2 x 1 + 0.2 x 0.5 + 0.1 x 0.5 + 0.1 x 1 + 0.1 x 0 + 0.06 x 1 + 0.04 x 0.5
    # = 0.15 + 0.2 + 0.1 + 0.05 + 0.1 + 0 + 0.06 + 0.02 = 0.68.
    found = quality(
        *everywhere(
            {
                D.NATURALNESS: (2, 1),
                D.COHERENCE: (2, 2),
                D.HALLUCINATION: (0, 2),
                D.REDUNDANCY: (1, 1),
                D.EMOTIONAL_RICHNESS: (2, 2),
                D.INTENT_UNDERSTANDING: (0, 0),
                D.NOISE_RESISTANCE: (2, 2),
                D.SAFETY: (1, 1),
            }
        )
    )
    assert found["gic"].value == pytest.approx(0.68)
    assert found["gic"].reason == ""
    assert found["gic_naturalness"].value == 0.75
    assert found["gic_intent_understanding"].value == 0.0


def test_weights_of_absent_dimensions_go_to_the_others_and_the_score_says_partial() -> None:
    # (0.2 x 0.75 + 0.2 x 0.5 + 0.1 x 1) / 0.5 = 0.35 / 0.5 = 0.7.
    found = quality(
        *everywhere({D.NATURALNESS: (2, 1), D.HALLUCINATION: (0, 2), D.REDUNDANCY: (2, 2)}),
        judged=ALL - {D.NOISE_RESISTANCE},
    )
    assert found["gic"].value == pytest.approx(0.7)
    assert "partial: ours cannot judge noise_resistance" in found["gic"].reason
    assert (
        "partial: no occasion for coherence, emotional_richness, intent_understanding, safety"
        in found["gic"].reason
    )
    assert found["gic_noise_resistance"].reason == "ours cannot judge it"
    assert found["gic_safety"].reason == "no reply gave occasion for it"


def test_a_dimension_is_averaged_over_the_replies_where_it_applies() -> None:
    found = quality(
        scored(0, D.SAFETY, 1), unscored(2, D.SAFETY, "not_applicable"), judged=frozenset({D.SAFETY})
    )
    assert (found["gic_safety"].value, found["gic_safety"].n) == (0.5, 1)


def test_a_failed_verdict_among_few_leaves_the_dimension_and_gic_open() -> None:
    # Safety: 2 and failed: (1 + 0)/2 = 0.5 to (1 + 1)/2 = 1. Coherence 1.
    # GIC: (0.2 x 1 + 0.04 x 0.5) / 0.24 = 0.91667 to 1.
    found = quality(
        scored(0, D.SAFETY, 2),
        unscored(2, D.SAFETY, "failed"),
        scored(0, D.COHERENCE, 2),
        scored(2, D.COHERENCE, 2),
        judged=frozenset({D.SAFETY, D.COHERENCE}),
    )
    assert found["gic_safety"].status is Status.INDETERMINATE
    assert found["gic_safety"].reason == "1 judgement failed; it lies between 0.500 and 1.000"
    assert found["gic"].status is Status.INDETERMINATE
    assert found["gic"].reason.startswith("1 judgement failed; it lies between 0.917 and 1.000")


def test_a_failed_verdict_among_many_is_left_out_and_counted() -> None:
    long = dialogue(*(f"A: reply {number}" for number in range(10)))
    verdicts = [scored(turn, D.SAFETY, 2 if turn else 0) for turn in range(9)]
    verdicts.append(unscored(9, D.SAFETY, "failed"))
    found = interaction_quality(long, verdicts, judged={D.SAFETY}, judge="ours", version="t")
    safety = next(score for score in found.scores if score.metric == "gic_safety")
    assert safety.value == pytest.approx(8 / 9)
    assert safety.reason == "1 of 10 replies could not be judged"
    assert "1 of 10 replies could not be judged" in found.scores[0].reason


def test_a_verdict_that_is_missing_failed() -> None:
    found = quality(scored(0, D.SAFETY, 2), judged=frozenset({D.SAFETY}))
    assert found["gic_safety"].status is Status.INDETERMINATE


def test_where_all_failed_nothing_is_a_number() -> None:
    found = quality(judged=ALL)
    assert {score.status for score in found.values()} == {Status.FAILED}


def test_worst_replies_come_first_with_words_and_reason() -> None:
    found = quality(scored(0, D.SAFETY, 1), scored(2, D.SAFETY, 0, quote="two"), judged=frozenset({D.SAFETY}))
    assert [one.value for one in found["gic_safety"].evidence] == [0, 1]
    assert found["gic_safety"].evidence[0].text.endswith("“two”")
    assert found["gic_safety"].evidence[1].text.endswith("“hello one”")


def test_final_by_hand() -> None:
    # 0.55 x 0.8 + 0.45 x 0.6 = 0.44 + 0.27 = 0.71.
    known = final_score(Share(low=0.8, high=0.8, n=5), Share(low=0.6, high=0.6, n=9), version="t")
    assert known.value == pytest.approx(0.71)
    # GIC open from 0.6 to 0.8: 0.71 to 0.44 + 0.36 = 0.8.
    open_gic = Share(low=0.6, high=0.8, n=9, failed=2)
    unknown = final_score(Share(low=0.8, high=0.8, n=5), open_gic, version="t")
    assert unknown.status is Status.INDETERMINATE
    assert unknown.reason == "2 judgements failed; it lies between 0.710 and 0.800"
    assert final_score(None, open_gic, version="t").reason == "TFC could not be measured"


class FixedJudge:
    """Gives full marks to what it is told to, counts what it is asked."""

    name = "fixed"
    version = "7"

    def __init__(self, dimensions: frozenset[Dimension] = ALL) -> None:
        self.dimensions = dimensions
        self.asked: list[tuple[int, Dimension]] = []

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        return [achieved(flow.nodes[0].id, 0, "hello"), *(missed(one.id) for one in flow.nodes[1:])]

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        self.asked.append((turn, dimension))
        return scored(turn, dimension, 2)


def judged(judge: FixedJudge, call: Dialogue, *, nodes: TaskFlow) -> TextScores:
    return asyncio.run(judge_session(judge, call, nodes, agent_prompt="", language="en"))


def test_a_session_from_questions_to_final() -> None:
    # TFC: key 1/2, all 1/2, Cov 0.5, Proc 1: 0.35 + 0.3 = 0.65. GIC 1. Final = 0.3575 + 0.45 = 0.8075.
    judge = FixedJudge()
    found = judged(judge, CALL, nodes=flow(node("greet", key=True), node("ask", key=True)))
    assert found.score("tfc").value == pytest.approx(0.65)
    assert found.score("final").value == pytest.approx(0.8075)
    assert not found.partial
    assert sorted(judge.asked) == sorted((turn, one) for turn in (0, 2) for one in Dimension)
    assert judgements(judge, CALL) == 17
    assert {score.version for score in found.scores} == {"1/fixed:7"}
    with pytest.raises(KeyError, match=r"^'wer'$"):
        found.score("wer")


def test_an_agent_that_said_nothing_has_a_final_of_zero_and_no_gic() -> None:
    call = dialogue("C: Hello? Hello?")
    nodes = flow(node("greet", key=True))
    found = text_scores(call, nodes, [missed("greet")], [], judge=FixedJudge())
    assert found.score("gic").status is Status.NOT_APPLICABLE
    assert found.score("gic").reason == "the agent said nothing"
    # 0.55 x 0 + 0.45 x 0.
    assert found.score("final").value == 0.0
    assert found.score("final").reason == "the agent said nothing: interaction counts as 0"


def test_scores_survive_being_written_and_read() -> None:
    found = judged(FixedJudge(ALL - {D.SAFETY}), CALL, nodes=flow(node("greet", key=True)))
    assert TextScores.model_validate_json(found.model_dump_json()) == found
    assert found.partial
    assert found.not_judged == (D.SAFETY,)


def test_a_session_is_partial_and_failed_as_its_parts_are() -> None:
    call = dialogue("A: hello one")
    nodes = flow(node("greet", key=True), node("ask"))
    full = [scored(0, one, 2) for one in D if one is not D.SAFETY]
    none = [unscored(0, D.SAFETY, "not_applicable")]
    lacking = text_scores(
        call, nodes, [achieved("greet", 0, "hello"), missed("ask")], [*full, *none], judge=FixedJudge()
    )
    assert (lacking.partial, lacking.no_occasion, lacking.not_judged) == (True, (D.SAFETY,), ())
    assert lacking.failed == 0
    # Final says that GIC is partial, and nothing else of what GIC says.
    assert lacking.score("final").reason == "partial: no occasion for safety"
    assert [one.node for one in lacking.order] == ["greet"]
    broken = text_scores(
        call,
        nodes,
        [achieved("greet", 0, "hello")],
        [*full, unscored(0, D.SAFETY, "failed")],
        judge=FixedJudge(),
    )
    assert broken.failed == 2
    assert not broken.partial


def test_final_tells_only_that_it_is_partial() -> None:
    long = dialogue(*(f"A: reply {number}" for number in range(10)))
    verdicts = [scored(turn, D.SAFETY, 2) for turn in range(9)] + [unscored(9, D.SAFETY, "failed")]
    judge = FixedJudge(frozenset({D.SAFETY}))
    found = text_scores(long, flow(node("greet", key=True)), [missed("greet")], verdicts, judge=judge)
    assert "could not be judged" in found.score("gic").reason
    assert "could not be judged" not in found.score("final").reason
    assert found.score("final").reason.startswith("partial: fixed cannot judge naturalness")


def test_evidence_of_a_session_names_its_call() -> None:
    nodes = flow(node("greet", key=True))
    verdicts = [scored(turn, one, 0) for turn in (0, 2) for one in D]
    found = text_scores(
        CALL, nodes, [achieved("greet", 0, "hello")], verdicts, judge=FixedJudge(), call_id="c7"
    )
    for metric in ("coverage", "gic_safety"):
        assert {one.call_id for one in found.score(metric).evidence} == {"c7"}


def test_final_counts_silence_as_0_and_nothing_else() -> None:
    known = Share(low=0.8, high=0.8, n=5)
    spoke = final_score(known, None, version="9")
    assert (spoke.value, spoke.reason, spoke.version) == (None, "GIC could not be measured", "9")
    assert final_score(None, None, version="9").reason == "TFC and GIC could not be measured"
    # 0.55 x 0.8, exactly: its bounds are one.
    silent = final_score(known, None, version="9", said_nothing=True, notes=["so"])
    assert silent.value == pytest.approx(0.44)
    assert (silent.status, silent.n, silent.version) == (Status.MEASURED, 1, "9")
    assert silent.reason == "so; the agent said nothing: interaction counts as 0"
    both = final_score(known, Share(low=0.6, high=0.6, n=2), version="9", said_nothing=True)
    assert both.value == pytest.approx(0.71)
    assert both.reason == ""
    # TFC with bounds: 0.55 x 0.4 = 0.22 to 0.55 x 0.8 = 0.44.
    open_ = final_score(Share(low=0.4, high=0.8, n=5, failed=1), None, version="9", said_nothing=True)
    assert open_.reason.startswith("1 judgement failed; it lies between 0.220 and 0.440")


def _scored_by(judge: FixedJudge, outcome: NodeVerdict, replies: list[ReplyVerdict]) -> TextScores:
    return text_scores(CALL, flow(node("opens", key=True)), [outcome], replies, judge=judge, call_id="c")


def test_without_a_reply_by_hand() -> None:
    # Reply 0 has 2 of 2 in both dimensions, reply 2 has 0 and 1. Without reply 2 GIC is 1; with it
    # (0.2 x 0.5 + 0.04 x 0.75) / 0.24 = 0.54167. TFC stays; Final is 0.55 x TFC + 0.45 x 1.
    judge = FixedJudge(frozenset({D.COHERENCE, D.SAFETY}))
    replies = [scored(0, D.COHERENCE, 2), scored(2, D.COHERENCE, 0), scored(0, D.SAFETY, 2)]
    whole = _scored_by(judge, achieved("opens", 0, "hello"), [*replies, scored(2, D.SAFETY, 1)])
    assert whole.score("gic").value == pytest.approx(0.541667, abs=1e-6)
    part = without_replies(whole, CALL, {2})
    assert part.score("tfc") == whole.score("tfc")
    tfc = whole.score("tfc").value
    assert tfc is not None
    assert part.score("gic").value == pytest.approx(1.0)
    assert part.score("final").value == pytest.approx(0.55 * tfc + 0.45)
    assert [one.metric for one in part.scores] == [one.metric for one in whole.scores]
    assert {one.turn for one in part.replies} == {0}
    assert part.score("gic_coherence").version == whole.score("gic_coherence").version
    # Without reply 0 the other stays in its place: (0.2 x 0 + 0.04 x 0.5) / 0.24.
    other = without_replies(whole, CALL, {0})
    assert [(one.turn, one.outcome) for one in other.replies] == [(2, "scored")] * 2
    assert other.score("gic").value == pytest.approx(0.083333, abs=1e-6)


def test_without_all_replies_there_is_no_gic_and_no_final_and_not_a_zero() -> None:
    judge = FixedJudge(frozenset({D.COHERENCE}))
    whole = _scored_by(
        judge, achieved("opens", 0, "hello"), [scored(0, D.COHERENCE, 2), scored(2, D.COHERENCE, 0)]
    )
    none = without_replies(whole, CALL, {0, 2})
    assert none.score("tfc") == whole.score("tfc")
    assert none.score("gic").value is None
    assert none.score("final").value is None


def test_where_the_task_is_open_it_stays_open() -> None:
    judge = FixedJudge(frozenset({D.COHERENCE}))
    replies = [scored(0, D.COHERENCE, 2), scored(2, D.COHERENCE, 0)]
    whole = _scored_by(judge, failed("opens"), replies)
    assert whole.score("final").value is None
    assert without_replies(whole, CALL, {2}).score("final") == whole.score("final")


@pytest.mark.parametrize("call_id", ["c7", None])
def test_without_a_reply_the_evidence_names_the_call_that_it_named(call_id: str | None) -> None:
    """Reply 0 lacks a point, so that there is evidence of GIC without reply 2."""
    judge = FixedJudge(frozenset({D.COHERENCE}))
    replies = [scored(0, D.COHERENCE, 1), scored(2, D.COHERENCE, 0)]
    nodes = flow(node("opens", key=True))
    whole = text_scores(CALL, nodes, [achieved("opens", 0, "hello")], replies, judge=judge, call_id=call_id)
    part = without_replies(whole, CALL, {2})
    assert [(one.call_id, one.value) for one in part.score("gic_coherence").evidence] == [(call_id, 1.0)]
    assert {one.call_id for one in part.score("coverage").evidence} == {call_id}


def test_a_session_without_any_evidence_can_lose_a_reply() -> None:
    """No node applied and every reply has full marks."""
    judge = FixedJudge(frozenset({D.COHERENCE}))
    replies = [scored(0, D.COHERENCE, 2), scored(2, D.COHERENCE, 2)]
    whole = _scored_by(judge, absent("opens"), replies)
    assert not any(one.evidence for one in whole.scores)
    part = without_replies(whole, CALL, {2})
    assert (part.score("gic").value, part.score("gic").n) == (1.0, 1)
    assert part.score("final") == whole.score("final")


def test_a_task_that_is_measured_has_a_new_final_where_the_talk_was_open() -> None:
    """Reply 2 failed of two, which is more than a tenth: without it GIC is 1, and Final 0.55 + 0.45."""
    judge = FixedJudge(frozenset({D.COHERENCE}))
    replies = [scored(0, D.COHERENCE, 2), unscored(2, D.COHERENCE, "failed")]
    whole = _scored_by(judge, achieved("opens", 0, "hello"), replies)
    assert whole.score("tfc").value == pytest.approx(1.0)
    assert whole.score("final").value is None
    assert without_replies(whole, CALL, {2}).score("final").value == pytest.approx(1.0)


def test_a_reply_that_alone_gave_occasion_takes_its_dimension_with_it() -> None:
    """Final says of what is left that it is partial, as GIC does."""
    judge = FixedJudge(frozenset({D.COHERENCE, D.SAFETY}))
    replies = [scored(0, D.COHERENCE, 2), scored(2, D.COHERENCE, 0), scored(2, D.SAFETY, 0)]
    whole = _scored_by(
        judge, achieved("opens", 0, "hello"), [*replies, unscored(0, D.SAFETY, "not_applicable")]
    )
    assert whole.no_occasion == ()
    part = without_replies(whole, CALL, {2})
    assert part.no_occasion == (D.SAFETY,)
    assert part.not_judged == whole.not_judged
    assert part.score("gic_safety").reason == "no reply gave occasion for it"
    assert part.score("final").reason == part.score("gic").reason
    assert part.score("final").reason.endswith("; partial: no occasion for safety")


def test_a_session_without_replies_tells_of_each_dimension_that_nothing_was_said() -> None:
    found = text_scores(
        dialogue("C: Hello? Hello?"), flow(node("greet")), [missed("greet")], [], judge=FixedJudge()
    )
    assert {found.score(f"gic_{one}").reason for one in D} == {"the agent said nothing"}
