"""What the persona does next: the agenda, from what cannot wait to what can.

A turn is made of one to three of the persona's own lines. The order in which they are considered:

1. leaving: hang-up conditions, insults, a mood at its end, patience spent, the call's natural end;
2. what was not understood: asked to say again, twice at most in a row;
3. an obstacle that the agent's words bring up;
4. the answer to what was asked: who it is, facts, consent, "not sure";
5. own questions: one that was not answered, then the next of the agenda;
6. a reaction, or just a sign of listening.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from voice_sim.persona import Fact, MustAsk, Persona
from voice_sim.policies.agenda.draft import SAID_AT_MOST, Draft, Piece, Turn
from voice_sim.policies.agenda.lines import LineBook, Role
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.state import ASKS_TWICE, State
from voice_sim.policies.agenda.temper import MOOD_MIN, Temper
from voice_sim.policies.base import EndReason
from voice_sim.understanding.topic import content_words, shared_content

MISSED_AT_MOST = 2
REPEATS_BORNE = 2
IDLE_PER_LOST = 2
"""Turns that are about the call, and yet touch no concern, try the patience half as much as lost ones."""
OVERWHELMED_AT_MOST = 2
LONG_TURN, LONG_TURN_ZH = 220, 90
"""Characters of an explanation that is too much at once for some."""
SOUR = -1.5
"""A mood from which proposals are declined."""
TURNS_BEFORE_THE_END = 8
"""Words of parting without a goodbye end a call only after this many of the agent's turns."""


def decide(state: State, *, persona: Persona, temper: Temper, book: LineBook, random: Random) -> Turn:
    """The next turn of the persona."""
    return _Decider(state=state, persona=persona, temper=temper, book=book, random=random).turn()


