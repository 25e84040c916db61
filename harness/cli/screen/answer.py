"""What a command with ``--json`` prints: exactly one document, whatever becomes of the command.

A result is the command's own document. Where the exit code is 2, 3, 130 or 143, or where it is 1 and there is
no result, the document has ``error``, beside the result where there is one::

    {"error": {"kind": "not_written", "message": "runs/a: cannot be written: …", "hint": "make room …"}}

``kind`` is one of :data:`KINDS`, which stay as they are; ``hint`` is null where the message says everything.
While the command works, all that anybody prints on stdout goes to stderr.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from harness.redaction import KNOWN

Kind = Literal[
    "usage",
    "input",
    "busy",
    "not_written",
    "setup",
    "not_placed",
    "failed",
    "interrupted",
    "harness_fault",
    "internal",
]
"""Options that do not exist or do not go together; what was given cannot be used; another process is at
work in that folder; a full disk; this machine lacks something; no call came about; a check failed; cut off;
our own side failed; a fault in our code, with its traceback on stderr."""
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why there is no result, or not all of it."""

    kind: str
    message: str
    hint: str = ""

    def as_json(self) -> dict[str, str | None]:
        return {"kind": self.kind, "message": self.message, "hint": self.hint or None}


class Answer:
    """The document of one command; printed once, when the command has ended.

    Attributes:
        descriptor: The real stdout while another stands in its place.
    """

    def __init__(self) -> None:
        self.descriptor: int | None = None
        self._document: dict[str, Any] | None = None
        self._printing = threading.Lock()

    def take(self, document: dict[str, Any]) -> None:
        """The result."""
        self._document = document

    @property
    def has_result(self) -> bool:
        return self._document is not None

    def text(self, failure: Failure | None) -> str:
        """The document, one whatever happened."""
        document = dict(self._document or {})
        if failure is not None:
            document["error"] = failure.as_json()
        return json_text(document)

    def print(self, failure: Failure | None) -> None:
        """Raises OSError where stdout cannot be written."""
        if self._printing.acquire(blocking=False):
            write_stdout(self.text(failure))

    def print_at_once(self, failure: Failure) -> None:
        """From another thread, just before the process is ended."""
        if self._printing.acquire(blocking=False):
            os.write(self.descriptor or 1, self.text(failure).encode("utf-8", "backslashreplace"))


_current: Answer | None = None


def print_json(document: dict[str, Any]) -> None:
    """The result of a command, as one JSON document on stdout: at the end of the command, or now where none
    is under way."""
    if _current is not None:
        _current.take(document)
    else:
        write_stdout(json_text(document))


@contextlib.contextmanager
def answering() -> Iterator[Answer]:
    """Collects the document of a command; what else is printed on stdout meanwhile goes to stderr."""
    global _current
    _current = answer = Answer()
    try:
        with _stdout_is_stderr(answer):
            yield answer
    finally:
        _current = None


def json_text(document: dict[str, Any]) -> str:
    """JSON as the standard has it: a number that is none is null, not NaN. No secret is in it."""
    try:
        text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    except ValueError:
        text = json.dumps(_finite(document), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return KNOWN.scrub_document(text)


def write_stdout(text: str) -> None:
    """JSON is UTF-8 whatever the terminal is; half a surrogate pair becomes its escape, as JSON writes it."""
    content = text.encode("utf-8", "backslashreplace")
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(content.decode("utf-8"))
    else:
        sys.stdout.flush()
        buffer.write(content)
    sys.stdout.flush()


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value


@contextlib.contextmanager
def _stdout_is_stderr(answer: Answer) -> Iterator[None]:
    """For our own prints, and for those of libraries and processes that write to the descriptor itself."""
    ours = sys.stdout
    with contextlib.suppress(OSError, ValueError, AttributeError, io.UnsupportedOperation):
        if ours.fileno() == 1:
            ours.flush()
            answer.descriptor = os.dup(1)
            os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        sys.stdout = ours
        real, answer.descriptor = answer.descriptor, None
        if real is not None:
            os.dup2(real, 1)
            os.close(real)
