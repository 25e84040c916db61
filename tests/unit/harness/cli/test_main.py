"""The entry point: whatever goes wrong outside the program ends in one message, not in a traceback."""

from __future__ import annotations

import errno
from importlib.metadata import version

import pytest

from harness.cli import main as cli


def test_a_full_disk_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device", "run/[x]/scores.json")

    def write(arguments: object) -> None:
        raise full

    monkeypatch.setattr(cli, "run_command", write)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert ended.value.code == 2
    assert said.out == ""
    assert said.err.startswith(
        "error: run/[x]/scores.json: No space left on device; make room or mend it, then give the same "
        "command again: what was finished is kept"
    )


def test_an_error_without_a_file_still_has_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(arguments: object) -> None:
        raise OSError("the sound card is gone")

    monkeypatch.setattr(cli, "run_command", write)
    with pytest.raises(SystemExit):
        cli.main()
    assert "error: the sound card is gone; " in capsys.readouterr().err


def test_it_tells_its_version_and_does_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["outboundeval", "--version"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert ended.value.code == 0
    assert (said.out, said.err) == (f"outboundeval {version('outboundeval')}\n", "")
