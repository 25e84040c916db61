"""Nodes by evidence phrases, branches by cues: what can be told of a task flow without understanding it.

- A node is achieved in the first agent turn that contains one of its evidence phrases, which is the quote;
  or, where none does, in the first one that has enough of the words of a line that the agent's prompt
  proposes for it (:mod:`metrics.dialogue.rules.model_lines`), whose closest sentence is the quote.
- A branch applies from the first caller turn on that contains one of its cues; only agent turns after that
  one can achieve its node.

It cannot see: an achievement in quite other words, words said to another purpose, denial beyond the nearest
words, a promise to do it later, half of a criterion. A node without evidence phrases, and a branch without
cues, cannot be judged this way: the node is ``failed``, the branch ``not_applicable``, each with its reason.
"""

from __future__ import annotations

from metrics.dialogue.dialogue import Dialogue
from metrics.dialogue.rules.model_lines import ENOUGH, closest_sentence, proposed_lines, share_of_line
from metrics.dialogue.rules.phrases import Found, find_phrase
from metrics.dialogue.task_flow import Branch, FlowNode, TaskFlow
from metrics.dialogue.verdicts import NodeVerdict


def judge_nodes(dialogue: Dialogue, flow: TaskFlow, agent_prompt: str = "") -> list[NodeVerdict]:
    """One verdict for each node, in the flow's order.

    Args:
        agent_prompt: For the lines that it proposes; without it, only phrases count.
    """
    return [_judge(dialogue, node, agent_prompt) for node in flow.nodes]


def _judge(dialogue: Dialogue, node: FlowNode, prompt: str) -> NodeVerdict:
    cue_turn = -1
    if node.branch is not None:
        if not node.branch.cues:
            reason = "the branch has no cues: rules cannot tell whether it came up"
            return NodeVerdict(node=node.id, outcome="not_applicable", reason=reason)
        cue = _first_cue(dialogue, node.branch)
        if cue is None:
            reason = f"never came up: {node.branch.when}"
            return NodeVerdict(node=node.id, outcome="not_applicable", reason=reason)
        cue_turn = cue
    if not node.evidence:
        reason = "the node has no evidence phrases: rules cannot judge it"
        return NodeVerdict(node=node.id, outcome="failed", reason=reason)
    too_early: int | None = None
    for turn in dialogue.replies():
        found = find_phrase(node.evidence, dialogue.turns[turn].text)
        if found is None:
            continue
        if turn < cue_turn:
            too_early = turn if too_early is None else too_early
            continue
        return _achieved(node, turn, found, cue_turn)
    if by_line := _by_proposed_line(dialogue, node, prompt, after=cue_turn):
        return by_line
    if too_early is not None:
        reason = f"said only in turn {too_early}, before it came up in turn {cue_turn}"
    else:
        since = f" after it came up in turn {cue_turn}" if cue_turn >= 0 else ""
        reason = f"no agent turn{since} has its evidence phrases, or enough of a line proposed for it"
    return NodeVerdict(node=node.id, outcome="not_achieved", reason=reason)


def _by_proposed_line(dialogue: Dialogue, node: FlowNode, prompt: str, *, after: int) -> NodeVerdict | None:
    lines = [line for line in proposed_lines(prompt) if find_phrase(node.evidence, line)]
    for turn in dialogue.replies():
        if turn < after:
            continue
        said = dialogue.turns[turn].text
        share, line = max(((share_of_line(said, one, prompt), one) for one in lines), default=(0.0, ""))
        quote = closest_sentence(said, line)
        if share >= ENOUGH and quote:
            reason = f"has {share:.0%} of “{line}”"
            return NodeVerdict(node=node.id, outcome="achieved", turn=turn, quote=quote, reason=reason)
    return None


def _first_cue(dialogue: Dialogue, branch: Branch) -> int | None:
    for position, turn in enumerate(dialogue.turns):
        if turn.speaker == "caller" and find_phrase(branch.cues, turn.text):
            return position
    return None


def _achieved(node: FlowNode, turn: int, found: Found, cue_turn: int) -> NodeVerdict:
    came_up = f"; came up in turn {cue_turn}" if cue_turn >= 0 else ""
    return NodeVerdict(
        node=node.id,
        outcome="achieved",
        turn=turn,
        quote=found.quote,
        reason=f"evidence phrase “{found.phrase}”{came_up}",
    )
