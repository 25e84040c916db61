"""Commands in a process of their own: options as flags, documents as results, complaints as errors."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import outboundeval
from harness.cli.lazily import open_command
from harness.cli.table import COMMANDS
from outboundeval._process import _environment, _flags, _message

TRANSCRIPT = "agent: Hello, this is Anna from Riverside Bank.\ncaller: Hello. What is it?\nagent: Goodbye.\n"


@pytest.mark.parametrize(
    ("option", "value", "flags"),
    [
        ("noise", 15, ["--noise=15"]),
        ("say", ("-- one", "two"), ["--say=-- one", "--say=two"]),
        ("rerun_guilty", 2, ["--rerun-guilty=2"]),
        ("from_", Path("mine"), ["--from=mine"]),
        ("fresh", True, ["--fresh"]),
        ("fresh", False, []),
        ("relay_only", False, []),
        ("score", False, ["--no-score"]),
        ("no_score", False, ["--score"]),
        ("wait_for_greeting", False, ["--speak-first"]),
        ("speak_first", False, ["--wait-for-greeting"]),
        ("no_such_option", False, ["--no-no-such-option"]),
        ("out", None, []),
        ("say", (), []),
    ],
)
def test_options_are_those_of_the_command_line(option: str, value: object, flags: list[str]) -> None:
    assert _flags(option, value) == flags  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["call", "run", "chat", "score", "report"])
def test_every_flag_of_the_command_line_may_be_false(name: str) -> None:
    """What is then given is one of the words against the flag, or nothing where there is none."""
    flags = [
        parameter
        for parameter in open_command(name, COMMANDS[name], completion=False).params
        if getattr(parameter, "is_flag", False) and parameter.name != "help"
    ]
    assert flags
    for flag in flags:
        for option, others in ((flag.opts, flag.secondary_opts), (flag.secondary_opts, flag.opts)):
            for word in option:
                if word.startswith("--"):
                    assert _flags(word.removeprefix("--"), False) == others, word


@pytest.mark.parametrize(
    ("complaint", "message"),
    [
        ("calling ...\nerror: a.yaml: there is no such file\n", "a.yaml: there is no such file"),
        ("our own fault: the disk is full\nmend it\n", "the disk is full\nmend it"),
        ("Traceback\nsome error: of ours\n", "Traceback\nsome error: of ours"),
        ("", ""),
    ],
)
def test_the_message_is_what_the_person_is_told(complaint: str, message: str) -> None:
    assert _message(complaint) == message


def test_folders_that_somebody_named_come_after_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = str(Path(outboundeval.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", "theirs")
    assert _environment()["PYTHONPATH"].split(os.pathsep) == [ours, "theirs"]
    monkeypatch.delenv("PYTHONPATH")
    assert "PYTHONPATH" not in _environment()


def test_a_mistake_is_an_error_with_its_message(tmp_path: Path) -> None:
    with pytest.raises(outboundeval.Error, match="there is no such file or folder") as caught:
        outboundeval.score(tmp_path / "nowhere.wav")
    assert caught.value.exit_code == 2
    assert caught.value.kind == "input"
    assert caught.value.document is None


def test_an_option_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(outboundeval.Error, match="--no-such-option"):
        outboundeval.score(tmp_path, no_such_option=3)


def test_a_transcript_is_scored_where_our_names_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder that one stands in, and the folders that one imports from, hold names of ours."""
    for name in ("metrics", "voice_sim", "fixtures"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the module of somebody else')\n")
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "__init__.py").write_text("raise SystemExit('the module of somebody else')\n")
    (tmp_path / "call.txt").write_text(TRANSCRIPT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    document = outboundeval.score("call.txt", scenario="cs-bank-complaint/hesitant")
    assert document["source"] == "call.txt"
    assert document["metrics"]["gic_redundancy"]["value"] is not None


def test_ctrl_c_is_handed_on_and_waited_for(tmp_path: Path) -> None:
    """The command (here a shell) has time to hang up, and is told once: it has a session of its own."""
    command = tmp_path / "python"
    command.write_text(
        "#!/bin/sh\ntrap 'sleep 0.3; echo told >> told; exit 130' INT\n"
        # Whoever started it has to wait for its end before Ctrl-C is pressed.
        "sleep 0.5; echo $$ > pid; mv pid ready\nwhile :; do sleep 0.05; done\n"
    )
    command.chmod(0o755)
    program = (
        "import signal, sys, outboundeval\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"sys.executable = {str(command)!r}\n"
        "try:\n    outboundeval.score('x')\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    ready = tmp_path / "ready"
    try:
        deadline = time.monotonic() + 60
        while not ready.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert ready.exists(), "the command was not started"
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
        # The shell has a session of its own, and would outlive a test that failed.
        if ready.exists():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(int(ready.read_text()), signal.SIGKILL)
    assert said == "interrupted\n"
    assert (tmp_path / "told").read_text() == "told\n"


@pytest.mark.parametrize("given", [{"probes": "restraint"}, {"scenario": "cs-bank-complaint/hesitant"}])
def test_suites_and_scenarios_are_run_without_a_plan(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[tuple[object, ...], dict[str, Any]]] = []

    def command(*words: object, options: dict[str, Any]) -> dict[str, Any]:
        ran.append((words, options))
        return {}

    monkeypatch.setattr("outboundeval._commands.run_command", command)
    outboundeval.run(agent="http://127.0.0.1:1", **given)
    ((words, options),) = ran
    assert words == ("run",)
    assert given.items() <= options.items()


def test_nobody_to_call_is_told_before_a_process_is_started() -> None:
    with pytest.raises(outboundeval.Error, match="nobody to call"):
        outboundeval.run(agent="http://127.0.0.1:1")
