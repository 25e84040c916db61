"""Whether the sides of a transcript may have been taken for each other: its words tell, the names do not."""

from __future__ import annotations

from metrics.dialogue.evidence import first_match
from metrics.dialogue.task_flow import TaskFlow
from spoken_language.dialogue import Dialogue, Speaker

FEWEST = 3
"""Nodes: a caller says the words of one or two without being the agent ("a refund by Friday?")."""


def swapped_sides(dialogue: Dialogue, flow: TaskFlow) -> str:
    """A hint where the caller says what the agent is judged by, and the agent less of it; "" otherwise."""
    callers, agents = (_nodes_in(dialogue, flow, side) for side in ("caller", "agent"))
    if callers < FEWEST or callers <= agents:
        return ""
    return (
        f"are the sides swapped? the words of {callers} nodes stand in the caller's turns, of {agents} in "
        "the agent's; the agent is the side under test, whoever dialled"
    )


def _nodes_in(dialogue: Dialogue, flow: TaskFlow, side: Speaker) -> int:
    said = [turn.text for turn in dialogue.turns if turn.speaker == side]
    return sum(any(first_match(node.evidence, text) for text in said) for node in flow.nodes)
