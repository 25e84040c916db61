"""What a dialogue in text leaves behind, below ``RUN/dialogues/ID/``:

``dialogue.json``
    :class:`ChatRecord`: the plan, how it ended, and every turn.
``timeline.jsonl``
    One :class:`Event` a line: what happened, why the caller said what it said, model time.
``scores.json``
    Written later, by the judges.

``start_s`` and ``end_s`` are *estimated* from the words (``spoken_length``): nobody spoke. They
are what the caller's patience ran on, and no measurement of the agent. ``wall_s`` is real time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from harness.plans.chat import ChatPlan
from harness.records.call import Event
from spoken_language.dialogue import Dialogue, DialogueTurn, Speaker
from voice_sim.caller.events import HangUpReason


class ChatStatus(StrEnum):
    """How a dialogue ended."""

    COMPLETED = "completed"
    """It came to the caller's own end: satisfied, refused, or everything said; also where the agent hung up
    after its goodbye and the caller had nothing left to ask."""
    AGENT_HANGUP = "agent_hangup"
    """The agent hung up while the caller was not done yet."""
    CALLER_HANGUP = "caller_hangup"
    """The caller gave up on the agent, or the agent stayed silent beyond the caller's patience."""
    TIMEOUT = "timeout"
    """It ran into a limit of turns or time."""
    SETUP_FAILED = "setup_failed"
    """The agent could not say a first word: nothing to judge."""
    AGENT_FAILED = "agent_failed"
    """The agent's model or server went away in the middle. No score is made of what was said until then."""
    HARNESS_FAULT = "harness_fault"
    """Our own side failed, the caller's model included. Never held against the agent."""
    INTERRUPTED = "interrupted"
    """Cut off at the terminal, or by a spent budget; the next start of the run has it again."""

    @property
    def took_place(self) -> bool:
        """Whether there is a whole dialogue that can be judged."""
        return self in _TOOK_PLACE


_TOOK_PLACE = frozenset(
    {ChatStatus.COMPLETED, ChatStatus.AGENT_HANGUP, ChatStatus.CALLER_HANGUP, ChatStatus.TIMEOUT}
)


class _FileModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ChatTurn(_FileModel):
    """What one side said before the other took the turn, or before it found that the other was silent.

    Attributes:
        start_s, end_s: Estimated, see the module's docstring.
        why: What in the caller's policy led to the words; empty for the agent.
        wall_s: Real time that the side took to come up with them.
        cut: Longer than a turn may be, or the caller hung up before it was all said.
    """

    speaker: Speaker
    text: str
    start_s: float
    end_s: float
    why: str = ""
    wall_s: float = 0.0
    cut: bool = False


class SideUsage(_FileModel):
    """What a side took. Without a language model all but ``wall_s`` are zero.

    Attributes:
        requests, failed_attempts, unmeasured_requests, unmeasured_attempts, input_tokens, output_tokens,
            model_s, cost, currency, price_sources: As in :class:`harness.models.language.usage.Usage`;
            ``cost`` is None where a price is not known.
        wall_s: Real time that the side took for all its turns.
    """

    requests: int = 0
    failed_attempts: int = 0
    unmeasured_requests: int = 0
    unmeasured_attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    model_s: float = 0.0
    cost: float | None = 0.0
    currency: str = "USD"
    price_sources: tuple[str, ...] = ()
    wall_s: float = 0.0

    @property
    def lower_bound(self) -> bool:
        """Whether tokens and cost may be more than is known."""
        return bool(self.unmeasured_requests or self.unmeasured_attempts)


def summed_usage(sides: Sequence[SideUsage]) -> SideUsage:
    """Several together. The cost is None where it is not known of any, or in several currencies."""
    currencies = {side.currency for side in sides if side.cost}
    costs = [side.cost for side in sides]
    known = [cost for cost in costs if cost is not None]
    return SideUsage(
        requests=sum(side.requests for side in sides),
        failed_attempts=sum(side.failed_attempts for side in sides),
        unmeasured_requests=sum(side.unmeasured_requests for side in sides),
        unmeasured_attempts=sum(side.unmeasured_attempts for side in sides),
        input_tokens=sum(side.input_tokens for side in sides),
        output_tokens=sum(side.output_tokens for side in sides),
        model_s=sum(side.model_s for side in sides),
        cost=sum(known) if len(known) == len(costs) and len(currencies) < 2 else None,
        currency=next(iter(currencies), "USD"),
        price_sources=tuple(dict.fromkeys(source for side in sides for source in side.price_sources)),
        wall_s=sum(side.wall_s for side in sides),
    )


class EarlierAttempt(_FileModel):
    """A dialogue of the same plan that was held again.

    Attributes:
        guilty: It did not fail: our own caller was at fault in it (:mod:`harness.calls.guard`), and how.
    """

    status: ChatStatus
    status_detail: str
    started_at: str
    guilty: tuple[str, ...] = ()


class ChatRecord(_FileModel):
    """One dialogue; see the module's docstring.

    Attributes:
        end_reason: Who ended it and why, as the caller saw it; None where it never came to an end.
        status_detail: For a person.
        agent_name: What plays the agent calls itself.
        duration_s: Estimated length as a call.
        earlier_attempts: Failed and guilty ones of the same plan, oldest first: repeating until it is
            clean shows.
        started_at: A label for people (UTC).
    """

    version: int = 1
    plan: ChatPlan
    status: ChatStatus
    end_reason: HangUpReason | None = None
    status_detail: str
    agent_name: str = ""
    started_at: str
    duration_s: float
    turns: tuple[ChatTurn, ...] = ()
    agent_usage: SideUsage = SideUsage()
    caller_usage: SideUsage = SideUsage()
    earlier_attempts: tuple[EarlierAttempt, ...] = Field(default=(), max_length=1000)
    versions: dict[str, str] = Field(default_factory=dict)

    @property
    def dialogue(self) -> Dialogue:
        """What judges read."""
        return Dialogue(
            turns=tuple(DialogueTurn(speaker=turn.speaker, text=turn.text) for turn in self.turns)
        )


@dataclass(frozen=True, kw_only=True)
class HeldDialogue:
    """A dialogue that was held, whatever came of it."""

    record: ChatRecord
    events: list[Event]
