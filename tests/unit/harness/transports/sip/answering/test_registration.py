"""Registration, at a registrar that works out digests by itself (RFC 7616, 3.4)."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from harness.errors import UserError
from harness.transports.sip.answering import door as door_module
from harness.transports.sip.answering import registration as registration_module
from harness.transports.sip.answering.door import Door
from harness.transports.sip.answering.listening import read_registrar
from harness.transports.sip.answering.registration import Registration


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - nobody is told of it
            await asyncio.sleep(0.005)


class Registrar(asyncio.DatagramProtocol):
    """Knows alice with the password ``pw``."""

    def __init__(self, algorithm: str) -> None:
        self.algorithm = algorithm
        self.asked: list[str] = []
        self.known: list[int] = []
        """Expiries that were granted."""
        self.grants = 3600
        self.least = 0
        self.mute = False

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def close(self) -> None:
        self._transport.close()

    @property
    def port(self) -> int:
        return int(self._transport.get_extra_info("sockname")[1])

    def datagram_received(self, data: bytes, address: Any) -> None:
        text = data.decode()
        self.asked.append(text)
        if self.mute:
            return
        expires = int(self._of(text, "Expires"))
        shown = self._of(text, "Authorization")
        if not self._is_right(shown):
            challenge = f'Digest realm="pbx", nonce="n1", qop="auth", algorithm={self.algorithm}'
            self._answer(text, address, "401 Unauthorized", f"WWW-Authenticate: {challenge}\r\n")
        elif 0 < expires < self.least:
            self._answer(text, address, "423 Interval Too Brief", f"Min-Expires: {self.least}\r\n")
        else:
            granted = min(expires, self.grants)
            self.known.append(granted)
            contact = self._of(text, "Contact").partition(";")[0]
            others = f"Contact: <sip:alice@192.0.2.1>;expires=77, {contact};expires={granted}\r\n"
            self._answer(text, address, "200 OK", others)

    @property
    def numbers(self) -> int:
        """How many requests it was asked, copies left out."""
        return len({self._of(text, "CSeq") for text in self.asked})

    def _is_right(self, shown: str) -> bool:
        told = {n: q or b for n, q, b in re.findall(r'(\w+)=(?:"([^"]*)"|([^,\s]+))', shown)}
        if not told:
            return False
        made = hashlib.md5 if self.algorithm == "MD5" else hashlib.sha256

        def h(text: str) -> str:
            return made(text.encode()).hexdigest()

        of_user, of_request = h("alice:pbx:pw"), h(f"REGISTER:{told['uri']}")
        return told["response"] == h(f"{of_user}:n1:{told['nc']}:{told['cnonce']}:auth:{of_request}")

    def _of(self, text: str, name: str) -> str:
        found = re.search(rf"^{name}: (.*?)\r$", text, re.M)
        return found[1] if found else ""

    def _answer(self, text: str, address: Any, status: str, more: str) -> None:
        kept = "".join(
            f"{name}: {self._of(text, name)}\r\n" for name in ("Via", "From", "To", "Call-ID", "CSeq")
        )
        self._transport.sendto(f"SIP/2.0 {status}\r\n{kept}{more}\r\n".encode(), address)


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    door = Door(
        admits=lambda host: True,
        on_invite=lambda line, invite, source: None,
        on_turned_away=lambda invite, source: None,
    )
    await door.open("127.0.0.1", 0)
    yield door
    door.close()
    for registrar in _OPEN:
        registrar.close()
    _OPEN.clear()


_OPEN: list[Registrar] = []


async def begun(registrar: Registrar, door: Door, password: str = "pw") -> tuple[Registration, list[str]]:
    loop = asyncio.get_running_loop()
    _OPEN.append(registrar)
    await loop.create_datagram_endpoint(lambda: registrar, local_addr=("127.0.0.1", 0))
    notes: list[str] = []
    address = f"sip:alice@pbx.example?password={password}&proxy=127.0.0.1:{registrar.port}"
    registration = Registration(read_registrar(address), on_note=notes.append)
    await registration.locate()
    await registration.begin(door)
    return registration, notes


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
async def test_we_are_known_and_take_it_back(algorithm: str, door: Door) -> None:
    registrar = Registrar(algorithm)
    registration, notes = await begun(registrar, door)
    assert registrar.known == [600]
    assert registrar.asked[0].startswith("REGISTER sip:pbx.example SIP/2.0\r\n")
    assert f"Contact: <sip:alice@127.0.0.1:{door.address[1]}>;expires=600" in registrar.asked[0]
    await registration.end()
    assert registrar.known == [600, 0]
    assert notes == []


async def test_it_is_renewed_as_often_as_the_registrar_wants(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration_module, "LEAST_S", 0.2)
    monkeypatch.setattr(registration_module, "AGAIN_S", 0.1)
    registrar = Registrar("MD5")
    registrar.grants, registrar.least = 1, 700
    registration, notes = await begun(registrar, door)
    await until(lambda: len(registrar.known) >= 2)
    assert notes == []
    # It goes away, is asked again and again, and comes back.
    registrar.mute = True
    monkeypatch.setattr(registration_module, "ANSWER_S", 0.2)
    await until(lambda: bool(notes))
    before = registrar.numbers
    await until(lambda: registrar.numbers >= before + 3)
    assert len(notes) == 1
    assert notes[0].startswith("the registration of sip:alice@pbx.example could not be renewed: no answer")
    # Only who says nothing is to run into the limit.
    monkeypatch.setattr(registration_module, "ANSWER_S", 30.0)
    registrar.mute = False
    await until(lambda: len(notes) > 1)
    assert notes[1:] == ["sip:alice@pbx.example is registered again"]
    await registration.end()


async def test_a_password_that_is_wrong_is_told(door: Door) -> None:
    registrar = Registrar("MD5")
    with pytest.raises(UserError, match="answered 401: it does not take our user") as raised:
        await begun(registrar, door, "pv-that-is-wrong")
    assert "pv-that-is-wrong" not in str(raised.value)
    assert raised.value.exit_code == 3


async def test_a_registrar_that_is_not_there(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration_module, "ANSWER_S", 0.1)
    registrar = Registrar("MD5")
    registrar.mute = True
    with pytest.raises(UserError, match=r"no answer within 0\.1 s"):
        await begun(registrar, door)


class ConnectedRegistrar:
    """Grants everything over TCP, and hangs up when a test says so."""

    def __init__(self, *, hangs_up: bool = False) -> None:
        self.asked: asyncio.Queue[str] = asyncio.Queue()
        self.hangs_up = hangs_up
        self.status: str | None = "200 OK"
        """None: it does not answer."""
        self.connected = 0
        self.open_now = 0
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    def hang_up(self) -> None:
        assert self._writer is not None
        self._writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.connected += 1
        self.open_now += 1
        try:
            while True:
                text = (await reader.readuntil(b"\r\n\r\n")).decode()
                kept = re.findall(r"^(?:Via|From|To|Call-ID|CSeq|Contact): .*\r\n", text, re.M)
                if self.status is not None:
                    lines = [f"SIP/2.0 {self.status}\r\n", *kept, "Content-Length: 0\r\n\r\n"]
                    writer.write("".join(lines).encode())
                self.asked.put_nowait(text)
                if self.hangs_up:
                    writer.close()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            self.open_now -= 1
            writer.close()


async def _begun_over_tcp(registrar: ConnectedRegistrar, door: Door) -> tuple[Registration, asyncio.Server]:
    server = await registrar.open()
    port = server.sockets[0].getsockname()[1]
    address = f"sip:alice@pbx.example;transport=tcp?password=pw&proxy=127.0.0.1:{port}"
    registration = Registration(read_registrar(address), on_note=lambda note: None)
    await registration.locate()
    await registration.begin(door)
    return registration, server


async def _ended(registration: Registration, door: Door, server: asyncio.Server) -> None:
    await registration.end()
    door.close()
    await door.closed()
    server.close()
    # What was connected there ends of itself.
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_lost_connection_is_registered_anew_at_once(door: Door) -> None:
    """Else nobody could call us until the next refresh, 540 s later."""
    registrar = ConnectedRegistrar()
    registration, server = await _begun_over_tcp(registrar, door)
    first = (await registrar.asked.get(), registration.contact)
    registrar.hang_up()
    async with asyncio.timeout(5):
        second = (await registrar.asked.get(), registration.contact)
    assert first[1] != second[1]
    for text, contact in (first, second):
        assert f"Contact: <{contact}>;expires=600\r\n" in text
    await _ended(registration, door, server)


async def test_a_registrar_that_always_hangs_up_is_not_flooded(door: Door) -> None:
    registrar = ConnectedRegistrar(hangs_up=True)
    registration, server = await _begun_over_tcp(registrar, door)
    async with asyncio.timeout(5):
        await registrar.asked.get()
        await registrar.asked.get()
    # The next one only after a pause.
    await asyncio.sleep(0.2)
    assert registrar.asked.empty()
    await _ended(registration, door, server)


@pytest.mark.parametrize(("status", "anew"), [(None, True), ("503 Service Unavailable", False)])
async def test_renewals_that_fail_leave_no_connections_behind(
    door: Door, monkeypatch: pytest.MonkeyPatch, status: str | None, anew: bool
) -> None:
    for name, value in (("EXPIRES_S", 1), ("LEAST_S", 0.1), ("AGAIN_S", 0.05)):
        monkeypatch.setattr(registration_module, name, value)
    registrar = ConnectedRegistrar()
    registration, server = await _begun_over_tcp(registrar, door)
    registrar.status = status
    if status is None:
        # An answer that comes is not to be late on a busy machine.
        monkeypatch.setattr(registration_module, "ANSWER_S", 0.1)
    async with asyncio.timeout(30):
        for _ in range(5):
            await registrar.asked.get()
    # One that answers, if only to refuse, is asked over the connection that there is.
    assert (registrar.connected > 1) == anew
    # What was left behind would stay; one takes the place of another for a moment.
    await until(lambda: registrar.open_now == len(door._connections) == 1)
    await _ended(registration, door, server)


async def test_our_own_connections_take_no_callers_place(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "MAX_CONNECTIONS", 1)
    registration, server = await _begun_over_tcp(ConnectedRegistrar(), door)
    first, writer = await asyncio.open_connection("127.0.0.1", door.address[1])
    async with asyncio.timeout(5):
        # Two lines ask whether we are there (RFC 5626).
        writer.write(b"\r\n\r\n")
        assert await first.readexactly(2) == b"\r\n"
        second, other = await asyncio.open_connection("127.0.0.1", door.address[1])
        assert await second.read() == b""
    writer.close()
    other.close()
    await _ended(registration, door, server)
