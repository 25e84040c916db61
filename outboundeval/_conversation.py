"""The files of one call or dialogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from outboundeval._errors import Error


class Conversation:
    """One call, or one dialogue in text.

    Attributes:
        folder: Its own.
        record: ``call.json`` or ``dialogue.json``.
    """

    def __init__(self, folder: Path, *, record: Mapping[str, Any]) -> None:
        self.folder = folder
        self.record = record

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def in_text(self) -> bool:
        """Nobody spoke: it was held in text."""
        return self.folder.parent.name == "dialogues"

    @property
    def plan(self) -> Mapping[str, Any]:
        """What was to be done, as it was planned."""
        plan: Mapping[str, Any] = self.record.get("plan") or {}
        return plan

    @cached_property
    def scores(self) -> Mapping[str, Any]:
        """``scores.json``; empty before it was scored."""
        return self.read("scores.json")

    @property
    def judged(self) -> Mapping[str, Any]:
        """The turns as they were judged, and what the judge made of them; empty where nobody judged."""
        part: Mapping[str, Any] = (self.scores if self.in_text else self.scores.get("text")) or {}
        return part

    def read(self, name: str) -> Mapping[str, Any]:
        """Another of its files; empty where there is none.

        Raises:
            Error: It cannot be read.
        """
        path = self.folder / name
        if not path.is_file():
            return {}
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise Error(f"{path}: not a file of a run that can be read: {error}") from error
        return document if isinstance(document, dict) else {}
