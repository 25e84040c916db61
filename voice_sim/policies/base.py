"""The port between the caller's state machine and whatever decides what it says.

A policy is a function of the dialogue so far: it keeps no cursor of its own, so asking it twice is harmless,
and a line that was taken back (the agent spoke first) is simply asked for again.

A policy that needs time (a language model) answers :data:`THINKING` and is then asked through
:meth:`ThinkingPolicy.think`, outside the state machine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, Protocol, runtime_checkable

Kind = Literal["turn", "barge_in", "backchannel"]

EndReason = Literal["satisfied", "declined", "unanswered", "refused", "gave_up"]
"""Why a person hangs up: has agreed and knows what they wanted to know; closes with a courteous no; closes
though something that they had to know was not answered; refuses to go on; has had enough."""
COURTEOUS: Final[tuple[EndReason, ...]] = ("satisfied", "declined", "unanswered")
"""The ends that close with a goodbye on both sides."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """Something that the caller means to say.

    Attributes:
        text: The words. " … " is a pause inside the sentence.
        pause_s: Silence between the end of the agent's reply and this line, when it is said as a turn.
        barge_in_after_s: Say it over the agent, this long after the onset of its speech; None: wait.
        expects_reply: False for a listener's noise ("mm-hm"), after which the agent should just go on.
        ends_call: These are the last words: the caller hangs up after them, for this reason.
        parting: The caller takes leave of an agent that has said goodbye, and has nothing left to ask: were
            the agent to hang up now, the call would have come to its end all the same.
        takes_leave: With this line the caller takes leave, and has nothing left to ask: once it is said, an
            agent that hangs up ends a call that was over. Unlike with ``ends_call`` the agent may go on.
        closes_as: Why the call is over with ``parting`` or ``takes_leave``.
        why: What in the policy led to the line, for the timeline ("must_ask price_before, again").
        more: Another part of the same turn follows; the agent's reply is awaited after the last part only.
        press: Keys of the telephone that are pressed; nothing is said then, and ``text`` tells of them.
    """

    text: str
    pause_s: float = 0.4
    barge_in_after_s: float | None = None
    expects_reply: bool = True
    ends_call: EndReason | None = None
    parting: bool = False
    takes_leave: bool = False
    closes_as: EndReason = "satisfied"
    why: str = ""
    more: bool = False
    press: str = ""

    @property
    def kind_over_agent(self) -> Kind:
        """What the line is when it is said while the agent speaks."""
        return "barge_in" if self.expects_reply else "backchannel"


@dataclass(frozen=True, kw_only=True)
class Leave:
    """Hang up now, without a word. ``why`` is for the timeline."""

    reason: EndReason
    why: str = ""


class _Thinking(Enum):
    THINKING = "thinking"


THINKING: Final = _Thinking.THINKING
"""The policy cannot answer at once: ask :meth:`ThinkingPolicy.think`."""

Decision = Line | Leave | None
"""What the caller does with its turn; None: everything is said, hang up after the agent's reply."""


Answer = Decision | _Thinking
"""What a policy answers when it is asked for its line."""


class PolicyError(RuntimeError):
    """The policy itself failed (a language model that does not answer): our fault, never the agent's."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A line that the caller has said to its end. ``end_s``: its last voiced sample left."""

    text: str
    kind: Kind
    end_s: float


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A stretch of the agent's speech, as the caller's ears placed it.

    ``text``: what the ears understood; None while that is not known (or nobody asks), "" when nothing was.
    """

    onset_s: float
    end_s: float
    text: str | None = None


Dialogue = Sequence[Said | Heard]


class Policy(Protocol):
    """Decides what the caller says."""

    @property
    def wait_for_greeting(self) -> bool:
        """Whether the agent speaks first."""
        ...

    @property
    def hang_up_after_s(self) -> float:
        """How long the caller stays on the line after the reply to its last line."""
        ...

    @property
    def hears_words(self) -> bool:
        """Whether it has to know what the agent said before it can answer."""
        ...

    def prepared_lines(self) -> Sequence[str]:
        """Every text whose audio has to be there before the call: all that is ever said over the agent, and
        what can be known beforehand of the rest."""
        ...

    def interruption(self, dialogue: Dialogue) -> Line | None:
        """The line to say over the agent's next (or present) speech, if there is to be one.

        It must have ``barge_in_after_s``. Asked as soon as a line was said, so that its time can be kept.
        """
        ...

    def next_line(self, dialogue: Dialogue) -> Answer:
        """What to do now that it is the caller's turn. Answers at once.

        Where :meth:`interruption` named a line whose moment never came, this may return that line.
        """
        ...

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        """What to do when the agent leaves the caller waiting, for the ``times``-th time in a row (from 1).

        None: go on waiting, up to the caller's patience.
        """
        ...


@runtime_checkable
class ThinkingPolicy(Policy, Protocol):
    """A policy that needs time."""

    def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        """The parts of the caller's next turn as they come to be known; all but the last have ``more``.

        Raises (while iterating):
            PolicyError: The policy cannot go on; the call ends as our fault.
        """
        ...


@runtime_checkable
class WarmsUp(Policy, Protocol):
    """A policy that is quicker, or known to answer at all, once it was asked before the call."""

    async def warm_up(self) -> None:
        """Readies it; says nothing.

        Raises:
            PolicyError: It will not be able to play the caller.
        """
        ...
