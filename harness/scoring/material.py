"""What a run keeps of a call, as analysis takes it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.probes.places import asides_apart, asides_of
from harness.records.call import SAMPLE_RATE_HZ, CallRecord, Media
from harness.records.endings import ended_with_leave
from harness.runs.sound_file import RecordingFile
from harness.runs.store import RunStore

Samples = NDArray[np.float32]


def sides_of(recording: RecordingFile, media: Media | None = None) -> tuple[Samples, Samples]:
    """Both sides of a call's recording, the caller's first; without what came before the call was taken.

    Args:
        media: Of the call's record, which tells of that.
    """
    audio = recording.samples()
    if media is not None and media.early_until_s is not None:
        audio[: round(media.early_until_s * SAMPLE_RATE_HZ), 1] = 0.0
    return np.ascontiguousarray(audio[:, 0]), np.ascontiguousarray(audio[:, 1])


def call_material(store: RunStore, record: CallRecord) -> CallMaterial:
    """What a run keeps of a call beside its sound, for :func:`harness.analysis.call.analyse`."""
    call_id = record.plan.call_id
    sent, received = store.read_packets(call_id)
    return CallMaterial(
        call_id=call_id,
        utterances=asides_apart(record.utterances, record.plan.probe, record.plan.script),
        gaps=record.gaps,
        events=store.read_events(call_id),
        sent=sent,
        received=received,
        end_s=record.duration_s,
        language=record.plan.language,
        seed=record.plan.seed,
        probe=record.plan.probe,
        asides=asides_of(record.plan.script, record.plan.probe),
        noise=record.plan.conditions.noise,
        caller_is_checked=record.plan.task is not None,
        ending=Ending(
            status=record.status,
            reason=record.end_reason,
            with_leave=ended_with_leave(record),
            patience_s=record.plan.limits.silence_s,
        ),
    )
