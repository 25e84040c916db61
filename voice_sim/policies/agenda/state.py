"""Where a call stands for the persona: what was asked, told, refused, and how the mood is.

The state is folded from the dialogue (:func:`state_of`); nothing is kept between two questions to the policy.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from voice_sim.person.examples import Item
from voice_sim.person.persona import MustAsk, Persona
from voice_sim.policies.agenda.lines import LineBook, Role
from voice_sim.policies.agenda.perception import Perceiver, Perception
from voice_sim.policies.agenda.persuasion import notice_persuasion, proposes, wants_more
from voice_sim.policies.agenda.temper import MOOD_MAX, MOOD_MIN, Temper
from voice_sim.policies.base import Dialogue, Heard
from voice_sim.understanding.acts import Language, acts_of
from voice_sim.understanding.topic import content_words
from voice_sim.understanding.words import spoken_words

NOT_UNDERSTOOD = ("repeat_please", "misheard", "lost", "ask_back")
"""What a person says who has not understood."""
SPEAKS_TO = 2
"""Content words that statements share with the question which was just put, or with its answers."""
OPENING = 4
"""Turns of the agent in which it may ask whether this is a good moment; later, such words ask something
else."""
ASSENTS = ("yes", "clear", "either", "fine", "go_ahead")
"""What is said in place of a yes."""
ASKS_TWICE = 2
"""A question is put once and put again once, in other words; then the answer is not coming."""


@dataclass(kw_only=True)
class State:
    """See the module's docstring. Ids, keys and positions are those of the persona.

    Attributes:
        mood: From -3 (about to hang up) to 3.
        hearing: What the agent said since our last turn; None before its first words.
        pending: The must-ask whose answer is awaited.
        settled, failed: Must-asks that were answered, and those where it was given up.
        told: Must-asks that were answered before they were asked.
        put_off: Must-asks to which the agent said that it does not know.
        trusted: A cooperation condition has come true.
        lost: The agent's turns in a row that led nowhere.
        repeated: How often the agent has said the same thing again, in a row.
        missed: Its turns in a row that were not understood.
        waits: How often it asked to wait.
        insults: How often it insulted us.
        idle: The agent's turns in a row that touched none of our concerns.
        heard_again: What was heard last had been said before. asked_again: Its last question had.
        after_the_end: The agent's turns since we summed up.
        wrapped_up: We have summed up; only the goodbye is left.
        took_leave: We have said goodbye.
        last_text: What we said last. ``last_roles``: the lines that it was made of.
        topics: Content words of what was heard. ``earlier``: of what was heard before the latest turn.
        turns: Our own turns so far. ``last_question``: the latest with a must-ask in it.
        last_no: The agent's turn to which we last said no, or were in two minds.
        last_objection, last_told: Our turns with an obstacle, and with a fact in it.
        noes: How often we have said no to the matter, and ``doubts``: in two minds about it.
        agreed: We have said yes to it, and have not said no since.
        owed: Facts that the agent's last turn asked for, and that we did not tell in reply.
        reasons: Turns of the agent that gave a good reason, by its place among them.
        argued: Words to the point of an objection, since it was voiced.
        pushed: How often it asked again after a no without giving a reason.
        not_understood: Our turns that said that we had not understood it; by whose fault is not known.
        refusals: Obstacles, noes and things that were not told.
        planted: Planted places that were said. ``last_planted``: our turn in which the latest was.
    """

    mood: float
    hearing: Perception | None = None
    heard_turns: int = 0
    turns: int = 0
    last_question: int = -99
    pending: str | None = None
    asked: Counter[str] = field(default_factory=Counter)
    settled: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    put_off: set[str] = field(default_factory=set)
    voiced: Counter[str] = field(default_factory=Counter)
    overcome: set[str] = field(default_factory=set)
    facts: Counter[str] = field(default_factory=Counter)
    owed: tuple[str, ...] = ()
    planted: set[str] = field(default_factory=set)
    last_planted: int = -99
    lines: Counter[Role] = field(default_factory=Counter)
    felt: set[Role] = field(default_factory=set)
    trusted: bool = False
    lost: int = 0
    repeated: int = 0
    missed: int = 0
    waits: int = 0
    insults: int = 0
    idle: int = 0
    heard_again: bool = False
    asked_again: bool = False
    after_the_end: int = 0
    wrapped_up: int = 0
    took_leave: bool = False
    last_no: int = -1
    last_objection: int = -1
    last_told: int = -1
    noes: int = 0
    doubts: int = 0
    agreed: bool = False
    reasons: list[int] = field(default_factory=list)
    argued: Counter[str] = field(default_factory=Counter)
    pushed: int = 0
    not_understood: int = 0
    refusals: int = 0
    last_text: str = ""
    last_roles: tuple[Role, ...] = ()
    topics: frozenset[str] = frozenset()
    earlier: frozenset[str] = frozenset()
    heard_before: list[tuple[str, ...]] = field(default_factory=list)
    questions_before: list[tuple[str, ...]] = field(default_factory=list)

    def standing(self) -> list[str]:
        """Obstacles that we have voiced, and that nothing has met."""
        return [obstacle for obstacle in self.voiced if obstacle not in self.overcome]

    @property
    def wants_it_again(self) -> bool:
        """Whether the agent asked us to say it again, or asked the same thing again."""
        asked = self.hearing is not None and self.hearing.acts.asks_to_repeat
        return asked or self.asked_again or self.heard_again

    def open_questions(self, persona: Persona) -> list[str]:
        """Must-asks that were not asked yet, in the persona's order."""
        return [question.id for question in persona.must_ask if not self.asked[question.id]]


