"""What the suite needs to try a transport: one :class:`TransportUnderTest` per way of reaching agents.

A new transport is one entry in :data:`TRANSPORTS`: how its reference agent is started, and the addresses at
which a call cannot come about. The reference agent is the calibration agent, spoken to over that transport:
it takes ``request_data`` (a behaviour, and the name of the call) and keeps the truth of what it heard and
said.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import httpx

from harness.models.served_process import free_port
from tests.serving import serving_agent, serving_module


@dataclass(frozen=True, kw_only=True)
class Peers:
    """Who is there to be called.

    Attributes:
        reference: The calibration agent.
        truth: The log of one of its calls, by name: ``heard``, ``spoke`` and ``over``, in monotonic seconds.
        nobody: An address at which nobody is.
        refusing: Somebody who takes no call.
        mute: Somebody who never says whether it takes the call.
        garbage: Somebody whose answer to the call is no answer.
        spoilt: Somebody who takes the call, and sends what no parser expects beside the speech.
        says: What the status of a call to such an address says, by the field's name above.
    """

    reference: str
    truth: Callable[[str], dict[str, Any]]
    nobody: str
    refusing: str
    mute: str
    garbage: str
    spoilt: str
    says: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class TransportUnderTest:
    """One transport.

    Attributes:
        scheme: Of its addresses.
        agents: Starts who is to be called, for as long as the block lasts.
        bound_ms: 95 of 100 response latencies lie within this of the truth (marker tones, a quiet machine).
    """

    scheme: str
    agents: Callable[[], AbstractContextManager[Peers]]
    bound_ms: float


@contextlib.contextmanager
def _smallwebrtc() -> Iterator[Peers]:
    with (
        serving_agent("calibration") as (reference, _),
        serving_module("tests.faults.faulty_agents") as (
            faulty,
            _,
        ),
    ):

        def truth(call_id: str) -> dict[str, Any]:
            response = httpx.get(f"{reference}/truth/{call_id}", timeout=10).raise_for_status()
            log: dict[str, Any] = response.json()
            return log

        yield Peers(
            reference=reference,
            truth=truth,
            nobody=f"http://127.0.0.1:{free_port()}",
            refusing=f"{faulty}/refusal-with-tricks",
            mute=f"{faulty}/never-answers",
            garbage=f"{faulty}/garbage-sdp",
            spoilt=f"{faulty}/garbage-packets",
            says={
                "nobody": "nothing answers there",
                "refusing": "answered 503",
                "mute": "no media session within 2 s",
                "garbage": "SDP answer accepts no audio",
            },
        )


TRANSPORTS: dict[str, TransportUnderTest] = {
    "smallwebrtc": TransportUnderTest(scheme="http", agents=_smallwebrtc, bound_ms=5.0),
}
"""By the name of the transport."""
