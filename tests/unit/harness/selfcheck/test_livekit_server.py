"""The LiveKit server that a calibration starts: which program, and what is said where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.plans.on_the_wire import on_the_wire
from harness.selfcheck.livekit_server import SERVER_VARIABLE, LiveKitServer, server_program


def test_without_a_program_it_is_said_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SERVER_VARIABLE, raising=False)
    with pytest.raises(UserError, match=f"set {SERVER_VARIABLE} to the program livekit-server"):
        server_program()


def test_a_program_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(SERVER_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(UserError, match="there is no program"):
        server_program()
    plain = tmp_path / "plain"
    plain.touch(mode=0o600)
    monkeypatch.setenv(SERVER_VARIABLE, str(plain))
    if os.access(plain, os.X_OK):
        pytest.skip("whoever runs this may run every file")
    with pytest.raises(UserError, match="there is no program"):
        server_program()


def test_its_address_has_the_secret_for_the_wire_alone() -> None:
    server = LiveKitServer(url="ws://127.0.0.1:7", what="x", secret="s" * 32)
    address = server.address("calibration")
    assert str(address) == "livekit+ws://APIoutboundeval:***@127.0.0.1:7/calibration-*?agent=calibration"
    wire = on_the_wire(address)
    assert (wire.user, wire.password) == ("APIoutboundeval", "s" * 32)
    assert "s" * 32 not in repr(server)
