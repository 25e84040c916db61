"""Stamps the RTP packets that pass loopback to and from one UDP port, by the kernel: ``python -m
tests.peers.loopback_capture --port N --media PORT``.

``GET /captured`` gives them. RTP's header is not encrypted, so number, time stamp and source are read from
outside of whoever sends. A raw socket needs the right to have one (root, CAP_NET_RAW)."""

from __future__ import annotations

import argparse
import json
import socket
import struct
import threading
import time
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ETH_P_IP = 0x0800
"""By this packets are seen as they come in, and so once, though loopback has them twice."""
SO_TIMESTAMPNS = 35
UDP = 17


@dataclass(frozen=True)
class Captured:
    """One RTP packet; ``ns`` is monotonic."""

    ns: int
    source_port: int
    target_port: int
    payload_type: int
    sequence: int
    timestamp: int
    ssrc: int


def can_capture() -> bool:
    """Whether this process may."""
    try:
        with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_IP)):
            return True
    except (AttributeError, PermissionError):
        return False


def rtp_of(packet: bytes) -> tuple[int, int, int, int, int, int] | None:
    """Of an IPv4 packet: ports, payload type, number, time stamp and source; None for what is no RTP."""
    header = (packet[0] & 0x0F) * 4
    if packet[9] != UDP or len(packet) < header + 20:
        return None
    source, target = struct.unpack_from("!HH", packet, header)
    data = packet[header + 8 :]
    if data[0] >> 6 != 2 or 192 <= data[1] <= 223:
        return None
    sequence, timestamp, ssrc = struct.unpack_from("!HLL", data, 2)
    return source, target, data[1] & 0x7F, sequence, timestamp, ssrc


class Capture:
    """Reads until the process ends."""

    def __init__(self, media_port: int) -> None:
        self.packets: list[Captured] = []
        self._media_port = media_port
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_IP))
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_000_000)
        self._socket.bind(("lo", ETH_P_IP))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            packet, ancillary, _, _ = self._socket.recvmsg(2048, 64)
            found = rtp_of(packet)
            if found is None or self._media_port not in found[:2]:
                continue
            wall_ns, monotonic_ns = time.time_ns(), time.monotonic_ns()
            for _, kind, stamp in ancillary:
                if kind == SO_TIMESTAMPNS:
                    seconds, nanoseconds = struct.unpack("qq", stamp[:16])
                    monotonic_ns -= wall_ns - seconds * 10**9 - nanoseconds
            self.packets.append(Captured(monotonic_ns, *found))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--media", type=int, required=True)
    arguments = parser.parse_args()
    capture = Capture(arguments.media)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told: Any = {"status": "ready"}
            if self.path == "/captured":
                told = [asdict(one) for one in list(capture.packets)]
            content = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            return

    ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
