"""The two sides of a dialogue in text, and the virtual clock between them; see ``converse``."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from harness.calls.text.agents.base import AgentFailed, AgentReply, TextAgent
from harness.calls.text.spoken_length import SHORTEST_S, said_within, spoken_s
from harness.calls.text.without_overlap import WithoutOverlap
from harness.models.language.cap_exceeded import CapExceeded
from harness.plans.call import CallPlan
from harness.records.call import Event, Side, TextTurn
from harness.records.usage import SideUsage
from spoken_language.dialogue import DialogueTurn
from spoken_language.outside_text import harmless
from voice_sim.caller.caller import Caller
from voice_sim.caller.events import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    AgentWords,
    CallerAction,
    CallerEvent,
    Cancel,
    Connected,
    Forget,
    HangUp,
    HangUpReason,
    Speak,
    Think,
    Thought,
    Tick,
    UtteranceFinished,
)
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.base import Decision, Line, Policy, PolicyError

ANSWER_AFTER_S = 0.8
"""Virtual time between the end of the caller's line and the agent's first word."""
_IDLE_TICKS = 3
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]+")


@dataclass(frozen=True, kw_only=True)
class Participants:
    """The two sides of one dialogue, made anew for each.

    Attributes:
        policy, patience: The caller.
        agent: Who plays the agent card.
        agent_usage, caller_usage: What the side's language model took until now.
        people: A person plays a side: no answer comes too late.
        happened: (side, kind, data) of what happens at a side's model, for the timeline: its retries.
    """

    policy: Policy
    patience: Patience
    agent: TextAgent
    agent_usage: Callable[[], SideUsage] = SideUsage
    caller_usage: Callable[[], SideUsage] = SideUsage
    people: bool = False
    happened: deque[tuple[Side, str, dict[str, Any]]] = field(default_factory=deque)


class Talk:
    """Lets both sides talk until one hangs up.

    Attributes:
        now_s: The virtual clock.
        turns, events: What was said and what happened so far, also after a failure.
        wall_s: Real seconds that each side has taken.
    """

    def __init__(self, plan: CallPlan, sides: Participants, on_event: Callable[[Event], None]) -> None:
        self.now_s = 0.0
        self.turns: list[TextTurn] = []
        self.events: list[Event] = []
        self.wall_s = {"agent": 0.0, "caller": 0.0}
        self._limits = plan.limits
        self._between_parts = "" if plan.language == "zh" else " "
        self._on_event = on_event
        self._happened = sides.happened
        self._agent = sides.agent
        self._policy = WithoutOverlap(sides.policy)
        self._caller = Caller(policy=self._policy, patience=sides.patience, ear_hangover_s=0.0)
        self._answer_s = None if sides.people else plan.limits.answer_s
        self._lines: deque[Speak] = deque()
        self._agent_is_due = sides.policy.wait_for_greeting
        self._over: tuple[HangUpReason, str] | None = None
        self._caller_wall_s = 0.0

    async def hold(self) -> tuple[HangUpReason, str]:
        """Why it ended, and the same for a person.

        Raises:
            AgentFailed, PolicyError: A side cannot go on.
        """
        self.note("agent", "connected", "harness")
        await self._tell(Connected(t=0.0))
        while self._over is None:
            if len(self.turns) >= self._limits.turns:
                return "limit", f"the limit of {self._limits.turns} turns came"
            if self._lines:
                await self._say(self._lines.popleft())
            elif self._agent_is_due:
                self._agent_is_due = False
                # An agent whose words nobody would hear any more is not asked for them.
                if await self._pass_time(self.now_s + (ANSWER_AFTER_S if self.turns else 0.0)):
                    await self._hear_agent()
            else:
                await self._wait()
        return self._over

    def note(self, side: Side, kind: str, source: str, **data: Any) -> None:
        while self._happened:
            which, what, about = self._happened.popleft()
            self._keep(Event(t=round(self.now_s, 3), side=which, kind=what, source="model", data=about))
        self._keep(Event(t=round(self.now_s, 3), side=side, kind=kind, source=source, data=data))

    def _keep(self, event: Event) -> None:
        self.events.append(event)
        self._on_event(event)

    async def _say(self, line: Speak) -> None:
        start_s = max(self.now_s, line.at_s)
        if not await self._pass_time(start_s):
            return
        text = _printable(line.text)
        turn = TextTurn(
            speaker="caller",
            text=text,
            start_s=round(start_s, 3),
            # Never nothing: the clock has to move, or a policy without words could go on for ever.
            end_s=round(start_s + max(SHORTEST_S, spoken_s(text)), 3),
            why=line.why,
            wall_s=round(self._caller_wall_s, 3),
        )
        self._caller_wall_s = 0.0
        if line.continues and self.turns and self.turns[-1].speaker == "caller":
            turn = _joined(self.turns.pop(), turn, between=self._between_parts)
        self.turns.append(turn)
        self.note(
            "caller", "said", "policy", text=text, why=line.why, index=line.index, continues=line.continues
        )
        if await self._pass_time(turn.end_s):
            self._agent_is_due = True
            await self._tell(UtteranceFinished(t=self.now_s, index=line.index, end_s=self.now_s))
        else:
            self.turns[-1] = self.turns[-1].model_copy(update={"end_s": round(self.now_s, 3), "cut": True})

    async def _hear_agent(self) -> None:
        began = time.monotonic()
        failure: AgentFailed | None = None
        try:
            reply = await self._reply()
        except AgentFailed as failed:
            if not (self._caller.is_through and any(turn.speaker == "agent" for turn in self.turns)):
                raise
            failure = failed
        wall_s = time.monotonic() - began
        self.wall_s["agent"] += wall_s
        if failure is not None:
            # The call was over, and its own goodbye is all that it did not say.
            self.note("agent", "failed-at-goodbye", "harness", why=str(failure))
            await self._tell(AgentHungUp(t=self.now_s, lost=True))
            return
        text, cut = _printable(reply.text), False
        if len(text) > self._limits.turn_chars:
            text, cut = text[: self._limits.turn_chars].rstrip(), True
            self.note("agent", "cut", "harness", chars=len(reply.text), kept=len(text))
        if not text:
            if reply.hangs_up:
                await self._agent_hangs_up()
            else:
                self.note("agent", "silent", "harness", wall_s=round(wall_s, 3))
            return
        onset_s, end_s = self.now_s, self.now_s + spoken_s(text)
        turn = TextTurn(
            speaker="agent",
            text=text,
            start_s=round(onset_s, 3),
            end_s=round(end_s, 3),
            wall_s=round(wall_s, 3),
            cut=cut,
        )
        self.turns.append(turn)
        self.note("agent", "said", "agent", text=text, hangs_up=reply.hangs_up, wall_s=round(wall_s, 3))
        await self._tell(AgentSpeechStarted(t=onset_s, onset_s=onset_s))
        if not await self._pass_time(end_s):
            self._break_off(turn, self.now_s - onset_s)
            return
        heard = AgentSpeechEnded(t=end_s, end_s=end_s), AgentWords(t=end_s, onset_s=onset_s, text=text)
        if reply.hangs_up:
            for event in heard:
                await self._take_note(event)
            await self._agent_hangs_up()
        else:
            for event in heard:
                await self._tell(event)

    def _break_off(self, turn: TextTurn, said_s: float) -> None:
        """Of the agent's last turn, what was said before the call ended: nobody heard the rest of it."""
        kept = said_within(turn.text, said_s)
        self.note("agent", "broken-off", "harness", chars=len(turn.text), kept=len(kept))
        if kept:
            told = {"text": kept, "end_s": round(self.now_s, 3), "cut": True}
            self.turns[-1] = turn.model_copy(update=told)
        else:
            self.turns.pop()

    async def _take_note(self, event: CallerEvent) -> None:
        """What the agent said last. Nobody is left to answer; but the caller may be done as well, and one
        that has to think finds that out by thinking."""
        actions = deque(self._caller.on(event))
        while actions and self._over is None:
            action = actions.popleft()
            if isinstance(action, HangUp | Think):
                try:
                    actions.extend(await self._carry_out(action))
                except PolicyError as failure:
                    if isinstance(failure.__cause__, CapExceeded):
                        raise
                    # The call is over: a model that fails now fails nobody.
                    self.note("caller", "not-asked", "harness", why=str(failure))

    async def _agent_hangs_up(self) -> None:
        self.note("agent", "hung-up", "agent")
        await self._tell(AgentHungUp(t=self.now_s))

    async def _reply(self) -> AgentReply:
        said = [DialogueTurn(speaker=turn.speaker, text=turn.text) for turn in self.turns]
        # An agent that works by rule never waits: others want their turn, and Ctrl-C to be noticed.
        await asyncio.sleep(0)
        try:
            # Not wait_for(): it forgets a cancellation that comes together with the answer.
            async with asyncio.timeout(self._answer_s):
                return await self._agent.reply(said)
        except TimeoutError:
            raise AgentFailed(f"no answer within {self._answer_s:g} s") from None

    async def _wait(self) -> None:
        """Nobody speaks: on to the moment at which the caller wants to be asked."""
        for _ in range(_IDLE_TICKS):
            deadline_s = self._caller.next_deadline_s()
            if deadline_s is None:
                break
            before_s, self.now_s = self.now_s, max(self.now_s, deadline_s)
            await self._tell(Tick(t=self.now_s))
            if self._over is not None or self._lines or self.now_s > before_s:
                return
        raise RuntimeError(f"the caller stands still ({self._caller.state.value})")

    async def _pass_time(self, until_s: float) -> bool:
        """Moves the clock; False where the caller hung up on the way."""
        while self._over is None:
            deadline_s = self._caller.next_deadline_s()
            if deadline_s is None or not self.now_s < deadline_s <= until_s:
                break
            self.now_s = deadline_s
            await self._tell(Tick(t=self.now_s))
        if self._over is None:
            self.now_s = max(self.now_s, until_s)
        return self._over is None

    async def _tell(self, event: CallerEvent) -> None:
        began = time.monotonic()
        actions = deque(self._caller.on(event))
        self._spent(time.monotonic() - began)
        while actions and self._over is None:
            actions.extend(await self._carry_out(actions.popleft()))

    async def _carry_out(self, action: CallerAction) -> list[CallerAction]:
        match action:
            case Speak():
                self._lines.append(action)
            case Cancel():
                self._lines = deque(line for line in self._lines if line.index != action.index)
                self.note("caller", "cancel", "policy", index=action.index)
            case HangUp():
                self._over = (action.reason, action.detail)
                self.note("caller", "hang-up", "policy", reason=action.reason, detail=action.detail)
            case Think():
                return await self._think(action)
            case Forget():
                self.note("caller", "forget", "policy", number=action.number)
        return []

    async def _think(self, action: Think) -> list[CallerAction]:
        """All parts of the turn at once: thinking takes no time on the virtual clock."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._answer_s):
                decisions: list[Decision] = [part async for part in self._policy.think(action.dialogue)]
        except TimeoutError:
            raise PolicyError(f"it found no words within {self._answer_s:g} s") from None
        finally:
            wall_s = time.monotonic() - began
            self._spent(wall_s)
        self.note("caller", "thought", "policy", parts=len(decisions), wall_s=round(wall_s, 3))
        if not decisions or (isinstance(decisions[-1], Line) and decisions[-1].more):
            decisions.append(None)  # nothing (more) comes
        answers: list[CallerAction] = []
        for decision in decisions:
            answers += self._caller.on(Thought(t=self.now_s, number=action.number, decision=decision))
        return answers

    def _spent(self, wall_s: float) -> None:
        self._caller_wall_s += wall_s
        self.wall_s["caller"] += wall_s


def _printable(text: str) -> str:
    """Text of either side without what moves a terminal's cursor or cannot be written to a file."""
    return harmless(_UNPRINTABLE.sub(" ", text)).strip()


def _joined(first: TextTurn, second: TextTurn, *, between: str) -> TextTurn:
    """Two parts of one turn."""
    return second.model_copy(
        update={
            "text": f"{first.text}{between}{second.text}",
            "start_s": first.start_s,
            "why": "; ".join(filter(None, dict.fromkeys([first.why, second.why]))),
            "wall_s": round(first.wall_s + second.wall_s, 3),
        }
    )
