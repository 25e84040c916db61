"""The rules of a task flow, each broken on purpose, and the order of nodes against a plain definition."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from metrics.dialogue.task_flow import (
    OVERLAP_THRESHOLD,
    Branch,
    FlowNode,
    TaskFlow,
    flow_problems,
    flow_without_yes,
    ordered,
    overlap,
    overlaps,
)

_CRITERIA = (
    "Names itself before anything else.",
    "Asks which card was charged.",
    "Says what the booking is called.",
    "Offers a date for the result.",
    "Reads back the digits.",
    "Thanks the customer and hangs up.",
    "Leaves when told to.",
)


def _flow(**changes: dict[str, object]) -> TaskFlow:
    """Seven sound nodes, three of them key, n6 a branch; ``n2={"key": True}`` changes one."""
    nodes = []
    for number, criterion in enumerate(_CRITERIA):
        fields: dict[str, object] = {
            "id": f"n{number}",
            "criterion": criterion,
            "key": number < 3,
            "requires": (f"n{number - 1}",) if 0 < number < 6 else (),
            "branch": Branch(when="Told to stop.", cues=("stop",)) if number == 6 else None,
        }
        nodes.append(FlowNode.model_validate(fields | changes.get(f"n{number}", {})))
    return TaskFlow(nodes=tuple(nodes))


def test_a_sound_flow_has_no_problem() -> None:
    assert flow_problems(_flow()) == []


@pytest.mark.parametrize(
    ("change", "field", "message", "structural"),
    [
        ({"n3": {"id": "n1"}}, "nodes.3.id", "twice", True),
        ({"n3": {"requires": ("n9",)}}, "nodes.3.requires", "no node", True),
        ({"n1": {"requires": ("n5",)}}, "nodes.1.requires", "circle: n1 -> n5 -> n4 -> n3 -> n2 -> n1", True),
        ({"n1": {"requires": ("n1",)}}, "nodes.1.requires", "circle: n1 -> n1", True),
        ({"n4": {"evidence": ("digits + ",)}}, "nodes.4.evidence.0", "empty", True),
        ({"n6": {"branch": Branch(when="x", cues=("a |",))}}, "nodes.6.branch.cues.0", "empty", True),
        ({"n0": {"key": False}}, "nodes", "2 key nodes", False),
        ({f"n{i}": {"key": True} for i in range(7)}, "nodes", "7 key nodes", False),
        ({"n6": {"key": True, "branch": Branch(when="x")}}, "nodes.6.key", "but a branch", False),
        ({"n5": {"requires": ("n6",)}}, "nodes.5.requires", "requires the branch", False),
        (
            {"n4": {"criterion": "Asks which card had been charged."}},
            "nodes.4.criterion",
            "overlaps 'n1'",
            False,
        ),
    ],
)
def test_each_broken_rule_is_named_with_its_field(
    change: dict[str, dict[str, object]], field: str, message: str, structural: bool
) -> None:
    found = [p for p in flow_problems(_flow(**change)) if p.field == field and message in p.message]
    assert found
    assert found[0].structural is structural


@pytest.mark.parametrize("count", [5, 15])
def test_the_number_of_nodes_is_bounded(count: int) -> None:
    nodes = tuple(FlowNode(id=f"n{i}", criterion=f"word{i}", key=i < 3) for i in range(count))
    assert [p.field for p in flow_problems(TaskFlow(nodes=nodes))] == ["nodes"]


def test_all_problems_are_reported_at_once() -> None:
    problems = flow_problems(_flow(n0={"key": False}, n3={"requires": ("n9",)}, n6={"key": True}))
    assert {p.field for p in problems} == {"nodes.3.requires", "nodes.6.key"}  # n6 is the third key node


def test_overlap_is_the_cosine_worked_by_hand() -> None:
    # "asks card number" and "asks card colour": words asks, card shared; pair (asks, card) shared:
    # 3 of 5 features on each side.
    assert overlap("Asks card number.", "Asks the card colour.") == pytest.approx(3 / 5)
    assert overlap("Asks card number.", "asks CARD number") == pytest.approx(1.0)
    assert overlap("Asks card number.", "Says goodbye.") == 0.0
    assert overlap("the", "card") == 0.0
    # order counts: all three words shared, no pair: 3 / sqrt(5 * 5)
    assert overlap("card asks number", "number card asks x") == pytest.approx(4 / math.sqrt(5 * 7))


def test_a_reworded_copy_lies_above_the_threshold_and_neighbours_below() -> None:
    copy = overlap(
        "The agent tells the customer the date of the result and blocks the charge.",
        "The agent tells the customer the date of the result and also blocks the charge.",
    )
    neighbour = overlap(
        "The agent tells the customer the date of the result and blocks the charge.",
        "The agent asks the customer for the last four digits and gives the reason.",
    )
    assert copy > OVERLAP_THRESHOLD > neighbour


@given(st.data())
def test_ordered_puts_prerequisites_first_and_keeps_everything(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 10))
    order = data.draw(st.permutations(range(size)))
    requires = {
        node: [other for other in order[:place] if data.draw(st.booleans())]
        for place, node in enumerate(order)
    }
    flow = TaskFlow(
        nodes=tuple(
            FlowNode(id=f"n{n}", criterion="x", requires=tuple(f"n{r}" for r in requires[n]))
            for n in range(size)
        )
    )
    result = [node.id for node in ordered(flow)]
    assert sorted(result) == sorted(node.id for node in flow.nodes)
    for node in flow.nodes:
        assert all(result.index(r) < result.index(node.id) for r in node.requires)


@given(st.data())
def test_a_cycle_is_found_exactly_when_there_is_one(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 6))
    edges = {n: data.draw(st.sets(st.integers(0, size - 1))) for n in range(size)}
    flow = TaskFlow(
        nodes=tuple(
            FlowNode(id=f"n{n}", criterion="x", requires=tuple(f"n{r}" for r in sorted(edges[n])))
            for n in range(size)
        )
    )
    # Independent: take away nodes without prerequisites until nothing changes (Kahn).
    left = {n: set(r) for n, r in edges.items()}
    while free := [n for n, r in left.items() if not r]:
        left = {n: r - set(free) for n, r in left.items() if n not in free}
    found = any("circle" in p.message for p in flow_problems(flow))
    assert found is bool(left)
    if left:
        with pytest.raises(ValueError, match="circle"):
            ordered(flow)


# --- the rules' numbers, from both sides


def _plain(count: int, keys: int = 3) -> TaskFlow:
    return TaskFlow(
        nodes=tuple(FlowNode(id=f"n{i}", criterion=f"word{i}", key=i < keys) for i in range(count))
    )


@pytest.mark.parametrize(("count", "sound"), [(5, False), (6, True), (14, True), (15, False)])
def test_a_flow_has_6_to_14_nodes(count: int, sound: bool) -> None:
    said = [] if sound else [f"{count} nodes; allowed: 6-14"]
    assert [problem.message for problem in flow_problems(_plain(count))] == said


@pytest.mark.parametrize(("keys", "sound"), [(2, False), (3, True), (6, True), (7, False)])
def test_3_to_6_of_them_are_key(keys: int, sound: bool) -> None:
    said = [] if sound else [f"{keys} key nodes; allowed: 3-6"]
    assert [problem.message for problem in flow_problems(_plain(8, keys))] == said


def test_a_node_is_neither_key_nor_derived_unless_it_says_so() -> None:
    plain = FlowNode(id="n", criterion="x")
    assert (plain.key, plain.derived, plain.branch, plain.requires, plain.evidence) == (
        False,
        False,
        None,
        (),
        (),
    )


def test_a_branch_may_wait_for_a_branch() -> None:
    branch = Branch(when="It comes up.", cues=("up",))
    nodes = [*_plain(6).nodes, FlowNode(id="b1", criterion="other one", branch=branch)]
    nodes.append(FlowNode(id="b2", criterion="another thing", branch=branch, requires=("b1",)))
    assert flow_problems(TaskFlow(nodes=tuple(nodes))) == []
    nodes.append(FlowNode(id="late", criterion="late step", requires=("b2", "b1")))
    [problem] = flow_problems(TaskFlow(nodes=tuple(nodes)))
    assert problem.message == "'late' is on the main line but requires the branch node 'b1'"


def test_criteria_at_the_threshold_overlap_and_the_closest_pair_comes_first() -> None:
    """n0 and n1 share three of five features each (0.6); n2 shares one of three with n1 (1 / sqrt 15)."""
    criteria = ("asks card number", "asks card colour", "colour chart")
    nodes = tuple(FlowNode(id=f"n{i}", criterion=text) for i, text in enumerate(criteria))
    flow = TaskFlow(nodes=nodes)
    found = overlaps(flow)
    assert [(first, second) for first, second, _ in found] == [(0, 1), (1, 2), (0, 2)]
    assert [value for _, _, value in found] == pytest.approx([0.6, 1 / math.sqrt(15), 0.0])
    exact = found[0][2]
    said = [p.message for p in flow_problems(flow, overlap_threshold=exact) if "overlaps" in p.message]
    assert said == [f"'n1' overlaps 'n0': 0.60 (cosine over words and word pairs), allowed below {exact}"]
    assert not any("overlaps" in p.message for p in flow_problems(flow, overlap_threshold=0.61))
    assert OVERLAP_THRESHOLD == 0.5


def test_a_word_said_twice_weighs_twice() -> None:
    """card x 2 and the pair (card, card): 2 x 1 / sqrt(5 x 1)."""
    assert overlap("card card", "card") == pytest.approx(2 / math.sqrt(5))
    assert overlap("card", "card card") == pytest.approx(2 / math.sqrt(5))


def test_a_circle_is_told_without_the_way_into_it_at_its_first_node() -> None:
    requires = {"a": ("b",), "b": ("c",), "c": ("d",), "d": ("b",)}
    nodes = tuple(
        FlowNode(id=name, criterion=f"word{name}", requires=needs) for name, needs in requires.items()
    )
    circles = [p for p in flow_problems(TaskFlow(nodes=nodes)) if "circle" in p.message]
    assert [(p.field, p.message) for p in circles] == [
        ("nodes.1.requires", "prerequisites go in a circle: b -> c -> d -> b")
    ]


def test_only_a_circle_or_a_missing_node_keeps_a_flow_from_being_ordered() -> None:
    twice = TaskFlow(
        nodes=(FlowNode(id="a", criterion="x", evidence=("x +",)), FlowNode(id="b", criterion="y"))
    )
    assert [node.id for node in ordered(twice)] == ["a", "b"]


@pytest.mark.parametrize("phrase", ["", "   ", "x" * 401])
def test_a_phrase_has_1_to_400_characters(phrase: str) -> None:
    with pytest.raises(ValidationError, match="evidence"):
        FlowNode(id="n", criterion="x", evidence=(phrase,))


def test_a_phrase_is_stripped() -> None:
    node = FlowNode(id="n", criterion="x", evidence=(" y ", "x" * 400))
    assert node.evidence == ("y", "x" * 400)


@pytest.mark.parametrize("name", ["A", "1a", "a-b", "a" * 49, ""])
def test_an_id_is_a_short_lower_case_word(name: str) -> None:
    with pytest.raises(ValidationError, match="should match pattern"):
        FlowNode(id=name, criterion="x")


# --- somebody who cannot be won


def _winnable() -> TaskFlow:
    """n4 needs a yes, n5 is how a no is respected; neither is key."""
    return _flow(n4={"needs_yes": True}, n5={"instead_when_declined": True})


def test_without_a_yes_what_respects_the_no_is_key_and_the_rest_stays_as_it_is() -> None:
    flow = _winnable()
    declined = flow_without_yes(flow)
    assert (flow.declined, declined.declined) == (False, True)
    assert [node.id for node in declined.nodes if node.key] == ["n0", "n1", "n2", "n5"]
    assert [node for node in declined.nodes if node.id != "n5"] == [
        node for node in flow.nodes if node.id != "n5"
    ]


def test_a_node_is_left_out_or_takes_the_place_only_where_there_is_no_yes() -> None:
    flow = _winnable()
    declined = flow_without_yes(flow)
    assert [node.id for node in declined.nodes if declined.is_left_out(node)] == ["n4"]
    assert [node.id for node in declined.nodes if declined.takes_the_place(node)] == ["n5"]
    assert not any(flow.is_left_out(node) or flow.takes_the_place(node) for node in flow.nodes)


def test_what_needs_a_yes_and_what_takes_its_place_go_together_and_are_two_nodes() -> None:
    assert flow_problems(_winnable()) == []
    alone = "needs_yes and instead_when_declined go together: what takes the place of what needs a yes"
    for one in ("needs_yes", "instead_when_declined"):
        [problem] = flow_problems(_flow(n4={one: True}))
        assert (problem.field, problem.message, problem.structural) == ("nodes", alone, False)
    [both] = flow_problems(_flow(n4={"needs_yes": True, "instead_when_declined": True}))
    assert (both.field, both.structural) == ("nodes.4.needs_yes", False)
    assert both.message == "'n4' both needs a yes and takes the place of what does"


def test_a_step_is_gone_from_once_however_many_ways_lead_to_it() -> None:
    """Thirty pairs, each of which needs both of the pair before: 2 ** 30 ways, sixty nodes."""
    nodes = [
        FlowNode(
            id=f"n{row}{side}",
            criterion=f"word{row}{side}",
            requires=(f"n{row - 1}a", f"n{row - 1}b") if row else (),
        )
        for row in reversed(range(30))
        for side in "ab"
    ]
    flow = TaskFlow(nodes=tuple(nodes))
    assert [problem for problem in flow_problems(flow, overlap_threshold=1.1) if problem.structural] == []
    assert [node.id for node in ordered(flow)][:4] == ["n0a", "n0b", "n1a", "n1b"]
