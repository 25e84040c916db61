"""What can be checked of a decomposition without a model: is everything of the text in it, and only once?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from metrics.dialogue.decomposition.stages import Criteria, Structure
from metrics.dialogue.evidence import words
from metrics.dialogue.quotes import is_quoted_from
from metrics.dialogue.task_flow import Branch, FlowNode, TaskFlow, flow_problems

ENOUGH = 0.95
"""Coverage below this is repaired. The paper reports that its decompositions agreed with experts in 95 %."""
LONG_LINE_CHARS = 240
MIN_WORDS = 4
"""A unit with fewer words is a heading or a remnant, not something to do."""

_ITEM = re.compile(r"^\s*(?:step\s*)?(?:\d+[.):]|[-*•]|第[一二三四五六七八九十]+步)\s*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？；;])\s*")


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How much of a task flow's text a decomposition has.

    Attributes:
        units: What the text consists of; see :func:`units`.
        uncovered: Units that no step comes from.
        stray: Ids of steps whose source is not in the text.
        unused: Ids of steps that no node covers.
        unknown: Step ids that nodes name and that do not exist.
    """

    units: Sequence[str]
    uncovered: Sequence[str]
    stray: Sequence[str]
    unused: Sequence[str]
    unknown: Sequence[str]

    @property
    def share(self) -> float:
        """Share of the units that some step comes from; 1 for a text without units."""
        return 1.0 - len(self.uncovered) / len(self.units) if self.units else 1.0


def units(text: str) -> list[str]:
    """The parts of a task flow's text that each say something: its lines, and the sentences of long ones."""
    found: list[str] = []
    for line in text.splitlines():
        item = _ITEM.sub("", line)
        found += _SENTENCE_END.split(item) if len(item) > LONG_LINE_CHARS else [item]
    return [part.strip() for part in found if len(words(part)) >= MIN_WORDS]


def coverage(text: str, structure: Structure, criteria: Criteria) -> Coverage:
    """Compares text, steps and nodes."""
    parts = units(text)
    stray = [step.id for step in structure.steps if not is_quoted_from(step.source, text)]
    sources = [step.source for step in structure.steps if step.id not in stray]
    used = {step for node in criteria.nodes for step in node.steps}
    known = {step.id for step in structure.steps}
    return Coverage(
        units=parts,
        uncovered=[part for part in parts if not any(_touches(source, part) for source in sources)],
        stray=stray,
        unused=[step.id for step in structure.steps if step.id not in used],
        unknown=sorted(used - known),
    )


def structure_problems(text: str, structure: Structure) -> list[str]:
    """What is wrong with the steps, before nodes are made of them."""
    found = coverage(text, structure, Criteria.model_construct(nodes=[]))
    problems = [f"step '{step}': its source is not in the text" for step in found.stray]
    if found.share < ENOUGH:
        problems += [f"no step comes from this part of the text: {part}" for part in found.uncovered]
    return problems + [
        f"the step id '{step}' is there twice" for step in _twice([s.id for s in structure.steps])
    ]


def criteria_problems(structure: Structure, criteria: Criteria) -> list[str]:
    """What is wrong with the nodes: steps without a node, overlap, size, key nodes."""
    found = coverage("", structure, criteria)
    problems = [f"the step '{step}' is covered by no node" for step in found.unused]
    problems += [f"there is no step '{step}'" for step in found.unknown]
    return problems + [problem.message for problem in flow_problems(flow_of(criteria))]


def flow_of(criteria: Criteria) -> TaskFlow:
    """The nodes as a flow, prerequisites still open. Evidence phrases for the rules judge are a person's to
    add."""
    return TaskFlow(
        nodes=tuple(
            FlowNode(
                id=node.id,
                criterion=node.criterion,
                key=node.key,
                branch=Branch(when=node.applies_if) if node.applies_if else None,
                steps=tuple(dict.fromkeys(node.steps)),
                derived=True,
            )
            for node in criteria.nodes
        )
    )


def _touches(source: str, part: str) -> bool:
    """Whether a quotation lies in a unit, or spans all of it."""
    return is_quoted_from(source, part) or is_quoted_from(part, source)


def _twice(ids: Sequence[str]) -> list[str]:
    return sorted({one for one in ids if ids.count(one) > 1})
