"""Doctor's line for SIP: what is there, what is not, and no password in it."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.selfcheck import telephone
from harness.selfcheck.finding import Verdict
from harness.selfcheck.telephone import telephone_check


def test_it_says_as_whom_we_call_without_saying_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTBOUNDEVAL_SIP_USER", "alice")
    monkeypatch.setenv("OUTBOUNDEVAL_SIP_PASSWORD", "canary-password")
    check = telephone_check()
    assert check.verdict is Verdict.OK
    assert "OUTBOUNDEVAL_SIP_PASSWORD" in check.found
    assert "canary" not in check.found
    monkeypatch.delenv("OUTBOUNDEVAL_SIP_PASSWORD")
    assert "OUTBOUNDEVAL_SIP_PASSWORD not set" in telephone_check().found


@pytest.mark.parametrize(
    ("address", "told"),
    [("10.1.2.3", "10.1.2.3, which is private"), ("198.41.0.4", "agents elsewhere are told 198.41.0.4;")],
)
def test_an_address_that_nobody_reaches_is_told(
    address: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telephone, "local_address_towards", lambda place: address)
    assert told in telephone_check().found


def test_a_machine_without_a_way_out_calls_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(place: object) -> str:
        raise SetupFailed("there is no way there")

    monkeypatch.setattr(telephone, "local_address_towards", nowhere)
    check = telephone_check()
    assert (check.verdict, "only agents on it" in check.found) == (Verdict.OK, True)


def test_without_ports_it_fails_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(address: str) -> None:
        raise OSError("no two free ports for media")

    monkeypatch.setattr(telephone, "open_ports", none)
    check = telephone_check()
    assert (check.verdict, check.found) == (Verdict.FAIL, "no two free ports for media")
    assert "UDP ports" in check.todo


def test_sound_that_cannot_be_decrypted_again_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telephone.Encryption, "open", lambda self, packet: b"noise")
    assert telephone_check().verdict is Verdict.FAIL
