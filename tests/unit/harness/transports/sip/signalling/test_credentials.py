"""Who may ring: what is right, what is wrong, what is old, worked out here by RFC 7616, 3.4."""

from __future__ import annotations

import hashlib
import re

import pytest
from sipmessage import Request

from harness.transports.sip.signalling import credentials
from harness.transports.sip.signalling.credentials import Credentials
from harness.transports.sip.signalling.message import read_message

URI = "sip:4912345@127.0.0.1:5060"


def invite(authorization: str = "") -> Request:
    line = f"Authorization: {authorization}\r\n" if authorization else ""
    found = read_message(
        f"INVITE {URI} SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKa\r\nFrom: <sip:a@h>;tag=1\r\n"
        f"To: <sip:b@h>\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\n{line}\r\n".encode()
    )
    assert isinstance(found, Request)
    return found


def nonce_of(challenge: tuple[tuple[str, str], ...]) -> str:
    found = re.search(r'nonce="([0-9a-f]+)"', challenge[0][1])
    assert found is not None
    return found[1]


def shown(
    nonce: str, *, algorithm: str = "MD5", user: str = "agent", password: str = "pw", nc: int = 1
) -> str:
    made = hashlib.md5 if algorithm == "MD5" else hashlib.sha256

    def h(text: str) -> str:
        return made(text.encode()).hexdigest()

    count = f"{nc:08x}"
    of_user = h(f"{user}:outboundeval:{password}")
    of_request = h(f"INVITE:{URI}")
    response = h(f"{of_user}:{nonce}:{count}:abc:auth:{of_request}")
    return (
        f'Digest username="{user}", realm="outboundeval", nonce="{nonce}", uri="{URI}", qop=auth, '
        f'nc={count}, cnonce="abc", response="{response}", algorithm={algorithm}'
    )


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
def test_the_right_password_is_right_once(algorithm: str) -> None:
    known = Credentials(user="agent", password="pw")
    nonce = nonce_of(known.challenge())
    right = shown(nonce, algorithm=algorithm)
    assert known.check(invite(right)) == "right"
    # Whoever heard it on the way cannot use it again; the next number is another one.
    assert known.check(invite(right)) == "stale"
    assert known.check(invite(shown(nonce, algorithm=algorithm, nc=2))) == "right"


@pytest.mark.parametrize(
    "authorization",
    [
        "Basic YWdlbnQ6cHc=",
        "Digest",
        'Digest username="agent", response=""',
        shown("n", password="pv"),
        shown("n", user="agents"),
        shown("n").replace("qop=auth, ", ""),
        shown("n").replace("nc=00000001", "nc=zzzzzzzz"),
        shown("n").replace("nc=00000001", "nc=00000002"),
        shown("n").replace("algorithm=MD5", "algorithm=AKAv1-MD5"),
        "Digest " + "\u00e4" * 3500,
    ],
)
def test_everything_else_is_wrong(authorization: str) -> None:
    known = Credentials(user="agent", password="pw")
    known.challenge()
    assert known.check(invite(authorization)) == "wrong"


def test_who_shows_nothing_is_asked() -> None:
    known = Credentials(user="agent", password="pw")
    assert known.check(invite()) == "none"
    algorithms = [value.rpartition("algorithm=")[2] for name, value in known.challenge()]
    assert algorithms == ["MD5", "SHA-256"]
    assert all("stale=true" in value for _, value in known.challenge(stale=True))


def test_a_nonce_that_we_did_not_give_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Credentials(user="agent", password="pw")
    assert known.check(invite(shown("made-up"))) == "stale"
    nonce = nonce_of(known.challenge())
    monkeypatch.setattr(credentials, "NONCE_S", 0.0)
    assert known.check(invite(shown(nonce))) == "stale"


def test_the_password_is_in_no_repr() -> None:
    assert "pw" not in repr(Credentials(user="agent", password="pw"))
