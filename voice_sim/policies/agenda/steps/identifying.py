"""Who the person is: said once in their own words, then by name or with a plain yes."""

from __future__ import annotations

import re

from voice_sim.policies.agenda.course.introductions import introduces
from voice_sim.policies.agenda.lines import Role, without_asking_who
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.telling import tell

_NOW = re.compile(
    r"\b(?:now|moment|minutes?|time|talk|speak|chat|convenient|listen)\b|现在|方便|时间|分钟|聊|听",
    re.IGNORECASE,
)


def only_asks_for_time(seen: Perception) -> bool:
    """Whether an agent that has said who it is asks for nothing but the moment, by name or not."""
    question = seen.question
    if question is None or seen.acts.asks_identity or not introduces_itself(seen):
        return False
    return question.proposes and bool(_NOW.search(question.text))


def introduces_itself(seen: Perception) -> bool:
    """Whether the agent has said who it is."""
    return introduces(seen.text)


def confirm_identity(now: Moment, seen: Perception) -> None:
    """Says who it is; the second time by name, or with a plain yes. Nobody asks for a name that was said."""
    name = next((fact for fact in now.persona.facts if fact.key == "name" and "name" in seen.facts), None)
    if not now.state.lines[Role(kind="phrase", ref="confirm_identity")]:
        lines = now.persona.phrases.confirm_identity
        plain = [line for line in lines if not line.rstrip().endswith(("?", "？"))]
        plain = plain or [line for line in map(without_asking_who, lines) if line]
        if plain and now.state.introduced:
            now.draft.phrase("confirm_identity", "who it is", of=plain)
        elif not (now.state.introduced and name is not None and tell(now, name)):
            now.draft.phrase("confirm_identity", "who it is")
        return
    if name is None or now.state.facts["name"] or not tell(now, name):
        now.draft.stock("yes")
