"""Task flow compliance against values worked out by hand."""

from __future__ import annotations

import pytest

from metrics.dialogue.flow_compliance import FlowCompliance, flow_compliance
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import NodeVerdict
from metrics.score import Score, Status
from spoken_language.dialogue import Dialogue
from tests.unit.metrics.dialogue.sessions import absent, achieved, dialogue, failed, flow, missed, node

CALL = dialogue("A: hello one", "C: yes", "A: two three", "C: well", "A: four five", "C: bye", "A: six")
FLOW = flow(
    node("greet", key=True),
    node("ask", key=True, requires=["greet"]),
    node("explain", key=True, requires=["ask"]),
    node("offer", requires=["explain"]),
    node("calm", branch=True, requires=["greet"]),
    node("close", requires=["offer", "calm"]),
)


def scores(
    call: Dialogue, nodes: TaskFlow, *verdicts: NodeVerdict
) -> tuple[FlowCompliance, dict[str, Score]]:
    found = flow_compliance(call, nodes, verdicts, version="t")
    return found, {score.metric: score for score in found.scores}


def test_a_call_with_a_branch_that_does_not_apply_and_one_step_out_of_order() -> None:
    # Key nodes: greet, ask achieved, explain missed: 2/3. All that apply (calm does not): greet, ask, offer,
    # close of greet, ask, explain, offer, close: 4/5.
    # Cov = 0.7 x 2/3 + 0.3 x 4/5 = 0.466667 + 0.24 = 0.706667.
    # In order: greet (nothing before it), ask (turn 2 after turn 0), close (offer in turn 4 before 6, calm
    # does not apply); offer is not, because explain was never achieved: Proc = 3/4.
    # TFC = 0.7 x 0.706667 + 0.3 x 0.75 = 0.494667 + 0.225 = 0.719667.
    found, by_name = scores(
        CALL,
        FLOW,
        achieved("greet", 0, "hello"),
        achieved("ask", 2, "two"),
        missed("explain"),
        achieved("offer", 4, "four"),
        absent("calm"),
        achieved("close", 6, "six"),
    )
    assert by_name["key_node_completion"].value == pytest.approx(2 / 3)
    assert by_name["node_completion"].value == pytest.approx(4 / 5)
    assert by_name["coverage"].value == pytest.approx(0.706667, abs=1e-6)
    assert by_name["process"].value == pytest.approx(0.75)
    assert by_name["tfc"].value == pytest.approx(0.719667, abs=1e-6)
    assert [one.node for one in found.order if not one.in_order] == ["offer"]
    assert found.order[2].missing == ("explain",)
    assert by_name["process"].evidence[0].text == "offer: achieved in turn 4 before explain (never)"
    assert {score.n for name, score in by_name.items() if name == "node_completion"} == {5}


def test_a_perfect_call_is_one() -> None:
    _, by_name = scores(
        CALL,
        FLOW,
        achieved("greet", 0, "hello"),
        achieved("ask", 0, "one"),
        achieved("explain", 2, "two"),
        achieved("offer", 4, "four"),
        achieved("calm", 4, "five"),
        achieved("close", 6, "six"),
    )
    assert {name: score.value for name, score in by_name.items()} == dict.fromkeys(
        by_name, pytest.approx(1.0)
    )


def test_the_same_turn_is_in_order_and_a_later_turn_is_not() -> None:
    nodes = flow(node("first", key=True), node("second", key=True, requires=["first"]))
    _, by_name = scores(CALL, nodes, achieved("first", 2, "three"), achieved("second", 2, "two"))
    assert by_name["process"].value == 1.0
    _, by_name = scores(CALL, nodes, achieved("first", 4, "four"), achieved("second", 2, "two"))
    # Proc = 1/2; Cov = 1; TFC = 0.7 + 0.15.
    assert by_name["process"].value == 0.5
    assert by_name["tfc"].value == pytest.approx(0.85)
    assert by_name["process"].evidence[0].text == "second: achieved in turn 2 before first (turn 4)"


@pytest.mark.parametrize("call", [CALL, dialogue(), dialogue("C: Hello? Anybody there?")])
def test_where_nothing_was_achieved_there_is_no_order_and_tfc_is_zero(call: Dialogue) -> None:
    # Cov = 0.7 x 0/3 + 0.3 x 0/5 = 0; TFC = 0.7 x 0 + 0.3 x 0 = 0.
    _, by_name = scores(
        call, FLOW, *(missed(one.id) for one in FLOW.nodes if one.id != "calm"), absent("calm")
    )
    assert by_name["coverage"].value == 0.0
    assert by_name["process"].status is Status.NOT_APPLICABLE
    assert by_name["tfc"].value == 0.0
    assert by_name["tfc"].reason == "no node was achieved: process counts as 0"


