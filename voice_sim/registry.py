"""Tables of named parts: speech engines, kinds of noise, and whatever else can be added by one file.

A table maps a name to ``module:attribute`` and imports it only when asked, so that an optional package is
needed by nobody but its user. Another package adds a part through an entry point of the table's group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any


class UnknownPartError(ValueError):
    """No part of that name; the message lists the known ones."""


class MissingExtraError(RuntimeError):
    """The part exists, but a package that it needs is not installed; the message says what to install."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """One entry of a table.

    Attributes:
        target: ``module:attribute``.
        extra: The extra of this package that brings what the module imports; empty when none is needed.
    """

    target: str
    extra: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Parts of one kind, by name.

    Attributes:
        kind: What the parts are, for error messages: "speech engine".
        group: Entry point group in which other packages add theirs.
        parts: Our own.
    """

    kind: str
    group: str
    parts: Mapping[str, Part]

    def names(self) -> list[str]:
        """Every known name, our own and those added by other packages, sorted."""
        return sorted({*self.parts, *(entry.name for entry in entry_points(group=self.group))})

    def load(self, name: str) -> Any:
        """Imports the part called ``name``.

        Raises:
            UnknownPartError: There is none.
            MissingExtraError: Its module needs a package that is not installed.
        """
        if name in self.parts:
            part = self.parts[name]
        else:
            added = entry_points(group=self.group, name=name)
            if not added:
                raise UnknownPartError(f"unknown {self.kind} '{name}'; known: {', '.join(self.names())}")
            part = Part(target=next(iter(added)).value)
        module_name, _, attribute = part.target.partition(":")
        try:
            module = import_module(module_name)
        except ModuleNotFoundError as error:
            # A module of our own that is missing is a defect, not something to install.
            if not part.extra or (error.name or "").partition(".")[0] == __name__.partition(".")[0]:
                raise
            raise MissingExtraError(
                f"{self.kind} '{name}' needs the package '{error.name}': "
                f"pip install 'outboundeval[{part.extra}]'"
            ) from error
        return getattr(module, attribute)
