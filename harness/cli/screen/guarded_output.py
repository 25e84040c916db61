"""What the process prints, logs and complains of: without the secrets that it knows.

The last wall, behind those of the plan and of the boundary to strangers: a library's traceback that quotes an
address, a log line with a token in its query.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Iterable
from typing import Any, TextIO

from harness.redaction import KNOWN, Redactor

_KEY = "_API_KEY"
_SHORTEST_KEY = 8
"""``EMPTY`` and ``none`` are what servers are told that want no key."""


def guard_output() -> None:
    """Guards stdout, stderr and every log of this process; keys of language models are known from now on."""
    KNOWN.learn(
        *(
            value
            for name, value in os.environ.items()
            if name.endswith(_KEY) and len(value.strip()) >= _SHORTEST_KEY
        )
    )
    sys.stdout = _Guarded.of(sys.stdout)
    sys.stderr = _Guarded.of(sys.stderr)
    logging.setLogRecordFactory(scrubbed_record)


def scrubbed_record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    """A log record as whoever handles it may write it anywhere."""
    record = logging.LogRecord(*args, **kwargs)
    if KNOWN.knows_any:
        record.msg, record.args = KNOWN.scrub(record.getMessage()), ()
        if record.exc_info and record.exc_info[0] is not None:
            # A handler takes what is formatted already, and the exception itself has the secret in it.
            lines = traceback.format_exception(*record.exc_info)
            record.exc_text, record.exc_info = KNOWN.scrub("".join(lines)).rstrip(), None
    return record


class _Guarded:
    """A stream that writes what another one does, without secrets; everything else is the other's."""

    def __init__(self, stream: TextIO, known: Redactor) -> None:
        self._stream = stream
        self._known = known

    @classmethod
    def of(cls, stream: Any) -> Any:
        """The stream, guarded; once is enough."""
        return stream if stream is None or isinstance(stream, cls) else cls(stream, KNOWN)

    def write(self, text: str) -> int:
        self._stream.write(self._known.scrub_own(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
