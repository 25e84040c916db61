"""What a verdict must keep to, whoever judged. Every score passes through here, so no judge can skip it.

A verdict that breaks a rule becomes ``failed`` with the reason: it counts neither for nor against the agent,
and the scores say how many there were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from metrics.dialogue.quotes import is_quoted_from
from metrics.dialogue.task_flow import FlowNode, TaskFlow
from metrics.dialogue.verdicts import NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue

_SHOWN = 80


def checked_nodes(
    dialogue: Dialogue, flow: TaskFlow, verdicts: Sequence[NodeVerdict]
) -> tuple[NodeVerdict, ...]:
    """One verdict for each node of the flow, in its order.

    A node without a verdict, or with two, failed; a verdict on a node that the flow does not have is left
    out. An achieved node must cite a turn of the agent and quote words of it. Only a branch node may be not
    applicable; with somebody who cannot be won, also what needs their yes, and not what takes its place.
    """
    given = Counter(verdict.node for verdict in verdicts)
    by_node = {verdict.node: verdict for verdict in verdicts}
    checked = []
    for node in flow.nodes:
        if flow.is_left_out(node):
            reason = "it needs the yes of a person who cannot be won"
            checked.append(NodeVerdict(node=node.id, outcome="not_applicable", reason=reason))
        elif flow.takes_the_place(node) and _is_passed_over(by_node.get(node.id)):
            reason = "the person cannot be won, and their no never came up to be respected"
            checked.append(NodeVerdict(node=node.id, outcome="not_achieved", reason=reason))
        elif given[node.id] == 1:
            checked.append(_checked_node(dialogue, node, by_node[node.id]))
        else:
            many = (
                f"the judge gave {given[node.id]} verdicts" if given[node.id] else "the judge gave no verdict"
            )
            checked.append(NodeVerdict(node=node.id, outcome="failed", reason=many))
    return tuple(checked)


def checked_reply(dialogue: Dialogue, verdict: ReplyVerdict) -> ReplyVerdict:
    """The verdict, if it is about a turn of the agent and quotes words of it (or nothing).

    A reply to a turn that was planted for a dimension is where that dimension applies.
    """
    if problem := _turn_problem(dialogue, verdict.turn):
        return _failed(verdict, problem)
    if verdict.outcome == "not_applicable" and verdict.dimension in dialogue.tried_by(verdict.turn):
        return _failed(verdict, "judged not applicable, but the caller's turn before was planted to try it")
    quote = verdict.quote if verdict.outcome == "scored" else ""
    if quote and not is_quoted_from(quote, dialogue.turns[verdict.turn].text):
        return _failed(verdict, f"quotes words that the reply does not have: {_shown(quote)}")
    return verdict


def _is_passed_over(verdict: NodeVerdict | None) -> bool:
    return verdict is not None and verdict.outcome == "not_applicable"


def _checked_node(dialogue: Dialogue, node: FlowNode, verdict: NodeVerdict) -> NodeVerdict:
    problem = ""
    if verdict.outcome == "not_applicable" and node.branch is None:
        problem = "judged not applicable, but it is on the main line and always applies"
    elif verdict.turn is not None:
        problem = _turn_problem(dialogue, verdict.turn)
        if not problem and not is_quoted_from(verdict.quote, dialogue.turns[verdict.turn].text):
            what = _shown(verdict.quote) if verdict.quote else "nothing"
            problem = f"quotes words that turn {verdict.turn} does not have: {what}"
    if not problem:
        return verdict
    reason = f"{problem}; the judge said: {verdict.reason}" if verdict.reason else problem
    return NodeVerdict(node=node.id, outcome="failed", reason=reason)


def _turn_problem(dialogue: Dialogue, turn: int) -> str:
    if turn >= len(dialogue.turns):
        return f"cites turn {turn} of a dialogue of {len(dialogue.turns)} (counted from 0)"
    if dialogue.turns[turn].speaker != "agent":
        return f"cites turn {turn}, which is the caller's"
    return ""


def _failed(verdict: ReplyVerdict, problem: str) -> ReplyVerdict:
    reason = f"{problem}; the judge said: {verdict.reason}" if verdict.reason else problem
    return ReplyVerdict(turn=verdict.turn, dimension=verdict.dimension, outcome="failed", reason=reason)


def _shown(quote: str) -> str:
    return f'"{quote[:_SHOWN]}…"' if len(quote) > _SHOWN else f'"{quote}"'
