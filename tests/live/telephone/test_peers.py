"""Telephones and exchanges of others: each is called, and its tone is heard; the way leads through a proxy
that wants to know who we are.

All are packages of Debian; only the long tests have them.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from harness.transports.codecs.table import codec_named
from tests.bare_machine import seeing
from tests.live.telephone.calling import Call, Called, place
from tests.live.telephone.peers import DOMAIN, baresip, kamailio, linphonec, tone_share

pytestmark = [pytest.mark.live, pytest.mark.long]

LONG_ENOUGH = Call(for_s=1.5, connect_s=8.0)
PICKS_UP = "<sip:callee@127.0.0.1:{port}>;answermode=auto;regint=0"
REGISTERED = (
    "<sip:callee@{domain}>;auth_user=callee;auth_pass=pw-callee;"
    'outbound="sip:127.0.0.1:{proxy}";regint=60;answermode=auto'
)


def heard(called: Called) -> float:
    """How much of what came is the telephone's tone."""
    assert not called.error, called.error
    sound = codec_named(called.codec).decode([packet.payload for packet in called.packets])
    # Not the first moments: telephones fade in.
    return tone_share(np.asarray(sound[24_000:]))


def _call(to: str, port: int, *, codecs: tuple[str, ...] = ()) -> Called:
    call = Call(to=to, for_s=LONG_ENOUGH.for_s, connect_s=LONG_ENOUGH.connect_s, codecs=codecs)
    return asyncio.run(place(call, port))


@pytest.mark.parametrize("codec", ["pcmu", "pcma", "g722", "opus"])
def test_baresip_speaks_every_codec(codec: str, tmp_path: Path) -> None:
    with seeing("baresip"), baresip(tmp_path, PICKS_UP) as port:
        called = _call("sip:callee@127.0.0.1:{port}", port, codecs=(codec,))
    assert called.codec == codec
    assert heard(called) > 0.9


def test_baresip_over_tcp(tmp_path: Path) -> None:
    with seeing("baresip"), baresip(tmp_path, PICKS_UP) as port:
        assert heard(_call("sip:callee@127.0.0.1:{port};transport=tcp", port)) > 0.9


def test_baresip_with_encrypted_sound(tmp_path: Path) -> None:
    with seeing("baresip"), baresip(tmp_path, PICKS_UP + ";mediaenc=srtp-mand") as port:
        called = _call("sip:callee@127.0.0.1:{port}?srtp=on", port)
        assert called.data("agreed") == {"codec": "pcmu", "srtp": True}
        assert heard(called) > 0.9
        assert _call("sip:callee@127.0.0.1:{port}", port).error


def test_through_a_proxy_that_knows_md5(tmp_path: Path) -> None:
    with seeing("baresip", "kamailio"), kamailio(tmp_path / "proxy") as (proxy, log):
        account = REGISTERED.format(domain=DOMAIN, proxy=proxy)
        with baresip(tmp_path / "phone", account):
            to = f"sip:callee@{DOMAIN}?proxy=127.0.0.1:{proxy}&user=me&password=pw-me"
            assert heard(_call(to, 0)) > 0.9
            wrong = _call(to.replace("pw-me", "pw-eve"), 0)
            assert "does not take our user and password" in wrong.error
            assert "unknown number (404" in _call(to.replace("callee", "nobody"), 0).error
    # The end of the call went through the proxy, too.
    assert "REQ BYE has-totag" in log.read_text(errors="replace")


def test_through_a_proxy_that_knows_sha_256(tmp_path: Path) -> None:
    with (
        seeing("linphonec", "kamailio"),
        kamailio(tmp_path / "proxy", algorithm="SHA-256") as (proxy, log),
        linphonec(tmp_path / "phone", proxy=proxy, proxy_log=log),
    ):
        to = f"sip:lin@{DOMAIN}?proxy=127.0.0.1:{proxy}&user=me&password=pw-me"
        assert heard(_call(to, 0)) > 0.9
