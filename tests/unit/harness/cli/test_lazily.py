"""Commands that are loaded when they are called: options are a dataclass, work is a function of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from harness.cli.lazily import Command, Group, LazyGroup
from harness.cli.table import COMMANDS


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
    "app": Command(summary="More of them.", does="toy_work:app"),
    "group": Group(
        summary="Greetings.",
        help="All about greeting.",
        default="again",
        commands={
            "again": Command(summary="Greet again.", takes=f"{__name__}:GreetOptions", does="toy_work:greet")
        },
    ),
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


def test_an_app_has_commands_of_its_own() -> None:
    assert CliRunner().invoke(toys, ["app", "two"]).stdout == "two\n"


def test_a_group_has_a_table_of_its_own() -> None:
    assert CliRunner().invoke(toys, ["group", "again", "Ann"]).stdout.strip() == repr(
        GreetOptions(name="Ann")
    )
    told = CliRunner().invoke(toys, ["group", "--help"]).stdout
    assert "All about greeting." in told
    assert "Greet again." in told


def test_where_no_command_of_a_group_is_named_its_default_is_meant() -> None:
    result = CliRunner().invoke(toys, ["group", "Ann", "--loud"])
    assert result.stdout.strip() == repr(GreetOptions(name="Ann", loud=True))


@pytest.mark.parametrize("typed", ["--help", "greet --help", "group --help", "group again --help"])
def test_neither_a_list_nor_help_loads_the_work(typed: str) -> None:
    result = CliRunner().invoke(toys, typed.split())
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


def _commands(table: Mapping[str, Command | Group]) -> Iterator[Command]:
    for entry in table.values():
        if isinstance(entry, Group):
            yield from _commands(entry.commands)
        else:
            yield entry


@pytest.mark.parametrize(
    "entry", [entry for entry in _commands(COMMANDS) if entry.takes], ids=lambda entry: entry.takes
)
def test_the_work_of_a_command_takes_its_options(entry: Command) -> None:
    kinds = get_type_hints(resolve_name(entry.does))
    assert kinds == {"options": resolve_name(entry.takes), "return": type(None)}
