"""``RUN/calls/ID/analysis.json``: what the instruments made of a recording, kept to be measured once.

Each part (the speech of a side, its words, how the voice was rated) stands with everything that it was made
from: the recording's checksum, the instrument's code, libraries and model, and what it was asked. A part is
used again only where all of that is the same now, word for word. Figures are never kept here: they are
computed anew from the parts each time.

Parts are sealed with a checksum. A file that is torn, was changed by hand, or comes from another version is
not used, and :attr:`AnalysisCache.problems` says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from harness._files.atomic_file import write_model
from harness._files.checksum import seal_of
from harness._files.outside_file import read_bytes
from harness.records.base import FileModel

ANALYSIS_FILE = "analysis.json"
MAX_BYTES = 64_000_000
VERSION = 1

Result = TypeVar("Result")


class CachedPart(FileModel):
    """One instrument's result.

    Attributes:
        made_from: Everything that the result depends on, by name.
        result: As the instrument gave it.
        seal: SHA-256 of both, so that a change by hand does not pass as a measurement.
    """

    made_from: dict[str, str]
    result: JsonValue
    seal: str


class CacheFile(FileModel):
    """``analysis.json``.

    Attributes:
        transcript_sha256: Of ``transcript.json`` as it was written beside; empty where none was yet.
    """

    version: Literal[1] = 1
    parts: dict[str, CachedPart] = Field(default_factory=dict)
    transcript_sha256: str = ""


class AnalysisCache:
    """The parts of one call.

    Args:
        folder: The call's; None: there is nowhere to keep anything.
        fresh: :meth:`get` gives nothing that is there; what is measured now takes its place.

    Attributes:
        problems: What is there but cannot be used, and why, for a person.
        changed: Names of what a part depends on that are another now.
    """

    def __init__(self, folder: Path | None, *, fresh: bool = False) -> None:
        self._path = None if folder is None else folder / ANALYSIS_FILE
        self.problems: list[str] = []
        self.changed: set[str] = set()
        self._file = CacheFile() if self._path is None else self._read(self._path)
        self._passed_over: set[str] = set()
        if fresh:
            self.problems.clear()
            self._passed_over = set(self._file.parts)
            self._file = self._file.model_copy(update={"transcript_sha256": ""})

    def get(self, name: str, made_from: Mapping[str, str], form: TypeAdapter[Result]) -> Result | None:
        """A part, where it is there, whole, and made from just this; None otherwise."""
        return None if name in self._passed_over else self.kept(name, made_from, form)

    def kept(
        self,
        name: str,
        made_from: Mapping[str, str],
        form: TypeAdapter[Result],
        *,
        whatever: Collection[str] = (),
    ) -> Result | None:
        """As :meth:`get`, of what is not to be measured again: also where all else is measured afresh.

        Args:
            whatever: Names of what may be another now; that they are is noted all the same.
        """
        part = self._file.parts.get(name)
        if part is None:
            return None
        if not part.seal or part.seal != _seal(name, part.made_from, part.result):
            self.problems.append(f"{self._path}: '{name}' is not as it was written; measured again")
            return None
        changed = {
            key for key in {*part.made_from, *made_from} if part.made_from.get(key) != made_from.get(key)
        }
        self.changed |= changed
        if not changed.issubset(whatever):
            return None
        try:
            return form.validate_python(part.result)
        except ValidationError as error:
            self.problems.append(
                f"{self._path}: '{name}' cannot be read ({error.errors()[0]['msg']}); measured again"
            )
            return None

    def put(
        self, name: str, made_from: Mapping[str, str], form: TypeAdapter[Result], result: Result
    ) -> Result:
        """Keeps a part, at once; returns it as :meth:`get` will.

        Where it cannot be written, that is one of the problems, and the result is there all the same.
        """
        content = form.dump_python(result, mode="json")
        seal = _seal(name, made_from, content)
        if self._path is None or not seal:
            return result
        part = CachedPart(made_from=dict(made_from), result=content, seal=seal)
        self._passed_over.discard(name)
        self._write(self._file.model_copy(update={"parts": {**self._file.parts, name: part}}))
        return form.validate_python(content)

    def check_transcript(self, path: Path) -> None:
        """Notes it as a problem where the transcript is not what was written."""
        noted = self._file.transcript_sha256
        if noted and path.is_file() and sha256_of_file(path) != noted:
            self.problems.append(
                f"{path}: is not as it was written (changed by hand?); written anew from what was measured"
            )

    def note_transcript(self, path: Path) -> None:
        """Remembers the transcript as it has just been written."""
        digest = sha256_of_file(path)
        if digest != self._file.transcript_sha256:
            self._write(self._file.model_copy(update={"transcript_sha256": digest}))

    def _read(self, path: Path) -> CacheFile:
        try:
            return CacheFile.model_validate_json(read_bytes(path, max_bytes=MAX_BYTES))
        except FileNotFoundError:
            return CacheFile()
        except ValidationError as error:
            first = error.errors()[0]
            foreign = first["loc"] == ("version",)
            why = f"of another version than {VERSION}" if foreign else f"damaged: {first['msg']}"
        except OSError as error:
            why = error.strerror or str(error)
        self.problems.append(f"{path}: not used ({why[:200]}); measured again")
        return CacheFile()

    def _write(self, file: CacheFile) -> None:
        self._file = file
        if self._path is None:
            return
        try:
            write_model(self._path, file)
        except OSError as error:
            problem = (
                f"{self._path}: could not be written ({error.strerror or error}); not kept for next time"
            )
            # One disk that is full is one problem, however many parts it does not take.
            if problem not in self.problems:
                self.problems.append(problem)


def sha256_of_file(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _seal(name: str, made_from: Mapping[str, str], result: JsonValue) -> str:
    """The checksum of a part; empty for what JSON cannot hold (NaN, infinities)."""
    inputs: dict[str, JsonValue] = dict(made_from)
    try:
        return seal_of(name, inputs, result)
    except ValueError:
        return ""
