"""A LiveKit server on this machine, for as long as it is needed: to calibrate, and to try agents on.

``OUTBOUNDEVAL_LIVEKIT_SERVER`` names its program (https://github.com/livekit/livekit); no package has it. A
stand-in of ours forwards packets without it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from harness.errors import UserError
from harness.models.served_process import free_port, serving_command
from harness.plans.secrets import Withheld, kept_address
from harness.selfcheck.reference_agents import serving
from harness.transports.livekit.signalling.access import KEY_VARIABLE, SECRET_VARIABLE

SERVER_VARIABLE = "OUTBOUNDEVAL_LIVEKIT_SERVER"
_KEY = "APIoutboundeval"


@dataclass(frozen=True, kw_only=True)
class LiveKitServer:
    """A server that runs.

    Attributes:
        url: ``ws://127.0.0.1:PORT``.
        what: Which one it is, for people.
        media_port: Its UDP port for media; 0 where it has one for each connection.
    """

    url: str
    what: str
    secret: str = field(repr=False)
    key: str = _KEY
    media_port: int = 0

    @property
    def environment(self) -> Mapping[str, str]:
        """What an agent of this server needs to know."""
        return {"LIVEKIT_URL": self.url, KEY_VARIABLE: self.key, SECRET_VARIABLE: self.secret}

    def address(self, agent: str, *, room: str = "calibration-*") -> str:
        """The address of an agent there, with the right to call it; what may be kept of it has none."""
        given = f"livekit+ws://{self.key}:{self.secret}@{self.url.removeprefix('ws://')}/{room}?agent={agent}"
        return Withheld(kept_address(given), given)


def server_program() -> Path:
    """The server's program.

    Raises:
        UserError: None is named, or it is not there.
    """
    named = os.environ.get(SERVER_VARIABLE)
    if not named:
        raise UserError(
            f"no LiveKit server on this machine: set {SERVER_VARIABLE} to the program livekit-server "
            "(https://github.com/livekit/livekit/releases)"
        )
    program = Path(named)
    if not (program.is_file() and os.access(program, os.X_OK)):
        raise UserError(f"{SERVER_VARIABLE}: there is no program {program}")
    return program


@contextlib.contextmanager
def serving_livekit(*, makes_rooms: bool = True) -> Iterator[LiveKitServer]:
    """Runs a server while in the ``with`` block.

    Args:
        makes_rooms: Whether a room is made for whoever joins one that is not there.

    Raises:
        UserError: It did not come up, or the program that is named is not there.
    """
    program = server_program()
    secret = secrets.token_hex(24)
    port, media_port = free_port(), _free_udp_port()
    with tempfile.TemporaryDirectory(prefix="outboundeval-livekit-") as folder:
        config = Path(folder) / "livekit.yaml"
        config.touch(mode=0o600)
        config.write_text(yaml.safe_dump(_config(port, media_port, secret, makes_rooms)))
        with serving_command(
            [str(program), "--config", str(config)], name="livekit-server", port=port, ready="/"
        ):
            yield LiveKitServer(
                url=f"ws://127.0.0.1:{port}", what="LiveKit server", secret=secret, media_port=media_port
            )


@contextlib.contextmanager
def serving_stand_in(*options: str) -> Iterator[LiveKitServer]:
    """Runs the stand-in for a LiveKit server (``agents serve livekit-server``) while in the ``with`` block.

    Good for trying agents and calls. What it adds to a figure is nothing that a real server would add.

    Args:
        options: Of its own.

    Raises:
        UserError: It did not come up.
    """
    secret = secrets.token_hex(24)
    known = {KEY_VARIABLE: _KEY, SECRET_VARIABLE: secret}
    with serving("livekit-server", extra=list(options), environment=known) as address:
        url = "ws" + address.removeprefix("http")
        yield LiveKitServer(url=url, what="stand-in for a LiveKit server", secret=secret)


@contextlib.contextmanager
def serving_some_livekit() -> Iterator[LiveKitServer]:
    """A real server where one is named, else the stand-in, while in the ``with`` block.

    Raises:
        UserError: It did not come up, or the program that is named is not there.
    """
    with serving_livekit() if os.environ.get(SERVER_VARIABLE) else serving_stand_in() as server:
        yield server


def _config(port: int, media_port: int, secret: str, makes_rooms: bool) -> dict[str, object]:
    """Everything on loopback, nothing looked up outside; with its own TURN server."""
    return {
        "port": port,
        "bind_addresses": ["127.0.0.1"],
        "keys": {_KEY: secret},
        "logging": {"level": "warn"},
        "room": {"auto_create": makes_rooms},
        "rtc": {
            "udp_port": media_port,
            "tcp_port": free_port(),
            "node_ip": "127.0.0.1",
            "use_external_ip": False,
            "enable_loopback_candidate": True,
            "interfaces": {"includes": ["lo"]},
            "stun_servers": ["127.0.0.1:3478"],
        },
        "turn": {
            "enabled": True,
            "domain": "localhost",
            "udp_port": _free_udp_port(),
            # Without it the relay would refuse the server itself, which is on loopback, too.
            "allow_restricted_peer_cidrs": ["127.0.0.0/8"],
        },
    }


def _free_udp_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
