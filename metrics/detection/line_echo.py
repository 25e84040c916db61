"""The caller's own voice on the agent's channel: what is known of it in a call, and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics.spans import Span

SHORTEST_S = 0.001
MIXED_DB = -6.0
"""What comes sooner, and is louder than this, is on both channels because the recording mixes them."""
CLOSE_S = 0.15
"""An edge of speech this soon after an echo may be its reverberation's, or lie under it."""
AHEAD_S = 0.03
"""So much sooner than predicted an echo may begin: what a codec smears, and the prediction's own error."""


@dataclass(frozen=True, kw_only=True)
class EchoPath:
    """A way by which the caller's voice comes back.

    Attributes:
        delay_s: From what was sent to what came back of it, within 2 ms.
        gain_db: Level of what came back over what was sent, where both sound.
        talks, seconds: Over how many of the caller's talks it was found, and how long both sounded in them.
    """

    delay_s: float
    gain_db: float
    talks: int
    seconds: float

    @property
    def mixed(self) -> bool:
        """Whether it is no line's, but a recording's that has one sound on both channels."""
        return self.delay_s < SHORTEST_S

    @property
    def told(self) -> str:
        """Delay and level in words."""
        return f"line echo, {self.delay_s * 1000:.0f} ms later, {self.gain_db:.0f} dB"


@dataclass(frozen=True, kw_only=True)
class LineEcho:
    """The echo of a call.

    Attributes:
        heard: Sound of the agent's channel that is the caller's voice and nothing else: taken for no speech
            of the agent's.
        hidden: Where it is loud enough to be heard, whoever else speaks there.
    """

    path: EchoPath
    heard: tuple[Span, ...] = ()
    hidden: tuple[Span, ...] = ()

    def sounds_in(self, span: Span) -> bool:
        """Whether there is a sound in a stretch that was taken for the echo alone."""
        return any(one.overlap_s(span) > 0 for one in self.heard)

    @property
    def note(self) -> str:
        """What is to be told of the call."""
        found = f"found in {self.path.talks} of its talks"
        if self.path.mixed:
            return (
                f"the caller's voice is on the agent's channel at the same time, {self.path.gain_db:.0f} dB "
                f"({found}): the recording mixes its channels, and who spoke cannot be told from it"
            )
        return (
            f"the caller's own voice comes back on the agent's channel ({self.path.told}; {found}): where "
            "nothing else is heard it is no speech of the agent's, and no edge of speech is measured in it"
        )


def doubt(path: EchoPath, edge: str) -> str:
    """Why an edge of the agent's speech ("onset", "end") cannot be told."""
    return (
        f"the caller's own voice comes back on the agent's channel ({path.told}): the agent's {edge} cannot "
        "be told from it"
    )


def lies_in(at_s: float, hidden: Sequence[Span]) -> bool:
    """Whether an echo may hide how speech began or ended there."""
    near = Span(start_s=at_s - CLOSE_S, end_s=at_s + AHEAD_S)
    return any(one.overlap_s(near) > 0 for one in hidden)
