"""A row an answer of one call: its measured latency as a bar, in the parts that the agent tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.records.scores import TurnTold
from harness.records.scores.told import Part
from harness.reports.parts.formats import clock, with_unit
from harness.reports.parts.marks import turn_anchor

PART_WORDS: dict[Part, str] = {"end_of_turn": "end of turn", "model": "model", "voice": "voice"}
NOT_TOLD = "not told"


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A piece of a bar, in percent of the longest answer of the call. ``kind`` is a part, or ``untold``."""

    kind: str
    x: float
    width: float


@dataclass(frozen=True, kw_only=True)
class ToldRow:
    """``anchor`` is the turn's row, where its own figure and error bar stand."""

    anchor: str
    time: str
    play_s: float
    measured: str
    segments: tuple[Segment, ...]
    told: str
    notes: tuple[str, ...]


def told_rows(call_id: str, told: Sequence[TurnTold]) -> tuple[ToldRow, ...]:
    """The rows of a call; none where the agent tells nothing of any answer."""
    if not any(one.basis for one in told):
        return ()
    longest_ms = max(one.measured_ms for one in told)
    return tuple(_row(call_id, one, longest_ms) for one in told)


def _row(call_id: str, one: TurnTold, longest_ms: float) -> ToldRow:
    shares = [(str(name), PART_WORDS[name], took_ms) for name, took_ms in one.told_ms.items()]
    if one.not_told_ms is not None:
        shares.append(("untold", NOT_TOLD, one.not_told_ms))
    bar = shares or [("untold", NOT_TOLD, one.measured_ms)]
    return ToldRow(
        anchor=turn_anchor(call_id, one.index),
        time=clock(one.start_s),
        play_s=max(0.0, round(one.start_s, 3)),
        measured=with_unit(one.measured_ms, "ms"),
        segments=tuple(_segments([(kind, took_ms) for kind, _, took_ms in bar], longest_ms)),
        told=" · ".join(f"{words} {with_unit(took_ms, 'ms')}" for _, words, took_ms in shares),
        notes=(one.contradiction,) if one.contradiction else tuple(dict.fromkeys(one.why_not.values())),
    )


def _segments(parts: Sequence[tuple[str, float]], longest_ms: float) -> list[Segment]:
    """Nothing is drawn of what is below 0, and nothing beyond what was measured."""
    found = []
    reached = 0.0
    for kind, took_ms in parts:
        width = min(100 * max(0.0, took_ms) / longest_ms, 100 - reached)
        if width > 0:
            found.append(Segment(kind=kind, x=round(reached, 3), width=round(width, 3)))
        reached += width
    return found
