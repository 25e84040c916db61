"""Scores a run of ours: every call by its sound and words, the words by a judge, and the figures of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from harness.analysis.cache import ANALYSIS_FILE
from harness.analysis.call import analyse, scorable
from harness.analysis.instruments import Instruments
from harness.analysis.listener import CALLER_LEFT_OUT, Listener
from harness.errors import UserError
from harness.judging.judges import JudgeChoice
from harness.records.call import CallRecord
from harness.records.scores import (
    CallScores,
    DialogueScores,
    Summary,
)
from harness.records.scores.listening import Listened
from harness.runs.elsewhere.calibration_file import calibration_of
from harness.runs.guard import guard_run
from harness.runs.reader import read_run
from harness.runs.store import RunStore
from harness.scoring.beside import HeardBeside, Order, hear_beside, processes_for
from harness.scoring.guilty_aside import summarize_guarded
from harness.scoring.material import call_material, sides_of
from harness.scoring.reused_work import AudioReuse
from harness.scoring.score_dialogues import score_call_texts
from metrics.score import Status

Samples = NDArray[np.float32]

Progress = Callable[[str], None]
"""Called with what is being done."""


@dataclass(frozen=True, kw_only=True)
class RunScores:
    """The figures of a run, and how much of its sound had been listened to before.

    Attributes:
        cut: Recordings that hold less than their headers promise: call id -> how they were cut.
    """

    summary: Summary
    audio: AudioReuse
    cut: dict[str, str] = field(default_factory=dict)


def score_run(
    store: RunStore,
    *,
    instruments: Instruments,
    judge: JudgeChoice | None = None,
    on_progress: Progress,
    fresh: bool = False,
    processes: int | None = 1,
) -> RunScores:
    """Scores every complete call of a run and writes its figures and the run's summary.

    What the instruments heard in a recording is kept beside it, and used again as long as nothing that it
    depends on has changed.

    Args:
        fresh: Listen to every recording again.
        processes: That listen at the same time; None: as many as are worth it.

    Raises:
        UserError: The folder is no run, holds no complete call, or was pruned of sound and words.
    """
    run = read_run(store.folder)
    records = [call.record for call in run.calls if call.record is not None]
    if not records:
        raise UserError(f"{store.folder}: no call of this run is complete; nothing to score")
    run.check_not_pruned()
    standing = {call.call_id: call.scores for call in run.calls if call.scores is not None}
    earlier = {call_id: scores.text for call_id, scores in standing.items()}
    audio, cut = AudioReuse(), dict[str, str]()
    scored: list[CallScores] = []
    waiting = [record for record in records if scorable(record.status)]
    beside: HeardBeside | None = None
    stale = fresh
    for done, record in enumerate(waiting):
        call_id = record.plan.call_id
        if beside is None and (stale or not store.has_analysis(call_id)):
            beside = _heard_beside(store, waiting[done:], instruments, on_progress, fresh, processes)
            audio.problems += filter(None, [beside.problem])
        heard = None if beside is None else beside.calls.get(call_id)
        on_progress(f"scoring {call_id} ({done + 1} of {len(waiting)})")
        recording, before = store.recording(call_id), standing.get(call_id)
        if recording is None:
            if before is not None:
                folder = store.call_folder(call_id)
                audio.problems.append(
                    f"{folder}: its figures stay as they were: it has no recording any more"
                )
                scored.append(before)
            continue
        cache = store.analysis_cache(call_id, fresh=fresh and heard is None)
        listener = Listener(
            partial(sides_of, recording, record.media),
            instruments=instruments,
            recording_sha256=recording.sha256,
            cache=cache,
        )
        scores, transcript = analyse(
            call_material(store, record),
            listener=listener,
            calibration=calibration_of(store.call_folder(call_id), record),
        )
        if before is not None and (lost := would_be_lost(before, scores, listener)):
            told = f"{store.call_folder(call_id)}: its figures stay as they were: {lost}"
            audio.problems.append(told)
            scored.append(before)
            continue
        if told := recording.cut:
            cut[call_id] = told
        # Should this be cut off, earlier judgements are still there.
        scores = scores.model_copy(
            update={
                "text": earlier.get(call_id),
                "listening": still_rated(before.listening if before else None, recording.sha256),
            }
        )
        store.write_scores(call_id, scores, transcript, cache)
        # Where this one had to be listened to again, so have those behind it.
        stale = stale or (heard is None and listener.measured > 0)
        audio.add(listener, cache, heard)
        scored.append(scores)
    if "text" in instruments.only:
        scored = _judged(store, scored, earlier, judge or JudgeChoice(), on_progress)
    on_progress("writing the report")
    if run.info is not None:
        store.write_info(run.info.model_copy(update={"versions": run.info.versions | instruments.versions}))
    for _ in guard_run(store.folder):
        pass
    summary = summarize_guarded(store, records, scored, run=run.info.name if run.info else store.folder.name)
    store.write_summary(summary)
    return RunScores(summary=summary, audio=audio, cut=cut)


def would_be_lost(before: CallScores, now: CallScores, listener: Listener) -> str:
    """Why what was left out now would be missing from the figures of a call that has it; empty if none is."""
    measured = {one.metric for one in before.scores if one.status is Status.MEASURED}
    for kind in ("words", "sound"):
        why = listener.left_out(kind)
        reasons = (why, CALLER_LEFT_OUT) if kind == "words" else (why,)
        if why and any(
            one.metric in measured and any(reason in one.reason for reason in reasons) for one in now.scores
        ):
            return (
                f"{kind} that it has are not kept in {ANALYSIS_FILE}, or of other stretches than speak now; "
                "score it without --only"
            )
    return ""


def _heard_beside(
    store: RunStore,
    records: Sequence[CallRecord],
    instruments: Instruments,
    on_progress: Progress,
    fresh: bool,
    processes: int | None,
) -> HeardBeside:
    """What several processes hear, where that is worth it."""
    many = processes_for(sum(one.duration_s for one in records), only=instruments.only, asked=processes)
    many = min(many, len(records))
    if many < 2:
        return HeardBeside()
    orders = [
        Order(
            folder=store.folder,
            call_id=record.plan.call_id,
            only=instruments.only,
            caller_words=instruments.caller_words,
            threads=instruments.threads,
            fresh=fresh,
        )
        # The longest first: begun last, it would be heard by one process while the others have nothing to do.
        for record in sorted(records, key=lambda record: -record.duration_s)
    ]
    on_progress(f"listening to {len(orders)} calls, {many} at a time")
    return hear_beside(
        orders,
        processes=many,
        on_heard=lambda call_id, done, n: on_progress(f"listened to {call_id} ({done} of {n})"),
    )


def still_rated(listened: Listened | None, recording_sha256: str) -> Listened | None:
    """What people said of a call, where its recording is the one that they heard."""
    return listened if listened is not None and listened.recording_sha256 == recording_sha256 else None


def _judged(
    store: RunStore,
    scored: list[CallScores],
    earlier: Mapping[str, DialogueScores | None],
    judge: JudgeChoice,
    on_progress: Progress,
) -> list[CallScores]:
    """The scores with what the judge says now, and nothing of what it said before."""
    judged = score_call_texts(
        store,
        scored,
        judge,
        on_progress=lambda name, done, total: on_progress(f"judged {name} ({done} of {total})"),
    )
    return [_without_text(store, one) if one.text is earlier.get(one.call_id) else one for one in judged]


def _without_text(store: RunStore, scores: CallScores) -> CallScores:
    if scores.text is None:
        return scores
    bare = scores.model_copy(update={"text": None})
    store.write_scores_only(bare)
    return bare
