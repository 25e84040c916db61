"""Small sessions and flows for tests of scores: what each node's verdict is, is written out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.dialogue.task_flow import Branch, FlowNode, TaskFlow
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue, DialogueTurn


def dialogue(*lines: str) -> Dialogue:
    """Lines such as "A: Hello." (the agent) and "C: Yes?" (the caller)."""
    turns = []
    for line in lines:
        who, _, text = line.partition(":")
        turns.append(DialogueTurn(speaker="agent" if who == "A" else "caller", text=text))
    return Dialogue(turns=tuple(turns))


def node(
    name: str, *, key: bool = False, branch: bool = False, requires: Sequence[str] = (), evidence: str = ""
) -> FlowNode:
    return FlowNode(
        id=name,
        criterion=f"The agent does {name}.",
        key=key,
        branch=Branch(when="It comes up.", cues=("comes up",)) if branch else None,
        requires=tuple(requires),
        evidence=(evidence,) if evidence else (),
    )


def flow(*nodes: FlowNode) -> TaskFlow:
    return TaskFlow(nodes=nodes)


def achieved(name: str, turn: int, quote: str) -> NodeVerdict:
    return NodeVerdict(node=name, outcome="achieved", turn=turn, quote=quote)


def missed(name: str) -> NodeVerdict:
    return NodeVerdict(node=name, outcome="not_achieved")


def absent(name: str) -> NodeVerdict:
    return NodeVerdict(node=name, outcome="not_applicable")


def failed(name: str) -> NodeVerdict:
    return NodeVerdict(node=name, outcome="failed", reason="no answer")


def scored(turn: int, dimension: Dimension, score: int, *, quote: str = "") -> ReplyVerdict:
    return ReplyVerdict.model_validate(
        {"turn": turn, "dimension": dimension, "outcome": "scored", "score": score, "quote": quote}
    )


def unscored(turn: int, dimension: Dimension, outcome: str) -> ReplyVerdict:
    return ReplyVerdict.model_validate(
        {"turn": turn, "dimension": dimension, "outcome": outcome, "reason": "so"}
    )
