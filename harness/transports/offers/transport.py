"""Dials agents that take an offer over HTTP: the media of ``harness.transports.webrtc``, the rest by a
profile.

Addresses: ``fastrtc+http(s)://HOST:PORT/PATH``, ``openai+https://HOST/v1?model=…``,
``gpt-live+https://HOST/v1?model=…``, ``whip+http(s)://HOST/PATH`` (plain SDP), ``offer+http(s)://HOST/PATH``
(JSON, or what ``reach: {offer: …}`` says).
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from dataclasses import replace
from typing import ClassVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from aiortc import RTCDataChannel

from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.records.call import Event
from harness.records.timeline import AGENT_WAITS
from harness.transports.base import DialRequest, MediaLog, MediaSession
from harness.transports.offers.dialects import DIALECTS
from harness.transports.offers.exchange import Answered, exchange, give_inputs, hang_up, path_of
from harness.transports.offers.inbox import Inbox
from harness.transports.offers.known import FASTRTC, GPT_LIVE, OPENAI, PLAIN_JSON, PLAIN_SDP
from harness.transports.offers.profile import Offer, Profile
from harness.transports.offers.server import Server, open_server
from harness.transports.tls import trusted
from harness.transports.webrtc.dialling import dialled
from harness.transports.webrtc.ice.choice import choose_ice
from harness.transports.webrtc.offered_call import OfferedCall

_GOODBYE_S = 2.0
"""For what is asked of the server when we hang up, and for the data channel to take our last message."""
WAITS_FOR_INPUTS = (
    "the agent waits for inputs (send_input): say in the plan where it takes them, "
    "reach: {offer: {on_input: {path: …}}}"
)


class OfferTransport:
    """An agent that takes an offer over HTTP; what differs is its profile."""

    name: ClassVar[str] = "offer"
    codec: ClassVar[str] = "opus"
    profile: ClassVar[Profile] = PLAIN_JSON

    async def dial(self, request: DialRequest) -> MediaSession:
        return await dialled(OfferSession(request, self.profile.with_plan(request.to.reach.offer)), request)


class FastRTCTransport(OfferTransport):
    """``fastrtc+http(s)://``"""

    name = "fastrtc"
    profile = FASTRTC


class OpenAITransport(OfferTransport):
    """``openai+http(s)://``"""

    name = "openai"
    profile = OPENAI


class GPTLiveTransport(OfferTransport):
    """``gpt-live+http(s)://``"""

    name = "openai"
    profile = GPT_LIVE


class PlainSdpTransport(OfferTransport):
    """``whip+http(s)://``"""

    profile = PLAIN_SDP


