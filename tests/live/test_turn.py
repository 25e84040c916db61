"""Calls through a real TURN server (coturn), and what is said where one does not relay."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import numpy as np
import pytest

from harness.plans.call import Limits
from harness.plans.reach.plan import ReachPlan
from harness.records.call import CallStatus
from harness.selfcheck.relay import PASSWORD, USER, Relay, can_relay, serving_relay
from tests.faults.placing import WELL_BEHAVED, Batch, place_all, prepare
from tests.serving import serving_agent

pytestmark = [
    pytest.mark.live,
    pytest.mark.long,
    pytest.mark.skipif(not can_relay(), reason="coturn is not installed: apt-get install coturn"),
]

LIMITS = Limits(connect_s=10.0, first_speech_s=4.0, silence_s=4.0, call_s=20.0)
CHECKED_S = 4.0
"""Within so many seconds it is known that no server relays."""


def _server(*urls: str, password: str = PASSWORD) -> dict[str, Any]:
    return {"urls": urls, "username": USER, "credential": password}


def _reaches(relay: Relay, dead: int) -> dict[str, dict[str, Any]]:
    nobody = f"turn:127.0.0.1:{dead}?transport=udp"
    trusting = {"relay_only": True, "ca_file": relay.ca_file}
    return {
        "udp": {**trusting, "ice_servers": [_server(relay.urls["udp"])]},
        "tcp": {**trusting, "ice_servers": [_server(relay.urls["tcp"])]},
        "tls": {**trusting, "ice_servers": [_server(relay.urls["tls"])]},
        "dead-then-alive": {"relay_only": True, "ice_servers": [_server(nobody, relay.urls["udp"])]},
        "dead-and-direct": {"ice_servers": [{"urls": f"stun:127.0.0.1:{dead}"}, _server(nobody)]},
        "stun": {"ice_servers": [{"urls": f"stun:127.0.0.1:{relay.port}"}]},
        "wrong-password": {
            "relay_only": True,
            "ice_servers": [_server(relay.urls["udp"], password="canary-wrong-one")],
        },
        "unknown-authority": {"relay_only": True, "ice_servers": [_server(relay.urls["tls"])]},
        "no-server": {"relay_only": True},
        "all-dead": {"relay_only": True, "ice_servers": [_server(nobody)]},
    }


@contextlib.contextmanager
def _platform(agent: str, relay: Relay) -> Iterator[str]:
    """A platform that starts sessions and names a TURN server, as Pipecat Cloud does, before ``agent``."""
    named = {"urls": [relay.urls["udp"]], "username": USER, "credential": PASSWORD}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path == "/v1/public/bot/start":
                assert self.headers["authorization"] == "Bearer canary-key"
                started.update(body["body"])
                answer: dict[str, Any] = {"sessionId": "s-1", "iceConfig": {"iceServers": [named]}}
            else:
                assert self.path == "/v1/public/bot/sessions/s-1/api/offer"
                offer = body | {"request_data": started}
                answer = httpx.post(f"{agent}/api/offer", json=offer, timeout=10).json()
            content = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            return

    started: dict[str, Any] = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/public/bot/start"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def batch() -> Iterator[Batch]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent, serving_relay() as relay:
        # Somebody who takes every datagram and never answers, as behind a firewall.
        silent.bind(("127.0.0.1", 0))
        reaches = _reaches(relay, silent.getsockname()[1])
        with serving_agent("calibration") as (agent, _), _platform(agent, relay) as platform:
            yield place_all(
                {
                    "by-the-platform": prepare(
                        "by-the-platform",
                        platform,
                        request_data={"session": "by-the-platform", "behaviour": WELL_BEHAVED},
                        limits=LIMITS,
                        reach=ReachPlan(relay_only=True),
                        headers={"Authorization": "Bearer canary-key"},
                    )
                }
                | {
                    name: prepare(
                        name,
                        agent,
                        request_data={"session": name, "behaviour": WELL_BEHAVED},
                        limits=LIMITS,
                        reach=ReachPlan.model_validate(reach),
                    )
                    for name, reach in reaches.items()
                },
                at_once=4,
            )


@pytest.mark.parametrize(
    "way", ["udp", "tcp", "tls", "dead-then-alive", "by-the-platform", "dead-and-direct", "stun"]
)
def test_a_call_completes(batch: Batch, way: str) -> None:
    ended = batch.ended[way]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    assert ended.placed.recording is not None
    assert np.abs(ended.placed.recording.audio[:, 1]).max() > 0.05
    media = ended.placed.record.media
    assert media is not None
    assert media.packets_lost == 0
    assert media.packets_received > 50
    # Both ways through our own sockets: every frame that was handed over was stamped.
    assert ended.placed.record.pacing is not None
    assert abs(len(ended.placed.recording.sent.media_s) - ended.placed.record.pacing.frames) <= 2


def test_it_is_kept_which_way_packets_took(batch: Batch) -> None:
    ways = ("udp", "tcp", "tls", "dead-then-alive", "by-the-platform", "dead-and-direct")
    taken = [batch.ended[way].placed.record.media.path for way in ways]  # type: ignore[union-attr]
    assert taken == ["relay-udp", "relay-tcp", "relay-tls", "relay-udp", "relay-udp", "direct"]


def test_what_the_platform_named_is_kept_nowhere(batch: Batch) -> None:
    placed = batch.ended["by-the-platform"].placed
    kept = placed.record.model_dump_json() + "".join(event.model_dump_json() for event in placed.events)
    assert PASSWORD not in kept
    assert "canary" not in kept


def test_whatever_is_relayed_has_stamps_of_the_kernel(batch: Batch) -> None:
    kernel = {
        way: batch.ended[way].placed.record.media.kernel_timestamps  # type: ignore[union-attr]
        for way in ("udp", "tcp", "tls")
    }
    assert kernel == {"udp": True, "tcp": True, "tls": True}


def test_a_server_that_was_passed_over_is_told_of(batch: Batch) -> None:
    told = {
        way: [event.data for event in batch.ended[way].placed.events if event.kind == "ice-server"]
        for way in ("udp", "dead-then-alive", "dead-and-direct")
    }
    assert told["udp"] == []
    (dead,) = told["dead-then-alive"]
    assert dead["server"].startswith("turn:127.0.0.1:")
    assert dead["problem"] == "does not answer within 2 s"
    assert [one["server"].partition(":")[0] for one in told["dead-and-direct"]] == ["stun", "turn"]


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("wrong-password", "refuses the user name or the password (401)"),
        ("unknown-authority", "its certificate is not trusted: self-signed certificate"),
        ("no-server", "none is named (reach.ice_servers, --ice-server)"),
        ("all-dead", "does not answer within 2 s"),
    ],
)
def test_where_nobody_relays_it_is_told_why(batch: Batch, way: str, says: str) -> None:
    ended = batch.ended[way]
    assert ended.status is CallStatus.SETUP_FAILED
    assert "no TURN server would do it" in ended.detail
    assert says in ended.detail
    assert "canary" not in ended.placed.record.model_dump_json()
    assert PASSWORD not in ended.placed.record.model_dump_json()
    assert ended.wall_s < CHECKED_S


def test_nothing_reaches_the_terminal(batch: Batch) -> None:
    assert batch.complaints == []
