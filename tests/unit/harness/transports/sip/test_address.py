"""SIP addresses: who is called, by which way, as whom; and what is none."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.plans.on_the_wire import on_the_wire
from harness.plans.reach.plan import ReachPlan
from harness.transports.sip.address import (
    PASSWORD_VARIABLE,
    USER_VARIABLE,
    BadAddress,
    Destination,
    parse_uri,
    read_destination,
)


def destination(address: str) -> Destination:
    return read_destination(on_the_wire(address), shown="shown")


@pytest.fixture(autouse=True)
def _no_login(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (USER_VARIABLE, PASSWORD_VARIABLE):
        monkeypatch.delenv(name, raising=False)


def test_an_address_says_who_is_called_and_how() -> None:
    uri = parse_uri("sip:+4930123@pbx.example:5070;transport=tcp;user=phone")
    assert (uri.user, uri.host, uri.port, uri.carrier) == ("+4930123", "pbx.example", 5070, "tcp")
    assert str(uri) == "sip:+4930123@pbx.example:5070;transport=tcp;user=phone"
    six = parse_uri("sips:bob@[2001:db8::1]:5061")
    assert (six.secure, six.host, six.port) == (True, "[2001:db8::1]", 5061)
    assert str(parse_uri("sip:pbx.example")) == "sip:pbx.example"
    # As docker compose names hosts.
    assert parse_uri("sip:a@my_agent_1:5070").host == "my_agent_1"


@pytest.mark.parametrize(
    "text",
    [
        "http://bob@host",
        "sip:",
        "sip:bob@",
        "sip:bob@host:0",
        "sip:bob@host:99999",
        "sip:bob@ho st",
        "sip:bo\rb@host",
        "sip:bob@host;a=\r\nX: y",
        "sip:bob@[::1",
        "tel:+49301",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        parse_uri(text)


def test_the_way_follows_from_the_address() -> None:
    assert destination("sip:a@h").carrier == "udp"
    assert destination("sip:a@h;transport=TCP").carrier == "tcp"
    assert destination("sips:a@h").carrier == "tls"
    # Encrypted signalling calls for encrypted sound, unless told otherwise.
    assert destination("sips:a@h").srtp
    assert not destination("sips:a@h?srtp=off").srtp
    assert not destination("sip:a@h").srtp
    assert destination("sip:a@h?srtp=on").srtp


def test_what_stands_behind_the_question_mark_is_for_us() -> None:
    given = destination("sip:a@h?user=bob&password=p%40ss&from=%2B4930&proxy=10.0.0.1:5080&follow=B,c")
    assert (given.user, given.password, given.caller) == ("bob", "p@ss", "+4930")
    assert given.proxy == ("10.0.0.1", 5080)
    assert given.follow == {"b", "c"}
    assert str(given.uri) == "sip:a@h"


def test_user_and_password_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(USER_VARIABLE, "bob")
    monkeypatch.setenv(PASSWORD_VARIABLE, "hush")
    given = destination("sip:a@h")
    assert (given.user, given.password, given.caller) == ("bob", "hush", "bob")
    assert "hush" not in repr(given)
    # What an address says comes before what the environment says.
    assert destination("sip:a@h?user=eve&password=x1234").user == "eve"


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("sip:a@h?colour=red", "there is no 'colour'"),
        ("sip:a@h?srtp=perhaps", "srtp is 'on' or 'off'"),
        ("sip:a@h;transport=sctp", "transport is none of"),
        ("sip:a@h?from=%0d%0aX", "'from' is a user"),
        ("sip:a@h?proxy=h:x", "it names no host"),
    ],
)
def test_what_is_wrong_with_an_address_is_told(address: str, what: str) -> None:
    with pytest.raises(SetupFailed, match=rf"^shown: this is no SIP address: .*{what}"):
        destination(address)


def test_codecs_are_those_of_the_plan() -> None:
    to = on_the_wire("sip:a@h", reach=ReachPlan(codecs=("opus", "pcmu")))
    assert read_destination(to, shown="s").codecs == ("opus", "pcmu")
    to = on_the_wire("sip:a@h", reach=ReachPlan(codecs=("pcm-48k",)))
    with pytest.raises(SetupFailed, match="'pcm-48k' cannot be spoken over SIP; known: pcmu, pcma"):
        read_destination(to, shown="s")
