"""Every command with ``--json``, broken in several ways: stdout is one document each time, and no more."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from harness.cli import main as cli
from harness.cli.lazily import Command, Group, open_command
from harness.cli.screen.answer import KINDS, print_json
from harness.cli.table import COMMANDS
from harness.errors import HarnessFault, Interrupted, NotWritten, UserError


def _with_json() -> Iterator[tuple[str, ...]]:
    """Every command that has ``--json``, as its words."""

    def below(entry: Command | Group, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if isinstance(entry, Group):
            for name, inner in entry.commands.items():
                yield from below(inner, (*words, name))
        else:
            yield from of(open_command(words[-1], entry), words)

    def of(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if any("--json" in parameter.opts for parameter in command.params):
            yield words
        # A listed one is a stand-in: it is looked up as it is when it is called.
        for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
            command._calling = True
            yield from of(command.get_command(None, name), (*words, name))

    for name, entry in COMMANDS.items():
        yield from below(entry, (name,))


PATHS = sorted(_with_json())
Main = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Main:
    """The entry point: (exit code, the one document, stderr)."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, dict[str, Any], str]:
        monkeypatch.setattr(sys, "argv", ["outboundeval", *words])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capfd.readouterr()
        document = json.loads(told.out, parse_constant=_no_json)
        assert isinstance(document, dict)
        assert isinstance(ended.value.code, int)
        return ended.value.code, document, told.err

    return run


def _no_json(constant: str) -> Any:
    raise AssertionError(f"{constant} is no JSON")


def _must_have_an_error(document: dict[str, Any], kind: str) -> None:
    error = document["error"]
    assert list(error) == ["kind", "message", "hint"]
    assert error["kind"] == kind
    assert error["kind"] in KINDS
    assert isinstance(error["message"], str)
    assert error["message"]
    assert error["hint"] is None or error["hint"]


def test_those_that_are_known_to_have_it_are_among_them() -> None:
    assert {
        ("call",),
        ("run",),
        ("chat",),
        ("score",),
        ("report",),
        ("calibrate",),
        ("doctor",),
        ("judge", "check"),
        ("annotate", "import"),
        ("persona", "guard", "run"),
        ("persona", "realism", "report"),
        ("agents", "list"),
        ("models", "check"),
        ("scenarios", "list"),
        ("scenarios", "decompose"),
    } <= set(PATHS)


@pytest.mark.parametrize("words", PATHS, ids=" ".join)
def test_an_option_that_does_not_exist(main: Main, words: tuple[str, ...]) -> None:
    code, document, told = main(*words, "--json", "--no-such-option")
    assert code == 2
    _must_have_an_error(document, "usage")
    assert "--no-such-option" in document["error"]["message"]
    assert "--no-such-option" in told, "a person reads it too"


@pytest.mark.parametrize("words", PATHS, ids=" ".join)
def test_files_that_are_not_there(main: Main, words: tuple[str, ...]) -> None:
    """Whether it takes none, one or many, and whatever they should be."""
    code, document, told = main(*words, "--json", "nowhere/a", "nowhere/b", "nowhere/c", "nowhere/d")
    assert code in (1, 2)
    assert document["error"]["kind"] in ("usage", "input", "failed")
    assert "Traceback" not in told


class _Work:
    """In place of what a command does: prints, and ends as it is told."""

    def __init__(self, ends: BaseException | None, *, result: bool) -> None:
        self._ends = ends
        self._result = result

    def __call__(self, *_: object, **__: object) -> None:
        print("progress that somebody printed on stdout")
        if self._result:
            print_json({"value": float("nan"), "text": "half \ud800 a pair"})
        if self._ends is not None:
            raise self._ends


