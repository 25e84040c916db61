"""A figure from one sample of ours to one of the agent's, as the packets that held them passed the wire.

An agent's media clock is a stranger's claim. What a figure is worth therefore depends on the packets at its
two edges: how much later they passed than the clock says is a part of its error bar, and where the two
contradict each other, the arrival is the truth.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_JITTER_S = 0.05
"""Where the packets at a figure's edges leave more than this open, it is not given."""


@dataclass(frozen=True, kw_only=True)
class OnWire:
    """What packets say of one figure; all in seconds.

    Attributes:
        from_to_s: The figure, by the clock or by arrival.
        jitter_s: Half width of its bar beside the instrument's own; it holds clock and arrival.
        passed_s: The figure by the packets' own passing alone.
        heard_s: When somebody with no more patience than needed heard it: later where packets came in heaps.
        strays: Clock and arrival contradict each other, and the figure is by arrival.
    """

    from_to_s: float
    jitter_s: float
    passed_s: float
    heard_s: float
    strays: bool = False


def too_open(wire: OnWire) -> str:
    """Why there is no figure where packets leave more than :data:`MAX_JITTER_S` open."""
    return (
        f"single packets say {wire.passed_s * 1000:.0f} ms, ±{wire.jitter_s * 1000:.0f} ms: something on the "
        f"way, or the agent, stalled just then (bound {MAX_JITTER_S * 1000:.0f} ms)"
    )
