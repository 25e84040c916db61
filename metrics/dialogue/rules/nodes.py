"""Nodes by evidence phrases, branches by cues: what can be told of a task flow without understanding it.

- A node is achieved in the first agent turn that contains one of its evidence phrases, which is the quote;
  or, where none does, in the first one that has enough of the words of a line that the agent's prompt
  proposes for it (:mod:`metrics.dialogue.rules.model_lines`), whose closest sentence is the quote. A sentence
  that denies something where the line's clause does not is no such sentence.
- A branch applies from the first caller turn on that contains one of its cues; only agent turns after that
  one can achieve its node. Where no cue is heard, an answer shows that it came up all the same: one turn with
  two of the node's evidence phrases in separate words, or two that overlap and much of a proposed line.
- A branch whose condition is that somebody else has picked up comes up in the caller's first turns or not.
- A criterion that wants something asked is not achieved by a turn that asks nothing.

It cannot see: an achievement in quite other words, words said to another purpose, denial without a negation
("out of the question"), a promise to do it later, most halves of a criterion, a branch that came up in other
words and was ignored. A node without evidence phrases, and a branch without cues, cannot be judged this way:
the node is ``failed``, the branch ``not_applicable``, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from metrics.dialogue.rules.denials import is_refused, own_clauses
from metrics.dialogue.rules.model_lines import (
    ENOUGH,
    closest_sentence,
    content_of,
    proposed_lines,
    share_of_line,
)
from metrics.dialogue.rules.not_knowing import CLAUSE, denies
from metrics.dialogue.rules.phrases import Found, find_phrase
from metrics.dialogue.task_flow import FlowNode, TaskFlow
from metrics.dialogue.verdicts import NodeVerdict
from spoken_language.dialogue import Dialogue

PHRASES_OF_ANSWER, SHARE_OF_ANSWER = 2, 0.35
"""So many evidence phrases in one turn show that the branch came up: where they are separate, alone; where
they are not, together with such a share of a proposed line."""

PICKED_UP_TURNS = 3
"""Caller turns in which it shows that somebody else has picked up."""

_PICKED_UP = re.compile(
    r"\b(?:answers|answered|picks up|picked up|speaks|voice|on the (?:line|phone|telephone))\b|接电话的",
    re.IGNORECASE,
)
_SOMEBODY_ELSE = re.compile(
    r"\b(?:else|other than|another|not the|is not|colleague|relative|unknown)\b|不是|别人|同事|家人|家属",
    re.IGNORECASE,
)
_WANTS_A_QUESTION = re.compile(
    r"\b(?:open|last|final) question|\bconsent\b.{0,25}\b(?:obtained|asked)\b"
    r"|请.{0,3}确认|打听|认准|征求|询问",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|\b(?:tell me|let me know|give me|i(?:'d)? (?:still )?need|please|say so|say which)\b"
    r"|告诉我|请您|说说|您说|你说"
    # What a recogniser hears has no question mark.
    r"|吗|呢|是[^，。！\s]{1,8}(?<!是)吧|有没有|是不是|能不能|可不可以|(?<!没)什么|多少|哪|(?<!好)几|怎么样|怎样"
    r"|想了解|想问",
    re.IGNORECASE,
)

_WORDS_OF_DENIAL = 2
"""So many words of a line that has a no of its own make a denial of another clause of it."""
_PUTS_OFF = re.compile(
    r"\b(?:i|we)(?:['’](?:m|re)\s+not|\s+(?:am|are)\s+not|\s+can(?:not|['’]t|\s+not)"
    r"|\s+do(?:n['’]t|\s+not)\s+(?:\w+\s+)?(?:know|have|see))\b"
    r"|我[^，。；：！？,;!?\n]{0,6}?(?:不(?![收要用])|没(?!收)|无法)",
    re.IGNORECASE,
)
"""A line that is itself about what the speaker cannot do or know: "I don't have the calendar, but a colleague
will call". Its paraphrase may say so of another thing ("I can't schedule it") where it also says the rest."""
_WORDS_OF_THE_REST = 2
"""So many words of a line, said in clauses that deny nothing."""
_WITHOUT = re.compile(r"(?=\bwithout\b)", re.IGNORECASE)
_NOT_DENIED = re.compile(
    r"\b(?:nothing|none|nobody|without)\b|\b[a-z]+n['’]t (?:i|you|we|he|she|it|they|that|there)\s*[?]|别",
    re.IGNORECASE,
)


