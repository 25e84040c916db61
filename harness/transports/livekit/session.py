"""Calls into LiveKit rooms: joined by a client of our own, whose packets are timed like those of every
transport.

Addresses are described in ``address``, credentials in ``access``. The two connections are ``publisher`` and
``subscriber``; media is ``harness.transports.webrtc``.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from ssl import SSLContext
from typing import Any

from livekit.protocol import models, rtc

from harness.errors import HarnessFault, SetupFailed
from harness.records.call import Event
from harness.transports.base import ConnectionLost, DialRequest, MediaLog, MediaSession
from harness.transports.livekit.ice import ice_for
from harness.transports.livekit.publisher import CODEC, Publisher
from harness.transports.livekit.signalling.access import access_to, metadata_of
from harness.transports.livekit.signalling.address import LiveKitAddress, read_address
from harness.transports.livekit.signalling.dispatch import close_room, dispatch_agent, send_out
from harness.transports.livekit.signalling.signal_client import (
    SignalClient,
    SignalClosed,
    disconnect_reason,
    is_server_s,
    name_of,
)
from harness.transports.livekit.subscriber import Subscriber
from harness.transports.livekit.told.roster import Roster
from harness.transports.livekit.told.witness import SOURCE, Witness
from harness.transports.tls import trusted
from harness.transports.webrtc.connection_state import NotConnected
from harness.transports.webrtc.dialling import dialled
from harness.transports.webrtc.loopback import allow_loopback_candidates
from harness.transports.webrtc.media_tap import MediaTap
from harness.transports.webrtc.peer_connection import told
from harness.transports.webrtc.their_tasks import keep_to_themselves

_CLOSE_TIMEOUT_S = 5.0
_PING_S = 10.0
_WORD_S = 0.5


class LiveKitTransport:
    """See the module's docstring."""

    name = "livekit"
    codec = CODEC

    async def dial(self, request: DialRequest) -> MediaSession:
        allow_loopback_candidates()
        keep_to_themselves(asyncio.get_running_loop())
        return await dialled(LiveKitSession(request), request, late="{stage} within {s:g} s")