def test_a_failed_key_node_leaves_every_figure_open_between_its_bounds() -> None:
    # Key: 2 achieved, 1 failed of 3: 2/3 to 1.
    # All: 3 achieved, 1 failed, 1 missed of 5 (calm absent): 3/5 to 4/5.
    # Cov: 0.7 x 2/3 + 0.3 x 3/5 = 0.646667 to 0.7 + 0.3 x 4/5 = 0.94.
    # Proc: greet and ask in order; offer waits for the failed explain. Worst: 2 of 3 achieved + 1 failed =
    # 2/4; best: all four. TFC: 0.7 x 0.646667 + 0.15 = 0.602667 to 0.7 x 0.94 + 0.3 = 0.958.
    _, by_name = scores(
        CALL,
        FLOW,
        achieved("greet", 0, "hello"),
        achieved("ask", 2, "two"),
        failed("explain"),
        achieved("offer", 4, "four"),
        absent("calm"),
        missed("close"),
    )
    assert {score.status for score in by_name.values()} == {Status.INDETERMINATE}
    assert {score.value for score in by_name.values()} == {None}
    assert by_name["key_node_completion"].reason == "1 judgement failed; it lies between 0.667 and 1.000"
    assert by_name["coverage"].reason == "1 judgement failed; it lies between 0.647 and 0.940"
    assert by_name["process"].reason == "1 judgement failed; it lies between 0.500 and 1.000"
    assert by_name["tfc"].reason == "1 judgement failed; it lies between 0.603 and 0.958"


def test_a_failed_side_node_leaves_the_key_nodes_measured() -> None:
    _, by_name = scores(
        CALL,
        FLOW,
        achieved("greet", 0, "hello"),
        achieved("ask", 2, "two"),
        achieved("explain", 2, "three"),
        failed("offer"),
        absent("calm"),
        missed("close"),
    )
    assert by_name["key_node_completion"].value == 1.0
    # 0.7 + 0.3 x 3/5 = 0.88 to 0.7 + 0.3 x 4/5 = 0.94.
    assert by_name["coverage"].reason == "1 judgement failed; it lies between 0.880 and 0.940"


def test_where_every_judgement_failed_the_scores_failed() -> None:
    _, by_name = scores(CALL, FLOW, *(failed(one.id) for one in FLOW.nodes))
    assert {score.status for score in by_name.values()} == {Status.FAILED}
    assert by_name["tfc"].reason == "6 judgements failed, and none succeeded"


def test_a_node_that_does_not_apply_is_no_judgement_that_succeeded() -> None:
    # With somebody who cannot be won it is so by rule, whatever the judge says, or where no judge answers.
    verdicts = [absent("calm") if one.branch else failed(one.id) for one in FLOW.nodes]
    _, by_name = scores(CALL, FLOW, *verdicts)
    assert {score.status for score in by_name.values()} == {Status.FAILED}
    assert by_name["process"].reason == "5 judgements failed, and none succeeded"


def test_a_flow_without_key_nodes_is_covered_by_all_its_nodes() -> None:
    nodes = flow(node("first"), node("second"))
    _, by_name = scores(CALL, nodes, achieved("first", 0, "hello"), missed("second"))
    assert by_name["key_node_completion"].status is Status.NOT_APPLICABLE
    assert by_name["coverage"].value == 0.5
    assert "no key node" in by_name["coverage"].reason


def test_where_no_node_applies_nothing_is_measured() -> None:
    _, by_name = scores(CALL, flow(node("calm", branch=True)), absent("calm"))
    assert {score.status for score in by_name.values()} == {Status.NOT_APPLICABLE}


def test_evidence_has_every_node_with_turn_and_words() -> None:
    _, by_name = scores(CALL, flow(node("greet", key=True)), achieved("greet", 0, "Hello, one!"))
    assert by_name["coverage"].evidence[0].text == "greet (key): achieved, turn 0: “Hello, one!”"
    assert by_name["coverage"].evidence[0].value == 1.0


def test_a_prerequisite_that_the_flow_does_not_have_does_not_count() -> None:
    _, by_name = scores(CALL, flow(node("ask", key=True, requires=["ghost"])), achieved("ask", 0, "hello"))
    assert by_name["process"].value == 1.0


def test_every_score_has_its_version_its_count_and_its_evidence() -> None:
    nodes = flow(node("greet", key=True), node("ask"), node("calm", branch=True))
    found = flow_compliance(
        CALL,
        nodes,
        [achieved("greet", 0, "hello"), missed("ask"), absent("calm")],
        version="9",
        call_id="c7",
    )
    by_name = {score.metric: score for score in found.scores}
    assert {score.version for score in found.scores} == {"9"}
    counts = {name: score.n for name, score in by_name.items()}
    assert counts == {"key_node_completion": 1, "node_completion": 2, "coverage": 2, "process": 1, "tfc": 2}
    told = [("greet (key): achieved, turn 0: “hello”", 1.0), ("ask: not achieved", 0.0)]
    told.append(("calm: not applicable", None))  # type: ignore[arg-type]
    for name in ("node_completion", "coverage"):
        assert [(one.text, one.value) for one in by_name[name].evidence] == told
    assert [one.text for one in by_name["key_node_completion"].evidence] == [told[0][0]]
    assert {one.call_id for score in found.scores for one in score.evidence} == {"c7"}