def judge_nodes(dialogue: Dialogue, flow: TaskFlow, agent_prompt: str = "") -> list[NodeVerdict]:
    """One verdict for each node, in the flow's order.

    Args:
        agent_prompt: For the lines that it proposes; without it, only phrases count.
    """
    return [_judge(dialogue, node, agent_prompt, always=flow.takes_the_place(node)) for node in flow.nodes]


def _judge(dialogue: Dialogue, node: FlowNode, prompt: str, *, always: bool = False) -> NodeVerdict:
    """``always``: a branch that applies even where no cue was heard."""
    cue_turn = -1
    if always and node.branch is not None:
        found_at = _first_cue(dialogue, node)
        cue_turn = -1 if found_at is None else found_at
    elif node.branch is not None:
        if not node.branch.cues:
            reason = "the branch has no cues: rules cannot tell whether it came up"
            return NodeVerdict(node=node.id, outcome="not_applicable", reason=reason)
        cue = _first_cue(dialogue, node)
        if cue is None:
            if answered := _plainly_answered(dialogue, node, prompt):
                return answered
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
        if _leaves_the_question_out(node, dialogue.turns[turn].text):
            continue
        return _achieved(node, turn, found, cue_turn)
    if by_line := _by_proposed_line(dialogue, node, prompt, after=cue_turn):
        return by_line
    if answered := _plainly_answered(dialogue, node, prompt):
        return answered
    if too_early is not None:
        reason = f"said only in turn {too_early}, before it came up in turn {cue_turn}"
    else:
        since = f" after it came up in turn {cue_turn}" if cue_turn >= 0 else ""
        reason = f"no agent turn{since} has its evidence phrases, or enough of a line proposed for it"
    return NodeVerdict(node=node.id, outcome="not_achieved", reason=reason)


def _plainly_answered(dialogue: Dialogue, node: FlowNode, prompt: str) -> NodeVerdict | None:
    """A branch that came up in words which no cue has, told by the answer: one turn with two of the node's
    evidence phrases that are separate, or with two that are not and a good part of a line proposed for it."""
    lines = [line for line in proposed_lines(prompt) if find_phrase(node.evidence, line)]
    for turn in dialogue.replies():
        said = dialogue.turns[turn].text
        found = [one for phrase in node.evidence if (one := find_phrase((phrase,), said))]
        if turn == 0 or len(found) < PHRASES_OF_ANSWER or _is_too_late(dialogue, node, turn):
            continue
        if _leaves_the_question_out(node, said):
            continue
        separate = _separate(found)
        if len(separate) >= PHRASES_OF_ANSWER:
            phrases = f"evidence phrases “{separate[0].phrase}” and “{separate[1].phrase}”"
            reason = f"{phrases}, each in words of its own"
        else:
            kept = [line for line in lines if not _denies_line(closest_sentence(said, line), line)]
            share = max((share_of_line(said, line, prompt) for line in kept), default=0.0)
            if share < SHARE_OF_ANSWER:
                continue
            reason = f"evidence phrase “{found[0].phrase}” and {share:.0%} of a line proposed for it"
        quote = found[0].quote
        return NodeVerdict(node=node.id, outcome="achieved", turn=turn, quote=quote, reason=reason)
    return None


