"""What was found of each item by each system, kept line by line: a try that was cut off goes on where it was.

``results.jsonl`` has one JSON object a line, ``{"key": …, "system": …, "item": …, …}``, appended and flushed
after each item. The key holds whatever decides the result (the item's content, the system with its version),
so that a clip or a model that changed is tried again. A line that was cut in the middle is left out.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from harness._files.json_file import BadJson, parse_json
from harness._files.outside_file import read_bytes
from harness.errors import NotWritten, UserError
from harness.redaction import KNOWN

NAME = "results.jsonl"
MAX_BYTES = 256_000_000


class Result(BaseModel):
    """What one system made of one item.

    Attributes:
        key: See the module's docstring.
        failed: Why there is nothing; empty where there is.
        measured_at: When the command that found it began (UTC, ISO 8601); empty in older files.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    system: str
    item: str
    failed: str = ""
    measured_at: str = ""


_Result = TypeVar("_Result", bound=Result)


class Kept(Generic[_Result]):
    """The results in a folder, which is made. What failed is not kept from being tried again.

    Raises:
        UserError: The folder cannot be read or made.
    """

    def __init__(self, folder: Path, kind: type[_Result]) -> None:
        self._path = folder / NAME
        self._kind = kind
        self._found: dict[str, _Result] = {}
        self._broken_end = False
        self._began = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                self._read(read_bytes(self._path, max_bytes=MAX_BYTES))
        except OSError as error:
            raise UserError(f"{self._path}: cannot be read: {error.strerror or error}") from error

    def get(self, key: str) -> _Result | None:
        """What was found before and did not fail."""
        found = self._found.get(key)
        return found if found is not None and not found.failed else None

    def put(self, result: _Result) -> _Result:
        """Keeps a result at once, and says when it was found.

        Raises:
            NotWritten: The disk is full, or the folder may not be written.
        """
        result = result.model_copy(update={"measured_at": self._began})
        line = KNOWN.scrub_document(json.dumps(result.model_dump(mode="json"), ensure_ascii=False))
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(("\n" if self._broken_end else "") + line + "\n")
        except OSError as error:
            raise NotWritten.of(self._path, error) from error
        self._broken_end = False
        self._keep(result)
        return result

    def in_order(self) -> list[_Result]:
        """Everything that was found, in the order in which it last was; what failed, too."""
        return list(self._found.values())

    def _keep(self, result: _Result) -> None:
        self._found.pop(result.key, None)
        self._found[result.key] = result

    def _read(self, content: bytes) -> None:
        self._broken_end = bool(content) and not content.endswith(b"\n")
        for line in content.split(b"\n"):
            if not line.strip():
                continue
            try:
                result = self._kind.model_validate(parse_json(line))
            except (BadJson, ValidationError):
                continue
            self._keep(result)


def key_of(*parts: str | bytes) -> str:
    """Sixteen hex digits over whatever decides a result."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:16]
