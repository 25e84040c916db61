"""What the agent's words bring up in a person: an obstacle, or a reaction to what lifts or sours the mood."""

from __future__ import annotations

from voice_sim.policies.agenda.draft import SAID_AT_MOST
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.answering import confirm_identity


def raise_obstacle(now: Moment, seen: Perception) -> bool:
    """Drafts the next line of the first obstacle that is touched and not overcome; whether there is one."""
    for obstacle in now.persona.obstacles:
        times = now.state.voiced[obstacle.id]
        if obstacle.id not in seen.obstacles or obstacle.id in now.state.overcome:
            continue
        if times >= min(SAID_AT_MOST, len(obstacle.say)) or (obstacle.id in seen.overcome and times):
            continue
        role = Role(kind="obstacle", ref=obstacle.id, nth=times)
        if seen.acts.asks_identity and not now.state.facts:
            confirm_identity(now, seen)
        return now.draft.line(obstacle.say[times : times + 1], role)
    return False


def feel(now: Moment, seen: Perception) -> None:
    """A reaction to what lifts or sours the mood, once for each."""
    for kind, numbers, triggers in (
        ("negative", seen.negative, now.persona.triggers.negative),
        ("positive", seen.positive, now.persona.triggers.positive),
    ):
        for number in numbers:
            role = Role(kind="negative" if kind == "negative" else "positive", ref=str(number))
            if not now.state.lines[role] and not now.draft and triggers[number].say:
                now.draft.line(triggers[number].say[:1], role)