ENDINGS: list[tuple[BaseException | None, bool, int, str | None]] = [
    (None, True, 0, None),
    (None, False, 1, "internal"),
    (UserError("no such voice", hint="give another"), False, 2, "input"),
    (UserError("holds no dialogue", exit_code=1), False, 1, "failed"),
    (UserError("the agent did not come up", exit_code=3), False, 3, "not_placed"),
    (NotWritten("runs/a: cannot be written: No space left on device"), True, 2, "not_written"),
    (HarnessFault("the ears have ended"), False, 1, "harness_fault"),
    (OSError(28, "No space left on device", "runs/a"), False, 2, "not_written"),
    (KeyboardInterrupt(), False, 130, "interrupted"),
    (Interrupted("Go on with: the same command"), True, 130, "interrupted"),
    (typer.Exit(0), True, 0, None),
    (typer.Exit(1), True, 1, None),
    (typer.Exit(1), False, 1, "failed"),
    (typer.Exit(2), True, 2, "setup"),
    (typer.Exit(3), True, 3, "not_placed"),
    (typer.Exit(130), True, 130, "interrupted"),
    (typer.Abort(), False, 1, "failed"),
    (SystemExit(3), False, 3, "not_placed"),
    (RecursionError("too deep"), False, 1, "internal"),
    (MemoryError(), True, 1, "internal"),
    (ValueError("a fault of ours"), False, 1, "internal"),
]


@pytest.mark.parametrize(
    ("ends", "result", "expected", "kind"),
    ENDINGS,
    ids=[f"{type(one[0]).__name__}-{one[2]}-{'result' if one[1] else 'bare'}" for one in ENDINGS],
)
def test_whatever_a_command_does(
    main: Main,
    monkeypatch: pytest.MonkeyPatch,
    ends: BaseException | None,
    result: bool,
    expected: int,
    kind: str | None,
) -> None:
    monkeypatch.setattr("harness.cli.commands.doctor.doctor", _Work(ends, result=result))
    code, document, told = main("doctor", "--json")
    assert code == expected
    assert "progress that somebody printed on stdout" in told
    assert ("value" in document) is result
    if result:
        assert document["value"] is None
        assert document["text"] == "half \ud800 a pair"
    if kind is None:
        assert "error" not in document
    else:
        _must_have_an_error(document, kind)
    assert ("Traceback" in told) is (kind == "internal" and ends is not None)


@pytest.mark.parametrize("words", [words for words in PATHS if len(words) == 1], ids=" ".join)
def test_every_command_that_is_cut_off(
    main: Main, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    entry = COMMANDS[words[0]]
    assert isinstance(entry, Command)
    module, _, name = entry.does.partition(":")
    monkeypatch.setattr(f"{module}.{name}", _Work(KeyboardInterrupt(), result=False))
    needed = {"compare": ["x", "y"], "merge": ["x", "--out", "y"], "answer": ["x", "--listen", "sip:h"]}
    needed |= {name: ["x"] for name in ("score", "report", "pin", "prune")}
    needed |= {"score-asr": ["x", "--asr", "y"], "score-tts": ["x", "--tts", "y"]}
    code, document, _ = main(*words, "--json", *needed.get(words[0], []))
    assert code == 130
    _must_have_an_error(document, "interrupted")


def test_the_kinds_are_those_that_the_docs_name() -> None:
    page = (Path(__file__).parents[4] / "docs" / "commands.md").read_text(encoding="utf-8")
    _, *named = re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE)
    assert tuple(named) == KINDS


def test_without_json_nothing_is_caught_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault of ours shows its traceback; help is help."""
    monkeypatch.setattr("harness.cli.commands.doctor.doctor", _Work(ValueError("ours"), result=False))
    monkeypatch.setattr(sys, "argv", ["outboundeval", "doctor"])
    with pytest.raises(ValueError, match="ours"):
        cli.main()
    monkeypatch.setattr(sys, "argv", ["outboundeval", "doctor", "--json", "--help"])
    with pytest.raises(SystemExit, match="0"):
        cli.main()
    assert "Usage: outboundeval doctor" in capsys.readouterr().out


def test_a_work_of_each_command_is_a_function_of_its_options() -> None:
    """What is replaced above is what is called."""
    for entry in COMMANDS.values():
        if isinstance(entry, Command) and entry.takes:
            module, _, name = entry.does.partition(":")
            work = getattr(__import__(module, fromlist=[name]), name)
            assert len(inspect.signature(work).parameters) == 1
