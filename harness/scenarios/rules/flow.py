"""Rules that tie the task flow to the agent card: steps covered, evidence found in what the card says."""

from __future__ import annotations

from collections.abc import Iterator

from harness.scenarios.agent_card import AgentCard, SopStep
from harness.scenarios.rules.card import Problem
from metrics.dialogue.evidence import first_match, matches
from metrics.dialogue.task_flow import FlowNode, TaskFlow

BRANCH_NODES_MIN = 2


def coverage_problems(card: AgentCard, flow: TaskFlow) -> Iterator[Problem]:
    """SOP steps without a node, nodes without a step."""
    steps = [step.id for step in card.sop]
    for number, node in enumerate(flow.nodes):
        if not node.steps:
            yield f"flow.nodes.{number}.steps", f"'{node.id}' comes from no SOP step"
        for step in node.steps:
            if step not in steps:
                yield f"flow.nodes.{number}.steps", f"'{step}' is no SOP step; there are: {', '.join(steps)}"
    covered = {step for node in flow.nodes for step in node.steps}
    for number, step in enumerate(steps):
        if step not in covered:
            yield f"agent.sop.{number}", f"no flow node covers the step '{step}'"


def evidence_problems(card: AgentCard, flow: TaskFlow, *, benchmark: bool) -> Iterator[Problem]:
    """Evidence that a literal reading of the card would not meet, or that nearly anything meets.

    ``card`` and ``flow`` are those of an entry, with placeholders filled in.
    """
    if benchmark and sum(node.branch is not None for node in flow.nodes) < BRANCH_NODES_MIN:
        yield "flow.nodes", f"fewer than {BRANCH_NODES_MIN} branch nodes"
    by_step = {step.id: _lines(step) for step in card.sop}
    by_step[card.sop[0].id].append(card.opening)
    by_step[card.sop[-1].id] += [line for ending in card.termination for line in ending.closing]
    answers = [entry.answer for entry in card.faq]
    for number, node in enumerate(flow.nodes):
        place = f"flow.nodes.{number}"
        if not node.evidence:
            yield f"{place}.evidence", f"'{node.id}' has no evidence phrase for the deterministic judge"
            continue
        if node.branch and not node.branch.cues:
            yield f"{place}.branch.cues", f"'{node.id}': nothing tells when the branch applies"
        lines = [line for step in node.steps for line in by_step.get(step, [])] + answers
        if not any(first_match(node.evidence, line) for line in lines):
            message = f"'{node.id}': no line of {', '.join(node.steps)} (or FAQ) contains any of the phrases"
            yield f"{place}.evidence", message
        yield from _too_loose(node, by_step, place)


def _too_loose(node: FlowNode, by_step: dict[str, list[str]], place: str) -> Iterator[Problem]:
    for index, phrase in enumerate(node.evidence):
        others = [
            step
            for step, lines in by_step.items()
            if step not in node.steps and any(matches(phrase, line) for line in lines)
        ]
        if len(others) * 2 > len(by_step):
            message = f"'{phrase}' is met by lines of {len(others)} other steps: too loose"
            yield f"{place}.evidence.{index}", message


def _lines(step: SopStep) -> list[str]:
    return [*step.say, *(line for branch in step.branches for line in branch.say)]