class OfferSession:
    """One call; a :class:`~harness.transports.base.MediaSession`."""

    log: MediaLog
    media_started: asyncio.Event
    ended: asyncio.Future[str]

    def __init__(self, request: DialRequest, profile: Profile) -> None:
        self._request = request
        self._profile = profile
        self._inbox = Inbox(dialect=DIALECTS[profile.says]())
        self._call: OfferedCall | None = None
        self._server: Server | None = None
        self._answered: Answered | None = None
        self._channel: RTCDataChannel | None = None
        self._channel_open = asyncio.Event()
        self._channel_closed = False
        self._told_of_inputs = False
        self._offer: Offer | None = None

    @property
    def agent_name(self) -> str:
        return self._inbox.dialect.agent_name

    @property
    def stage(self) -> str:
        """What is being waited for, for messages."""
        return "finding out how we can be reached" if self._call is None else self._call.stage

    async def connect(self) -> None:
        """Offers, takes the answer, and returns when audio can flow."""
        to, model = _wire_address(self._request.to, self._profile)
        verify = await trusted(to.reach.ca_file) if to.url.startswith("https:") else False
        self._server = open_server(to, shown=self._request.agent, verify=verify)
        call = self._call = await self._made_call()
        self._open_data_channel(call)
        self._offer = Offer(
            sdp=await call.offer(), call_id=uuid.uuid4().hex[:12], model=model, data=to.request_data
        )
        answered = await exchange(self._server, self._profile, self._offer, given_path=path_of(to.url))
        self._answered = answered
        without = f"without which {self._profile.name} stays mute"
        if self._profile.needs_channel and not _takes_data(answered.sdp):
            raise SetupFailed(f"{self._request.agent}: its SDP answer takes no data channel, {without}")
        await call.take_answer(answered.sdp)
        if self._profile.needs_channel:
            call.stage = f"its data channel, {without}"
            await self._channel_open.wait()
            call.stage = "connected"

    async def _made_call(self) -> OfferedCall:
        reach = self._request.to.reach
        tls = await trusted(reach.ca_file) if any(one.url.tls for one in reach.ice_servers) else None
        ice = await choose_ice(
            reach.ice_servers, relay_only=reach.relay_only, tls=tls, agent=self._request.agent
        )
        call = OfferedCall(self._request, codecs=reach.codecs or ("opus",), ice=ice)
        self.log, self.media_started, self.ended = call.log, call.media_started, call.ended
        return call

    async def close(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_S):
                await self._say_goodbye()
        if self._call is not None:
            await self._call.close()
        if self._server is not None:
            await self._server.client.aclose()
        for event in self._inbox.close(t=self._request.clock.now_s()):
            self._request.on_event(event)

    async def _say_goodbye(self) -> None:
        channel = self._channel
        if self._profile.goodbye and channel is not None and channel.readyState == "open":
            channel.send(self._profile.goodbye)
            # Until it has left: closing the connection would take it back.
            while channel.bufferedAmount:  # noqa: ASYNC110 - aiortc tells of no event
                await asyncio.sleep(0.01)
        if self._server is not None and self._answered is not None:
            await hang_up(self._server, self._profile, self._answered.call_place)

    # --- data channel

    def _open_data_channel(self, call: OfferedCall) -> None:
        if self._profile.channel is None:
            return
        channel = self._channel = call.open_data_channel(self._profile.channel)

        @channel.on("open")
        def on_open() -> None:
            self._channel_open.set()
            for message in self._profile.messages:
                channel.send(message)

        @channel.on("message")
        def on_message(message: str | bytes) -> None:
            self._on_message(call, message)

    def _on_message(self, call: OfferedCall, message: str | bytes) -> None:
        events = self._inbox.read(message, t=self._request.clock.now_s())
        if self._channel_closed:
            return  # counted, no more
        for event in events:
            self._request.on_event(event)
        dialect = self._inbox.dialect
        if self._inbox.flooded:
            self._channel_closed = True
            call.tell("data-channel-flood", {"messages": self._inbox.received})
            call.stop_data()
        if dialect.asks_for_inputs:
            dialect.asks_for_inputs = False
            call.run(self._answer_inputs())
        if dialect.over:
            call.end(dialect.over)

    async def _answer_inputs(self) -> None:
        """Gives the agent what it asks for, or tells why it will stay silent."""
        wrong = WAITS_FOR_INPUTS
        if self._profile.on_input is not None and self._server is not None and self._offer is not None:
            wrong = await give_inputs(self._server, self._profile, self._offer)
            wrong = f"the agent waits for inputs, and they could not be given: {wrong}" if wrong else ""
        if wrong and not self._told_of_inputs:
            self._told_of_inputs = True
            now_s = self._request.clock.now_s()
            self._request.on_event(
                Event(t=now_s, side="agent", kind=AGENT_WAITS, source="wire", data={"detail": wrong})
            )


def _takes_data(sdp: str) -> bool:
    return any(line.startswith("m=application ") and line.split()[1] != "0" for line in sdp.splitlines())


def _wire_address(to: OnTheWire, profile: Profile) -> tuple[OnTheWire, str]:
    """The address as HTTP knows it, and the model that it names where that goes into the offer."""
    parts = urlsplit(to.url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    model = ""
    if profile.takes_session:
        model = next((value for name, value in query if name == "model"), "")
        query = [(name, value) for name, value in query if name != "model"]
    scheme = parts.scheme.rpartition("+")[2]
    return replace(to, url=urlunsplit((scheme, parts.netloc, parts.path, urlencode(query), ""))), model