def state_of(
    dialogue: Dialogue, *, persona: Persona, temper: Temper, book: LineBook, perceiver: Perceiver
) -> State:
    """The state after ``dialogue``, with what was heard last taken in."""
    state = State(mood=temper.mood)
    fresh: list[str] | None = None
    for turn in dialogue:
        if isinstance(turn, Heard):
            fresh = [*(fresh or []), (turn.text or "").strip()]
        elif turn.kind != "backchannel":
            if fresh is not None:
                _take_in(state, _perceived(fresh, state, perceiver), persona, temper)
            _note_said(state, turn.text, book.roles_in(turn.text), temper, language=persona.language)
            fresh = None
    state.hearing = None
    if fresh is not None:
        _take_in(state, _perceived(fresh, state, perceiver), persona, temper)
    return state


def heard_texts(dialogue: Dialogue) -> list[str]:
    """What the agent said between our turns, as it is perceived: what a decision has to understand."""
    texts: list[str] = []
    fresh: list[str] | None = None
    for turn in dialogue:
        if isinstance(turn, Heard):
            fresh = [*(fresh or []), (turn.text or "").strip()]
        elif turn.kind != "backchannel":
            texts += [_joined(fresh)] if fresh else []
            fresh = None
    return [*texts, *([_joined(fresh)] if fresh else [])]


def _joined(fresh: list[str]) -> str:
    return " ".join(filter(None, fresh))


def _perceived(fresh: list[str], state: State, perceiver: Perceiver) -> Perception:
    return perceiver.perceive(_joined(fresh), expected=_expected(state))


def _expected(state: State) -> frozenset[Item]:
    """What a person listens for: the answer to what they just asked, what would settle their objection."""
    answers = {Item("must_ask", state.pending)} if state.pending is not None else set()
    objected = {role.ref for role in state.last_roles if role.kind == "obstacle"}
    return frozenset(answers | {Item("overcome", ref) for ref in objected - state.overcome})


def _note_said(
    state: State, text: str, roles: tuple[Role, ...], temper: Temper, *, language: Language
) -> None:
    state.turns += 1
    told = {role.ref for role in roles if role.kind == "fact"}
    asked = state.hearing.facts if state.hearing is not None else ()
    state.owed = tuple(key for key in asked if key != "name" and key not in told)
    state.last_text, state.last_roles = text, roles
    state.missed = state.missed + 1 if Role(kind="phrase", ref="repeat_please") in _kinds(roles) else 0
    for role in roles:
        state.lines[role] += 1
        match role.kind:
            case "must_ask":
                state.asked[role.ref] += 1
                state.pending = role.ref
                state.last_question = state.turns
            case "obstacle":
                state.voiced[role.ref] += 1
                state.last_objection = state.turns
                state.refusals += 1
            case "fact":
                state.facts[role.ref] += 1
                state.last_told = state.turns
            case "stimulus":
                state.planted.add(role.ref)
                state.last_planted = state.turns
            case "no":
                state.noes += 1
                state.last_no = state.heard_turns
                state.refusals += 1
                state.agreed = False
            case "cooperation":
                _agree(state)
            case "phrase" if role.ref == "agree":  # said to nothing but a proposal
                _agree(state)
            case "phrase" | "stock" if role.ref == "yes" and _was_proposed(state):
                _agree(state)
            case "phrase" | "stock" if role.ref in ASSENTS and _settles_it(state, temper):
                _agree(state)
            case "phrase" | "stock" if role.ref == "decline":
                state.refusals += 1
            case "stock" if role.ref == "two_minds":
                state.doubts += 1
                state.last_no = state.heard_turns
            case "phrase" | "stock" if role.ref in NOT_UNDERSTOOD:
                state.not_understood += 1
            case "phrase" if role.ref == "goodbye":
                state.wrapped_up += 1
                state.took_leave = True
            case "termination":
                state.wrapped_up += 1
                state.took_leave = state.took_leave or acts_of(text, language).farewell
            case _:
                pass


