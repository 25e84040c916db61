"""``RUN/placings.jsonl``: when each call was dialled, where, beside how many others, and how that ended.

One line a thing that happened, in order, written while the run goes on; only runs of several calls at once
have it. A line ``began`` begins a start of the run: ``t_s`` counts from there. A call that was ``dialled``
and neither ``ended`` nor has a record was under way when whatever placed it was killed: who places it again
says so in its record.

- ``began``: ``detail`` says how many were asked for, in how many processes.
- ``dialled``, ``over`` (it stands no more), ``ended`` (it is kept; ``detail``: its status), ``lost`` (the
  process or the machine that placed it has gone): of a ``call``.
- ``pacing``: how punctual our senders were, with so many calls ``standing``: lateness of frames (p95) over
  the two seconds before, in the process that was worst; and how long after an agent's end its words were
  understood (p95 over a quarter of a minute), where callers need words.
- ``limit``: the host has found how many calls it carries; ``standing`` is that number.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from harness._files.json_file import BadJson, parse_json
from harness._files.outside_file import read_bytes
from harness.records.base import FileModel, Seconds

PLACINGS_FILE = "placings.jsonl"
MAX_BYTES = 200_000_000


class Placing(FileModel):
    """One line.

    Attributes:
        t_s: Since the start of the run that it belongs to began.
        at: Of ``began`` and ``dialled``, for people (UTC).
        host: Which machine, and which process there.
        standing: Calls that were dialled and had not ended, this one counted.
    """

    t_s: Seconds
    what: Literal["began", "dialled", "over", "ended", "lost", "pacing", "limit"]
    call: str = Field(default="", max_length=200)
    at: str = Field(default="", max_length=100)
    host: str = Field(default="", max_length=200)
    standing: int = Field(default=0, ge=0)
    late_p95_ms: float | None = None
    understood_p95_s: float | None = None
    detail: str = Field(default="", max_length=2000)


def read_placings(folder: Path) -> list[Placing]:
    """Of a run, in order; lines that cannot be read (the last one of a killed run) are left out.

    Raises:
        OSError: It cannot be read.
    """
    path = folder / PLACINGS_FILE
    if not path.is_file():
        return []
    placings = []
    for line in io.BytesIO(read_bytes(path, max_bytes=MAX_BYTES, within=folder)):
        try:
            placings.append(Placing.model_validate(parse_json(line)))
        except (BadJson, ValidationError):
            continue
    return placings


def under_way(placings: list[Placing]) -> dict[str, Placing]:
    """Call -> its last dial, of those that were dialled and never ended."""
    dialled: dict[str, Placing] = {}
    for placing in placings:
        if placing.what == "dialled":
            dialled[placing.call] = placing
        elif placing.what in ("ended", "lost"):
            dialled.pop(placing.call, None)
    return dialled
