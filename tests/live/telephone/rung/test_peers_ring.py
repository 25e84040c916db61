"""Telephones of others call us: each is let in, and its tone is heard; also through a registrar and proxy.

All are packages of Debian; only the long tests have them.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from harness.errors import UserError
from harness.transports.codecs.table import codec_named
from tests.bare_machine import seeing
from tests.live.telephone.calling import Call, Called, place
from tests.live.telephone.certificates import Certificates, certificates
from tests.live.telephone.peers import DOMAIN, baresip, dial, free_port, kamailio, linphonec, tone_share
from tests.live.telephone.rung.being_called import Answer, Rung, be_called

pytestmark = [pytest.mark.live, pytest.mark.long]

ALONE = "<sip:caller@127.0.0.1:{port}>;regint=0"
REGISTERED = (
    '<sip:caller@{domain}>;auth_user=caller;auth_pass=pw-caller;outbound="sip:127.0.0.1:{proxy}";regint=60'
)
HELD = Answer(for_s=1.6)


def _heard(rung: Rung) -> float:
    """How much of what came is the telephone's tone."""
    assert not rung.error, rung.error
    sound = codec_named(rung.codec).decode([packet.payload for packet in rung.packets])
    # Not the first moments: telephones fade in.
    return tone_share(np.asarray(sound[24_000:]))


@contextlib.contextmanager
def _telephone(folder: Path, account: str, tls: Certificates | None = None) -> Iterator[int]:
    """A baresip; the port at which it is told to call."""
    control = free_port()
    with seeing("baresip"), baresip(folder, account, control=control, tls=tls):
        yield control


def _called_by(control: int, to: str, answer: Answer = HELD) -> Rung:
    async def agent(port: int) -> None:
        await asyncio.to_thread(dial, control, to.format(port=port))
        await asyncio.sleep(answer.ring_s + answer.for_s + 1.0)

    return asyncio.run(be_called(answer, agent))


@pytest.mark.parametrize("codec", ["pcmu/8000/1", "pcma/8000/1", "g722/16000/1", "opus/48000/2"])
def test_baresip_in_every_codec(codec: str, tmp_path: Path) -> None:
    with _telephone(tmp_path, f"{ALONE};audio_codecs={codec}") as control:
        rung = _called_by(control, "sip:us@127.0.0.1:{port}")
    assert rung.codec == codec.partition("/")[0]
    assert _heard(rung) > 0.9
    assert rung.rings[0].numbers == ("us",)


def test_baresip_over_tcp(tmp_path: Path) -> None:
    with _telephone(tmp_path, ALONE) as control:
        rung = _called_by(control, "sip:us@127.0.0.1:{port};transport=tcp")
    assert rung.data("rung")["over"] == "TCP"
    assert _heard(rung) > 0.9


def test_baresip_over_tls(tmp_path: Path) -> None:
    own = certificates(tmp_path / "own")
    with _telephone(tmp_path / "phone", f"{ALONE};mediaenc=srtp-mand", own) as control:
        rung = _called_by(control, "sip:us@127.0.0.1:{port};transport=tls", Answer(for_s=1.6, tls=own))
    assert rung.data("rung")["over"] == "TLS"
    assert rung.data("agreed")["srtp"] is True
    assert _heard(rung) > 0.9


@pytest.mark.parametrize("to", ["sips:us@127.0.0.1:{port}", "sip:us@127.0.0.1:{port};transport=tls"])
def test_our_own_user_agent_calls_us_over_tls(to: str, tmp_path: Path) -> None:
    """Debian's baresip neither calls sips: nor looks at certificates."""
    own, other = certificates(tmp_path / "own"), certificates(tmp_path / "other")
    placed: list[Called] = []

    async def agent(port: int) -> None:
        placed.append(await place(Call(to=to, for_s=0.5, ca_file=other.authority), port))
        placed.append(await place(Call(to=to, for_s=0.8, ca_file=own.authority), port))

    rung = asyncio.run(be_called(Answer(for_s=3.0, tls=own), agent))
    assert "its certificate is not trusted" in placed[0].error
    assert not placed[1].error
    assert (len(rung.rings), rung.ended) == (1, "the agent hung up (BYE)")
    assert rung.data("agreed")["srtp"] is True
    assert min(len(placed[1].packets), len(rung.packets)) > 20


def test_baresip_with_encrypted_sound(tmp_path: Path) -> None:
    with _telephone(tmp_path, f"{ALONE};mediaenc=srtp-mand") as control:
        rung = _called_by(control, "sip:us@127.0.0.1:{port}")
        assert rung.data("agreed") == {"codec": rung.codec, "srtp": True}
        assert _heard(rung) > 0.9


def test_sound_in_clear_is_refused_where_it_has_to_be_encrypted(tmp_path: Path) -> None:
    with _telephone(tmp_path, ALONE) as control:
        rung = _called_by(control, "sip:us@127.0.0.1:{port}", Answer(agent="sip:127.0.0.1?srtp=on"))
    assert "the plan wants it encrypted" in rung.error


def test_baresip_through_a_registrar_that_knows_md5(tmp_path: Path) -> None:
    with seeing("baresip", "kamailio"), kamailio(tmp_path / "proxy") as (proxy, log):
        registrar = f"sip:alice@{DOMAIN}?password=pw-alice&proxy=127.0.0.1:{proxy}"
        answer = Answer(for_s=1.6, registrar=registrar)
        account = REGISTERED.format(domain=DOMAIN, proxy=proxy)
        with _telephone(tmp_path / "phone", account) as control:
            rung = _called_by(control, f"sip:alice@{DOMAIN}", answer)
        assert _heard(rung) > 0.9
        assert "alice" in rung.rings[0].numbers
        # We hung up through the proxy, too.
        assert "REQ BYE has-totag" in log.read_text(errors="replace")
        wrong = Answer(registrar=registrar.replace("pw-alice", "pw-eve"))
        with pytest.raises(UserError, match="does not take our user and password"):
            asyncio.run(be_called(wrong, lambda port: asyncio.sleep(0)))


def test_baresip_through_a_registrar_over_tcp(tmp_path: Path) -> None:
    with seeing("baresip", "kamailio"), kamailio(tmp_path / "proxy") as (proxy, _):
        registrar = f"sip:alice@{DOMAIN};transport=tcp?password=pw-alice&proxy=127.0.0.1:{proxy}"
        account = REGISTERED.format(domain=DOMAIN, proxy=proxy)
        with _telephone(tmp_path / "phone", account) as control:
            rung = _called_by(control, f"sip:alice@{DOMAIN}", Answer(for_s=1.6, registrar=registrar))
    assert rung.data("rung")["over"] == "TCP"
    assert _heard(rung) > 0.9


def test_linphonec_through_a_registrar_that_knows_sha_256(tmp_path: Path) -> None:
    with (
        seeing("linphonec", "kamailio"),
        kamailio(tmp_path / "proxy", algorithm="SHA-256") as (proxy, log),
    ):
        registrar = f"sip:alice@{DOMAIN}?password=pw-alice&proxy=127.0.0.1:{proxy}"

        async def agent(port: int) -> None:
            def call() -> None:
                with linphonec(tmp_path / "phone", proxy=proxy, proxy_log=log, calls=f"sip:alice@{DOMAIN}"):
                    done.wait(8.0)

            await asyncio.to_thread(call)

        done = threading.Event()

        async def held(session: object) -> None:
            await asyncio.sleep(1.6)
            done.set()

        rung = asyncio.run(be_called(Answer(for_s=0.2, registrar=registrar, during=held), agent))
    assert _heard(rung) > 0.9
