"""The task flow of a scenario: the nodes that an agent's call is judged by, and the rules a flow must keep.

A node is one judgeable sentence about the call (section 5.1.2 of the paper). Coverage weighs key nodes and
all nodes 0.7 : 0.3 (Table 4); a branch node counts only in calls where its condition came up; the process
score asks whether a node's prerequisites were achieved before it.

:func:`flow_problems` reports every broken rule at once instead of stopping at the first.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from metrics.dialogue.evidence import parse, words

NODES_MIN, NODES_MAX = 6, 14
KEY_NODES_MIN, KEY_NODES_MAX = 3, 6

OVERLAP_THRESHOLD = 0.5
"""Two criteria at or above this :func:`overlap` say the same thing twice."""

NodeId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]


class Branch(BaseModel):
    """What makes a branch node apply to a call.

    Attributes:
        when: One sentence for a person or a language model.
        cues: Evidence phrases; a **user** turn that contains one makes the branch apply.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    when: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
    cues: tuple[Phrase, ...] = Field(default=(), max_length=40)


class FlowNode(BaseModel):
    """One step of the task that a call either achieves or does not.

    Attributes:
        id: Short name, unique in the flow.
        criterion: One sentence that can be judged from the call alone.
        key: Whether the task fails without it.
        branch: None on the main line; else the condition under which the node counts at all.
        requires: Ids of the nodes that must have been achieved before this one.
        steps: Ids of the SOP steps that this node comes from.
        evidence: Evidence phrases; an **agent** turn that contains one achieves the node for the
            deterministic judge.
        needs_yes: Only somebody who can be won can bring it about: with the others it does not apply.
        instead_when_declined: How a no is respected: with those who cannot be won it is a key node.
        derived: True when a rule made the node from an SOP step, and nobody has refined it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: NodeId
    criterion: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
    key: bool = False
    branch: Branch | None = None
    requires: tuple[NodeId, ...] = Field(default=(), max_length=20)
    steps: tuple[NodeId, ...] = Field(default=(), max_length=20)
    evidence: tuple[Phrase, ...] = Field(default=(), max_length=40)
    needs_yes: bool = False
    instead_when_declined: bool = False
    derived: bool = False


class TaskFlow(BaseModel):
    """The nodes of one scenario, in the order of the call.

    Attributes:
        declined: Of a call with somebody who cannot be won (:func:`flow_without_yes`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    nodes: tuple[FlowNode, ...] = Field(min_length=1, max_length=60)
    declined: bool = False

    def is_left_out(self, node: FlowNode) -> bool:
        """Whether the node cannot apply, since this person cannot be won."""
        return self.declined and node.needs_yes

    def takes_the_place(self, node: FlowNode) -> bool:
        """Whether the node stands for those that are left out: it applies whatever was heard."""
        return self.declined and node.instead_when_declined


def flow_without_yes(flow: TaskFlow) -> TaskFlow:
    """The flow of a call with somebody who cannot be won.

    What needs their yes does not apply; how their no is respected counts as a key node, in its place.
    """
    nodes = [
        node.model_copy(update={"key": True}) if node.instead_when_declined else node for node in flow.nodes
    ]
    return flow.model_copy(update={"nodes": tuple(nodes), "declined": True})


@dataclass(frozen=True, kw_only=True)
class FlowProblem:
    """A broken rule. ``field`` is a path inside the flow, for instance ``nodes.3.requires``.

    ``structural`` problems make the flow unusable for scoring (identity, prerequisites, cycles, evidence that
    does not parse); the others concern its size and quality.
    """

    field: str
    message: str
    structural: bool = False


def flow_problems(flow: TaskFlow, *, overlap_threshold: float = OVERLAP_THRESHOLD) -> list[FlowProblem]:
    """Every rule that the flow breaks; empty when it is sound.

    The rules: ids unique; prerequisites exist and form no cycle; evidence and cues parse; 6-14 nodes, 3-6 of
    them key; key nodes lie on the main line; no main-line node waits for a branch; branches that the
    deterministic judge can recognise (cues); no two criteria with an :func:`overlap` of the threshold or
    more.
    """
    problems = list(_structure(flow))
    count, keys = len(flow.nodes), sum(node.key for node in flow.nodes)
    if not NODES_MIN <= count <= NODES_MAX:
        problems.append(
            FlowProblem(field="nodes", message=f"{count} nodes; allowed: {NODES_MIN}-{NODES_MAX}")
        )
    if not KEY_NODES_MIN <= keys <= KEY_NODES_MAX:
        message = f"{keys} key nodes; allowed: {KEY_NODES_MIN}-{KEY_NODES_MAX}"
        problems.append(FlowProblem(field="nodes", message=message))
    branches = {node.id for node in flow.nodes if node.branch}
    if any(node.needs_yes for node in flow.nodes) != any(node.instead_when_declined for node in flow.nodes):
        message = "needs_yes and instead_when_declined go together: what takes the place of what needs a yes"
        problems.append(FlowProblem(field="nodes", message=message))
    for position, node in enumerate(flow.nodes):
        where = f"nodes.{position}"
        if node.needs_yes and node.instead_when_declined:
            message = f"'{node.id}' both needs a yes and takes the place of what does"
            problems.append(FlowProblem(field=f"{where}.needs_yes", message=message))
        if node.key and node.branch:
            message = f"'{node.id}' is key but a branch: a call where it never applies could not succeed"
            problems.append(FlowProblem(field=f"{where}.key", message=message))
        if node.branch is None and (waits := sorted(branches & set(node.requires))):
            message = f"'{node.id}' is on the main line but requires the branch node '{waits[0]}'"
            problems.append(FlowProblem(field=f"{where}.requires", message=message))
    problems += [
        FlowProblem(
            field=f"nodes.{second}.criterion",
            message=f"'{flow.nodes[second].id}' overlaps '{flow.nodes[first].id}': "
            f"{value:.2f} (cosine over words and word pairs), allowed below {overlap_threshold}",
        )
        for first, second, value in overlaps(flow)
        if value >= overlap_threshold
    ]
    return problems


def overlaps(flow: TaskFlow) -> list[tuple[int, int, float]]:
    """Every pair of node positions with the :func:`overlap` of their criteria, highest first."""
    criteria = [node.criterion for node in flow.nodes]
    pairs = [
        (first, second, overlap(criteria[first], criteria[second]))
        for second in range(len(criteria))
        for first in range(second)
    ]
    return sorted(pairs, key=lambda pair: -pair[2])


def overlap(one: str, other: str) -> float:
    """How much two criteria say the same: cosine of their counts of words and word pairs, 0-1.

    Words that nearly every criterion has ("the agent ...") are left out. Word pairs make the order count, so
    that "asks for the card number" and "gives the number of the card" stay apart.
    """
    left, right = _profile(one), _profile(other)
    product = sum(count * right[feature] for feature, count in left.items())
    norm = math.sqrt(sum(c * c for c in left.values())) * math.sqrt(sum(c * c for c in right.values()))
    return product / norm if norm else 0.0


def ordered(flow: TaskFlow) -> list[FlowNode]:
    """The nodes with every prerequisite before its dependants, otherwise in file order.

    Raises:
        ValueError: The prerequisites form a cycle or name no node.
    """
    if problem := next((p for p in _structure(flow) if p.field.endswith("requires")), None):
        raise ValueError(problem.message)
    done: dict[str, FlowNode] = {}
    waiting = list(flow.nodes)
    while waiting:
        ready = next(node for node in waiting if all(r in done for r in node.requires))
        done[ready.id] = ready
        waiting.remove(ready)
    return list(done.values())


def _structure(flow: TaskFlow) -> Iterator[FlowProblem]:
    positions: dict[str, int] = {}
    for position, node in enumerate(flow.nodes):
        if node.id in positions:
            yield FlowProblem(field=f"nodes.{position}.id", message=f"'{node.id}' twice", structural=True)
        positions.setdefault(node.id, position)
    for position, node in enumerate(flow.nodes):
        for required in node.requires:
            if required not in positions:
                message = f"'{node.id}' requires '{required}', which is no node"
                yield FlowProblem(field=f"nodes.{position}.requires", message=message, structural=True)
        phrases = [("evidence", node.evidence), ("branch.cues", node.branch.cues if node.branch else ())]
        for field, written in phrases:
            for index, phrase in enumerate(written):
                try:
                    parse(phrase)
                except ValueError as error:
                    place = f"nodes.{position}.{field}.{index}"
                    yield FlowProblem(field=place, message=str(error), structural=True)
    if cycle := _cycle({node.id: node.requires for node in flow.nodes}):
        message = "prerequisites go in a circle: " + " -> ".join(cycle)
        yield FlowProblem(field=f"nodes.{positions[cycle[0]]}.requires", message=message, structural=True)


def _cycle(requires: Mapping[str, Sequence[str]]) -> list[str] | None:
    """One cycle as a closed walk; None: there is none."""
    finished: set[str] = set()
    for start in requires:
        # From one that is finished every step is, too: there is no way into a circle.
        path = [start]
        stack = [iter(requires[start])]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                finished.add(path.pop())
            elif step in path:
                return [*path[path.index(step) :], step]
            elif step in requires and step not in finished:
                path.append(step)
                stack.append(iter(requires[step]))
    return None


# Words of the form of a criterion, not of its content.
_FORM_WORDS = (
    "the a an agent of to and or in on for that is are it its with by at from as be "
    "坐 席 的 了 并 和 向 对 客 户 用"
)
_FORM = frozenset(_FORM_WORDS.split())


def _profile(criterion: str) -> Counter[tuple[str, ...]]:
    content = [word for word in words(criterion) if word not in _FORM]
    pairs = itertools.pairwise(content)
    return Counter([*((word,) for word in content), *pairs])
