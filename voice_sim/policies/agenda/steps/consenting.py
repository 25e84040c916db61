"""Consent: the yes to what is proposed, the persona's own words for it, and what stands in its way."""

from __future__ import annotations

from voice_sim.policies.agenda.draft import SAID_AT_MOST
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import BARE_QUESTION, Perception
from voice_sim.policies.agenda.steps.by_form import choose, leave_it_to_them
from voice_sim.policies.agenda.steps.willing import say_no, why_not
from voice_sim.understanding.proposals import wants_the_floor
from voice_sim.understanding.question_forms import QuestionForm
from voice_sim.understanding.topic import content_words

SOUR = -1.5
"""A mood from which proposals are declined."""


def consent(now: Moment, seen: Perception, form: QuestionForm) -> None:
    """The answer to a proposal: yes, no, or not yet."""
    if now.state.mood <= SOUR:
        # Who has said no in all their words says yes for all that not.
        sour = "the mood is sour"
        say_no(now, sour) or now.draft.phrase("decline", sour) or now.draft.stock("decline", why=sour)
        return
    if (why := why_not(now)) and now.temper.reasons:
        _not_yet(now, why)
        return
    if not now.state.agreed and now.happens(now.temper.doubts_rate) and not _doubted_last(now):
        now.draft.stock("two_minds", why="two_minds: wants to be sure")
    if not now.draft and form == "which" and not choose(now, seen):
        now.draft.stock("either", why="either: consents")
    if not now.draft and form == "open":
        leave_it_to_them(now, seen)
    if not now.draft:
        now.draft.phrase("agree", "consents")
    if not now.draft:
        now.draft.stock("yes")


def _not_yet(now: Moment, why: str) -> None:
    """No yes yet: who is quick to say no says so where nothing has been said for it since the last no."""
    state = now.state
    if _object_again(now):
        return
    reasoned = any(turn > state.last_no for turn in state.reasons)
    if not now.temper.doubts_rate and not reasoned and say_no(now, why):
        return
    now.draft.stock("two_minds", why=f"two_minds: {why}") or say_no(now, why)


def _object_again(now: Moment) -> bool:
    """What stands in the way of the yes, in its other words: who asks for the yes may have forgotten it."""
    for obstacle in now.persona.obstacles:
        times = now.state.voiced[obstacle.id]
        if obstacle.id in now.state.standing() and times < min(SAID_AT_MOST, len(obstacle.say)):
            role = Role(kind="obstacle", ref=obstacle.id, nth=times)
            if now.draft.line(obstacle.say[times : times + 1], role):
                return True
    return False


def _doubted_last(now: Moment) -> bool:
    return any(role.ref == "two_minds" for role in now.state.last_roles)


def cooperate(now: Moment, seen: Perception) -> bool:
    """The persona's own yes, once its conditions hold and the talk is of what it is a yes to."""
    question = seen.question
    if question is not None and wants_the_floor(question.text, seen.language):
        return False  # leave to speak is no matter to agree to
    done = now.state.settled | now.state.told
    for number, condition in enumerate(now.persona.cooperation):
        role = Role(kind="cooperation", ref=str(number))
        unmet = not set(condition.needs) <= done or why_not(now)
        if not condition.say or now.state.lines[role] or unmet:
            continue
        about = content_words(condition.say[0]) | content_words(condition.gives)
        if about & _proposed(seen):
            return now.draft.line(condition.say[:1], role)
    return False


def _proposed(seen: Perception) -> frozenset[str]:
    """The content words of what is proposed: of the proposals themselves, and of the whole turn where those
    only point to it ("Shall we do that?")."""
    proposals = [sentence.text for sentence in seen.acts.sentences if sentence.proposes]
    words = content_words(" ".join(proposals))
    return seen.content if proposals and len(words) <= BARE_QUESTION else words


def give_way(now: Moment, seen: Perception) -> bool:
    """Asked once more for what an obstacle stood against: a yes where it was met, a no where it stands."""
    for obstacle in now.persona.obstacles:
        voiced_just_now = any(r.kind == "obstacle" and r.ref == obstacle.id for r in now.state.last_roles)
        if not voiced_just_now or obstacle.id not in seen.obstacles:
            continue
        if obstacle.id in now.state.overcome:
            return now.draft.phrase("agree", f"obstacle {obstacle.id} is met")
        return say_no(now, f"obstacle {obstacle.id} stands")
    return False
