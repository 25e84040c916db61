"""The one table of agent addresses: the scheme of an address -> the transport that reaches it.

A new way of reaching agents is a file (or folder) beside this one and a line here; from another package it is
an entry point of the group ``outboundeval.transports``, named as the scheme, whose value is the class. What
the table names is imported only when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from harness.errors import UserError
from harness.plans.secrets import SIP_SCHEMES, kept_address, with_slashes, without_references
from harness.transports.base import Transport
from harness.transports.codecs.table import CODECS
from voice_sim.registry import MissingExtraError, Part, Table


@dataclass(frozen=True, kw_only=True)
class TransportPart(Part):
    """A transport in the table.

    Attributes:
        name: What the transport is called wherever something about it is kept: its calibration, a report.
            The same as :attr:`Transport.name`, but known without importing it.
    """

    name: str


_SMALLWEBRTC = TransportPart(
    name="smallwebrtc", target="harness.transports.smallwebrtc.session:SmallWebRTCTransport"
)

_OFFERS = "harness.transports.offers.transport"
_FASTRTC = TransportPart(name="fastrtc", target=f"{_OFFERS}:FastRTCTransport")
_OPENAI = TransportPart(name="openai", target=f"{_OFFERS}:OpenAITransport")
_GPT_LIVE = TransportPart(name="openai", target=f"{_OFFERS}:GPTLiveTransport")
_PLAIN_SDP = TransportPart(name="offer", target=f"{_OFFERS}:PlainSdpTransport")
_OFFER = TransportPart(name="offer", target=f"{_OFFERS}:OfferTransport")
_LIVEKIT = TransportPart(name="livekit", target="harness.transports.livekit.session:LiveKitTransport")
_SIP = TransportPart(name="sip", target="harness.transports.sip.transport:SipTransport")

SCHEMES = Table(
    kind="address scheme",
    group="outboundeval.transports",
    parts={
        "http": _SMALLWEBRTC,
        "https": _SMALLWEBRTC,
        "fastrtc+http": _FASTRTC,
        "fastrtc+https": _FASTRTC,
        "openai+http": _OPENAI,
        "openai+https": _OPENAI,
        "gpt-live+http": _GPT_LIVE,
        "gpt-live+https": _GPT_LIVE,
        "whip+http": _PLAIN_SDP,
        "whip+https": _PLAIN_SDP,
        "offer+http": _OFFER,
        "offer+https": _OFFER,
        "livekit+ws": _LIVEKIT,
        "livekit+wss": _LIVEKIT,
        "sip": _SIP,
        "sips": _SIP,
    },
)


_WEBSOCKET = (
    "a WebSocket is not spoken yet, neither a carrier's media stream nor Realtime's; docs/endpoints.md says "
    "how else such agents are reached (pipecat: python bot.py -t webrtc)"
)
_NOT_YET = {"ws": _WEBSOCKET, "wss": _WEBSOCKET}
"""Schemes of agents that there are, and that are not dialled."""


def transport_for(agent: str) -> Transport:
    """The transport that reaches an address.

    Raises:
        UserError: The address has no scheme that we can dial, or what dials it is not installed or cannot be
            used.
    """
    try:
        parts = urlsplit(with_slashes(without_references(agent)))
        dialable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        dialable = False
    if not dialable or parts.scheme not in SCHEMES.names():
        raise UserError(
            f"'{kept_address(agent)}' is no agent address that can be dialled; known: "
            + ", ".join(_form(scheme) for scheme in SCHEMES.names()),
            hint=_NOT_YET.get(parts.scheme, "") if dialable else "",
        )
    transport = _made(parts.scheme)
    if transport.codec not in CODECS.names():
        raise UserError(
            f"the transport for {parts.scheme}:// sends '{transport.codec}', which is no codec that we know: "
            + ", ".join(CODECS.names())
        )
    return transport


def transport_name(agent: str) -> str:
    """``smallwebrtc`` for ``http://…``; the scheme itself where it is not known."""
    try:
        scheme = urlsplit(agent).scheme
    except ValueError:
        return "unknown"
    return _name(scheme) if scheme in SCHEMES.names() else scheme or "unknown"


def transport_names() -> list[str]:
    """The name of every transport, without repeats."""
    return sorted({_name(scheme) for scheme in SCHEMES.names()})


def _form(scheme: str) -> str:
    return f"{scheme}:USER@HOST" if scheme in SIP_SCHEMES else f"{scheme}://HOST:PORT"


def _name(scheme: str) -> str:
    part = SCHEMES.parts.get(scheme)
    return part.name if isinstance(part, TransportPart) else _made(scheme).name


def _made(scheme: str) -> Transport:
    try:
        return cast(Transport, SCHEMES.load(scheme)())
    except MissingExtraError as error:
        raise UserError(str(error)) from error
    except (ImportError, AttributeError) as error:
        if scheme in SCHEMES.parts:
            raise
        raise UserError(
            f"another package registers a transport for {scheme}:// that cannot be loaded: {error}"
        ) from error
