"""What an error bar holds for: a transport, a codec, a network.

A call falls into the cell of the first network that was calibrated and is no better than its own: a bar that
was measured at 3 % loss holds at 1 %, too. Where there is none, its figures have no bar of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.plans.call import ConditionsPlan
from harness.records.call import CallRecord
from harness.transports.by_scheme import transport_name

CLEAN = ConditionsPlan()
SIP_IN = "sip-in"
"""SIP calls that the agent placed: another way into a call, and so an error bar of its own."""


@dataclass(frozen=True, kw_only=True)
class Network:
    """What lies between us and an agent.

    Attributes:
        path: As in ``Media.path``.
        conditions: What our own socket does to packets of both ways.
    """

    title: str
    path: str = "direct"
    conditions: ConditionsPlan = CLEAN

    def is_no_better_than(self, path: str, met: ConditionsPlan) -> bool:
        """Whether what holds here holds for a call that met those conditions. A delay that is the same for
        all packets moves nothing against another."""
        mine = self.conditions
        return (
            path == self.path
            and met.loss <= mine.loss
            and (met.loss_burst or 1.0) <= (mine.loss_burst or 1.0)
            and met.jitter_ms <= mine.jitter_ms
            and met.reorder <= mine.reorder
            and met.duplicates <= mine.duplicates
            and not met.outage_at_s
            and met.outages_per_minute <= mine.outages_per_minute
        )


NETWORKS: Mapping[str, Network] = {
    "clean": Network(title="clean"),
    "lossy": Network(
        title="3 % loss, 40 ± 20 ms", conditions=ConditionsPlan(loss=0.03, delay_ms=40, jitter_ms=20)
    ),
    "relay-udp": Network(title="TURN over UDP", path="relay-udp"),
    "relay-tcp": Network(title="TURN over TCP", path="relay-tcp"),
    "relay-tls": Network(title="TURN over TLS", path="relay-tls"),
    "srtp": Network(title="SRTP", path="srtp"),
}
"""Those that are calibrated, the better ones first."""


@dataclass(frozen=True, kw_only=True, order=True)
class Cell:
    """What one error bar holds for.

    Attributes:
        network: Of :data:`NETWORKS`; empty: none that is calibrated.
    """

    transport: str
    codec: str
    network: str

    @property
    def name(self) -> str:
        """``smallwebrtc opus clean``."""
        return f"{self.transport} {self.codec} {self.network or 'another network'}"


def cell_of(record: CallRecord) -> Cell:
    """The cell of a call that was held."""
    media, met = record.media, record.plan.conditions
    path = "direct" if media is None else media.path
    fitting = (name for name, network in NETWORKS.items() if network.is_no_better_than(path, met))
    return Cell(
        transport=transport_name(record.plan.agent) if record.plan.answer is None else SIP_IN,
        codec="opus" if media is None else media.codec,
        network=next(fitting, ""),
    )
