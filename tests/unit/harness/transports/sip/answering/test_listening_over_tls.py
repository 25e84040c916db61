"""Calls over TLS: our certificate is shown, nothing comes in clear, and what is wrong with files is told."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from harness.errors import SetupFailed, UserError
from harness.transports.sip.answering.identity import identity
from harness.transports.sip.answering.listening import Listening
from harness.transports.sip.answering.reception import Reception
from harness.transports.sip.answering.ring import Ring
from tests.bare_machine import seeing
from tests.live.telephone.certificates import Certificates, certificates

OPTIONS_S = 30.0


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("own"))


@contextlib.asynccontextmanager
async def _listening(own: Certificates) -> AsyncIterator[tuple[int, list[Ring], Reception]]:
    rings: list[Ring] = []
    reception = Reception(
        Listening(host="127.0.0.1", port=0, certificate=own.certificate, key=own.key),
        from_hosts=frozenset({"127.0.0.1"}),
        on_ring=rings.append,
        on_unwanted=lambda why, invite, source: None,
    )
    await reception.open()
    try:
        yield reception.door.address[1], rings, reception
    finally:
        reception.close()
        await reception.closed()


def _request(method: str, *, scheme: str = "sips") -> bytes:
    return (
        f"{method} {scheme}:us@127.0.0.1 SIP/2.0\r\n"
        "Via: SIP/2.0/TLS 127.0.0.1:5061;rport;branch=z9hG4bKx\r\nMax-Forwards: 70\r\n"
        f"From: <{scheme}:agent@127.0.0.1>;tag=1\r\nTo: <{scheme}:us@127.0.0.1>\r\n"
        f"Call-ID: {method}{scheme}\r\nCSeq: 1 {method}\r\nContact: <{scheme}:agent@127.0.0.1:5061>\r\n"
        "Content-Length: 0\r\n\r\n"
    ).encode()


@pytest.mark.parametrize(
    ("scheme", "contact"),
    [("sips", "sips:outboundeval@127.0.0.1:{}"), ("sip", "sip:outboundeval@127.0.0.1:{};transport=tls")],
)
async def test_a_call_over_tls_rings_and_is_told_where_we_are(
    scheme: str, contact: str, own: Certificates
) -> None:
    trusts = ssl.create_default_context(cafile=own.authority)
    async with _listening(own) as (port, rings, _):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=trusts, server_hostname="127.0.0.1"
        )
        writer.write(_request("INVITE", scheme=scheme))
        trying = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
        assert trying.startswith(b"SIP/2.0 100")
        [ring] = rings
        assert (ring.carrier, ring.line.wire.name, ring.numbers) == ("tls", "TLS", ("us",))
        assert ring.contact == contact.format(port)
        ring.rings()
        assert f"Contact: <{ring.contact}>".encode() in await asyncio.wait_for(
            reader.readuntil(b"\r\n\r\n"), 5
        )
        ring.refuse(486)
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)).startswith(b"SIP/2.0 486")
        writer.close()


async def test_nothing_is_taken_in_clear(own: Certificates) -> None:
    async with _listening(own) as (port, rings, reception):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_request("INVITE", scheme="sip"))
        with contextlib.suppress(OSError):
            # What comes back, if anything, is an alert of TLS.
            assert not (await asyncio.wait_for(reader.read(), 5)).startswith(b"SIP/2.0")
        writer.close()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            datagrams.connect(("127.0.0.1", port))
            datagrams.send(_request("INVITE", scheme="sip"))
            await asyncio.sleep(0.1)
            # Nobody listens there.
            with pytest.raises(ConnectionRefusedError, match="refused"):
                datagrams.send(b"once more")
        assert rings == []
        with pytest.raises(SetupFailed, match="over TLS alone"):
            reception.door.line("c1", towards=("127.0.0.1", 5060))


async def test_whoever_does_not_know_our_authority_does_not_call(own: Certificates, tmp_path: Path) -> None:
    other = certificates(tmp_path / "other")
    async with _listening(own) as (port, rings, _):
        with pytest.raises(ssl.SSLCertVerificationError, match="CERTIFICATE_VERIFY_FAILED"):
            await asyncio.open_connection(
                "127.0.0.1",
                port,
                ssl=ssl.create_default_context(cafile=other.authority),
                server_hostname="127.0.0.1",
            )
        assert rings == []


async def test_openssl_speaks_with_us(own: Certificates) -> None:
    """An implementation that is not ours: its handshake, the chain as it checks it, and our answer."""
    with seeing("openssl"):
        async with _listening(own) as (port, _, _):
            said = await _said_to_openssl(port, own)
    assert b"Verify return code: 0 (ok)" in said or b"Verification: OK" in said
    assert b"SIP/2.0 200 OK" in said


async def _said_to_openssl(port: int, own: Certificates) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *("openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", str(own.authority)),
        *("-verify_return_error", "-verify_ip", "127.0.0.1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(_request("OPTIONS"))
    await process.stdin.drain()
    said = b""
    async with asyncio.timeout(OPTIONS_S):
        while b"Accept: application/sdp" not in said:
            read = await process.stdout.read(4096)
            assert read, said
            said += read
    process.stdin.close()
    process.terminate()
    await process.wait()
    return said


def test_a_key_in_the_file_of_its_certificate(own: Certificates) -> None:
    identity(own.certificate, own.key)
    identity(own.key_and_certificate, None)


def test_what_is_wrong_with_the_files_is_told(own: Certificates, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--certificate: .*missing.pem cannot be read: No such file"):
        identity(tmp_path / "missing.pem", own.key)
    with pytest.raises(UserError, match=r"--key: .*missing.pem cannot be read: No such file"):
        identity(own.certificate, tmp_path / "missing.pem")
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("no certificate")
    others = certificates(tmp_path / "others")
    for certificate, key in ((nonsense, own.key), (own.certificate, others.key), (own.certificate, None)):
        with pytest.raises(UserError, match="give the certificate first in its file, and with --key"):
            identity(certificate, key)


def test_a_key_with_a_password_is_told_and_nobody_is_asked_for_it(own: Certificates, tmp_path: Path) -> None:
    key = serialization.load_pem_private_key(own.key.read_bytes(), None)
    locked = tmp_path / "locked.pem"
    locked.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    with pytest.raises(UserError, match="without a password"):
        identity(own.certificate, locked)


def test_a_port_of_somebody_else_over_tls(own: Certificates) -> None:
    async def taken() -> None:
        async with _listening(own) as (port, _, _):
            other = Reception(
                Listening(host="127.0.0.1", port=port, certificate=own.certificate, key=own.key),
                from_hosts=None,
                on_ring=lambda ring: None,
                on_unwanted=lambda why, invite, source: None,
            )
            with pytest.raises(UserError, match="--listen: calls cannot be taken at"):
                await other.open()

    asyncio.run(taken())
