"""The port between the caller's state machine and whatever decides what it says.

A policy is a function of the dialogue so far: it keeps no cursor of its own, so asking it twice is harmless,
and a line that was taken back (the agent spoke first) is simply asked for again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["turn", "barge_in", "backchannel"]


@dataclass(frozen=True, kw_only=True)
class Line:
    """Something that the caller means to say.

    Attributes:
        text: The words.
        pause_s: Silence between the end of the agent's reply and this line, when it is said as a turn.
        barge_in_after_s: Say it over the agent, this long after the onset of its speech; None: wait.
        expects_reply: False for a listener's noise ("mm-hm"), after which the agent should just go on.
    """

    text: str
    pause_s: float = 0.4
    barge_in_after_s: float | None = None
    expects_reply: bool = True

    @property
    def kind_over_agent(self) -> Kind:
        """What the line is when it is said while the agent speaks."""
        return "barge_in" if self.expects_reply else "backchannel"


@dataclass(frozen=True, kw_only=True)
class Said:
    """A line that the caller has said to its end. ``end_s``: its last voiced sample left."""

    text: str
    kind: Kind
    end_s: float


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A stretch of the agent's speech, as the caller's ears placed it."""

    onset_s: float
    end_s: float


Dialogue = Sequence[Said | Heard]


class Policy(Protocol):
    """Decides what the caller says. Answers at once: what takes time is done before the call."""

    @property
    def wait_for_greeting(self) -> bool:
        """Whether the agent speaks first."""
        ...

    @property
    def hang_up_after_s(self) -> float:
        """How long the caller stays on the line after the reply to its last line."""
        ...

    def interruption(self, dialogue: Dialogue) -> Line | None:
        """The line to say over the agent's next (or present) speech, if there is to be one.

        It must have ``barge_in_after_s``. Asked as soon as a line was said, so that its time can be kept.
        """
        ...

    def next_line(self, dialogue: Dialogue) -> Line | None:
        """The line to say now that it is the caller's turn; None when there is nothing left to say.

        Where :meth:`interruption` named a line whose moment never came, this returns that line.
        """
        ...
