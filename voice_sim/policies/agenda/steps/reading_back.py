"""What the agent reads back of the person's facts: yes where it is right, no and the fact where it is not."""

from __future__ import annotations

from voice_sim.guard.read_back import read_back
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.telling import tell_kept_back


def answer_read_back(now: Moment, seen: Perception) -> bool:
    """Answers a question whether a value is that of a fact; whether there was one.

    Draws nothing where there was none, so that every other turn stays as it is.
    """
    told = [role.ref for role in now.state.last_roles if role.kind == "fact"]
    found = read_back(seen.text, now.persona.facts, language=seen.language, told=told)
    if found is None:
        return False
    fact = found.fact
    kept_back = fact.share == "never" or (fact.share == "trusted" and not now.state.trusted)
    if kept_back and not now.state.facts[fact.key]:
        return tell_kept_back(now, fact)
    if found.right:
        why = f"yes: reads back {fact.key}"
        return now.draft.stock("yes", why=why) or now.draft.stock("clear", why=why)
    why = f"not_so: reads back {fact.key} wrongly"
    denied = now.draft.stock("not_so", why=why)
    role = Role(kind="fact", ref=fact.key)
    return now.draft.line_again(fact.say[:1], role, f"{role}: was read back wrongly") or denied
