"""Addresses of ``--listen`` and ``--register``."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UserError
from harness.transports.sip.answering.listening import read_listening, read_registrar


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("sip:127.0.0.1:5070", "127.0.0.1", 5070),
        ("sip:0.0.0.0", "0.0.0.0", 5060),
        ("sip:127.0.0.1:0", "127.0.0.1", 0),
        ("sip:[::1]:5070", "::1", 5070),
    ],
)
def test_where_calls_are_taken(text: str, host: str, port: int) -> None:
    found = read_listening(text)
    assert (found.host, found.port, found.password) == (host, port, "")


def test_what_a_caller_has_to_know_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_PASSWORD", "of-the-agent")
    found = read_listening("sip:127.0.0.1:5070?user=bob&password={env:THE_PASSWORD}")
    assert (found.user, found.password) == ("bob", "of-the-agent")
    assert "of-the-agent" not in repr(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("http://127.0.0.1:5070", "no SIP address"),
        ("127.0.0.1:5070", "address"),
        ("sip:localhost:5070", "give an IP address"),
        ("sips:127.0.0.1:5061", "give --certificate FILE and --key FILE"),
        ("sip:bob@127.0.0.1", "write sip:HOST:PORT"),
        ("sip:127.0.0.1;transport=tcp", "write sip:HOST:PORT"),
        ("sip:127.0.0.1?user=bob", "give user and password"),
        ("sip:127.0.0.1?colour=red", "there is no 'colour'"),
        ("sip:127.0.0.1?user=bob&password={env:NO_SUCH_VARIABLE}", "NO_SUCH_VARIABLE, which is not set"),
    ],
)
def test_what_is_none_is_told(text: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        read_listening(text)


def test_calls_over_tls_have_a_port_of_their_own_and_a_certificate() -> None:
    certificate, key = Path("own.pem"), Path("key.pem")
    found = read_listening("sips:0.0.0.0", certificate=certificate, key=key)
    assert (found.port, found.secure, found.certificate, found.key) == (5061, True, certificate, key)
    assert read_listening("sips:127.0.0.1:0", certificate=certificate).port == 0
    assert not read_listening("sip:0.0.0.0").secure
    for given in ({"certificate": certificate}, {"key": key}):
        with pytest.raises(UserError, match="takes calls in clear: write sips:HOST:PORT"):
            read_listening("sip:0.0.0.0", **given)
    with pytest.raises(UserError, match="need a certificate"):
        read_listening("sips:0.0.0.0", key=key)


def test_a_password_that_was_written_out_is_in_no_message() -> None:
    with pytest.raises(UserError, match="colour") as raised:
        read_listening("sip:127.0.0.1?user=bob&password=hunter22&colour=red")
    assert "hunter22" not in str(raised.value)


def test_who_we_are_at_a_registrar() -> None:
    found = read_registrar("sip:alice@pbx.example;transport=tcp?password=s3cret&proxy=10.0.0.1:5070")
    assert (found.uri.user, found.uri.host, found.carrier) == ("alice", "pbx.example", "tcp")
    assert (found.password, found.proxy) == ("s3cret", ("10.0.0.1", 5070))
    with pytest.raises(UserError, match="names nobody: write sip:USER@REGISTRAR"):
        read_registrar("sip:pbx.example")
    with pytest.raises(UserError, match="--register: "):
        read_registrar("sip:alice@pbx.example?colour=red")
