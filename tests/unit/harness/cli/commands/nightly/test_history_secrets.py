"""``history`` of a store whose address has a password: it is shown nowhere."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from harness.cli import main as cli
from harness.cli.commands.nightly import history
from harness.errors import UserError
from harness.runs.database.opening import opened

STORE = "postgresql://night:SECRET@db/x"


def _document(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> tuple[dict[str, Any], str]:
    monkeypatch.setattr(sys, "argv", ["outboundeval", "history", "--store", STORE, "--json"])
    with pytest.raises(SystemExit):
        cli.main()
    printed = capfd.readouterr()
    return json.loads(printed.out), printed.out + printed.err


def test_nights_are_shown_without_the_password(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    night = SimpleNamespace(
        name="nightly", folder="runs/a", started_at="", word="passed", agent="", revision="", branch=""
    )
    monkeypatch.setattr(history, "nights", lambda *_, **__: [night])
    monkeypatch.setattr(history, "over_nights", lambda chosen: [])
    monkeypatch.setattr(history, "listen_to", lambda *_: {})
    document, printed = _document(monkeypatch, capfd)
    assert document["store"] == "postgresql://***@db/x"
    assert "SECRET" not in printed


def test_that_there_are_none_is_told_without_the_password(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(history, "nights", lambda *_, **__: [])
    document, printed = _document(monkeypatch, capfd)
    assert document["error"]["message"].startswith("postgresql://***@db/x: holds no run")
    assert "SECRET" not in printed


def test_a_variable_that_is_not_set_is_told_without_the_password() -> None:
    told = r"^postgresql://\*\*\*@\{env:NO_SUCH_HOST\}/x: the environment variable NO_SUCH_HOST is not set$"
    with pytest.raises(UserError, match=told), opened("postgresql://night:SECRET@{env:NO_SUCH_HOST}/x"):
        pass
