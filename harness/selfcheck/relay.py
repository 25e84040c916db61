"""A TURN server on loopback, to measure calls through a relay: coturn, where it is installed.

``apt-get install coturn`` (Debian) brings ``turnserver``; as a service it need not run.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from harness.errors import UserError
from harness.models.served_process import free_port, running

COMMAND = "turnserver"
USER, PASSWORD = "alice", "loopback-only"


@dataclass(frozen=True, kw_only=True)
class Relay:
    """A TURN server that runs; addresses as plans have them.

    Attributes:
        ca_file: By which its certificate is trusted.
    """

    port: int
    tls_port: int
    ca_file: Path

    @property
    def urls(self) -> dict[str, str]:
        """By the transport to the server."""
        return {
            "udp": f"turn:127.0.0.1:{self.port}?transport=udp",
            "tcp": f"turn:127.0.0.1:{self.port}?transport=tcp",
            "tls": f"turns:127.0.0.1:{self.tls_port}?transport=tcp",
        }


def can_relay() -> bool:
    """Whether coturn is installed."""
    return shutil.which(COMMAND) is not None


@contextlib.contextmanager
def serving_relay() -> Iterator[Relay]:
    """Runs coturn while in the ``with`` block.

    Raises:
        UserError: It is not installed, or did not come up.
    """
    if not can_relay():
        raise UserError("a TURN server is needed: apt-get install coturn (the service need not run)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        relay = Relay(port=free_port(), tls_port=free_port(), ca_file=folder / "cert.pem")
        write_certificate(relay.ca_file, folder / "key.pem")
        with running(_command(relay, folder), name="coturn", is_ready=lambda: _listens(relay.tls_port)):
            yield relay


def _command(relay: Relay, folder: Path) -> list[str]:
    return [
        *(COMMAND, "-n", "--no-cli", "--lt-cred-mech", "--realm=example.test", f"--user={USER}:{PASSWORD}"),
        *("--listening-ip=127.0.0.1", f"--listening-port={relay.port}"),
        *(f"--tls-listening-port={relay.tls_port}", "--relay-ip=127.0.0.1", "--allow-loopback-peers"),
        *(f"--cert={relay.ca_file}", f"--pkey={folder / 'key.pem'}"),
        *("--log-file=stdout", "--simple-log", f"--pidfile={folder / 'pid'}", f"--db={folder / 'db'}"),
    ]  # fmt: skip


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0):
            return True
    except OSError:
        return False


def write_certificate(certificate: Path, key_file: Path) -> None:
    """A certificate for 127.0.0.1 that signs itself, good for a day."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
