"""What an agent does to win a person: reasons that it gives, and pressure where it gives none.

Bound to what happened, not to the card's words: a reason is an answer to what was asked, an objection met, or
a statement to the point of an objection after it was voiced. Asking again after a no without one is pushing.
"""

from __future__ import annotations

import re

from voice_sim.person.persona import Obstacle, Persona
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.temper import MOOD_MAX, MOOD_MIN, Temper
from voice_sim.understanding.proposals import wants_the_floor
from voice_sim.understanding.question_forms import form_of
from voice_sim.understanding.topic import content_words
from voice_sim.understanding.words import spoken_words

TO_THE_POINT = 2
"""Content words that a statement shares with an objection, or with what would meet it."""
_ACKNOWLEDGES = re.compile(
    r"\b(?:you're right|fair (?:enough|point)|i (?:understand|see|hear you|get that)|don't worry"
    r"|no (?:problem|need)|of course|that's (?:common|normal|fine|fair|all right|true|understandable)"
    r"|understood|makes sense)\b"
    r"|\bi'd .{0,12}too\b|您说得对|理解|别担心|放心|没事|不急|也是|难怪|不要紧",
    re.IGNORECASE,
)
"""How one takes up what was said to them, before anything of one's own."""
TWICE = 2
SAYS_SOMETHING = 4
"""New content words from which a turn says something, whatever it is."""


def proposes(seen: Perception) -> bool:
    """Whether the agent asks for a yes to its matter, and not for a moment, a name or more questions."""
    acts, question = seen.acts, seen.question
    courtesy = acts.asks_identity or acts.asks_for_time or acts.asks_for_more or acts.asks_to_wait
    if question is None or not question.proposes or courtesy:
        return False
    if form_of(question.text, seen.language) == "understood":
        return False
    return not wants_the_floor(question.text, seen.language)


def wants_more(state: State, temper: Temper) -> str:
    """What a person still needs before a yes to the matter; "" where nothing is outstanding."""
    if standing := state.standing():
        return f"obstacle {standing[0]} stands"
    if len(state.reasons) < temper.reasons:
        return f"{len(state.reasons)} of {temper.reasons} reasons given"
    if temper.reasons and state.last_no >= 0 and not any(turn > state.last_no for turn in state.reasons):
        return "no reason since the last no"
    return ""


def notice_persuasion(
    state: State, seen: Perception, persona: Persona, temper: Temper, *, learnt: bool
) -> None:
    """Counts a reason or a push in what was just taken in.

    Args:
        learnt: It answered a question of ours, met an objection or lifted the mood, for the first time.
    """
    argued = [
        one for one in persona.obstacles if _argues(state, seen, one) or _was_heard_out(state, seen, one)
    ]
    for obstacle in argued:
        state.argued[obstacle.id] += 1
        if state.argued[obstacle.id] >= temper.arguments or _was_heard_out(state, seen, obstacle):
            state.overcome.add(obstacle.id)
    refused = state.last_no >= 0 or bool(state.standing())
    helps = bool(seen.overcome or seen.answered or seen.positive) and not state.heard_again
    if learnt or argued or (helps and refused) or _reassures(state, seen, temper):
        state.reasons.append(state.heard_turns)
    elif refused and _just_refused(state) and _presses(state, seen):
        state.pushed += 1
        state.mood = min(MOOD_MAX, max(MOOD_MIN, state.mood - temper.push_sours))


def _reassures(state: State, seen: Perception, temper: Temper) -> bool:
    """Whether it has anything new to say to one who only hesitates: objections are met and reasons enough, so
    that any word for it will do."""
    hesitates = any(role.ref == "two_minds" for role in state.last_roles)
    enough = 0 < temper.reasons <= len(state.reasons) and not state.standing()
    return hesitates and enough and len(_said_first(state, seen)) >= TO_THE_POINT


def _presses(state: State, seen: Perception) -> bool:
    """Whether it comes back to the matter and says nothing for it: what is new may be a reason that we did
    not understand, and nobody is cross about that."""
    again = proposes(seen) or bool(set(seen.obstacles) & set(state.voiced))
    return again and len(_news(state, seen)) < SAYS_SOMETHING


def _news(state: State, seen: Perception) -> frozenset[str]:
    """The content words of its statements that have not been heard in this call."""
    said = [sentence.text for sentence in seen.acts.sentences if not sentence.asks]
    return content_words(" ".join(said)) - state.topics


def _said_first(state: State, seen: Perception) -> frozenset[str]:
    """The content words of its statements that were not made in this call before, in the same words: late in
    a call hardly a word is new, and a statement may be all the same."""
    before = [f" {' '.join(words)} " for words in state.heard_before[:-1]]
    said = [
        sentence.text
        for sentence in seen.acts.sentences
        if not sentence.asks
        and not any(f" {' '.join(spoken_words(sentence.text))} " in turn for turn in before)
    ]
    return content_words(" ".join(said))


def _was_heard_out(state: State, seen: Perception, obstacle: Obstacle) -> bool:
    """Whether an objection that was just said in its last words gets an answer that takes it up, in words for
    that or in one of its own, with something new: it was not passed over, and they have no more to say."""
    just_now = any(role.kind == "obstacle" and role.ref == obstacle.id for role in state.last_roles)
    if not just_now or state.voiced[obstacle.id] < TWICE or obstacle.id in state.overcome:
        return False
    said = " ".join(sentence.text for sentence in seen.acts.sentences if not sentence.asks)
    takes_up = content_words(said) & content_words(" ".join((obstacle.overcome_by, *obstacle.say)))
    answers = bool(takes_up) or seen.soothes or bool(_ACKNOWLEDGES.search(seen.acts.sentences[0].text))
    return answers and len(_said_first(state, seen)) >= TO_THE_POINT and not state.heard_again


def _argues(state: State, seen: Perception, obstacle: Obstacle) -> bool:
    """Whether a statement in it is to the point of an objection that stands, in words not heard before."""
    if not state.voiced[obstacle.id] or obstacle.id in state.overcome or state.heard_again:
        return False
    subject = content_words(" ".join((obstacle.overcome_by, *obstacle.overcome_cues, *obstacle.say)))
    return len(_news(state, seen) & subject) >= TO_THE_POINT


def _just_refused(state: State) -> bool:
    return any(role.kind in ("no", "obstacle") or role.ref == "decline" for role in state.last_roles)
