"""The caller asks once more what the agent has answered since it asked.

Sees: a must-ask of the person put twice, where between the two the agent said an answer of its card: in
words that the card marks as the answer, or near enough to the card's line and with its values.
Leaves alone: a first asking, whatever was told before it; a must-ask to which the answer came in parts.
Cannot see: an answer that is nothing like the card's; a question of the caller's that is no must-ask.
"""

from __future__ import annotations

from itertools import pairwise

from voice_sim.guard.claims import same_value
from voice_sim.guard.misunderstanding.nearness import evidence_for, nearest
from voice_sim.guard.misunderstanding.replies import is_line
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.values.reading import values
from voice_sim.guard.words import sentences
from voice_sim.person.persona import MustAsk
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.cues import says_any

NEAR = {"meaning": 0.6, "words": 0.6}
"""From which nearness to a line of the card a sentence says the same."""
SAME_MATTER = {"meaning": 0.35, "words": 0.1}
"""From which nearness an answer and a question are about the same thing."""


def asked_again(session: Session) -> list[Finding]:
    """Findings, in the order of the turns."""
    found: dict[int, Finding] = {}
    for must in session.persona.must_ask:
        put = [n for n in session.caller_turns() if is_line(session.turns[n].text, must.ask)]
        for before, again in pairwise(put):
            between = [turn.text for turn in session.turns[before + 1 : again] if turn.speaker == "agent"]
            asked_to = acts_of(between[-1], session.persona.language).asks_to_repeat if between else True
            text = session.turns[again].text
            if asked_to or again in found or not text.rstrip().endswith(("?", "？")):
                continue
            answer = next(
                (t for t in between if answers(session, must, t) and _goes_with(session, t, text)), ""
            )
            if answer:
                detail = f"asks {must.id} again, which the agent has answered: “{answer[:120]}”"
                found[again] = Finding(
                    kind="asked_again", turn=again, quote=text, detail=detail, aside="turn"
                )
    return [found[position] for position in sorted(found)]


def _goes_with(session: Session, answer: str, question: str) -> bool:
    """Whether the answer is one to the second question too, which may want to know more than the first."""
    evidence = evidence_for(session.persona.language)
    return nearest(sentences(question), [sentences(answer)], evidence)[0] >= SAME_MATTER[evidence]


def answers(session: Session, must: MustAsk, text: str) -> bool:
    """Whether what the agent said is an answer of its card to a must-ask."""
    if any(says_any(must.answered_by, part) for part in sentences(text)):
        return True
    evidence = evidence_for(session.persona.language)
    for line in session.card.lines:
        if not says_any(must.answered_by, line):
            continue
        wanted = values(line)
        for part in sentences(text):
            if part.rstrip().endswith(("?", "？")):
                continue
            said = values(part)
            if wanted and not any(same_value(one, other) for one in wanted for other in said):
                continue
            if nearest([part], [[line]], evidence)[0] >= NEAR[evidence]:
                return True
    return False
