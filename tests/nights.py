"""Calls of made nights, in memory: latencies as they are wanted, no sound, no files."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from harness.plans.task import TaskPlan
from harness.records.call import CallRecord, CallStatus, Event
from harness.records.scores import CallScores, Transcript
from harness.records.verdict import AfterCall
from harness.runs.reader import CallFiles
from harness.scoring.gates.held_to import HeldCall
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status
from tests.report.make_run import MadeCall, Said, answered, record_of, scores_of, transcript_of


def night_call(
    id_: str,
    latencies_ms: Sequence[float | None] = (800.0,),
    *,
    status: CallStatus = CallStatus.COMPLETED,
    detail: str = "the caller said its last line and hung up",
    says: Sequence[str] = (),
    task: TaskPlan | None = None,
    **more: Any,
) -> MadeCall:
    """A call in which each line is answered after so long; None: not at all.

    Args:
        says: What the agent says to each line; default: that it is fine.
    """
    said: list[Said] = []
    turns = []
    clock = 1.0
    for index, latency_ms in enumerate(latencies_ms):
        begin, end = clock, clock + 1.0
        said.append(Said(side="caller", start_s=begin, end_s=end, text=f"Line number {index + 1}."))
        if latency_ms is None:
            turns.append(
                answered(index, (begin, end), (end, end)).model_copy(
                    update={
                        "status": Status.NOT_APPLICABLE,
                        "latency_ms": None,
                        "reason": "not answered",
                        "outcome": TurnOutcome.NOT_ANSWERED,
                        "waited_ms": 15_000.0,
                    }
                )
            )
            clock = end + 15.0
            continue
        onset = end + latency_ms / 1000
        text = says[index] if index < len(says) else "That is fine."
        said.append(Said(side="agent", start_s=onset, end_s=onset + 1.0, text=text))
        turns.append(answered(index, (begin, end), (onset, onset + 1.0)))
        clock = onset + 1.5
    if status is CallStatus.SETUP_FAILED:
        return MadeCall(id=id_, status=status, detail=detail, duration_s=0.1, scored=False)
    made = {"duration_s": clock, "said": said, "turns": turns, "task": task} | more
    return MadeCall(id=id_, status=status, detail=detail, **made)


def held(call: MadeCall, *, events: Sequence[Event] = (), after: AfterCall | None = None) -> HeldCall:
    """A call as gates look at it."""
    record, scores, transcript = _written(pickle.dumps(call))
    files = CallFiles(
        call_id=call.id,
        record=record,
        scores=scores,
        transcript=transcript,
        events=tuple(events),
        audio=None,
        problems=(),
    )
    return HeldCall(record=record, files=files, after=after)


@lru_cache(maxsize=4096)
def _written(pickled: bytes) -> tuple[CallRecord, CallScores | None, Transcript | None]:
    """Kept: the same calls are held to one gate after the other, and to make them takes longer than that."""
    call: MadeCall = pickle.loads(pickled)
    if not call.scored:
        return record_of(call), None, None
    return record_of(call), scores_of(call), transcript_of(call)
