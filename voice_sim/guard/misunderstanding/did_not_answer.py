"""The agent asked for something that the person knows, and the caller passed over it.

Sees: "I don't know" to a question for a fact; and a question for a fact to which the caller only murmurs,
only asks something of its own, or tells another fact, where the fact was not told before and is not told with
the next turn. What was asked for is told by the card and the facts; where the agent then says that it was not
answered, or asks the same again, less of that is enough.

Leaves alone: facts that are kept back or told on trust; refusals, objections, "pardon?", "why do you ask?";
yes and no to a question for yes or no; any turn with a value or a third of a line's words of the fact.
Cannot see: questions whose words are far from the card and the fact ("and officially?"); without an encoder,
and in Chinese, questions in none of their words.
"""

from __future__ import annotations

import re

from voice_sim.guard.misunderstanding.asked import Asked, asked_for, questions_in
from voice_sim.guard.misunderstanding.nearness import evidence_for, nearest
from voice_sim.guard.misunderstanding.replies import (
    answers_yes_or_no,
    facts_said,
    keeps_back,
    only_asks,
    only_murmurs,
    says_unsure,
    tells,
)
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import alike
from voice_sim.person.persona import Fact
from voice_sim.understanding.cues import says_any

NEAR = {"meaning": (0.45, 0.1), "words": (0.3, 0.15)}
"""From which nearness, and by how much ahead of every other fact, a question is for a fact. Set on
``fixtures/understanding/development``: in English, by meaning, 67 of 125 questions for a fact are found and
8 of 360 lines taken for another; in Chinese, by words, 8 of 40 and none of 120."""
NEAR_IF_CERTAIN = {"meaning": (0.4, 0.05), "words": (0.25, 0.1)}
"""The same where the agent's next words say that it was not answered, or the caller says it does not know."""
_SAME_QUESTION = {"meaning": 0.8, "words": 0.6}
_NOT_ANSWERED = re.compile(
    r"\b(didn't (?:really )?answer|not what i (?:asked|meant)|i meant|what i (?:meant|mean|was asking|asked)"
    r"|as i asked|my question|let me (?:ask|put) (?:that|it) (?:again|differently|another way)|once more)\b"
    r"|没回答|没有回答|我问的是|我是问|不是问|我的意思是|刚才问|换个问法|再问一遍",
    re.IGNORECASE,
)


def did_not_answer(session: Session) -> list[Finding]:
    """Findings, in the order of the turns."""
    found = []
    for position in session.caller_turns():
        if finding := _finding(session, position):
            found.append(finding)
    return found


def _finding(session: Session, position: int) -> Finding | None:
    text, persona = session.turns[position].text, session.persona
    if keeps_back(text, persona):
        return None
    unsure = says_unsure(text, persona)
    passes = only_murmurs(text, persona) or only_asks(text, persona) or bool(facts_said(text, persona))
    if not (unsure or passes):
        return None
    asked = asked_for(session, position)
    if asked is None or asked.fact.share not in ("freely", "asked"):
        return None
    if answers_yes_or_no(asked.question, text) or any(tells(text, f) for f in (asked.fact, *asked.rivals)):
        return None
    evidence = evidence_for(persona.language)
    again = _asks_again(session, position, asked)
    near, ahead = (NEAR_IF_CERTAIN if unsure or again else NEAR)[evidence]
    if asked.near < near or asked.ahead < ahead or _told_elsewhere(session, position, asked.fact, unsure):
        return None
    how = "says that it does not know" if unsure else "passes over it"
    detail = f"asked for {asked.fact.key} ({asked.fact.value}), the caller {how}"
    hung = _outcome_hung_on(session, asked.fact)
    if hung:
        detail += f"; the call's node “{hung}” failed for want of it"
    return Finding(
        kind="did_not_answer", turn=position, quote=text, detail=detail, aside="call" if hung else "turn"
    )


def _told_elsewhere(session: Session, position: int, fact: Fact, unsure: bool) -> bool:
    turns = session.caller_turns()
    at = turns.index(position)
    before, after = turns[:at], turns[at + 1 : at + 2]
    return any(tells(session.turns[n].text, fact) for n in (before if unsure else (*before, *after)))


def _asks_again(session: Session, position: int, asked: Asked) -> bool:
    after = next((t.text for t in session.turns[position + 1 :] if t.speaker == "agent"), "")
    if _NOT_ANSWERED.search(after):
        return True
    later = questions_in(after, session.persona.language)
    if any(alike(one, asked.question) >= 0.8 for one in later):
        return True
    evidence = evidence_for(session.persona.language)
    return bool(later) and nearest([asked.question], [later], evidence)[0] >= _SAME_QUESTION[evidence]


def _outcome_hung_on(session: Session, fact: Fact) -> str:
    """The criterion of a must-have node that was not achieved and is about the fact, which was never told."""
    if any(tells(session.turns[n].text, fact) for n in session.caller_turns()):
        return ""
    said = [turn.text for turn in session.turns if turn.speaker == "agent"]
    evidence = evidence_for(session.persona.language)
    for node in session.must_have:
        if node.evidence and not any(says_any(node.evidence, text) for text in said):
            near = nearest([node.criterion], [(fact.value, *fact.say, fact.key.replace("_", " "))], evidence)
            if near[0] >= NEAR[evidence][0]:
                return node.criterion
    return ""
