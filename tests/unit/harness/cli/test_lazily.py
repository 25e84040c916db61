"""Commands that are loaded when they are called: options are a dataclass, work is a function of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from harness.cli.lazily import Command, LazyGroup
from harness.cli.main import COMMANDS


@dataclass(frozen=True, kw_only=True)
class GreetOptions:
    """Greet somebody.

    Example: toy greet Ann
    """

    name: Annotated[str, typer.Argument(help="Whom.")]
    words: Annotated[list[str] | None, typer.Option("--word", help="May be repeated.")] = None
    loud: bool = False


TABLE = {
    "greet": Command(summary="A greeting.", takes=f"{__name__}:GreetOptions", does="toy_work:greet"),
    "group": Command(summary="More of them.", does="toy_work:app"),
}


class _Toys(LazyGroup):
    table = TABLE


toys = typer.Typer(cls=_Toys, no_args_is_help=True)


@toys.callback()
def _root() -> None:
    """Toys."""


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    text = "import typer\napp = typer.Typer()\n@app.command()\ndef one(): print('one')\n"
    text += "@app.command()\ndef two(): print('two')\ndef greet(options): print(repr(options))\n"
    (tmp_path / "toy_work.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("toy_work", None)


def test_what_is_typed_reaches_the_work_as_its_options() -> None:
    result = CliRunner().invoke(toys, ["greet", "Ann", "--word", "a", "--word", "b", "--loud"])
    assert result.stdout.strip() == repr(GreetOptions(name="Ann", words=["a", "b"], loud=True))


def test_what_is_not_typed_has_its_default() -> None:
    assert CliRunner().invoke(toys, ["greet", "Ann"]).stdout.strip() == repr(GreetOptions(name="Ann"))


def test_a_group_has_its_own_commands() -> None:
    assert CliRunner().invoke(toys, ["group", "two"]).stdout == "two\n"


@pytest.mark.parametrize("typed", [["--help"], ["greet", "--help"]])
def test_neither_a_list_nor_help_loads_the_work(typed: list[str]) -> None:
    result = CliRunner().invoke(toys, typed)
    assert result.exit_code == 0, result.output
    assert "toy_work" not in sys.modules


def test_help_is_the_docstring_and_the_options() -> None:
    told = CliRunner().invoke(toys, ["greet", "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).stdout
    for part in ("Greet somebody.", "Example: toy greet Ann", "Whom.", "--word", "--loud"):
        assert part in told


def test_an_option_that_does_not_exist_is_refused_before_the_work_is_loaded() -> None:
    assert CliRunner().invoke(toys, ["greet", "Ann", "--quiet"]).exit_code == 2
    assert CliRunner().invoke(toys, ["greet"]).exit_code == 2
    assert "toy_work" not in sys.modules


@pytest.mark.parametrize("name", [name for name, entry in COMMANDS.items() if entry.takes])
def test_the_work_of_a_command_takes_its_options(name: str) -> None:
    entry = COMMANDS[name]
    assert get_type_hints(resolve_name(entry.does)) == {
        "options": resolve_name(entry.takes),
        "return": type(None),
    }
