"""The caller says the same thing again and again.

Sees: the same or nearly the same turn, or longer sentence, three times or more in a call; two turns in a
row that are nearly identical; one sentence three times within a turn.

Leaves alone: short lines ("Yes.", "Go on."), what is said again because the agent asked for it or did not
hear, and the answer to a question that the agent itself repeats.
Cannot see: the same complaint in ever new words.
"""

from __future__ import annotations

import re
from collections import Counter

from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import alike, is_chinese, sentences, words

NEAR = 0.9
"""Texts with at least this share of words in common, in order, are the same line."""
_SHORT = {"en": 4, "zh": 6}
_SENTENCE = {"en": 6, "zh": 9}
_ASKED_AGAIN = re.compile(
    r"say (that|it|this) (again|once more)|repeat|once more|one more time|didn't (quite )?(catch"
    r"|hear|get|understand)"
    r"|pardon|come again|what was that|breaking up|bad line|can't hear|couldn't hear|speak up|did"
    r" you say|you said"
    r"|spell|sorry\?|was that|say again|still there|are you there|lost you|hello\?|read (it|that) back"
    r"|再说|再讲|再报|再念|重复|没听清|没听见|没听到|听不清|信号|大声|您说的是|是说|断了|还在吗|喂",
    re.IGNORECASE,
)


def repeated_itself(session: Session) -> list[Finding]:
    """Findings, in the order of the turns."""
    found = _in_one_turn(session)
    counted = [n for n in session.caller_turns() if not _may_repeat(session, n)]
    for index, position in enumerate(counted):
        text = session.turns[position].text
        if _length(text) < _SHORT["zh" if is_chinese(text) else "en"]:
            continue
        before = [n for n in counted[:index] if alike(session.turns[n].text, text) >= NEAR]
        previous = [n for n in session.caller_turns() if n < position]
        if previous and previous[-1] in before:
            found.append(_finding(position, text, "the same turn twice in a row, unasked"))
        elif len(before) >= 2:
            found.append(_finding(position, text, f"the same turn {len(before) + 1} times"))
    return found + _sentences(session, counted, {finding.turn for finding in found})


def _in_one_turn(session: Session) -> list[Finding]:
    found = []
    for position in session.caller_turns():
        said = Counter(words(s) for s in sentences(session.turns[position].text) if len(words(s)) >= 3)
        for line, times in said.items():
            if times >= 3:
                quote = next(s for s in sentences(session.turns[position].text) if words(s) == line)
                found.append(_finding(position, quote, f"the same sentence {times} times in one turn"))
    return found


def _sentences(session: Session, counted: list[int], have: set[int | None]) -> list[Finding]:
    """A longer sentence in three turns or more, whatever stands around it."""
    seen: list[tuple[str, int]] = []
    found = []
    for position in counted:
        for sentence in dict.fromkeys(sentences(session.turns[position].text)):
            if _length(sentence) < _SENTENCE["zh" if is_chinese(sentence) else "en"]:
                continue
            turns = {n for line, n in seen if n != position and alike(line, sentence) >= NEAR}
            if len(turns) >= 2 and position not in have:
                found.append(_finding(position, sentence, f"the same sentence in {len(turns) + 1} turns"))
            seen.append((sentence, position))
    return found


def _may_repeat(session: Session, position: int) -> bool:
    """Whether the agent asked for it again, said nothing, or repeated itself or its question."""
    before = [turn.text for turn in session.turns[:position] if turn.speaker == "agent"]
    if not before or not before[-1].strip() or _ASKED_AGAIN.search(before[-1]):
        return True
    if any(alike(before[-1], earlier) >= NEAR for earlier in before[:-1]):
        return True
    asked = _last_question(before[-1])
    return bool(asked) and any(alike(asked, _last_question(earlier)) >= NEAR for earlier in before[:-1])


def _last_question(text: str) -> str:
    return next((s for s in reversed(sentences(text)) if s.endswith(("?", "？"))), "")


def _length(text: str) -> int:
    return len(words(text))


def _finding(position: int, quote: str, detail: str) -> Finding:
    return Finding(kind="repeated_itself", turn=position, quote=quote, detail=detail)
