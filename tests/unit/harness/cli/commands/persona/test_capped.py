"""A cap on cost ends ``persona build`` and ``persona realism judge`` as it ends ``chat``: exit code 130."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness.cli.commands.persona import build, realism
from harness.cli.failures import Ended
from harness.cli.options.persona.build import BuildOptions
from harness.cli.options.persona.realism import RealismJudgeOptions
from harness.errors import EXIT_INTERRUPTED
from harness.models.language import CapExceeded
from harness.scenarios.authoring.seven_steps import Outcome

SPENT = "the run has used 0.5 USD"


@asynccontextmanager
async def _opened(*_: Any, **__: Any) -> AsyncIterator[Any]:
    used = SimpleNamespace(requests=3, tokens=900, cost_text=lambda: "0.5 USD")
    yield SimpleNamespace(name="m", usage=used)


async def _judge(*_: Any, **__: Any) -> Any:
    raise CapExceeded(SPENT, what="cost")


async def _build(*_: Any, **__: Any) -> Outcome:
    return Outcome(stopped=SPENT)


def _is_interrupted(ended: Ended) -> None:
    assert ended.exit_code == EXIT_INTERRUPTED
    assert (ended.failure.kind, ended.failure.message) == ("interrupted", SPENT)
    assert "goes on" in ended.failure.hint


def test_a_build_that_has_cost_enough_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "open_language_model", _opened)
    monkeypatch.setattr(build, "run_build", _build)
    with pytest.raises(Ended) as ended:
        build.build(BuildOptions(out=tmp_path, model="m", max_cost=0.5))
    _is_interrupted(ended.value)
    assert SPENT in capsys.readouterr().out


def test_a_judge_of_realism_that_has_cost_enough_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = "Agent: Hello, this is the bank.\nCaller: What do you want?\nAgent: Nothing. Goodbye.\n"
    for name in ("real", "made"):
        (tmp_path / f"{name}.txt").write_text(talk, encoding="utf-8")
    monkeypatch.setattr(realism, "open_language_model", _opened)
    monkeypatch.setattr(realism, "judge_talks", _judge)
    out = tmp_path / "verdicts.json"
    with pytest.raises(Ended) as ended:
        realism.judge(
            RealismJudgeOptions(
                human=[tmp_path / "real.txt"],
                simulated=[tmp_path / "made.txt"],
                model="m",
                out=out,
                max_cost=0.5,
            )
        )
    _is_interrupted(ended.value)
    assert not out.exists()
    printed = capsys.readouterr()
    assert SPENT in printed.out + printed.err
