"""The agenda policy: a person with concerns of their own, without a language model.

Agenda-based user simulation from the persona alone: must-asks, obstacles, triggers on a mood scale,
cooperation conditions, facts, hang-up conditions. The words are the persona's own lines; the same seed gives
the same call.
"""

from __future__ import annotations

from random import Random

from voice_sim.person.manners import draw_backchannel_s, draw_barge_in_s, draw_response_delay_s, manners_of
from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.course.fold import state_of
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.agenda.decision import decide
from voice_sim.policies.agenda.draft import Draft, Turn
from voice_sim.policies.agenda.lines import LineBook, Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perceiver
from voice_sim.policies.agenda.steps.willing import closes_as
from voice_sim.policies.agenda.temper import TEMPERS
from voice_sim.policies.agenda.wording import spoken_pieces
from voice_sim.policies.base import Decision, Dialogue, Leave, Line, Said
from voice_sim.understanding.examples.understander import Understander

HANG_UP_AFTER_S = 1.0
PICK_UP_S = 2.0
"""Many agents speak as soon as the line stands, and stop at the first sound: one who is called leaves them
this long before the first "Yes, hello?", or both would begin at once and the opening be lost."""


class AgendaPolicy:
    """Decides what a persona says; see :class:`voice_sim.policies.base.Policy`.

    Args:
        persona: Who is called.
        seed: Of all variation in wording and timing.
        picks_up: Says the first words ("Yes, hello?") where the agent does not within :data:`PICK_UP_S`;
            False: waits for the agent.
        understander: Understands by the persona's examples; None: by their cues alone.
    """

    def __init__(
        self,
        *,
        persona: Persona,
        seed: int,
        picks_up: bool = True,
        understander: Understander | None = None,
    ) -> None:
        self._persona = persona
        self._seed = seed
        self._picks_up = picks_up
        self._manners = manners_of(persona.archetype, persona.manner)
        self._temper = TEMPERS[persona.archetype]
        self._book = LineBook(persona)
        self._perceiver = Perceiver(persona, understander=understander)

    @property
    def wait_for_greeting(self) -> bool:
        return not self._picks_up

    @property
    def hang_up_after_s(self) -> float:
        return HANG_UP_AFTER_S

    @property
    def hears_words(self) -> bool:
        return True

    def prepared_lines(self) -> list[str]:
        """Every single line; a turn of several is made of these, one after the other."""
        return self._book.texts()

    def state(self, dialogue: Dialogue) -> State:
        """Where the call stands after ``dialogue``: mood, must-asks, refusals. For tables and checks."""
        return state_of(
            dialogue, persona=self._persona, temper=self._temper, book=self._book, perceiver=self._perceiver
        )

    def next_line(self, dialogue: Dialogue) -> Decision:
        state, random = self.state(dialogue), self._random(dialogue, "turn")
        turn = decide(state, persona=self._persona, temper=self._temper, book=self._book, random=random)
        if not turn.pieces and turn.ends is not None:
            return Leave(reason=turn.ends, why=turn.why)
        return self._line(turn, state, random)

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        """ "Hello? Are you there?", twice; then the persona hangs up. After their own goodbye: at once."""
        questions = self._book.stock["silence"]
        state, random = self.state(dialogue), self._random(dialogue, f"silence {times}")
        if state.took_leave:
            draft = Draft(state=state, persona=self._persona, book=self._book, random=random)
            now = Moment(state=state, persona=self._persona, temper=self._temper, draft=draft)
            return Leave(reason=closes_as(now), why="has said goodbye, and nothing more is said")
        said = [state.lines[Role(kind="stock", ref="silence", nth=nth)] for nth in range(len(questions))]
        if times <= len(questions) and min(said) < 2:
            return Line(text=questions[said.index(min(said))], pause_s=0.0, why=f"silence, {times}")
        goodbye = random.choice(self._book.stock["leave"])
        return Line(text=goodbye, pause_s=0.0, ends_call="gave_up", why="silence: nobody there")

    def interruption(self, dialogue: Dialogue) -> Line | None:
        """A question or a murmur over the agent, one in each of its turns at most."""
        state, random = self.state(dialogue), self._random(dialogue, "interruption")
        spoke_over = bool(dialogue) and isinstance(dialogue[-1], Said) and dialogue[-1].kind != "turn"
        if state.heard_turns < 2 or state.wrapped_up or spoke_over:
            return None
        cut_in_s = draw_barge_in_s(self._manners, random)
        murmur_s = draw_backchannel_s(self._manners, random)
        waiting = state.open_questions(self._persona)
        if cut_in_s is not None and waiting and state.pending is None:
            question = next(question for question in self._persona.must_ask if question.id == waiting[0])
            return Line(
                text=question.ask[0],
                barge_in_after_s=round(cut_in_s, 3),
                why=f"must_ask {question.id}, barging in",
            )
        if murmur_s is not None:
            murmur = random.choice(self._book.stock["backchannel"])
            return Line(
                text=murmur, barge_in_after_s=round(murmur_s, 3), expects_reply=False, why="backchannel"
            )
        return None

    def _line(self, turn: Turn, state: State, random: Random) -> Line:
        spoken = spoken_pieces(
            turn, manners=self._manners, book=self._book, just_said=state.last_roles, random=random
        )
        picks_up = state.hearing is None and not state.turns
        delay_s = draw_response_delay_s(self._manners, random)
        return Line(
            text=self._book.join(spoken),
            pause_s=round(PICK_UP_S + delay_s / 4 if picks_up else delay_s, 3),
            ends_call=turn.ends,
            expects_reply=True,
            parting=turn.parting,
            takes_leave=turn.takes_leave,
            closes_as=turn.closes_as,
            why=" + ".join(piece.why for piece in turn.pieces),
        )

    def _random(self, dialogue: Dialogue, purpose: str) -> Random:
        """Of this place in the dialogue: asked twice, or when the agent went on, it gives the same."""
        said = sum(isinstance(turn, Said) for turn in dialogue)
        return Random(f"{self._seed}|{said}|{purpose}")
