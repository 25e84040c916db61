"""What a target is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessFault, SetupFailed, UserError

REFUSALS = (UserError, SetupFailed, HarnessFault)
"""How input may be refused: with a message for the person at the terminal, or as the end of one call."""

Run = Callable[[bytes, Path], object]


@dataclass(frozen=True, kw_only=True)
class Target:
    """One kind of input.

    Attributes:
        run: Reads an input, with an empty folder of its own.
        form: How an input is built, for breaking it: ``json``, ``yaml``, ``lines`` (of JSON), ``text``,
            ``bytes``.
        kinds: Letters of which each input begins with one; empty where all are of one kind.
    """

    run: Run
    form: str
    kinds: str = ""
