"""Ports for programs that are started later."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from harness.models import served_process
from harness.models.served_process import free_port


def test_it_is_none_of_the_ports_that_the_system_gives_to_anybody_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_away = tmp_path / "range"
    given_away.write_text("30000\t60999\n")
    monkeypatch.setattr(served_process, "_GIVEN_AWAY", given_away)
    assert all(20_000 <= free_port() < 30_000 for _ in range(50))


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_one_that_somebody_has_is_passed_over(
    kind: socket.SocketKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = free_port()
    with socket.socket(socket.AF_INET, kind) as theirs:
        theirs.bind(("127.0.0.1", 0))
        drawn = iter([theirs.getsockname()[1], free])
        monkeypatch.setattr(served_process.secrets, "choice", lambda ours: next(drawn))
        assert free_port() == free


@pytest.mark.parametrize("written", ["1024 65535", "nonsense", None])
def test_where_the_system_gives_all_away_or_does_not_say_there_is_one_nevertheless(
    written: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_away = tmp_path / "range"
    if written is not None:
        given_away.write_text(written)
    monkeypatch.setattr(served_process, "_GIVEN_AWAY", given_away)
    with socket.socket() as ours:
        ours.bind(("127.0.0.1", free_port()))