@pytest.mark.parametrize(
    ("nodes", "verdict"),
    [
        (flow(node("calm", branch=True)), absent("calm")),
        (flow(node("greet", key=True)), missed("greet")),
        (flow(node("ask")), missed("ask")),
    ],
)
def test_what_is_not_measured_has_its_version_too(nodes: TaskFlow, verdict: NodeVerdict) -> None:
    found = flow_compliance(CALL, nodes, [verdict], version="9")
    assert [score.metric for score in found.scores] == [
        "key_node_completion",
        "node_completion",
        "coverage",
        "process",
        "tfc",
    ]
    assert {score.version for score in found.scores} == {"9"}


def test_an_order_that_was_broken_is_told_with_its_call() -> None:
    """second waits for what came later, for what was not judged, and is open for neither."""
    nodes = flow(
        node("late", key=True), node("lost", key=True), node("second", key=True, requires=["late", "lost"])
    )
    found = flow_compliance(
        CALL,
        nodes,
        [achieved("late", 4, "four"), failed("lost"), achieved("second", 2, "two")],
        version="9",
        call_id="c7",
    )
    process = next(score for score in found.scores if score.metric == "process")
    [broken] = process.evidence
    assert broken.text == "second: achieved in turn 2 before late (turn 4), lost (not judged)"
    assert (broken.value, broken.call_id) == (0.0, "c7")
    # late is in order; at worst lost is not, at best it is: 1/3 to 2/3.
    assert process.reason == "1 judgement failed; it lies between 0.333 and 0.667"
    assert process.n == 2


def test_as_many_failures_as_achievements_are_not_nothing() -> None:
    """One achieved in order, one failed: 1/2 to 1."""
    nodes = flow(node("one", key=True), node("two", key=True))
    _, by_name = scores(CALL, nodes, achieved("one", 0, "hello"), failed("two"))
    assert by_name["process"].reason == "1 judgement failed; it lies between 0.500 and 1.000"
    assert (by_name["key_node_completion"].n, by_name["node_completion"].n) == (1, 1)
    assert by_name["node_completion"].reason == "1 judgement failed; it lies between 0.500 and 1.000"


def test_tfc_never_exceeds_what_its_parts_allow() -> None:
    """Nothing achieved and one failed of two: Cov 0 to 0.5, Proc 0 to 1; TFC 0 to 0.35 + 0.3."""
    nodes = flow(node("one", key=True), node("two", key=True))
    found, by_name = scores(CALL, nodes, missed("one"), failed("two"))
    assert by_name["tfc"].reason == "1 judgement failed; it lies between 0.000 and 0.650"
    assert found.tfc_share is not None
    assert (found.tfc_share.low, found.tfc_share.high) == pytest.approx((0.0, 0.65))


def test_nothing_achieved_leaves_tfc_no_room() -> None:
    """0.7 x 0 + 0.3 x 0, and no more at best: nothing failed."""
    found, _ = scores(CALL, flow(node("one", key=True)), missed("one"))
    assert found.tfc_share is not None
    assert (found.tfc_share.low, found.tfc_share.high, found.tfc_share.n) == (0.0, 0.0, 1)


@pytest.mark.parametrize(("length", "shown"), [(160, 160), (161, 160)])
def test_long_words_are_cut_at_160_characters(length: int, shown: int) -> None:
    said = "x" * length
    _, by_name = scores(dialogue(f"A: {said}"), flow(node("greet", key=True)), achieved("greet", 0, said))
    quote = by_name["coverage"].evidence[0].text.partition("“")[2].removesuffix("”")
    assert len(quote) == shown
    assert quote == said if length == shown else quote == "x" * 159 + "…"


def test_a_node_that_was_not_judged_says_why() -> None:
    _, by_name = scores(CALL, flow(node("greet", key=True), node("ask")), failed("greet"), missed("ask"))
    assert [one.text for one in by_name["coverage"].evidence] == [
        "greet (key): failed (no answer)",
        "ask: not achieved",
    ]


def test_coverage_counts_the_nodes_that_apply_whether_judged_or_not_and_key_or_not() -> None:
    """Of two that apply one failed: one is completed for sure, of two that coverage is about."""
    for key in (False, True):
        nodes = flow(node("first", key=key), node("second", key=key), node("calm", branch=True))
        _, by_name = scores(CALL, nodes, achieved("first", 0, "hello"), failed("second"), absent("calm"))
        assert (by_name["node_completion"].n, by_name["coverage"].n) == (1, 2)
        assert by_name["coverage"].reason.startswith("1 judgement failed; it lies between 0.500 and 1.000")
