"""Commands that are loaded when they are called: what is listed, and what shows its help, comes at once.

A command has two halves. Its options are a frozen dataclass in ``harness/cli/options``, light to import,
whose docstring is its help; its work is a function of those options in ``harness/cli/commands``, with
everything that it takes to do it. A table says where both are.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from pkgutil import resolve_name
from typing import Any, ClassVar, get_type_hints

import typer
from typer.core import TyperGroup


@dataclass(frozen=True, kw_only=True)
class Command:
    """One line of a table of commands.

    Attributes:
        summary: What the list of commands says of it.
        does: ``module:name`` of the function that does the work, given the options; where there are none,
            of a Typer app with commands of its own.
        takes: ``module:name`` of the dataclass with its options.
    """

    summary: str
    does: str
    takes: str = ""


class LazyGroup(TyperGroup):
    """Commands by name, besides those of the group itself; a command's options are imported when it is called
    or asked for help, not when it is listed, and its work when it is done."""

    table: ClassVar[Mapping[str, Command]] = {}
    _calling = False

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *self.table]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        self._calling = True
        try:
            return super().resolve_command(ctx, args)
        finally:
            self._calling = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        entry = self.table[cmd_name]
        return open_command(cmd_name, entry) if self._calling else _listed(cmd_name, entry.summary)


def open_command(name: str, entry: Command) -> Any:
    """The command itself, ready to be called."""
    if not entry.takes:
        return typer.main.get_command(resolve_name(entry.does))
    app = typer.Typer()
    app.command(name=name)(_command_of(resolve_name(entry.takes), entry.does))
    return typer.main.get_command(app)


def _command_of(options: type[Any], does: str) -> Callable[..., None]:
    """A function as Typer reads one: the fields of the options are its parameters."""
    kinds = get_type_hints(options, include_extras=True)

    def command(**given: Any) -> None:
        resolve_name(does)(options(**given))

    command.__doc__ = options.__doc__
    command.__annotations__ = kinds
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if field.default is MISSING else field.default,
                annotation=kinds[field.name],
            )
            for field in fields(options)
        ]
    )
    return command


def _listed(name: str, summary: str) -> Any:
    app = typer.Typer()
    app.command(name=name, help=summary)(_never_called)
    return typer.main.get_command(app)


def _never_called() -> None:
    """Stands for a command in the list of commands."""
