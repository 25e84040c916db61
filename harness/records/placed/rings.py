"""Who rang while a run waited to be called, and what became of each ring: ``RUN/rings.jsonl``.

One :class:`RingRecord` a line, in the order in which they were decided; a run that goes on appends. What a
caller says of itself is a stranger's, made harmless and bounded. The call that came of a ring, where one did,
is the entry's own (``calls/ID/call.json``).
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from pydantic import Field, ValidationError

from harness._files.json_file import BadJson, parse_json
from harness._files.outside_file import read_bytes
from harness.records.base import FileModel

RINGS_FILE = "rings.jsonl"
MAX_KEPT = 10_000
"""Lines; what rings after them is counted, and not kept."""
MAX_BYTES = 50_000_000


class RingStatus(StrEnum):
    """What became of one ring."""

    TAKEN = "taken"
    """Picked up: the entry's call."""
    AS_PLANNED = "as planned"
    """Declined, busy or not picked up, because the plan says so."""
    HUNG_UP_RINGING = "hung up while ringing"
    """The agent gave up before anybody could pick up."""
    RANG_TWICE = "rang twice"
    """For an entry that has had its call."""
    TWO_AT_ONCE = "two at once"
    """While another call for the same entry rang or stood; answered as busy."""
    UNKNOWN_NUMBER = "unknown number"
    """For a number, or with a header, that no entry has."""
    UNWANTED_ADDRESS = "unwanted address"
    """Not from where the agent is."""
    UNWANTED_CREDENTIALS = "unwanted credentials"
    """Without the user and password that are wanted."""
    NO_CALL = "no call"
    """No call could be made of it: no codec in common, no SDP, something that we do not speak."""


class RingRecord(FileModel):
    """One ring.

    Attributes:
        at: A label for people (UTC).
        entry: Id of the call that it was for; empty where it was for none.
        code: With which it was answered (SIP, RFC 3261, section 21); None where the call was given up.
        detail: For a person.
    """

    at: str
    status: RingStatus
    entry: str = ""
    caller: str = Field(default="", max_length=300)
    number: str = Field(default="", max_length=300)
    source: str = Field(default="", max_length=100)
    code: int | None = None
    detail: str = Field(default="", max_length=500)


class RingsFile:
    """Keeps rings as they come.

    Raises (:meth:`add`): OSError, where the file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / RINGS_FILE
        self.counts: Counter[RingStatus] = Counter()
        self._kept = 0

    def add(self, ring: RingRecord) -> None:
        """Counts a ring, and keeps it."""
        self.counts[ring.status] += 1
        if self._kept >= MAX_KEPT:
            return
        self._kept += 1
        with self._path.open("a", encoding="utf-8") as file:
            file.write(ring.model_dump_json(exclude_defaults=True) + "\n")


def read_rings(folder: Path) -> tuple[list[RingRecord], int]:
    """Of a run, in order, at most :data:`MAX_KEPT`; and how many lines cannot be read. None where no file is.

    Raises:
        OSError: It cannot be read, is no plain file, or larger than :data:`MAX_BYTES`.
    """
    path = folder / RINGS_FILE
    rings: list[RingRecord] = []
    unusable = 0
    if not path.is_file():
        return rings, unusable
    for line in io.BytesIO(read_bytes(path, max_bytes=MAX_BYTES, within=folder)):
        if len(rings) == MAX_KEPT:
            break
        try:
            if line.strip():
                rings.append(RingRecord.model_validate(parse_json(line)))
        except (BadJson, ValidationError):
            unusable += 1
    return rings, unusable


def told(counts: Iterable[tuple[RingStatus, int]]) -> str:
    """``3 taken, 1 rang twice``; empty where nobody rang."""
    return ", ".join(f"{count} {status}" for status, count in sorted(counts) if count)
