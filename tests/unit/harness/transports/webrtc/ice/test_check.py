"""What a server has to say when it is asked whether it would serve us, over real sockets on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from aioice import stun

from harness.plans.on_the_wire import IceServer
from harness.plans.reach.ice_url import ice_url
from harness.selfcheck.relay import write_certificate
from harness.transports.tls import trusted
from harness.transports.webrtc.ice import check
from harness.transports.webrtc.ice.check import refusal

Reply = Callable[[stun.Message], bytes | None]


class _Server(asyncio.DatagramProtocol):
    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        if (answer := self._reply(stun.parse_message(data))) is not None:
            self._transport.sendto(answer, addr)


@contextlib.asynccontextmanager
async def _serving(reply: Reply) -> AsyncIterator[int]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: _Server(reply), local_addr=("127.0.0.1", 0))
    try:
        yield transport.get_extra_info("sockname")[1]
    finally:
        transport.close()


def _refuses(code: int, words: str) -> Reply:
    def reply(request: stun.Message) -> bytes:
        answer = stun.Message(
            message_method=request.message_method,
            message_class=stun.Class.ERROR,
            transaction_id=request.transaction_id,
        )
        answer.attributes["ERROR-CODE"] = (code, words)
        return bytes(answer)

    return reply


def _tells_our_address(request: stun.Message) -> bytes:
    answer = stun.Message(
        message_method=request.message_method,
        message_class=stun.Class.RESPONSE,
        transaction_id=request.transaction_id,
    )
    answer.attributes["XOR-MAPPED-ADDRESS"] = ("192.0.2.1", 5)
    return bytes(answer)


def _at(url: str) -> IceServer:
    return IceServer(url=ice_url(url), username="u", credential="canary")


@pytest.fixture(autouse=True)
def _in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who says nothing is to run into the limit: a busy machine's first exchange may take its time."""
    monkeypatch.setattr(check, "CHECK_S", 30.0)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (_refuses(401, "Unauthorized"), "refuses the user name or the password (401)"),
        (_refuses(486, "Allocation Quota Reached"), "gives this user no more relays at this time (486)"),
        (_refuses(500, "a\x1b[31m\nb"), "refuses (500 a"),
    ],
)
async def test_a_turn_server_that_does_not_serve_us(reply: Reply, told: str) -> None:
    async with _serving(reply) as port:
        said = await refusal(_at(f"turn:127.0.0.1:{port}"), None)
    assert said.startswith(told)
    assert said.isprintable()


@pytest.mark.parametrize("reply", [lambda _: b"\x00garbage", lambda _: None], ids=["garbage", "nothing"])
async def test_a_turn_server_that_does_not_answer(reply: Reply, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "CHECK_S", 0.3)
    async with _serving(reply) as port:
        assert await refusal(_at(f"turn:127.0.0.1:{port}"), None) == "does not answer within 0.3 s"


async def test_a_stun_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async with _serving(_tells_our_address) as port:
        assert await refusal(_at(f"stun:127.0.0.1:{port}"), None) == ""
    monkeypatch.setattr(check, "CHECK_S", 0.3)
    async with _serving(lambda _: None) as port:
        assert await refusal(_at(f"stun:127.0.0.1:{port}"), None) == "does not answer within 0.3 s"


async def test_nobody_there(unused_tcp_port: int) -> None:
    said = await refusal(_at(f"turn:127.0.0.1:{unused_tcp_port}?transport=tcp"), None)
    assert said.startswith("cannot be reached: ")


async def test_a_certificate_that_nobody_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_certificate(tmp_path / "cert.pem", tmp_path / "key.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(mute, "127.0.0.1", 0, ssl=context)
    async with server:
        url = f"turns:127.0.0.1:{server.sockets[0].getsockname()[1]}"
        assert (await refusal(_at(url), await trusted(None))).startswith(
            "its certificate is not trusted: self-signed certificate; name the authority"
        )
        # It is trusted, and then says nothing.
        monkeypatch.setattr(check, "CHECK_S", 0.3)
        assert await refusal(_at(url), await trusted(tmp_path / "cert.pem")) == "does not answer within 0.3 s"
