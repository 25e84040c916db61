"""The reference agent calls us: a transport that has it ring, and lets it in."""

from __future__ import annotations

import asyncio
from typing import Self

import httpx

from harness.errors import SetupFailed
from harness.transports.base import DialRequest, MediaSession
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.sip.answering.listening import Listening
from harness.transports.sip.answering.reception import Reception
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.answering.session import Manner
from harness.transports.sip.answering.transport import RungTransport

RING_S = 0.2
LOOPBACK = "127.0.0.1"


class RungAgent:
    """A :class:`~harness.transports.base.Transport` on loopback. Use as an async context manager.

    Args:
        agent: Where the reference agent is told to call, over HTTP.
        codec: That it shall speak.
    """

    name = "sip-in"
    codec = UNENCODED

    def __init__(self, agent: str, codec: str) -> None:
        self._agent = agent
        self._codec = codec
        self._awaited: dict[str, asyncio.Future[Ring]] = {}
        self._reception: Reception | None = None

    async def __aenter__(self) -> Self:
        self._reception = Reception(
            Listening(host=LOOPBACK, port=0),
            from_hosts=frozenset({LOOPBACK}),
            on_ring=self._on_ring,
            on_unwanted=lambda why, invite, source: None,
        )
        await self._reception.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reception is not None:
            self._reception.close()

    async def dial(self, request: DialRequest) -> MediaSession:
        assert self._reception is not None, "the door is not open"
        number = str(request.to.request_data["session"])
        awaited = self._awaited[number] = asyncio.get_running_loop().create_future()
        host, port = self._reception.door.address
        told = {**request.to.request_data, "to": f"sip:{number}@{host}:{port}", "codec": self._codec}
        try:
            async with asyncio.timeout(request.connect_s), httpx.AsyncClient(trust_env=False) as client:
                answer = await client.post(f"{self._agent}/api/ring", json=told)
                if answer.status_code != 200:
                    raise SetupFailed(f"{self._agent}: does not call: {answer.text[:300]}")
                ring = await awaited
        except (httpx.HTTPError, TimeoutError) as error:
            raise SetupFailed(f"{self._agent}: did not call ({type(error).__name__})") from error
        finally:
            self._awaited.pop(number, None)
        return await RungTransport(ring, Manner(ring_s=RING_S)).dial(request)

    def _on_ring(self, ring: Ring) -> None:
        for number in ring.numbers:
            if (awaited := self._awaited.get(number)) is not None and not awaited.done():
                awaited.set_result(ring)
                return
        ring.refuse(404)
