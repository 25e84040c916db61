"""What became of each ring of a run in which the agent calls: a row a ring, and one an entry without any."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from harness.records.call import CallStatus
from harness.records.placed.rings import RINGS_FILE, RingRecord, RingStatus, read_rings
from harness.reports.parts.formats import day
from harness.runs.reader import Problem, RunFiles
from spoken_language.outside_text import one_line

MOST_SHOWN = 200
"""Rows; the counts are of all."""
NEVER_RUNG = "never rung"
MEANINGS: dict[str, str] = {
    RingStatus.TAKEN: "picked up: the call of its entry",
    RingStatus.AS_PLANNED: "declined, busy or not picked up, because the plan says so",
    RingStatus.HUNG_UP_RINGING: "the agent gave up before anybody picked up",
    RingStatus.RANG_TWICE: "refused: its entry has had its call",
    RingStatus.TWO_AT_ONCE: "refused: another call for its entry rang or stood",
    RingStatus.UNKNOWN_NUMBER: "refused: no entry has that number",
    RingStatus.UNWANTED_ADDRESS: "refused: not from where the agent calls",
    RingStatus.UNWANTED_CREDENTIALS: "refused: without the user and password that are wanted",
    RingStatus.NO_CALL: "no call could be made of it",
    NEVER_RUNG: "nobody rang for the entry in its time",
}


@dataclass(frozen=True, kw_only=True)
class RingLine:
    """One row. ``entry``: of the run; ``linked``: whether the page has its call."""

    at: str
    became: str
    meaning: str
    caller: str
    number: str
    entry: str
    linked: bool
    code: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class Rings:
    """All rows, at most :data:`MOST_SHOWN`.

    Attributes:
        counted: What became of them -> how many, the most frequent first.
        left_out: Rows that are not shown.
    """

    counted: tuple[tuple[str, int], ...]
    lines: tuple[RingLine, ...]
    left_out: int


def rings_of(files: RunFiles, problems: list[Problem]) -> Rings | None:
    """None for a run that was not called. What of the file cannot be used is added to ``problems``."""
    rings: list[RingRecord] = []
    try:
        rings, unusable = read_rings(files.folder)
        if unusable:
            problems.append(Problem(file=RINGS_FILE, what=f"{unusable} lines are not rings; left out"))
    except OSError as error:
        problems.append(Problem(file=RINGS_FILE, what=f"cannot be read: {error.strerror or error}"[:300]))
    ids = {call.call_id for call in files.calls}
    lines = [_line(ring, ids) for ring in rings]
    for call in files.calls:
        if call.record is not None and call.record.status is CallStatus.NEVER_RUNG:
            lines.append(_never(call.call_id, call.record.status_detail))
    if not lines:
        return None
    return Rings(
        counted=tuple(Counter(line.became for line in lines).most_common()),
        lines=tuple(lines[:MOST_SHOWN]),
        left_out=max(0, len(lines) - MOST_SHOWN),
    )


def _line(ring: RingRecord, ids: set[str]) -> RingLine:
    where = f" ({ring.source})" if ring.source else ""
    return RingLine(
        at=one_line(day(ring.at), most=60),
        became=str(ring.status),
        meaning=MEANINGS[ring.status],
        caller=one_line(f"{ring.caller}{where}", most=300),
        number=one_line(ring.number, most=100),
        entry=one_line(ring.entry, most=100),
        linked=ring.entry in ids,
        code="" if ring.code is None else str(ring.code),
        detail=one_line(ring.detail, most=300),
    )


def _never(call_id: str, detail: str) -> RingLine:
    return RingLine(
        at="",
        became=NEVER_RUNG,
        meaning=MEANINGS[NEVER_RUNG],
        caller="",
        number="",
        entry=call_id,
        linked=True,
        code="",
        detail=one_line(detail, most=300),
    )
