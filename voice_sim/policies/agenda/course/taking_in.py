"""What a turn of the agent changes: answers to our questions, repetition, patience, the mood."""

from __future__ import annotations

from dataclasses import replace

from voice_sim.person.persona import MustAsk, Persona
from voice_sim.policies.agenda.course.in_kind import answers_in_kind
from voice_sim.policies.agenda.course.introductions import introduces
from voice_sim.policies.agenda.course.persuasion import notice_persuasion, proposes
from voice_sim.policies.agenda.course.state import ASKS_TWICE, NOT_UNDERSTOOD, State, asked_of
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.temper import MOOD_MAX, MOOD_MIN, Temper
from voice_sim.understanding.farewells import only_courtesy
from voice_sim.understanding.topic import content_words
from voice_sim.understanding.words import spoken_words

SPEAKS_TO = 2
"""Content words that statements share with the question which was just put, or with its answers."""

SAYS_SOMETHING = 3
"""Content words from which a turn is repeated wherever it was said before; a shorter one only lately."""
LATELY = 2
NO_WISH_IS_A_GOODBYE = 2
"""In so many turns of the agent thanks and wishes are the courtesy of an opening, unless the person has just
said no or objected; a goodbye is one always."""


def take_in(state: State, seen: Perception, persona: Persona, temper: Temper) -> None:
    """Takes in what the agent said since our last turn."""
    opens = seen.acts.greets or seen.acts.asks_identity
    if not state.heard_turns or (state.heard_turns == 1 and opens):
        seen = seen.without_doubts()
    state.heard_turns += 1
    opening = state.heard_turns <= NO_WISH_IS_A_GOODBYE and not state.has_just_refused
    if opening and seen.acts.farewell and not seen.acts.says_bye:
        seen = replace(seen, acts=replace(seen.acts, farewell=False))
    state.introduced = state.introduced or introduces(seen.text)
    state.goodbyes += seen.acts.farewell
    state.hearing = seen
    state.earlier = state.topics
    if seen.acts.insults:
        state.insults += 1
        state.feel(-1.5)
    if seen.acts.asks_to_wait:
        state.waits += 1
        return
    _notice_repetition(state, seen)
    to_a_planted_place = not seen.empty and any(role.kind == "stimulus" for role in state.last_roles)
    familiar = seen.about_the_call or bool(seen.content & state.topics) or to_a_planted_place
    familiar = familiar or (proposes(seen) and _has_yet_to_agree(state))
    if familiar and not seen.about_the_call:
        seen = state.hearing = replace(seen, about_the_call=True)
    leads_nowhere = seen.empty or not familiar or state.repeated > 0
    state.lost = state.lost + 1 if leads_nowhere else 0
    state.idle = 0 if seen.touches_a_concern else state.idle + 1
    if state.wrapped_up:
        state.after_the_end += 1
    if not seen.empty:
        known = len(state.settled) + len(state.overcome) + len(state.felt)
        _notice_answers(state, seen, persona)
        _notice_mood(state, seen)
        learnt = len(state.settled) + len(state.overcome) + len(state.felt) > known
        notice_persuasion(state, seen, persona, temper, learnt=learnt)
    if familiar:
        state.topics |= seen.content
    state.trusted = state.trusted or any(
        set(condition.needs) <= state.settled | state.told for condition in persona.cooperation
    )
    state.mood = min(MOOD_MAX, max(MOOD_MIN, state.mood))


def _notice_repetition(state: State, seen: Perception) -> None:
    words = spoken_words(seen.text)
    unanswered = any(
        role.ref in (*NOT_UNDERSTOOD, "silence", "decline", "two_minds")
        or role.kind in ("obstacle", "no", "must_ask", "stimulus")
        for role in state.last_roles
    )
    unanswered = unanswered or any(not state.facts[key] for key in seen.facts)
    unanswered = unanswered or (proposes(seen) and not state.agreed)
    content = len(content_words(seen.text))
    before = state.heard_before if content >= SAYS_SOMETHING else state.heard_before[-LATELY:]
    times = before.count(words) if words and not only_courtesy(seen.text, seen.language) else 0
    if times >= (2 if unanswered else 1):
        state.repeated += 1
        state.feel(-0.5)
    else:
        state.repeated = 0
    state.heard_again = words in state.heard_before
    question = spoken_words(seen.question.text) if seen.question else ()
    state.asked_again = bool(question) and question in state.questions_before
    state.heard_before.append(words)
    state.questions_before.append(question)


def _notice_answers(state: State, seen: Perception, persona: Persona) -> None:
    answerable = {question.id for question in persona.must_ask if question.answerable}
    for question in seen.answered:
        if state.asked[question]:
            if question not in state.settled:
                state.feel(0.25)
            state.settled.add(question)
            state.failed.discard(question)
        elif question in answerable:
            state.told.add(question)
    if state.pending in state.settled:
        state.pending = None
    elif state.pending is not None and _speaks_to(seen, asked_of(persona, state.pending)):
        state.settled.add(state.pending)
        state.pending = None
    elif (
        state.pending is not None
        and _just_asked(state)
        and answers_in_kind(seen, asked_of(persona, state.pending).ask[0])
    ):
        state.told.add(state.pending)
        state.pending = None
    elif state.pending is not None and seen.acts.admits_ignorance:
        state.put_off.add(state.pending)
        state.failed.add(state.pending)
        state.pending = None
    elif state.pending is not None and state.asked[state.pending] >= ASKS_TWICE:
        state.failed.add(state.pending)
        asked = asked_of(persona, state.pending)
        state.pending = None
        # Words about it that we took for no answer may well be one: that is not held against the agent.
        if len(content_words(" ".join(asked.ask)) & seen.content) < 2:
            state.feel(-0.5)
    for obstacle in persona.obstacles:
        if obstacle.id in seen.overcome and state.voiced[obstacle.id] and obstacle.id not in state.overcome:
            state.overcome.add(obstacle.id)
            state.feel(0.25)


def _has_yet_to_agree(state: State) -> bool:
    """Whether a yes was asked for and not given: what is proposed then is the same matter in any words."""
    return not state.agreed and (state.last_no >= 0 or bool(state.voiced))


def _speaks_to(seen: Perception, question: MustAsk) -> bool:
    """Whether what follows a question is about it, in words: it hardly is a coincidence then."""
    said = [sentence.text for sentence in seen.acts.sentences if not sentence.asks]
    about = content_words(" ".join(question.ask)) | content_words(" ".join(question.answered_by))
    return not seen.acts.admits_ignorance and len(content_words(" ".join(said)) & about) >= SPEAKS_TO


def _just_asked(state: State) -> bool:
    return any(role.kind == "must_ask" and role.ref == state.pending for role in state.last_roles)


def _notice_mood(state: State, seen: Perception) -> None:
    for kind, numbers, change in (("positive", seen.positive, 0.75), ("negative", seen.negative, -0.75)):
        for number in numbers:
            role = Role(kind="positive" if kind == "positive" else "negative", ref=str(number))
            if role not in state.felt:
                state.felt.add(role)
                state.feel(change)
