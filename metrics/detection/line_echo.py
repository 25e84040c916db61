"""The caller's own voice on the agent's channel: what is known of it in a call, and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics.spans import Span, merge_spans

SHORTEST_S = 0.001
"""What comes sooner is no line's: a recording that mixes its channels, or crosstalk."""
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
        """Whether it is no line's, but one sound on both channels."""
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
        masks: It is about as loud as the agent, so that no edge of the agent's can be told in the whole call.
    """

    path: EchoPath
    heard: tuple[Span, ...] = ()
    hidden: tuple[Span, ...] = ()
    masks: bool = False

    def covers_s(self, span: Span) -> float:
        """How long a sound in a stretch goes on that was taken for the echo alone."""
        return max((one.overlap_s(span) for one in merge_spans(self.heard, max_gap_s=CLOSE_S)), default=0.0)

    @property
    def note(self) -> str:
        """What is to be told of the call."""
        found = f"found in {self.path.talks} stretches of its speech"
        if self.path.mixed:
            return (
                f"the caller's voice is on the agent's channel at the same time, {self.path.gain_db:.0f} dB "
                f"({found}): the recording may mix its channels, or one be heard on the other. Nothing was "
                "done about it: what is told of the agent while the caller speaks may be the caller's own"
            )
        back = f"the caller's own voice comes back on the agent's channel ({self.path.told}; {found})"
        if self.masks:
            return (
                f"{back}, about as loud as the agent: it may hide the agent anywhere, and no edge of the "
                "agent's speech is measured"
            )
        return (
            f"{back}: where nothing else is heard it is no speech of the agent's, and edges of speech where "
            "it is found are left in doubt. Fast answers fall there, so the latencies that are left lean slow"
        )


def hidden_until(at_s: float, hidden: Sequence[Span]) -> float:
    """When an echo that may hide how speech ended at a time has ended itself."""
    near = Span(start_s=at_s - CLOSE_S, end_s=at_s + AHEAD_S)
    runs = merge_spans(hidden, max_gap_s=CLOSE_S)
    return max([at_s, *(one.end_s for one in runs if one.overlap_s(near) > 0)])


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
