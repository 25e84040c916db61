"""Network impairment at our own socket: seeded loss, delay and jitter for media packets.

Both directions draw from their own generator, so that a run with the same seed drops and delays the same
packets (by order), whatever the other direction does. Signalling and connectivity checks are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass(kw_only=True)
class Impairment:
    """What the network does to packets of one direction.

    Attributes:
        loss: Share of packets dropped, each independently.
        delay_s: Mean extra delay.
        jitter_s: Half width of the uniform spread around ``delay_s``; delay never falls below 0.
    """

    loss: float = 0.0
    delay_s: float = 0.0
    jitter_s: float = 0.0
    seed: int = 0
    dropped: int = 0
    _random: Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)

    @property
    def active(self) -> bool:
        return self.loss > 0 or self.delay_s > 0 or self.jitter_s > 0

    def next_delay_s(self) -> float | None:
        """Delay of the next packet, or None when it is lost."""
        # Both numbers are drawn for every packet, so that the delays do not depend on the loss rate.
        lost = self._random.random() < self.loss
        spread = self._random.uniform(-self.jitter_s, self.jitter_s)
        if lost:
            self.dropped += 1
            return None
        return max(0.0, self.delay_s + spread)
