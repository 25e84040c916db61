"""Credentials: sent when asked for, once; again where only the nonce was too old."""

from __future__ import annotations

import pytest
from sipmessage import Response

from harness.transports.sip.signalling.digest import read_parameters
from harness.transports.sip.signalling.login import Login, Refused


def challenge(code: int = 401, nonce: str = "n1", more: str = "", realm: str = "r") -> Response:
    response = Response(code=code, phrase="", body=b"")
    name = "WWW-Authenticate" if code == 401 else "Proxy-Authenticate"
    response.headers.add(name, f'Digest realm="{realm}", nonce="{nonce}", qop="auth"{more}')
    return response


def test_nothing_is_sent_before_it_is_asked_for() -> None:
    login = Login(user="u", password="p")
    assert login.headers("INVITE", "sip:a@h") == []
    login.heed(challenge(407), "INVITE")
    ((name, value),) = login.headers("INVITE", "sip:a@h")
    assert name == "Proxy-Authorization"
    told = read_parameters(value)
    assert (told["username"], told["uri"], told["nc"]) == ("u", "sip:a@h", "00000001")
    # The next request uses the same nonce once more.
    assert read_parameters(login.headers("BYE", "sip:b@h")[0][1])["nc"] == "00000002"


def test_a_password_that_was_refused_is_not_sent_again() -> None:
    login = Login(user="u", password="p")
    login.heed(challenge(), "INVITE")
    with pytest.raises(Refused, match="does not take our user and password"):
        login.heed(challenge(nonce="n2"), "INVITE")
    login = Login(user="u", password="p")
    login.heed(challenge(), "INVITE")
    login.heed(challenge(nonce="n2", more=", stale=TRUE"), "INVITE")
    assert read_parameters(login.headers("INVITE", "x")[0][1])["nonce"] == "n2"


def test_a_proxy_and_a_server_may_both_ask() -> None:
    login = Login(user="u", password="p")
    login.heed(challenge(407), "INVITE")
    login.heed(challenge(401), "INVITE")
    assert [name for name, _ in login.headers("INVITE", "x")] == ["Proxy-Authorization", "Authorization"]


def test_each_of_two_proxies_may_ask() -> None:
    """RFC 3261, 22.3: each in the name of its own realm."""
    login = Login(user="u", password="p")
    login.heed(challenge(407, realm="first", nonce="n1"), "INVITE")
    login.heed(challenge(407, realm="second", nonce="n2"), "INVITE")
    told = [(name, read_parameters(value)) for name, value in login.headers("INVITE", "x")]
    assert [name for name, _ in told] == ["Proxy-Authorization"] * 2
    assert [(one["realm"], one["nonce"]) for _, one in told] == [("first", "n1"), ("second", "n2")]
    # Each of them is told the password once.
    with pytest.raises(Refused, match="does not take our user and password"):
        login.heed(challenge(407, realm="first", nonce="n3"), "INVITE")
    # And nobody asks for ever, in ever new names.
    login.heed(challenge(407, realm="third"), "INVITE")
    login.heed(challenge(407, realm="fourth"), "INVITE")
    with pytest.raises(Refused, match="more than 4 realms"):
        login.heed(challenge(407, realm="fifth"), "INVITE")


def test_a_request_after_one_that_was_taken_may_be_asked_anew() -> None:
    login = Login(user="u", password="p")
    login.heed(challenge(), "INVITE")
    login.settled("INVITE")
    login.heed(challenge(nonce="n2"), "INVITE")


def test_without_a_password_it_is_told_where_to_put_it() -> None:
    with pytest.raises(Refused, match="set OUTBOUNDEVAL_SIP_USER and OUTBOUNDEVAL_SIP_PASSWORD"):
        Login(user="", password="").heed(challenge(), "INVITE")
