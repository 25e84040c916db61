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


@dataclass(frozen=True, kw_only=True)
class Group:
    """Commands under one word.

    Attributes:
        summary: What the list of commands says of it.
        help: What its own help says; empty: the summary.
        default: The command that is meant where none is named: ``guard RUN`` stands for ``guard run RUN``.
    """

    summary: str
    commands: Mapping[str, Command | Group]
    help: str = ""
    default: str = ""


class LazyGroup(TyperGroup):
    """Commands by name, besides those of the group itself; a command's options are imported when it is called
    or asked for help, not when it is listed, and its work when it is done."""

    table: ClassVar[Mapping[str, Command | Group]] = {}
    default: ClassVar[str] = ""
    completion: ClassVar[bool] = True
    """Whether its commands have options to install completion for the shell."""
    _calling = False

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *self.table]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self.default and args and args[0] not in self.table and not args[0].startswith("-"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

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
        if self._calling:
            return open_command(cmd_name, entry, completion=self.completion)
        return _listed(cmd_name, entry.summary)


def open_command(name: str, entry: Command | Group, *, completion: bool = True) -> Any:
    """The command itself, ready to be called."""
    if isinstance(entry, Group):
        return typer.main.get_command(_group_of(entry))
    if not entry.takes:
        return typer.main.get_command(resolve_name(entry.does))
    app = typer.Typer(add_completion=completion)
    app.command(name=name)(_command_of(resolve_name(entry.takes), entry.does))
    return typer.main.get_command(app)


def _group_of(entry: Group) -> typer.Typer:
    members = {"table": entry.commands, "default": entry.default, "completion": False}
    app = typer.Typer(
        cls=type("_Group", (LazyGroup,), members),
        no_args_is_help=True,
        add_completion=False,
        help=entry.help or entry.summary,
    )
    app.callback()(_no_options_of_its_own)
    return app


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


def _no_options_of_its_own() -> None:
    """Makes a group a group, whatever it holds."""


def _never_called() -> None:
    """Stands for a command in the list of commands."""