@dataclass(kw_only=True)
class _Decider:
    state: State
    persona: Persona
    temper: Temper
    book: LineBook
    random: Random

    def __post_init__(self) -> None:
        self.draft = Draft(state=self.state, persona=self.persona, book=self.book, random=self.random)
        self.parting = self.takes_leave = False

    def turn(self) -> Turn:
        seen = self.state.hearing
        if seen is None:
            return self._first_words()
        if self._both_said_goodbye(seen):
            return Turn(pieces=(), ends="satisfied", why="both have said goodbye")
        ends = self._leave(seen)
        if ends is None and not self._not_understood(seen):
            self._respond(seen)
            if self.state.wrapped_up and not self.draft:
                if not self.draft.phrase("goodbye", "the call is over"):
                    return Turn(pieces=(), ends="satisfied", why="the call is over")
                ends = "satisfied"
        if not self.draft:
            self._listen(seen)
        if not self.draft:
            ends = self._give_up("nothing is left to say")
        return Turn(
            pieces=tuple(self.draft.pieces), ends=ends, parting=self.parting, takes_leave=self.takes_leave
        )

    # 1. Leaving

    def _both_said_goodbye(self, seen: Perception) -> bool:
        """Nobody owes the other a word any more: one more goodbye would bring back another one."""
        return self.state.took_leave and seen.acts.farewell and seen.question is None

    def _leave(self, seen: Perception) -> EndReason | None:
        state, temper = self.state, self.temper
        if seen.hang_up:
            number = seen.hang_up[0]
            self.draft.line(self.persona.hang_up[number].say[:1], Role(kind="hang_up", ref=str(number)))
            return "refused" if self.draft.pieces else self._give_up("hang_up condition")
        if seen.acts.insults and state.insults >= 2:
            return self._refuse("insulted again")
        if state.mood <= MOOD_MIN:
            return self._refuse("the mood is at its end")
        if self._nothing_is_answered():
            return self._refuse("no question gets an answer")
        if seen.acts.insults:
            self.draft.stock("insulted")
            return None
        if state.repeated > REPEATS_BORNE:
            return self._give_up("the agent repeats itself")
        if state.waits > temper.waits:
            return self._give_up("kept waiting")
        if state.lost >= temper.lost_turns or state.idle >= IDLE_PER_LOST * temper.lost_turns:
            return self._give_up("the agent leads nowhere")
        if state.turns >= temper.turns:
            return self._give_up("the call takes too long")
        return None

    def _nothing_is_answered(self) -> bool:
        """Own questions were put twice each, and not one has got an answer, or a word about it."""
        state = self.state
        enough = min(self.temper.ignored_questions, len(self.persona.must_ask))
        return not (state.settled or state.put_off) and 0 < enough <= len(state.failed)

    def _refuse(self, why: str) -> EndReason:
        """Hang up with the words of a hang-up condition about answers that stay away, where there is one."""
        failed = [question.ask[0] for question in self.persona.must_ask if question.id in self.state.failed]
        for number, ending in enumerate(self.persona.hang_up):
            if ending.say and any(shared_content(ending.when, ask) for ask in failed):
                self.draft.pieces.append(Piece(text=ending.say[0], why=f"hang_up {number}: {why}"))
                return "refused"
        self.draft.stock("leave", why=why) or self.draft.phrase("goodbye", why)
        return "refused"

    def _give_up(self, why: str) -> EndReason:
        """Something comes up: an ending of the persona that no words of the agent bring about."""
        self.draft.pieces.clear()
        for number, ending in enumerate(self.persona.termination):
            if not ending.cues and ending.say and self.state.heard_turns >= TURNS_BEFORE_THE_END:
                self.draft.pieces.append(Piece(text=ending.say[0], why=f"termination {number}: {why}"))
                return "gave_up"
        leaving = self.book.stock["leave"]
        self.draft.pieces.append(Piece(text=self.draft.least_said(leaving) or leaving[0], why=why))
        return "gave_up"

    # 2. What was not understood

    def _not_understood(self, seen: Perception) -> bool:
        if self.draft:
            return True
        if seen.acts.asks_to_wait:
            self.draft.stock("hold")
            return True
        if self.state.repeated and not seen.empty:
            return self.draft.stock("repeated")
        if self._is_overwhelmed(seen):
            return self.draft.phrase("repeat_please", "too much at once")
        said_again = self.state.missed > 0 and self.state.heard_again
        if (seen.empty or not (seen.about_the_call or said_again)) and self.state.missed < MISSED_AT_MOST:
            self.draft.phrase("repeat_please", "not heard" if seen.empty else "not understood")
            if not self.draft:
                self.draft.stock("misheard")
            return bool(self.draft.pieces)
        return False

    def _is_overwhelmed(self, seen: Perception) -> bool:
        often = sum(said for role, said in self.state.lines.items() if role.ref == "repeat_please")
        long = len(seen.text) > (LONG_TURN if self.persona.language == "en" else LONG_TURN_ZH)
        if not long or often >= OVERWHELMED_AT_MOST or self.state.heard_again:
            return False
        return self.random.random() < self.temper.overwhelmed_rate

    # 3.-6. The agenda

    def _respond(self, seen: Perception) -> None:
        if self.state.wrapped_up and (seen.acts.farewell or self.state.after_the_end >= 2):
            return
        if self._is_the_end(seen) and not self.state.wrapped_up:
            if not self._ask_next(seen, lead_in=True):
                self._wrap_up(seen)
            return
        if self._raise_obstacle(seen):
            return
        self._feel(seen)
        asked = self._answer(seen)
        room = self.temper.parts - len(self.draft.pieces)
        if room <= 0 and asked:
            return
        if self._ask_again() or self._make_sure(asked=asked) or not self._may_ask(seen, answered=asked):
            return
        self._ask_next(seen, lead_in=bool(self.draft.pieces) and not seen.acts.asks_for_more)

    def _is_the_end(self, seen: Perception) -> bool:
        late = self.state.heard_turns >= TURNS_BEFORE_THE_END
        if seen.acts.farewell:
            return seen.question is None or (late and not seen.facts)
        all_asked = not self.state.open_questions(self.persona)
        return late and all_asked and bool(seen.termination) and seen.question is None

    def _wrap_up(self, seen: Perception) -> None:
        self.parting, self.takes_leave = seen.acts.farewell, True
        for number in (*seen.termination, *range(len(self.persona.termination))):
            ending = self.persona.termination[number]
            if ending.cues and ending.say:
                if seen.acts.asks_for_more:
                    self.draft.stock("no_more")
                self.draft.line(ending.say[:1], Role(kind="termination", ref=str(number)))
                return
        self.draft.phrase("goodbye", "the call is over")

    def _raise_obstacle(self, seen: Perception) -> bool:
        for obstacle in self.persona.obstacles:
            times = self.state.voiced[obstacle.id]
            if obstacle.id not in seen.obstacles or obstacle.id in self.state.overcome:
                continue
            if times >= min(SAID_AT_MOST, len(obstacle.say)) or (obstacle.id in seen.overcome and times):
                continue
            role = Role(kind="obstacle", ref=obstacle.id, nth=times)
            if seen.acts.asks_identity and not self.state.facts:
                self._confirm_identity(seen)
            return self.draft.line(obstacle.say[times : times + 1], role)
        return False

    def _feel(self, seen: Perception) -> None:
        """A reaction to what lifts or sours the mood, once for each."""
        for kind, numbers, triggers in (
            ("negative", seen.negative, self.persona.triggers.negative),
            ("positive", seen.positive, self.persona.triggers.positive),
        ):
            for number in numbers:
                role = Role(kind="negative" if kind == "negative" else "positive", ref=str(number))
                if not self.state.lines[role] and not self.draft and triggers[number].say:
                    self.draft.line(triggers[number].say[:1], role)

    def _answer(self, seen: Perception) -> bool:
        """Answer what was asked; whether anything was."""
        acts, question = seen.acts, seen.question
        if question is None:
            if not self.draft and self.random.random() < self.temper.volunteers_rate:
                self._volunteer(seen)
            return False
        if acts.asks_identity:
            self._confirm_identity(seen)
            return True
        if acts.asks_for_more and not seen.acts.farewell and self.state.open_questions(self.persona):
            return True
        if self._cooperate(seen) or self._tell_facts(seen):
            return True
        if acts.asks_for_time:
            self.draft.phrase("agree", "it is a good moment")
        elif acts.asks_for_more:
            if self.state.pending is None and not self.state.open_questions(self.persona):
                self.draft.stock("no_more")
        elif self._give_way(seen):
            pass
        elif question.proposes:
            self._consent()
        elif not self.draft:
            self._not_sure()
        return True

    def _give_way(self, seen: Perception) -> bool:
        """Asked once more for what an obstacle stood against, and it is overcome: its second line."""
        for obstacle in self.persona.obstacles:
            voiced_just_now = Role(kind="obstacle", ref=obstacle.id) in self.state.last_roles
            if voiced_just_now and obstacle.id in seen.obstacles and len(obstacle.say) > 1:
                return self.draft.line(obstacle.say[1:2], Role(kind="obstacle", ref=obstacle.id, nth=1))
        return False

    def _confirm_identity(self, seen: Perception) -> None:
        if not self.state.lines[Role(kind="phrase", ref="confirm_identity")]:
            self.draft.phrase("confirm_identity", "who it is")
            return
        name = next((fact for fact in self._facts(seen.facts) if fact.key == "name"), None)
        if name is None or self.state.facts["name"] or not self._tell(name):
            self.draft.stock("yes")

    def _tell_facts(self, seen: Perception) -> bool:
        """Tell a fact that was asked for: of several a new one, of those what was asked last."""
        wanted = sorted(self._facts(seen.facts), key=lambda fact: self.state.facts[fact.key] > 0)
        if not wanted:
            return False
        fact = wanted[0]
        if fact.share == "trusted" and not self.state.trusted:
            return self._withhold(fact)
        if fact.share == "never":
            why = f"{fact.key} is not told"
            return self.draft.line(fact.say[:1], _role(fact)) or self._decline(why)
        if self.state.facts[fact.key]:
            if not self.state.asked_again:
                return False
            self.draft.stock("as_said")
            return self._tell(fact) or bool(self.draft.pieces)
        self._lead_in(seen)
        return self._tell(fact)

    def _tell(self, fact: Fact) -> bool:
        return self.draft.line(fact.say[:1], _role(fact))

    def _withhold(self, fact: Fact) -> bool:
        """Not yet: ask for what would win the trust, or decline."""
        needs = [need for condition in self.persona.cooperation for need in condition.needs]
        for question in self.persona.must_ask:
            if (
                question.id in needs
                and not self.state.asked[question.id]
                and question.id not in self.state.told
            ):
                return self._ask(question, why=f"{fact.key} not told before")
        return self._decline(f"{fact.key} is told in trust only")

    def _decline(self, why: str) -> bool:
        return self.draft.phrase("decline", why) or self.draft.stock("decline", why=f"decline: {why}")

    def _volunteer(self, seen: Perception) -> None:
        for fact in self._facts(seen.mentioned):
            if fact.share == "freely" and not self.state.facts[fact.key] and fact.key != "name":
                self._tell(fact)
                return

    def _cooperate(self, seen: Perception) -> bool:
        """The persona's own yes, once its conditions hold and the talk is of what it is a yes to."""
        done = self.state.settled | self.state.told
        for number, condition in enumerate(self.persona.cooperation):
            role = Role(kind="cooperation", ref=str(number))
            if not condition.say or self.state.lines[role] or not set(condition.needs) <= done:
                continue
            about = content_words(condition.say[0]) | content_words(condition.gives)
            proposed = any(sentence.proposes for sentence in seen.acts.sentences)
            if proposed and len(about & seen.content) >= 1:
                return self.draft.line(condition.say[:1], role)
        return False

    def _consent(self) -> None:
        if self.state.mood <= SOUR:
            self._decline("the mood is sour")
        elif self.random.random() < self.temper.doubts_rate and not self._doubted_last():
            self.draft.phrase("unsure", "in two minds")
        if not self.draft:
            self.draft.phrase("agree", "consents")
        if not self.draft:
            self.draft.stock("yes")

    def _doubted_last(self) -> bool:
        return any(role.ref == "unsure" for role in self.state.last_roles)

    def _not_sure(self) -> None:
        self.draft.phrase("unsure", "no fact answers that") or self.draft.stock("unsure")

    def _may_ask(self, seen: Perception, *, answered: bool) -> bool:
        state, temper = self.state, self.temper
        if state.pending is not None or seen.acts.asks_identity or seen.acts.asks_for_time:
            return False
        if any(piece.why.startswith("must_ask") for piece in self.draft.pieces):
            return False
        if seen.acts.asks_for_more:
            return True
        if state.heard_turns < temper.questions_from:
            return False
        if state.turns - state.last_question < temper.question_gap:
            return False
        if answered and not self.draft:
            return False
        return not answered or (
            temper.parts > 1 and self.random.random() < self.temper.asks_after_answer_rate
        )

    def _make_sure(self, *, asked: bool) -> bool:
        """An answer was given just now: put the question once more in other words, to be certain of it."""
        if asked and self.temper.parts < 3:
            return False
        for role in self.state.last_roles:
            answered = role.kind == "must_ask" and role.ref in self.state.settled
            if answered and self.state.asked[role.ref] < ASKS_TWICE:
                question = next(question for question in self.persona.must_ask if question.id == role.ref)
                if question.answerable and self.random.random() < self.temper.makes_sure_rate:
                    return self._ask(question, why="to be sure")
        return False

    def _ask_again(self) -> bool:
        pending = self.state.pending
        if pending is None or self.state.asked[pending] >= ASKS_TWICE:
            return False
        question = next(question for question in self.persona.must_ask if question.id == pending)
        return self._ask(question, why="not answered yet")

    def _ask_next(self, seen: Perception, *, lead_in: bool) -> bool:
        waiting = [question for question in self.persona.must_ask if not self.state.asked[question.id]]
        if not self.temper.asks_what_was_told:
            waiting = [question for question in waiting if question.id not in self.state.told]
        if not waiting:
            return False
        fitting = max(waiting, key=lambda question: _fit(question, seen))
        question = fitting if _fit(fitting, seen) >= 2 else waiting[0]
        if lead_in and self.random.random() < self.temper.lead_in_rate and self.state.asked:
            self.draft.stock("one_more")
        return self._ask(question)

    def _ask(self, question: MustAsk, why: str = "") -> bool:
        nth = min(self.state.asked[question.id], len(question.ask) - 1)
        role = Role(kind="must_ask", ref=question.id, nth=nth)
        return self.draft.line(question.ask[nth : nth + 1], role, why=f"{role}: {why}" if why else str(role))

    def _listen(self, seen: Perception) -> None:
        if self.state.missed >= MISSED_AT_MOST and not seen.about_the_call:
            waiting = self.state.open_questions(self.persona)
            question = next((q for q in self.persona.must_ask if q.id in waiting[:1]), None)
            if question is not None and self._ask(question, why="back to the point"):
                return
        self.draft.phrase("acknowledge", "listens")
        if not self.draft:
            self.draft.stock("acknowledge")

    # Wording

    def _first_words(self) -> Turn:
        if self.state.turns:
            self.draft.stock("silence", why="the agent has not said a word")
            if not self.draft:
                return Turn(pieces=tuple(self.draft.pieces), ends=self._give_up("nobody answers"))
        else:
            self.draft.phrase("pick_up", "picks up")
        if not self.draft:
            self.draft.stock("silence", why="picks up")
        return Turn(pieces=tuple(self.draft.pieces))

    def _lead_in(self, seen: Perception) -> None:
        """Not before the answer to a yes-or-no question: "Sure." would be one."""
        open_question = seen.question is not None and seen.question.open_question
        if open_question and not self.draft and self.random.random() < self.temper.lead_in_rate:
            self.draft.stock("lead_in")

    def _facts(self, keys: Sequence[str]) -> list[Fact]:
        known = {fact.key: fact for fact in self.persona.facts}
        return [known[key] for key in keys]


def _role(fact: Fact) -> Role:
    return Role(kind="fact", ref=fact.key)


def _fit(question: MustAsk, seen: Perception) -> int:
    about = content_words(" ".join(question.ask[:1])) | content_words(" ".join(question.answered_by))
    return len(about & seen.content)