def _agree(state: State) -> None:
    """A yes leaves no objection standing."""
    state.agreed = True
    state.overcome.update(state.voiced)


def _was_proposed(state: State) -> bool:
    """Whether what we answer now was a proposal, and no question of courtesy."""
    return state.hearing is not None and proposes(state.hearing)


def _settles_it(state: State, temper: Temper) -> bool:
    """Whether a yes is one to the matter, whatever question it was given to: nothing is outstanding, and who
    wants reasons has them."""
    seen = state.hearing
    if seen is None or not temper.reasons or wants_more(state, temper):
        return False
    acts = seen.acts
    courtesy = acts.asks_identity or acts.asks_for_more or acts.asks_to_wait or state.heard_turns <= OPENING
    return seen.question is not None and not courtesy and seen.does != "clear"


def _kinds(roles: tuple[Role, ...]) -> set[Role]:
    """The roles with every way of not having understood as one."""
    unheard = Role(kind="phrase", ref="repeat_please")
    return {unheard if role.ref in NOT_UNDERSTOOD else Role(kind=role.kind, ref=role.ref) for role in roles}


def _take_in(state: State, seen: Perception, persona: Persona, temper: Temper) -> None:
    introduces = seen.acts.greets or seen.acts.asks_identity
    if not state.heard_turns or (state.heard_turns == 1 and introduces):
        seen = seen.without_doubts()
    state.hearing = seen
    state.earlier = state.topics
    state.heard_turns += 1
    if seen.acts.insults:
        state.insults += 1
        _feel(state, -1.5)
    if seen.acts.asks_to_wait:
        state.waits += 1
        return
    _notice_repetition(state, seen)
    to_a_planted_place = not seen.empty and any(role.kind == "stimulus" for role in state.last_roles)
    familiar = seen.about_the_call or bool(seen.content & state.topics) or to_a_planted_place
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
        role.ref in (*NOT_UNDERSTOOD, "silence", "decline")
        or role.kind in ("obstacle", "must_ask", "stimulus")
        for role in state.last_roles
    )
    unanswered = unanswered or any(not state.facts[key] for key in seen.facts)
    times = state.heard_before.count(words) if words else 0
    if times >= (2 if unanswered else 1):
        state.repeated += 1
        _feel(state, -0.5)
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
                _feel(state, 0.25)
            state.settled.add(question)
            state.failed.discard(question)
        elif question in answerable:
            state.told.add(question)
    if state.pending in state.settled:
        state.pending = None
    elif state.pending is not None and _speaks_to(seen, asked_of(persona, state.pending)):
        state.settled.add(state.pending)
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
            _feel(state, -0.5)
    for obstacle in persona.obstacles:
        if obstacle.id in seen.overcome and state.voiced[obstacle.id] and obstacle.id not in state.overcome:
            state.overcome.add(obstacle.id)
            _feel(state, 0.25)


def asked_of(persona: Persona, ref: str) -> MustAsk:
    """The must-ask of that id."""
    return next(question for question in persona.must_ask if question.id == ref)


def _speaks_to(seen: Perception, question: MustAsk) -> bool:
    """Whether what follows a question is about it, in words: it hardly is a coincidence then."""
    said = [sentence.text for sentence in seen.acts.sentences if not sentence.asks]
    about = content_words(" ".join(question.ask)) | content_words(" ".join(question.answered_by))
    return not seen.acts.admits_ignorance and len(content_words(" ".join(said)) & about) >= SPEAKS_TO


def _notice_mood(state: State, seen: Perception) -> None:
    for kind, numbers, change in (("positive", seen.positive, 0.75), ("negative", seen.negative, -0.75)):
        for number in numbers:
            role = Role(kind="positive" if kind == "positive" else "negative", ref=str(number))
            if role not in state.felt:
                state.felt.add(role)
                _feel(state, change)


def _feel(state: State, change: float) -> None:
    state.mood = min(MOOD_MAX, max(MOOD_MIN, state.mood + change))
