"""``demo``: what it says at its end."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from harness.cli.commands import demo as module
from harness.cli.options.demo import DemoOptions
from harness.records.call import CallStatus
from harness.runs.batch import Outcome


def test_it_says_how_long_it_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(summary=None, records=[], report=None, verdict=None)

    clock = iter([100.0, 142.0])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(module, "serving", lambda _: nullcontext("http://127.0.0.1:9"))
    monkeypatch.setattr(module, "place", lambda *_, **__: Outcome(statuses={"a": CallStatus.COMPLETED}))
    for name in ("score_and_report", "print_summary", "print_verdict"):
        monkeypatch.setattr(module, name, nothing)
    with pytest.raises(typer.Exit) as ended:
        module.demo(DemoOptions(out=tmp_path / "demo"))
    assert ended.value.exit_code == 0
    assert "42 s in all" in capsys.readouterr().out
