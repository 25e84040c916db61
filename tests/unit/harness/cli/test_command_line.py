"""The command line as a person or a script meets it: help with an example, one JSON document, exit codes."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from typer.core import TyperGroup
from typer.testing import CliRunner

from harness.analysis import instruments
from harness.calls.voice import medium, prepare
from harness.calls.voice.workers import pool as call_helpers
from harness.cli import main as cli
from harness.cli import steps_of_calls as pipeline
from harness.cli.commands import calibrate as calibrate_command
from harness.cli.lazily import Command, Group, open_command
from harness.cli.main import app
from harness.cli.table import COMMANDS
from harness.errors import EXIT_CHECK_FAILED, EXIT_NOT_PLACED, EXIT_OK, EXIT_WRONG_USE, SetupFailed
from harness.models.resolve import ModelMissing
from harness.plans.call import CallPlan
from harness.scenarios.folders import library_root
from harness.selfcheck.calibration import references
from harness.selfcheck.calibration.compare import Comparison, Comparisons
from harness.selfcheck.calibration.run import CalibrationResult
from tests.unit.harness.stand_ins.fake_agent import FakeEars, FakeTransport, prepared_call
from tests.unit.harness.stand_ins.spoken import clip
from voice_sim.policies.script import ScriptLine


def _paths() -> Iterator[tuple[str, ...]]:
    """Every command and sub-command, as its words."""

    def below(entry: Command | Group, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield words
        if isinstance(entry, Group):
            for name, inner in entry.commands.items():
                yield from below(inner, (*words, name))
        else:
            command = open_command(words[-1], entry)
            for name in command.list_commands(None) if isinstance(command, TyperGroup) else ():
                yield (*words, name)

    for name, entry in COMMANDS.items():
        yield from below(entry, (name,))


PATHS = list(_paths())
GROUPS = {words[:-1] for words in PATHS}


def test_the_commands_are_those_that_the_design_names_so_far() -> None:
    known = {words[0] for words in PATHS}
    assert {"call", "run", "score", "report", "calibrate", "agents", "models", "doctor", "scenarios"} <= known
    assert {("agents", "serve"), ("models", "fetch"), ("scenarios", "check")} <= set(PATHS)


@pytest.mark.parametrize("words", [words for words in PATHS if words not in GROUPS], ids=" ".join)
def test_help_says_what_a_command_does_and_gives_an_example_of_it(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "300", "TERM": "dumb"})
    assert result.exit_code == EXIT_OK
    assert f"Example: outboundeval {' '.join(words)}" in result.stdout


@pytest.mark.parametrize("words", sorted(words for words in GROUPS if words), ids=" ".join)
def test_help_of_a_group_names_its_commands(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "300"})
    assert result.exit_code == EXIT_OK
    for inner in PATHS:
        if inner[:-1] == words:
            assert inner[-1] in result.stdout


def test_help_of_the_whole_names_every_command_and_gives_an_example() -> None:
    result = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "300"})
    assert "Example: outboundeval call" in result.stdout
    for name, entry in COMMANDS.items():
        assert name in result.stdout
        assert entry.summary.split(":")[0][:40] in result.stdout


# --- wrong use

Main = Callable[..., tuple[int, str, str]]


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Main:
    """The entry point itself, in an empty folder: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outboundeval", *map(str, arguments)])
        capsys.readouterr()
        code = 0
        try:
            cli.main()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "No such command 'nothing'"),
        (["call", "--nothing"], "No such option"),
        (["call"], "give --agent URL"),
        (["call", "--plan", "nowhere.yaml"], "nowhere.yaml"),
        (["run"], "give a plan file, --scenario or --probes"),
        (["run", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["run", "."], "cannot be read"),
        (["score"], "Missing argument"),
        (["score", "nowhere.wav"], "nowhere.wav: there is no such file"),
        (["score", "notes.wav"], "notes.wav: not a sound file"),
        (["score", "notes.txt"], "notes.txt:1: begins neither with 'Agent:' nor with 'Caller:'"),
        (["score", "."], "no run"),
        (["score", "clip.wav", "--caller", "middle"], "Invalid value"),
        (["report", "nowhere"], "nowhere"),
        (["agents", "serve", "nobody"], "pipecat"),
        (["agents", "serve", "calibration", "--port", "99999"], "Invalid value"),
        (["models", "check", "nothing"], "nothing"),
        (["models", "fetch", "nothing"], "nothing"),
        (["calibrate", "--turns", "0"], "Invalid value"),
        (["calibrate", "--loss", "2"], "Invalid value"),
        (["calibrate", "--sound", "loud"], "Invalid value"),
        (["scenarios", "show", "nothing"], "nothing"),
        (["scenarios", "check", "nowhere"], "nowhere"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_ends_with_exit_code_2_one_message_and_no_traceback(
    main: Main, tmp_path: Path, arguments: list[str], words: str
) -> None:
    for name in ("notes.txt", "notes.wav"):
        (tmp_path / name).write_text("no sound")
    code, out, err = main(*arguments)
    assert code == EXIT_WRONG_USE
    assert words in err
    assert "Traceback" not in out + err
    assert out == ""


def test_a_message_is_printed_as_it_is_not_as_markup(main: Main) -> None:
    code, _, err = main("score", "[red]x[/].wav")
    assert code == EXIT_WRONG_USE
    assert "[red]x[/].wav" in err


# --- runs, with an agent that is no network away


class _Builder:
    def check(self, plan: CallPlan) -> None:
        prepare.transport_for(plan.agent)

    def prepare(self, plan: CallPlan, **_: Any) -> Any:
        assert plan.script is not None
        lines = [ScriptLine(say=line.say, pause_s=0.0) for line in plan.script.lines]
        made = prepared_call(*lines, call_id=plan.call_id)
        return dataclasses.replace(made, plan=plan, transport=prepare.transport_for(plan.agent))


class _EarsInPlace(FakeEars):
    async def __aenter__(self) -> _EarsInPlace:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch) -> FakeTransport:
    """An agent that answers each line; no models on this machine."""
    fake = FakeTransport(answers=[(0.2, clip("answer_short"))])
    monkeypatch.setattr(prepare, "transport_for", lambda agent: fake)
    monkeypatch.setattr(call_helpers, "Ears", _EarsInPlace)
    monkeypatch.setattr(medium, "CallBuilder", _Builder)

    def missing(name: str) -> Any:
        raise ModelMissing(f"{name}: not on this machine")

    monkeypatch.setattr(instruments, "resolve", missing)
    monkeypatch.setattr(pipeline, "resolve_model", missing)
    return fake


def _one_document(out: str) -> dict[str, Any]:
    document = json.loads(out)
    assert isinstance(document, dict)
    return document


PLAN = "name: test\nagent: http://127.0.0.1:9\ncalls:\n- {id: a, script: {lines: [{say: hello}]}}\n"


def test_a_call_as_json_is_one_document_with_its_figures(
    main: Main, transport: FakeTransport, tmp_path: Path
) -> None:
    code, out, err = main(
        "call", "--agent", "http://127.0.0.1:9", "--say", "hi", "--speak-first", "--out", "r", "--json"
    )
    assert code == EXIT_OK, err
    summary = _one_document(out)
    latency = summary["metrics"]["response_latency_ms"]
    assert latency["status"] == "measured"
    # 200 ms after the frame of the last voiced sample, and 5 ms on the way.
    assert 200 <= latency["value"] <= 230
    assert summary["metrics"]["nisqa_mos"]["status"] == "not_applicable"
    verdict = summary.pop("verdict")
    assert verdict["word"] == "passed"
    assert json.loads((tmp_path / "r" / "verdict.json").read_text()) == verdict
    assert json.loads((tmp_path / "r" / "summary.json").read_text()) == summary
    assert (tmp_path / "r" / "report" / "index.html").is_file()


def test_a_run_as_json_is_one_document_scored_or_not(
    main: Main, transport: FakeTransport, tmp_path: Path
) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    code, out, err = main("run", "plan.yaml", "--out", "r", "--json", "--no-score")
    assert code == EXIT_OK, err
    assert _one_document(out) == {"run": "r", "calls": {"a": "completed"}}
    code, out, err = main("run", "plan.yaml", "--out", "r", "--json")
    assert code == EXIT_OK, err
    assert _one_document(out)["calls"] == {"completed": 1}
    assert len(transport.sessions) == 1, "the second start found the call complete"
    code, out, err = main("score", "r", "--json")
    assert code == EXIT_OK, err
    assert _one_document(out)["calls"] == {"completed": 1}
    code, out, _ = main("report", "r")
    assert code == EXIT_OK
    assert "index.html" in out


def test_what_a_run_is_compared_with_is_kept_scored_or_not(
    main: Main, transport: FakeTransport, tmp_path: Path
) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    code, _, err = main("run", "plan.yaml", "--out", "r", "--no-score", "--baseline", "last green")
    assert code == EXIT_OK, err
    assert json.loads((tmp_path / "r" / "checks.json").read_text())["baseline"] == "last green"


def test_nobody_there_is_exit_code_3_and_the_run_is_kept(
    main: Main, transport: FakeTransport, tmp_path: Path
) -> None:
    transport.fails = SetupFailed("nobody there")
    (tmp_path / "plan.yaml").write_text(PLAN)
    code, out, err = main("run", "plan.yaml", "--out", "r", "--json")
    assert code == EXIT_NOT_PLACED, err
    assert _one_document(out)["calls"] == {"setup_failed": 1}
    assert "nobody there" in (tmp_path / "r" / "calls" / "a" / "call.json").read_text()


def test_a_file_where_a_run_folder_should_be(main: Main, transport: FakeTransport, tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "r").write_text("precious")
    code, out, err = main("run", "plan.yaml", "--out", "r")
    assert code == EXIT_WRONG_USE
    assert "Traceback" not in out + err
    assert (tmp_path / "r").read_text() == "precious"


@pytest.mark.parametrize("agent", ["http://[::1", "127.0.0.1:7860", "ftp://x", "http://", "http://x:99999"])
def test_an_address_that_cannot_be_dialled_is_named(
    main: Main, monkeypatch: pytest.MonkeyPatch, agent: str
) -> None:
    monkeypatch.setattr(call_helpers, "Ears", _EarsInPlace)
    monkeypatch.setattr(medium, "CallBuilder", _Builder)
    code, out, err = main("call", "--agent", agent, "--say", "hi", "--out", "r")
    assert code == EXIT_WRONG_USE
    assert "no agent address" in err
    assert "Traceback" not in out + err


def test_a_call_of_a_plan_that_is_not_in_it_names_those_that_are(main: Main, tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN)
    code, _, err = main("call", "--plan", "plan.yaml", "--id", "b")
    assert code == EXIT_WRONG_USE
    assert "no call 'b'; there are: a" in err


@pytest.mark.usefixtures("transport")
def test_sound_files_as_json_are_one_document_each(main: Main, tmp_path: Path) -> None:
    """A caller from 1.0 s, an agent that answers; then the agent alone."""
    caller, agent = np.zeros(12 * 48_000, np.float32), np.zeros(12 * 48_000, np.float32)
    question, answer = clip("question"), clip("refund")
    caller[48_000 : 48_000 + len(question)] = question
    start = 48_000 + len(question) + 36_000
    agent[start : start + len(answer)] = answer
    soundfile.write(tmp_path / "call.wav", np.stack([caller, agent], axis=1), 48_000)
    soundfile.write(tmp_path / "clip.wav", answer, 48_000)
    code, out, err = main("score", "call.wav", "--json")
    assert code == EXIT_OK, err
    stereo = _one_document(out)
    [turn] = stereo["recording"]["turns"]
    assert (stereo["kind"], turn["status"]) == ("recording", "measured")
    assert turn["latency_ms"] == pytest.approx(750.0, abs=1.0)
    code, out, err = main("score", "clip.wav", "--json")
    assert code == EXIT_OK, err
    mono = _one_document(out)
    assert mono["kind"] == "clip"
    assert stereo.keys() == mono.keys()
    assert mono["metrics"]["nisqa_mos"]["status"] == "not_applicable"


# --- other documents


def test_lists_and_checks_as_json_are_one_document_each(main: Main) -> None:
    exemplar = library_root() / "en" / "customer_service" / "bank_complaint"
    for arguments, key in (
        (["agents", "list", "--json"], "agents"),
        (["models", "list", "--json"], "models"),
        (["doctor", "--json"], "checks"),
        (["scenarios", "list", exemplar, "--json"], "items"),
        (["scenarios", "check", exemplar, "--json"], "findings"),
    ):
        _, out, _ = main(*arguments)
        assert key in _one_document(out), arguments


@contextmanager
def _no_agent(name: str) -> Iterator[str]:
    assert name == "calibration"
    yield "http://127.0.0.1:9"


@pytest.mark.parametrize("wrong", [False, True])
def test_a_calibration_as_json_is_one_document_and_fails_on_a_wrong_verdict(
    main: Main, monkeypatch: pytest.MonkeyPatch, wrong: bool
) -> None:
    measured = [
        Comparison(
            call_id="c",
            index=0,
            measured_ms=502.0,
            truth_ms=500.0,
            packet_truth_ms=500.0,
            programmed_ms=500.0,
        ),
        Comparison(
            call_id="c",
            index=1,
            measured_ms=399.0,
            truth_ms=400.0,
            packet_truth_ms=400.0,
            programmed_ms=400.0,
        ),
    ]
    found = Comparisons(responses=measured, interruptions=measured, verdicts=2)
    if wrong:
        found.verdicts_wrong.append(measured[0])

    async def calibrated(*_: Any, **__: Any) -> CalibrationResult:
        return CalibrationResult(by_sound={"natural": found})

    monkeypatch.setattr(references, "serving", _no_agent)
    monkeypatch.setattr(calibrate_command, "calibrate", calibrated)
    code, out, err = main("calibrate", "--sound", "natural", "--turns", "2", "--interruptions", "2", "--json")
    document = _one_document(out)
    assert document["error_bar"]["natural_responses"]["bias"] == 0.5
    assert document["error_bar"]["natural_responses"]["max_abs"] == 2.0
    assert document["error_bar"]["marker_responses"] is None
    assert document["verdicts_500ms"] == {"natural": {"given": 2, "wrong": int(wrong)}}
    assert code == (EXIT_CHECK_FAILED if wrong else EXIT_OK), err
