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
from harness.plans.secrets import Withheld, kept_address
from harness.selfcheck.livekit_server import serving_some_livekit
from tests.serving import serving_agent, serving_module, serving_telephone


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
        tells: Puts the request data of the reference agent where the transport takes them to it.
        long: Tried by ``make test-long`` only: it shares its media with one that is always tried.
    """

    scheme: str
    agents: Callable[[], AbstractContextManager[Peers]]
    bound_ms: float
    tells: Callable[[dict[str, Any]], dict[str, Any]] = dict
    long: bool = True


@contextlib.contextmanager
def _peers(
    scheme: str = "", *, base: str = "", garbage: str = "SDP answer accepts no audio"
) -> Iterator[Peers]:
    """The calibration agent and the faulty agents, by the ways in that they have for a dialect.

    Args:
        scheme: Before the ``http`` of an address.
        base: Behind host or path, where the dialect's addresses end with one.
        garbage: What is said of an answer that is none.
    """
    with (
        serving_agent("calibration") as (reference, _),
        serving_module("tests.faults.faulty_agents") as (faulty, _),
    ):
        yield Peers(
            reference=f"{scheme}{reference}{base}",
            truth=_truth_at(reference),
            nobody=f"{scheme}http://127.0.0.1:{free_port()}{base}",
            refusing=f"{scheme}{faulty}/refusal-with-tricks{base}",
            mute=f"{scheme}{faulty}/never-answers{base}",
            garbage=f"{scheme}{faulty}/garbage-sdp{base}",
            spoilt=f"{scheme}{faulty}/garbage-packets{base}",
            says={
                "nobody": "nothing answers there",
                "refusing": "answered 503",
                "mute": "no media session within 2 s",
                "garbage": garbage,
            },
        )


@contextlib.contextmanager
def _livekit() -> Iterator[Peers]:
    with (
        serving_some_livekit() as server,
        serving_agent("calibration", "--livekit", server.url, environment=server.environment) as (log, _),
        serving_module(
            "tests.faults.livekit_peers", "--livekit", server.url, environment=server.environment
        ) as (faulty, _),
    ):

        def truth(call_id: str) -> dict[str, Any]:
            response = httpx.get(f"{log}/truth/{call_id}", timeout=10).raise_for_status()
            found: dict[str, Any] = response.json()
            return found

        there = f"livekit+ws://key:not-the-secret@{server.url.removeprefix('ws://')}"
        away = f"livekit+ws://key:not-the-secret@{faulty.removeprefix('http://')}"
        yield Peers(
            reference=server.address("calibration"),
            truth=truth,
            nobody=_withheld(f"livekit+ws://key:not-the-secret@127.0.0.1:{free_port()}/room"),
            refusing=_withheld(f"{there}/room"),
            mute=_withheld(f"{away}/mute"),
            garbage=_withheld(f"{away}/garbage"),
            spoilt=server.address("spoilt"),
            says={
                "nobody": "nothing answers there",
                "refusing": "the server does not know the API key",
                "mute": "the server did not let us in within 2 s",
                "garbage": "no LiveKit server",
            },
        )


@contextlib.contextmanager
def _sip() -> Iterator[Peers]:
    with serving_telephone() as (http, telephone):
        yield Peers(
            reference=f"sip:agent@{telephone}",
            truth=_truth_at(http),
            nobody=f"sip:agent@127.0.0.1:{free_port()}",
            refusing=f"sip:broken@{telephone}",
            mute=f"sip:mute@{telephone}",
            garbage=f"sip:garbage-sdp@{telephone}",
            spoilt=f"sip:garbage-sound@{telephone}",
            says={
                "nobody": "nothing answers there",
                "refusing": "answered 503",
                "mute": "no media session within 2 s",
                "garbage": "its SDP answer cannot be used",
            },
        )


def _withheld(address: str) -> str:
    """With its secret, in this process alone."""
    return Withheld(kept_address(address), address)


def _truth_at(agent: str) -> Callable[[str], dict[str, Any]]:
    def truth(call_id: str) -> dict[str, Any]:
        response = httpx.get(f"{agent}/truth/{call_id}", timeout=10).raise_for_status()
        log: dict[str, Any] = response.json()
        return log

    return truth


TRANSPORTS: dict[str, TransportUnderTest] = {
    "smallwebrtc": TransportUnderTest(scheme="http", agents=_peers, bound_ms=5.0, long=False),
    "fastrtc": TransportUnderTest(
        scheme="fastrtc+http",
        agents=lambda: _peers("fastrtc+", garbage="takes no data channel"),
        bound_ms=5.0,
    ),
    "openai": TransportUnderTest(
        scheme="openai+http",
        agents=lambda: _peers("openai+", base="/v1"),
        bound_ms=5.0,
        tells=lambda data: {"session": {"outboundeval": data}},
    ),
    "offer": TransportUnderTest(scheme="offer+http", agents=lambda: _peers("offer+"), bound_ms=5.0),
    "livekit": TransportUnderTest(scheme="livekit+ws", agents=_livekit, bound_ms=5.0),
    "sip": TransportUnderTest(scheme="sip", agents=_sip, bound_ms=5.0),
}
"""By the name of the transport."""