def _separate(found: Sequence[Found]) -> list[Found]:
    """Those that stand in words of their own and say something that the others do not: two phrases for one
    thing are one piece of evidence. Of phrases that overlap, the shortest counts."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: len(each.places)):
        apart = all(not one.places & other.places for other in kept)
        told = frozenset[str]().union(*(content_of(other.quote) for other in kept))
        if apart and (not kept or content_of(one.quote) - told):
            kept.append(one)
    return kept


def _by_proposed_line(dialogue: Dialogue, node: FlowNode, prompt: str, *, after: int) -> NodeVerdict | None:
    lines = [line for line in proposed_lines(prompt) if find_phrase(node.evidence, line)]
    for turn in dialogue.replies():
        if turn < after:
            continue
        said = dialogue.turns[turn].text
        fitting = [one for one in lines if not _is_question(one) or _ASKS.search(said)]
        kept = [one for one in fitting if not _denies_line(closest_sentence(said, one), one)]
        share, line = max(((share_of_line(said, one, prompt), one) for one in kept), default=(0.0, ""))
        quote = closest_sentence(said, line)
        if share >= ENOUGH and quote and not _leaves_the_question_out(node, said):
            reason = f"has {share:.0%} of “{line}”"
            return NodeVerdict(node=node.id, outcome="achieved", turn=turn, quote=quote, reason=reason)
    return None


def _denies_line(sentence: str, line: str) -> bool:
    """Whether a sentence says no to a line's own words, in one clause, where the line's clause that has most
    of them does not: the words alone are the same. What costs nothing, or is asked ("aren't you?"), is not
    denied."""
    wanted = content_of(line)
    clauses = _clauses(sentence)
    denied = [one for one in clauses if denies(_NOT_DENIED.sub(" ", one))]
    affirmed = frozenset[str]().union(*(content_of(one) for one in clauses if one not in denied))
    puts_off = len(wanted & affirmed) >= _WORDS_OF_THE_REST and bool(_PUTS_OFF.search(line))
    for clause in denied:
        words = wanted & content_of(clause)
        plainly = not puts_off and any(is_refused(one, clause) for one in words - affirmed)
        if words and not _says_no_to(words, line, plainly=plainly):
            return True
    return False


def _says_no_to(words: frozenset[str], line: str, *, plainly: bool) -> bool:
    """Whether a line itself says no to most of some of its words. "Without" takes only what follows it.

    One word may be of anything: "I don't have the date here" denies no line such as "I can't tell you yet,
    but I'll ring you tomorrow with the date". But not where it is ``plainly`` what is not done ("it is not
    covered").
    """
    if len(words) < _WORDS_OF_DENIAL and not plainly and denies(line):
        return True
    clauses = [part for clause in _clauses(line) for part in _WITHOUT.split(clause)]
    return max(((len(words & content_of(one)), denies(one)) for one in clauses), default=(0, False))[1]


def _clauses(text: str) -> list[str]:
    return [part for clause in CLAUSE.split(text) for part in own_clauses(clause)]


def _leaves_the_question_out(node: FlowNode, said: str) -> bool:
    """Whether a criterion wants something asked, and the turn asks nothing: half of it is not all of it."""
    return bool(_WANTS_A_QUESTION.search(node.criterion)) and not _ASKS.search(said)


def _is_question(line: str) -> bool:
    return line.rstrip().endswith(("?", "？"))


def _first_cue(dialogue: Dialogue, node: FlowNode) -> int | None:
    for position, turn in enumerate(dialogue.turns):
        if turn.speaker != "caller" or node.branch is None or _is_too_late(dialogue, node, position):
            continue
        if find_phrase(node.branch.cues, turn.text):
            return position
    return None


def _is_too_late(dialogue: Dialogue, node: FlowNode, position: int) -> bool:
    """Whether a branch is about who has picked up, and a place in the call is past where that shows: later a
    caller who names a husband or a porter speaks of one."""
    when = node.branch.when if node.branch is not None else ""
    if not (_PICKED_UP.search(when) and _SOMEBODY_ELSE.search(when)):
        return False
    return sum(turn.speaker == "caller" for turn in dialogue.turns[: position + 1]) > PICKED_UP_TURNS


def _achieved(node: FlowNode, turn: int, found: Found, cue_turn: int) -> NodeVerdict:
    came_up = f"; came up in turn {cue_turn}" if cue_turn >= 0 else ""
    return NodeVerdict(
        node=node.id,
        outcome="achieved",
        turn=turn,
        quote=found.quote,
        reason=f"evidence phrase “{found.phrase}”{came_up}",
    )
