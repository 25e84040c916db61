"""The run's table of where the time went: a row a part, each with its n, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.reports.parts.figures import Figure
from harness.reports.parts.formats import clock, count, with_unit
from harness.reports.parts.marks import turn_anchor
from harness.runs.reader import CallFiles

PARTS = ("told_end_of_turn_ms", "told_model_ms", "told_voice_ms")
REST = "not_told_ms"
MAX_PLACES = 100


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """An answer whose claims cannot be true; ``anchor`` is its turn's row."""

    call_id: str
    anchor: str
    time: str
    measured: str
    what: str


@dataclass(frozen=True, kw_only=True)
class ToldTable:
    """What the page says of a run.

    Attributes:
        answers: "12 answers", those with a latency above 0.
        figures: A row each; one without a value says why.
        contradictions: At most :data:`MAX_PLACES`; ``left_out`` more.
    """

    answers: str
    figures: tuple[Figure, ...]
    contradictions: tuple[Contradiction, ...]
    left_out: int


def told_table(calls: Sequence[CallFiles], shown: Sequence[Figure]) -> ToldTable | None:
    """None where no agent tells anything.

    Args:
        calls: Without those that are set aside because our own caller was at fault.
        shown: The run's figures, see :func:`harness.reports.parts.figures.figures`.
    """
    told = [
        (call.call_id, one)
        for call in calls
        if call.scores and call.record and call.record.status.took_place
        for one in call.scores.told
    ]
    if not any(one.basis for _, one in told):
        return None
    contradictions = [
        Contradiction(
            call_id=call_id,
            anchor=turn_anchor(call_id, one.index),
            time=clock(one.start_s),
            measured=with_unit(one.measured_ms, "ms"),
            what=one.contradiction,
        )
        for call_id, one in told
        if one.contradiction
    ]
    by_name = {figure.name: figure for figure in shown}
    return ToldTable(
        answers=count(len(told), "answer"),
        figures=tuple(by_name[name] for name in (*PARTS, REST) if name in by_name),
        contradictions=tuple(contradictions[:MAX_PLACES]),
        left_out=max(0, len(contradictions) - MAX_PLACES),
    )
