"""Which answers mean that nobody took the call, and which that the set-up failed."""

from __future__ import annotations

import pytest
from sipmessage import Response

from harness.errors import NotAnswered
from harness.transports.sip.signalling.inviting.outcome import not_taken


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (302, "redirected"),
        (404, "unknown number"),
        (408, "no answer"),
        (480, "no answer"),
        (484, "unknown number"),
        (486, "busy"),
        (487, "cancelled"),
        (600, "busy"),
        (603, "declined"),
    ],
)
def test_nobody_took_it(code: int, reason: str) -> None:
    error = not_taken(Response(code=code, phrase="x\x1b[31m", body=b""), shown="sip:a@h")
    assert isinstance(error, NotAnswered)
    assert (error.reason, error.code) == (reason, code)
    assert str(error).startswith(f"sip:a@h: {reason} ({code} x")
    assert "\x1b" not in str(error)


@pytest.mark.parametrize("code", [400, 403, 415, 488, 500, 503, 606])
def test_the_set_up_failed(code: int) -> None:
    error = not_taken(Response(code=code, phrase="Why", body=b""), shown="sip:a@h")
    assert not isinstance(error, NotAnswered)
    assert str(error) == f"sip:a@h: answered {code} Why"
