"""The sockets that a call's sound goes through."""

from __future__ import annotations

import socket
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Ports:
    """The sockets of a call: RTP on an even port, RTCP on the next (RFC 3550, section 11)."""

    rtp: socket.socket
    rtcp: socket.socket

    @property
    def number(self) -> int:
        return int(self.rtp.getsockname()[1])

    @property
    def address(self) -> str:
        return str(self.rtp.getsockname()[0])

    def close(self) -> None:
        self.rtp.close()
        self.rtcp.close()


def open_ports(address: str) -> Ports:
    """A free pair.

    Raises:
        OSError: There is none.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for _ in range(50):
        rtp, rtcp = (socket.socket(family, socket.SOCK_DGRAM) for _ in range(2))
        try:
            rtp.bind((address, 0))
            port = rtp.getsockname()[1]
            if port % 2 == 0 and port < 65_535:
                rtcp.bind((address, port + 1))
                for sock in (rtp, rtcp):
                    sock.setblocking(False)
                return Ports(rtp=rtp, rtcp=rtcp)
        except OSError:
            pass
        rtp.close()
        rtcp.close()
    raise OSError("no two free ports for media")
