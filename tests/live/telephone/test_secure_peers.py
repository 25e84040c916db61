"""What is encrypted, relayed or found by name: TLS with an authority of our own, SRTP with telephones of
others, sound through rtpengine, hosts by SRV records, a telephone that knows SHA-256.

Telephones and exchanges are packages of Debian, one is of Python's index; only the long tests have them.
"""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

import pytest

from harness.transports.sip.session import SipSession
from tests.bare_machine import seeing
from tests.live.telephone.calling import Call, Called, place
from tests.live.telephone.certificates import certificates
from tests.live.telephone.peers import DOMAIN, baresip, kamailio, python_baresip, rtpengine
from tests.live.telephone.test_peers import REGISTERED, heard

pytestmark = [pytest.mark.live, pytest.mark.long]

OVER_TLS = "<sip:callee@127.0.0.1:{tls_port};transport=tls>;answermode=auto;regint=0;mediaenc=srtp-mand"
OF_THE_PROXY = f"sip:callee@{DOMAIN}?proxy=127.0.0.1:{{port}}&user=me&password=pw-me"


def _call(to: str, port: int, *, ca_file: Path | None = None, for_s: float = 1.5) -> Called:
    return asyncio.run(place(Call(to=to, for_s=for_s, connect_s=8.0, ca_file=ca_file), port))


@pytest.mark.parametrize("to", ["sips:callee@127.0.0.1:{port}", "sip:callee@127.0.0.1:{port};transport=tls"])
def test_tls_with_an_authority_of_our_own(to: str, tmp_path: Path) -> None:
    own = certificates(tmp_path / "own")
    with seeing("baresip"), baresip(tmp_path / "phone", OVER_TLS, tls=own) as port:
        called = _call(to, port + 1, ca_file=own.authority)
        assert heard(called) > 0.9
        assert called.data("agreed")["srtp"] is True


def test_an_authority_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    own, other = certificates(tmp_path / "own"), certificates(tmp_path / "other")
    with seeing("baresip"), baresip(tmp_path / "phone", OVER_TLS, tls=own) as port:
        for ca_file in (None, other.authority):
            called = _call("sips:callee@127.0.0.1:{port}", port + 1, ca_file=ca_file)
            assert "its certificate is not trusted" in called.error
            assert "--ca-file FILE, or reach.ca_file in the plan" in called.error
    assert "INVITE" not in (tmp_path / "phone" / "log").read_text(errors="replace")


def test_a_certificate_for_somebody_else_is_refused(tmp_path: Path) -> None:
    own = certificates(tmp_path / "own", host="127.0.0.2")
    with seeing("baresip"), baresip(tmp_path / "phone", OVER_TLS, tls=own) as port:
        called = _call("sips:callee@127.0.0.1:{port}", port + 1, ca_file=own.authority)
        assert "its certificate is not trusted" in called.error


def test_through_a_proxy_over_tls(tmp_path: Path) -> None:
    own = certificates(tmp_path / "own")
    with (
        seeing("baresip", "kamailio"),
        kamailio(tmp_path / "proxy", tls=own) as (proxy, log),
        baresip(tmp_path / "phone", REGISTERED.format(domain=DOMAIN, proxy=proxy)),
    ):
        to = OF_THE_PROXY.replace("?", ";transport=tls?") + "&srtp=off"
        assert heard(_call(to, proxy + 1, ca_file=own.authority)) > 0.9
    assert "REQ BYE has-totag" in log.read_text(errors="replace")


def test_sound_through_a_relay(tmp_path: Path) -> None:
    with (
        seeing("baresip", "kamailio", "rtpengine"),
        rtpengine(tmp_path / "relay") as (control, ports),
        kamailio(tmp_path / "proxy", relay=control) as (proxy, _),
        baresip(tmp_path / "phone", REGISTERED.format(domain=DOMAIN, proxy=proxy)),
    ):
        named: list[int] = []

        async def look(session: SipSession) -> None:
            assert session.negotiation.theirs is not None
            named.append(session.negotiation.theirs.port)

        call = Call(to=OF_THE_PROXY, for_s=1.5, connect_s=8.0, during=look)
        assert heard(asyncio.run(place(call, proxy))) > 0.9
        # The relay's ports, and not the telephone's.
        assert named[0] in ports


def test_a_relay_that_takes_the_encryption_off(tmp_path: Path) -> None:
    with (
        seeing("baresip", "kamailio", "rtpengine"),
        rtpengine(tmp_path / "relay") as (control, _),
        kamailio(tmp_path / "proxy", relay=control) as (proxy, _),
        baresip(tmp_path / "phone", REGISTERED.format(domain=DOMAIN, proxy=proxy)),
    ):
        called = _call(OF_THE_PROXY + "&srtp=on", proxy)
        assert heard(called) > 0.9
        assert called.data("agreed")["srtp"] is True


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
def test_a_telephone_of_the_package_baresip_python(algorithm: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("baresip") is None:
        pytest.skip("needs baresip-python: pip install 'outboundeval[telephones]'")
    with (
        seeing("kamailio"),
        kamailio(tmp_path / "proxy", algorithm=algorithm) as (proxy, _),
        python_baresip(tmp_path / "phone", proxy=proxy),
    ):
        called = _call(OF_THE_PROXY.replace("callee", "py"), proxy, for_s=2.0)
        assert heard(called) > 0.9
        wrong = _call(OF_THE_PROXY.replace("callee", "py").replace("pw-me", "pw-eve"), proxy)
        assert "does not take our user and password" in wrong.error
