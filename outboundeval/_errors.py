"""The one exception of this package."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """What went wrong and what to do, as the command line says it.

    Attributes:
        exit_code: Of the command: 1 our own side failed, 2 wrong use or set-up, 3 no call came about. 2 where
            no command was started.
        kind: In one word, of those of ``--json`` (docs/commands.md); empty where no command was started.
        document: What the command printed before it failed: after calls that did not come about, their
            summary. None where it printed nothing.
    """

    def __init__(
        self, message: str, *, exit_code: int = 2, document: dict[str, Any] | None = None, kind: str = ""
    ) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.document = document
        self.kind = kind
