"""Places the calls of the chosen rows, and holds what a run would report of them to the agent's log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.call import analyse
from harness.analysis.instruments import Instruments
from harness.analysis.listener import Listener, Samples
from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.recorder import Recording
from harness.records.call import SAMPLE_RATE_HZ, CallStatus, Side
from harness.records.scores import CalibrationNote, CallScores
from harness.selfcheck.calibration.design import CalibrationCall
from harness.selfcheck.calibration.hostile.design import calls_of, row_of
from harness.selfcheck.calibration.hostile.figures import Figure, figures_of
from harness.selfcheck.calibration.hostile.rows import Row
from harness.selfcheck.calibration.hostile.verdict import RowResult
from harness.selfcheck.calibration.run import PlacedCall, place_all
from harness.transports.base import Transport
from harness.transports.by_scheme import transport_name
from metrics.spans import Span
from metrics.speech import SpeechActivity, detect_speech
from metrics.transcript import Transcript as Heard

ROWS_AT_A_TIME = 6
"""Placed before what was placed is measured: recordings are large, and nothing is measured beside a call."""
TRIES = 3
"""A call that this machine spoilt is placed again: our sender was late, or the agent was."""
AGENT_LATE_MS = 3.0
"""Where more than a twentieth of the agent's packets left this much later than its clock was told, the
machine was too busy for the agent: the row would not be what it is called."""
EXACT_RESPONSE_MS, EXACT_INTERRUPTION_MS = 1.0, 3.0
"""The error of our own with an honest clock, as the calibration is held to it. Not the stored one: the table
must come out the same on a machine that was never calibrated, where ±20 ms are assumed and forgive a lot."""


@dataclass(kw_only=True)
class _Gathered:
    row: Row
    figures: list[Figure] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def try_rows(
    rows: Sequence[Row],
    *,
    agent: str,
    transport: Transport,
    at_once: int,
    seed: int,
    on_placed: Callable[[CalibrationCall, Held], None],
) -> Iterator[RowResult]:
    """Gives the result of each row, some rows at a time.

    Args:
        agent: Address of the calibration agent.
        at_once: Calls at the same time, of whatever rows.
        on_placed: Called after each call, for progress.
    """
    for first in range(0, len(rows), ROWS_AT_A_TIME):
        gathered = {row.name: _Gathered(row=row) for row in rows[first : first + ROWS_AT_A_TIME]}
        calls = [call for one in gathered.values() for call in calls_of(one.row, agent=agent, seed=seed)]
        # The longer ones first, so that none is left alone at the end.
        calls.sort(key=lambda call: call.sound == "marker")
        for placed in asyncio.run(_placed(calls, transport, at_once, on_placed)):
            _measure(placed, gathered[row_of(placed.call.plan.call_id)])
        for one in gathered.values():
            yield RowResult(row=one.row, figures=one.figures, faults=one.faults)


async def _placed(
    calls: Sequence[CalibrationCall],
    transport: Transport,
    at_once: int,
    on_placed: Callable[[CalibrationCall, Held], None],
) -> list[PlacedCall]:
    done: list[PlacedCall] = []
    waiting = list(calls)
    async with Ears() as ears:
        for _ in range(TRIES):
            placed = await place_all(
                waiting, transport=transport, at_once=at_once, ears=ears, on_placed=on_placed
            )
            spoilt = [one for one in placed if spoilt_by_us(one)]
            done += [one for one in placed if one not in spoilt]
            waiting = [one.call for one in spoilt]
            if not waiting:
                return done
    return [*done, *spoilt]


def spoilt_by_us(placed: PlacedCall) -> str:
    """How the call was spoilt on this machine; empty where it was not. What was measured has no say in it."""
    record = placed.held.record
    if record.status is CallStatus.HARNESS_FAULT:
        return f"{record.status}: {record.status_detail}"
    late_ms = placed.truth["late_ms"].get("p95", 0.0)
    if late_ms > AGENT_LATE_MS:
        return f"the agent's packets left late by {late_ms:.1f} ms (p95): the machine is too busy"
    return ""


def _measure(placed: PlacedCall, into: _Gathered) -> None:
    record = placed.held.record
    if why := spoilt_by_us(placed):
        into.faults.append(f"{record.plan.call_id}: {why}")
    elif record.status is not CallStatus.COMPLETED:
        into.faults.append(f"{record.plan.call_id}: {record.status}: {record.status_detail}")
    if record.status is CallStatus.HARNESS_FAULT or placed.held.recording is None:
        return
    scores = reported(placed.held, placed.held.recording, call=placed.call)
    into.figures += figures_of(scores, placed.truth, zero_s=placed.held.clock.zero_ns / 1e9)


def reported(held: Held, recording: Recording, *, call: CalibrationCall) -> CallScores:
    """What a run keeps of the call's timing; that an agent speaks in tones need not be found out."""
    record = held.record
    scores, _ = analyse(
        CallMaterial(
            call_id=record.plan.call_id,
            utterances=record.utterances,
            gaps=recording.gaps,
            events=held.events,
            sent=recording.sent,
            received=recording.received,
            end_s=record.duration_s,
            language=record.plan.language,
            seed=record.plan.seed,
        ),
        listener=_TimingOnly(recording, tones=call.sound == "marker"),
        calibration=CalibrationNote(
            transport=transport_name(call.plan.agent),
            response_p95_ms=EXACT_RESPONSE_MS,
            interruption_p95_ms=EXACT_INTERRUPTION_MS,
        ),
    )
    return scores


class _TimingOnly(Listener):
    """Hears when somebody speaks, and neither words nor voices."""

    def __init__(self, recording: Recording, *, tones: bool) -> None:
        def sides() -> tuple[Samples, Samples]:
            audio = recording.audio
            return np.ascontiguousarray(audio[:, 0]), np.ascontiguousarray(audio[:, 1])

        super().__init__(sides, instruments=Instruments())
        self._tones = tones

    def activity(
        self, side: Side, *, present: Span | None = None, absent: Sequence[Span] = ()
    ) -> SpeechActivity:
        return detect_speech(
            self.sound(side),
            SAMPLE_RATE_HZ,
            present=present,
            absent=tuple(absent),
            marker_tones=self._tones and side == "agent",
        )

    def words(self, side: Side, spans: Sequence[Span], language: str, *, wanted: bool = True) -> Heard | None:
        return None

    def ratings(self, spans: Sequence[Span]) -> None:
        return None

    def predictions(self, spans: Sequence[Span]) -> None:
        return None
