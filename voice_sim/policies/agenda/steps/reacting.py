"""What the agent's words bring up in a person: an obstacle, or a reaction to what lifts or sours the mood."""

from __future__ import annotations

from voice_sim.person.examples import Item, ItemKind
from voice_sim.person.persona import Obstacle
from voice_sim.policies.agenda.draft import SAID_AT_MOST
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.identifying import confirm_identity
from voice_sim.understanding.question_forms import form_of
from voice_sim.understanding.topic import content_words


def raise_obstacle(now: Moment, seen: Perception) -> bool:
    """Drafts the next line of the first obstacle that is touched and not overcome; whether there is one."""
    for obstacle in now.persona.obstacles:
        times = now.state.voiced[obstacle.id]
        if obstacle.id not in seen.obstacles or obstacle.id in now.state.overcome:
            continue
        if times >= min(SAID_AT_MOST, len(obstacle.say)) or (obstacle.id in seen.overcome and times):
            continue
        if times and not now.temper.reasons and _asks_something_new(now, seen):
            continue
        doubtful = Item("obstacle", obstacle.id) in seen.doubtful
        if doubtful and (_asks_whether_it_was_clear(seen) or _wants_words_for_it(now, seen, obstacle)):
            continue
        role = Role(kind="obstacle", ref=obstacle.id, nth=times)
        if seen.acts.asks_identity and not now.state.facts:
            confirm_identity(now, seen)
        return now.draft.line(obstacle.say[times : times + 1], role)
    return False


def _asks_something_new(now: Moment, seen: Perception) -> bool:
    """A small objection is not put again in place of an answer."""
    return any(not now.state.facts[key] for key in seen.surely_asked)


def _wants_words_for_it(now: Moment, seen: Perception, obstacle: Obstacle) -> bool:
    """What may be an objection to what stands beside the question, and not to the question itself, is not put
    in place of something new that is clearly asked for in words."""
    question = seen.question
    if question is None or not question.open_question or question.proposes:
        return False
    about = content_words(" ".join((obstacle.when, *obstacle.cues, *obstacle.say)))
    return not content_words(question.text) & about and _asks_something_new(now, seen)


def _asks_whether_it_was_clear(seen: Perception) -> bool:
    """ "Got that?", "Is that right so far?": what may be an objection is not put in place of the answer."""
    form = None if seen.question is None else form_of(seen.question.text, seen.language)
    return form in ("understood", "check", "say_back")


def feel(now: Moment, seen: Perception) -> None:
    """A reaction to what lifts or sours the mood, once for each; nobody is cross about what is doubtful."""
    kind: ItemKind
    for kind, numbers, triggers in (
        ("negative", seen.negative, now.persona.triggers.negative),
        ("positive", seen.positive, now.persona.triggers.positive),
    ):
        for number in numbers:
            if kind == "negative" and Item(kind, str(number)) in seen.doubtful:
                continue
            role = Role(kind="negative" if kind == "negative" else "positive", ref=str(number))
            if not now.state.lines[role] and not now.draft and triggers[number].say:
                now.draft.line(triggers[number].say[:1], role)
