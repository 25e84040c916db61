"""Whom to call to calibrate a transport: one :class:`Reference` each, in the table :data:`REFERENCES`.

A reference agent is the calibration agent spoken to over that transport (or one that keeps the same log): it
is told its behaviour and the name of the call, and its log can be read over HTTP afterwards. A new transport
is one function here, and one line in the table; its cells are then calibrated by ``calibrate --transport``,
by ``calibrate --all`` and by the long tests.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from harness.analysis.cells import NETWORKS, SIP_IN, Cell
from harness.errors import UserError
from harness.models.served_process import free_port
from harness.plans.call import CallPlan
from harness.selfcheck.calibration.rung_agent import RungAgent
from harness.selfcheck.livekit_server import server_program, serving_livekit
from harness.selfcheck.reference_agents import serving
from harness.selfcheck.relay import PASSWORD, USER, can_relay, serving_relay
from harness.transports.base import Transport
from harness.transports.by_scheme import transport_for
from harness.transports.webrtc.codec_choice import OFFERABLE


def _as_it_is(plan: CallPlan) -> CallPlan:
    return plan


@dataclass(frozen=True, kw_only=True)
class Reached:
    """A reference agent that is there.

    Attributes:
        agent: Its address, as it is dialled.
        log: Address of its log over HTTP: ``{log}/truth/NAME`` is that of a call.
        reach: Fields of the calls' ``reach``.
        through: The server that stands between, whose delay is told; empty where none does.
        told: Puts what the agent is to do where the transport carries it. ``request_data`` has ``session``
            (the call's name) and ``behaviour``; a transport that carries those to the agent needs nothing.
        by: What lets it in, where it is the agent who calls.
    """

    agent: str
    log: str
    reach: Mapping[str, Any] = field(default_factory=dict)
    through: str = ""
    told: Callable[[CallPlan], CallPlan] = _as_it_is
    by: Transport | None = None

    @property
    def transport(self) -> Transport:
        """What dials it."""
        return self.by or transport_for(self.agent)


@dataclass(frozen=True, kw_only=True)
class Reference:
    """How a transport is calibrated.

    Attributes:
        serve: Starts the reference agent of a cell, for as long as the block lasts.
        codecs: Those that it can be calibrated in, the usual one first.
        networks: Of ``NETWORKS``.
        missing: What this machine lacks for a cell, and what to do about it; empty where nothing is.
    """

    serve: Callable[[Cell], AbstractContextManager[Reached]]
    codecs: Sequence[str] = ("opus",)
    networks: Sequence[str] = ("clean", "lossy")
    missing: Callable[[Cell], str] = lambda cell: ""


@contextlib.contextmanager
def _smallwebrtc(cell: Cell) -> Iterator[Reached]:
    with serving("calibration") as address, _relayed(cell.network) as reach:
        spoken = {**reach, "codecs": [cell.codec]}
        yield Reached(agent=address, log=address, reach=spoken, told=partial(_in_codec, cell.codec))


def _by_offer(
    address: str, told: Callable[[CallPlan], CallPlan] = _as_it_is
) -> Callable[[Cell], AbstractContextManager[Reached]]:
    """The same agent by another of its ways in.

    Args:
        address: Of that way, with ``{}`` for the agent's own.
    """

    @contextlib.contextmanager
    def serve(cell: Cell) -> Iterator[Reached]:
        with serving("calibration") as own:
            yield Reached(agent=address.format(own), log=own, told=told)

    return serve


def _as_session(plan: CallPlan) -> CallPlan:
    """OpenAI's dialect carries settings of the session alone."""
    return plan.model_copy(update={"request_data": {"session": {"outboundeval": plan.request_data}}})


def _in_codec(codec: str, plan: CallPlan) -> CallPlan:
    """The agent speaks what it is told to."""
    return plan.model_copy(update={"request_data": plan.request_data | {"codec": codec}})


@contextlib.contextmanager
def _relayed(network: str) -> Iterator[dict[str, Any]]:
    """A TURN server, and how it is reached; nothing, for a network without one."""
    kind, _, way = network.partition("-")
    if kind != "relay":
        yield {}
        return
    with serving_relay() as relay:
        server = {"urls": relay.urls[way], "username": USER, "credential": PASSWORD}
        yield {"relay_only": True, "ca_file": relay.ca_file, "ice_servers": [server]}


def relay_missing(cell: Cell) -> str:
    """What a cell lacks whose packets are relayed."""
    if cell.network.startswith("relay-") and not can_relay():
        return "a TURN server: apt-get install coturn (the service need not run)"
    return ""


@contextlib.contextmanager
def _livekit(cell: Cell) -> Iterator[Reached]:
    """Through a real server; where packets are relayed, by the TURN server that it offers itself."""
    with (
        serving_livekit() as server,
        serving("calibration", extra=["--livekit", server.url], environment=server.environment) as log,
    ):
        yield Reached(
            agent=server.address("calibration"),
            log=log,
            reach={"relay_only": True} if cell.network.startswith("relay-") else {},
            through="LiveKit server",
        )


def _livekit_missing(cell: Cell) -> str:
    try:
        server_program()
    except UserError as error:
        return str(error)
    return ""


@contextlib.contextmanager
def _sip(cell: Cell) -> Iterator[Reached]:
    port = free_port()
    with serving("calibration", extra=["--sip-port", str(port)]) as address:
        srtp = "on" if cell.network == "srtp" else "off"
        agent = f"sip:agent@127.0.0.1:{port}?srtp={srtp}"
        yield Reached(agent=agent, log=address, reach={"codecs": [cell.codec]})


@contextlib.contextmanager
def _sip_in(cell: Cell) -> Iterator[Reached]:
    """The same agent calls us."""
    with serving("calibration") as address:
        yield Reached(agent="sip:127.0.0.1", log=address, by=RungAgent(address, cell.codec))


REFERENCES: Mapping[str, Reference] = {
    "sip": Reference(serve=_sip, codecs=("pcmu", "opus", "g722", "pcma"), networks=("clean", "srtp")),
    SIP_IN: Reference(serve=_sip_in, codecs=("pcmu", "opus", "g722", "pcma"), networks=("clean",)),
    "smallwebrtc": Reference(
        serve=_smallwebrtc, codecs=OFFERABLE, networks=tuple(NETWORKS), missing=relay_missing
    ),
    "fastrtc": Reference(serve=_by_offer("fastrtc+{}")),
    "openai": Reference(serve=_by_offer("openai+{}/v1", _as_session)),
    "offer": Reference(serve=_by_offer("offer+{}")),
    "livekit": Reference(serve=_livekit, networks=("clean", "lossy", "relay-udp"), missing=_livekit_missing),
}
"""By the name of the transport."""


def cells_of(references: Mapping[str, Reference] = REFERENCES) -> list[Cell]:
    """All that can be calibrated: each transport in its usual codec on each of its networks, and in its other
    codecs on the first of them."""
    return [
        Cell(transport=transport, codec=codec, network=network)
        for transport, reference in references.items()
        for codec in reference.codecs
        for network in (reference.networks if codec == reference.codecs[0] else reference.networks[:1])
    ]


def chosen_cell(transport: str, codec: str | None, network: str | None) -> tuple[Reference, Cell]:
    """The cell that was asked for, and who is called for it.

    Raises:
        UserError: There is no such cell, or this machine lacks something for it; the message says what.
    """
    reference = REFERENCES.get(transport)
    if reference is None:
        known = ", ".join(REFERENCES)
        raise UserError(f"there is no reference agent for the transport '{transport}'; there are: {known}")
    cell = Cell(
        transport=transport, codec=codec or reference.codecs[0], network=network or reference.networks[0]
    )
    for name, among in ((cell.codec, reference.codecs), (cell.network, reference.networks)):
        if name not in among:
            raise UserError(f"{transport} is not calibrated with '{name}'; there are: {', '.join(among)}")
    if missing := reference.missing(cell):
        raise UserError(f"{cell.name} cannot be calibrated here without {missing}")
    return reference, cell
