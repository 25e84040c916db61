"""A run as it lies on disk, read with nothing but ``json``; as tables with pandas.

It reads runs of calls and of dialogues in text, of this version and of those before: what a file has beyond
what is known here becomes a column of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outboundeval import _rows
from outboundeval._conversation import Conversation
from outboundeval._errors import Error

if TYPE_CHECKING:
    import pandas

_FOLDERS = {"calls": "call.json", "dialogues": "dialogue.json"}
"""Where conversations lie in a run, and the file that a finished one has."""


def load_run(path: str | Path) -> Run:
    """The run in a folder that ``run``, ``call`` or ``chat`` wrote. One that is still under way may be read.

    Raises:
        Error: There is no run.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise Error(f"{folder}: there is no such folder")
    if not (folder / "run.json").is_file():
        raise Error(
            f"{folder}: no run: it has no run.json; give the folder that 'run', 'call' or 'chat' wrote"
        )
    return Run(folder)


class Run:
    """One run. Tables are made when they are first asked for.

    Attributes:
        path: Its folder.
        info: ``run.json``: who was called, when, by which version.
        conversations: Those that have ended, in the order of the plan, as parsed files.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.info = read_document(path / "run.json")
        self.conversations: tuple[Conversation, ...] = tuple(self._in_order())

    def __repr__(self) -> str:
        return f"<Run {str(self.path)!r}: {len(self.conversations)} conversations>"

    @cached_property
    def summary(self) -> dict[str, Any]:
        """``summary.json``: every figure of the run with its interval, or the reason why there is none.

        Raises:
            Error: The run has not been scored.
        """
        path = self.path / "summary.json"
        if not path.is_file():
            raise Error(f"{self.path}: not scored yet: outboundeval score {self.path}")
        return read_document(path)

    @cached_property
    def calls(self) -> pandas.DataFrame:
        """One row a call or dialogue: who was called about what, how it ended, and each of its scores.

        A score without a value is NaN. ``guilty`` says that our own caller was at fault: such calls are left
        out of the run's figures.
        """
        return self._frame(_rows.call_rows, _rows.CALL_COLUMNS)

    @cached_property
    def turns(self) -> pandas.DataFrame:
        """One row for each thing that the caller said and the agent's answer to it, with its latency.

        Of dialogues in text only the words are there: nobody spoke, so there is nothing to time.
        """
        return self._frame(_rows.turn_rows, _rows.TURN_COLUMNS)

    @cached_property
    def interruptions(self) -> pandas.DataFrame:
        """One row for each time that the caller spoke into the agent's speech; of text there are none."""
        return self._frame(_rows.interruption_rows, _rows.INTERRUPTION_COLUMNS)

    @cached_property
    def replies(self) -> pandas.DataFrame:
        """One row for each reply of the agent that was judged: 0, 1 or 2 on each dimension, NaN where the
        dimension does not apply or was not judged."""
        return self._frame(_rows.reply_rows, _rows.REPLY_COLUMNS)

    def _in_order(self) -> list[Conversation]:
        planned = [*self.info.get("call_ids", ()), *self.info.get("dialogue_ids", ())]
        place = {name: number for number, name in enumerate(planned)}
        found = [
            Conversation(file.parent, record=read_document(file))
            for kind, name in _FOLDERS.items()
            for file in sorted((self.path / kind).glob(f"*/{name}"))
        ]
        return sorted(found, key=lambda one: place.get(one.id, len(place)))

    def _frame(
        self, rows_of: Callable[[Conversation], list[dict[str, Any]]], columns: Mapping[str, str]
    ) -> pandas.DataFrame:
        return _table([row for one in self.conversations for row in rows_of(one)], columns)


def read_document(path: Path) -> dict[str, Any]:
    """One JSON object of a file.

    Raises:
        Error: It cannot be read, or is none.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Error(f"{path}: not a file of a run that can be read: {error}") from error
    if not isinstance(document, dict):
        raise Error(f"{path}: not a file of a run: {type(document).__name__} instead of an object")
    return document


def _table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> pandas.DataFrame:
    """Known columns first and always there, in their types; others as they come."""
    try:
        import pandas  # the one that is left out where nobody wants tables
    except ImportError as error:
        raise Error("tables need pandas: pip install 'outboundeval[frames]'") from error
    others = dict.fromkeys(name for row in rows for name in row if name not in columns)
    frame = pandas.DataFrame(list(rows), columns=[*columns, *others])
    for name, kind in columns.items():
        if kind == "time":
            frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
        else:
            frame[name] = frame[name].astype(kind)  # type: ignore[call-overload]
    for name in others:
        if all(row.get(name) is None or _is_number(row[name]) for row in rows):
            frame[name] = frame[name].astype("float64")
    return frame


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