class LiveKitSession:
    """One call in a LiveKit room; a :class:`~harness.transports.base.MediaSession`.

    Attributes:
        stage: What has not come about yet, for messages.
    """

    def __init__(self, request: DialRequest) -> None:
        self.log = MediaLog(codec=CODEC)
        self.media_started = asyncio.Event()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.stage = "the server did not let us in"
        self._request = request
        self._address: LiveKitAddress = read_address(request.to.url, shown=request.agent)
        self._access = access_to(self._address, request.to, shown=request.agent)
        self._signal = SignalClient()
        self._roster = Roster(own_identity=self._access.claims.identity, dispatched=bool(self._address.agent))
        self._witness = Witness(self._access.claims.identity)
        self._tap = MediaTap(request, self.log)
        self._publisher: Publisher | None = None
        self._subscriber: Subscriber | None = None
        self._changed = asyncio.Event()
        self._failure = ""
        self._unusable = 0
        self._heard_no_more = False
        self._turned_off: set[str] = set()
        self._agents_track = ""
        self._background: set[asyncio.Task[None]] = set()
        self._joined = False
        self._tls: SSLContext | None = None

    @property
    def agent_name(self) -> str:
        agent = self._roster.agent
        return "" if agent is None else agent.name or agent.identity

    async def connect(self) -> None:
        """Joins, publishes, and returns when an agent is there whose voice can be heard.

        Raises:
            SetupFailed: One of these does not come about.
        """
        request, access = self._request, self._access
        headers = dict(request.to.headers)
        if CODEC not in (request.to.reach.codecs or (CODEC,)):
            raise SetupFailed(f"{request.agent}: LiveKit speaks Opus, which reach.codecs leaves out")
        if self._address.server.startswith("wss:"):
            self._tls = await trusted(request.to.reach.ca_file)
        join = await self._signal.connect(
            self._address.server, access.token, headers, tls=self._tls, shown=request.agent
        )
        self._joined = True
        self._note("room-joined", _told_of(join))
        self.stage = "no ICE server was found that serves us"
        ice = await ice_for(request.to.reach, join.ice_servers, agent=request.agent)
        for server, why in ice.passed_over:
            self._tell("ice-server", {"server": server, "problem": why})
        self._publisher = Publisher(
            request,
            self.log,
            self.media_started,
            self._tap,
            ice=ice,
            on_over=self._media_over,
            on_unusable=self._on_unusable,
        )
        self._subscriber = Subscriber(
            request,
            self._tap,
            ice=ice,
            is_voice=self._is_voice,
            on_message=self._on_message,
            on_over=self._media_over,
            on_refused=lambda why: self._tell("offer-refused", {"why": why}),
            on_unusable=self._on_unusable,
        )
        self._take_in(join.other_participants)
        self._signal.keep_alive(join.ping_interval or _PING_S)
        self._run(self._follow())
        self._run(self._subscriber.run(self._signal))
        await self._set_up(self._publisher, self._subscriber)
        self.stage = "connected"

    async def _set_up(self, publisher: Publisher, subscriber: Subscriber) -> None:
        request, agent = self._request, self._address.agent
        self.stage = "the server did not take our sound (is its grant canPublish?), or no media got through"
        await self._or_failure(publisher.publish(self._signal))
        if agent and self._access.may_administrate:
            self.stage = f"the server did not dispatch the agent '{agent}'"
            await self._or_failure(
                dispatch_agent(
                    self._address.http,
                    self._access,
                    agent=agent,
                    metadata=metadata_of(request.to, shown=request.agent),
                    headers=request.to.headers,
                    tls=self._tls,
                    shown=request.agent,
                )
            )
        await self._or_failure(self._until_agent())
        try:
            await self._or_failure(subscriber.until_heard())
        except NotConnected as failure:
            raise SetupFailed(f"{request.agent}: {failure} (the agent's sound)") from failure
        self._tap.connected(subscriber.dtls)

    async def _until_agent(self) -> None:
        """An agent is in the room, and has a voice."""
        while self._roster.voice is None:
            agent = self._roster.agent
            if self._roster.left:
                why = self._roster.left
                raise SetupFailed(f"{self._request.agent}: the agent left before it said anything ({why})")
            self.stage = (
                f"no agent came into the room{self._who_else()}"
                if agent is None
                else f"the agent '{agent.shown}' is in the room, but published no sound"
            )
            self._changed.clear()
            await self._changed.wait()
        self.stage = "the agent's sound was not sent to us"

    def _who_else(self) -> str:
        wanted = f" '{self._address.agent}'" if self._address.agent else ""
        others = self._roster.others
        there = f" (there: {', '.join(others[:5])})" if others else " (nobody was there)"
        return f"{wanted}{there}"

    async def _or_failure(self, step: Coroutine[Any, Any, None]) -> None:
        """Waits for a step of the set-up, or for what makes it hopeless."""
        doing = asyncio.ensure_future(step)
        ended = self.ended
        either: set[asyncio.Future[Any]] = {doing, ended}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                doing.result()
                return
            raise SetupFailed(f"{self._request.agent}: {_how(ended)}")
        finally:
            doing.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await doing

    async def close(self) -> None:
        """Leaves the room, and sends whoever stays behind out of it; within a few seconds."""
        await self._tap.read_up()
        with contextlib.suppress(asyncio.InvalidStateError):
            self.ended.cancel()
        if (dropped := self._witness.dropped_event(t=self._request.clock.now_s())) is not None:
            self._request.on_event(dropped)
        await self._signal.send(
            leave={"reason": models.DisconnectReason.CLIENT_INITIATED, "action": rtc.LeaveRequest.DISCONNECT}
        )
        for task in self._background:
            task.cancel()
        connections = [one.pc for one in (self._publisher, self._subscriber) if one is not None]
        closed = await asyncio.gather(
            *(pc.hang_up(within_s=_CLOSE_TIMEOUT_S) for pc in connections), self._hang_up_on_agent()
        )
        if not all(closed):
            self._tell("close-timeout", {"after_s": _CLOSE_TIMEOUT_S})
        await self._signal.close()

    async def _hang_up_on_agent(self) -> bool:
        """An agent may stay in its room when its caller has left, and be paid for."""
        if not self._joined or not self._access.may_administrate:
            return True
        http, headers = self._address.http, self._request.to.headers
        agent = self._roster.agent
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                if self._address.own_room:
                    await close_room(http, self._access, headers=headers, tls=self._tls)
                elif agent is not None and not self._roster.left and self._address.agent:
                    await send_out(
                        http, self._access, identity=agent.identity, headers=headers, tls=self._tls
                    )
        return True

    # --- what the server says

    async def _follow(self) -> None:
        try:
            await self._signal.run(self._on_signal)
        except SignalClosed as closed:
            self._end(ConnectionLost(closed))
        # Untold, nobody would hear the server any more, and the call would wait for its time limit.
        except Exception as error:
            self._fail(f"{self._request.agent}: a message of the server was not foreseen: {told(error)}")

    def _on_signal(self, message: rtc.SignalResponse) -> None:
        assert self._publisher is not None
        assert self._subscriber is not None
        kind = message.WhichOneof("message")
        if kind == "offer":
            self._subscriber.offered(message.offer.sdp, message.offer.id)
        elif kind == "answer":
            self._publisher.answered(message.answer.sdp)
        elif kind == "trickle":
            ours = message.trickle.target == rtc.SignalTarget.PUBLISHER
            side = self._publisher if ours else self._subscriber
            side.candidates.take(message.trickle.candidateInit)
        elif kind == "track_published":
            self._publisher.published()
        elif kind == "update":
            self._take_in(message.update.participants)
        elif kind == "leave":
            self._on_leave(message.leave)
        elif kind == "mute":
            self._tell("muted-by-server", {"muted": message.mute.muted})
        elif kind == "reconnect":
            self._tell("reconnected", {})
        elif kind == "subscription_response":
            self._tell("subscription-failed", {"error": message.subscription_response.err})
        elif kind == "request_response" and message.request_response.reason:
            why = name_of(rtc.RequestResponse.Reason, message.request_response.reason)
            self._tell("request-refused", {"why": why})

    def _on_leave(self, leave: rtc.LeaveRequest) -> None:
        why = disconnect_reason(leave.reason)
        if leave.action != rtc.LeaveRequest.DISCONNECT:
            # A connection made anew would have another clock and a hole in it: no figure would survive that.
            self._tell("reconnect-asked", {"why": why})
            self._end(ConnectionLost(f"the server asked us to connect anew ({why})"))
        elif leave.reason == models.DisconnectReason.DUPLICATE_IDENTITY:
            self._fail(
                f"{self._request.agent}: somebody joined with our identity "
                f"('{self._roster.own_identity}'), and the server sent us out: give each caller its own"
            )
        else:
            how = f"the server ended the call: {why}"
            self._end(ConnectionLost(how) if is_server_s(leave.reason) else how)

    def _take_in(self, participants: Any) -> None:
        now_s = self._request.clock.now_s()
        before = self._agents_track
        for kind, data in self._roster.update(participants):
            self._note(kind, data)
        agent, voice = self._roster.agent, self._roster.voice
        if agent is not None:
            for event in self._witness.state(agent.state, t=now_s):
                self._request.on_event(event)
        self._agents_track = voice.sid if voice is not None else before
        if voice is not None and voice.sid != before:
            self._note("agent-track", voice.told)
            if self._subscriber is not None:
                self._subscriber.listen()
        for sid in self._roster.video:
            self._turn_off(sid)
        if self._roster.left:
            how = f"the agent left the room ({self._roster.left})"
            self._end(ConnectionLost(how) if self._roster.left_by_server else how)
        self._changed.set()

    def _turn_off(self, sid: str) -> None:
        if sid not in self._turned_off:
            self._turned_off.add(sid)
            self._run(self._signal.send(subscription={"track_sids": [sid], "subscribe": False}))

    def _is_voice(self, track: str) -> bool:
        return bool(track) and track == self._agents_track

    def _on_message(self, message: Any) -> None:
        if self._heard_no_more:
            return
        for event in self._witness.read(message, t=self._request.clock.now_s()):
            self._request.on_event(event)
        if self._witness.flooded:
            self._heard_no_more = True
            self._tell("data-channel-flood", {"messages": self._witness.received})
            sctp = self._subscriber.pc.sctp if self._subscriber is not None else None
            if sctp is not None:
                # To close a channel is not enough: its association would go on feeding the event loop.
                self._run(sctp.stop())

    # --- ends

    def _media_over(self, how: str) -> None:
        if isinstance(how, ConnectionLost):
            self._end(how)
        elif not self.ended.done():
            self._run(self._closed_by_server(how))

    async def _closed_by_server(self, how: str) -> None:
        """It is the server that closes our media, whoever wanted it: its word on that (``leave``) may come a
        moment later, by another way. Without one the agent ended nothing."""
        await asyncio.sleep(_WORD_S)
        self._end(ConnectionLost(how))

    def _on_unusable(self, error: Exception) -> None:
        self._unusable += 1
        if self._unusable == 1:
            self._tell("unusable-packet", {"error": told(error)})

    def _end(self, how: str) -> None:
        if not self.ended.done():
            self.ended.set_result(how)

    def _fail(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_exception(HarnessFault(why))

    def _tell(self, kind: str, data: dict[str, Any]) -> None:
        """What was seen at the wire."""
        self._event(kind, data, source="wire")

    def _note(self, kind: str, data: dict[str, Any]) -> None:
        """What the server says."""
        self._event(kind, data, source=SOURCE)

    def _event(self, kind: str, data: dict[str, Any], *, source: str) -> None:
        t = self._request.clock.now_s()
        self._request.on_event(Event(t=t, side="agent", kind=kind, source=source, data=data))

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


def _how(ended: asyncio.Future[str]) -> str:
    error = ended.exception()
    if error is not None:
        raise error
    return ended.result()


def _told_of(join: rtc.JoinResponse) -> dict[str, Any]:
    return {
        "room": join.room.name,
        "server": join.server_info.version or join.server_version,
        "region": join.server_region,
    }
