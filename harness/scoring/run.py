"""Scores what is on disk: a run of ours, a stereo call recording from anywhere, or a single clip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from harness.analysis.analysed_call import AnalysedCall, CallMaterial, Need
from harness.analysis.call import analyse, scorable, utterances_in
from harness.analysis.instruments import Instruments
from harness.analysis.listener import Listener
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import found, measures
from harness.analysis.voice import clip_quality, predict_clip, rate_clip
from harness.analysis.words import clip_lines
from harness.errors import UserError
from harness.judging.judges import JudgeChoice
from harness.records.call import SAMPLE_RATE_HZ, CallRecord, SpokenUtterance
from harness.records.scores import (
    CalibrationNote,
    CallScores,
    DialogueScores,
    Summary,
    Transcript,
)
from harness.records.scores.listening import Listened
from harness.runs.elsewhere.calibration_file import calibration_of
from harness.runs.guard import guard_run
from harness.runs.reader import read_run
from harness.runs.sound_file import Sound, read_audio_file
from harness.runs.store import RunStore
from harness.scoring.beside import HeardBeside, Order, hear_beside, processes_for
from harness.scoring.guilty_aside import summarize_guarded
from harness.scoring.hear_call import hear_call
from harness.scoring.material import call_material, sides_of
from harness.scoring.reused_work import AudioReuse
from harness.scoring.score_dialogues import score_call_texts
from harness.scoring.summary import pooled
from metrics.resample import to_speech_rate
from metrics.score import Score
from metrics.speech import detect_speech

Samples = NDArray[np.float32]

OF_A_VOICE = {Need.VOICE_RATING, Need.VOICE_PREDICTION}
"""What a measure needs that a clip of one voice has."""
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


@dataclass(frozen=True, kw_only=True)
class RecordingScores:
    """What a recording from elsewhere gives. ``kind`` is ``stereo`` (a call) or ``mono`` (a clip).

    Attributes:
        cut: How the file was cut off; empty where it is whole.
        utterances: Of the caller in a call, as the detectors found them.
    """

    source: str
    kind: str
    cut: str
    utterances: tuple[SpokenUtterance, ...] = ()
    metrics: dict[str, Score]
    scores: CallScores
    transcript: Transcript


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
        UserError: The folder is no run, or holds no complete call.
    """
    run = read_run(store.folder)
    records = [call.record for call in run.calls if call.record is not None]
    if not records:
        raise UserError(f"{store.folder}: no call of this run is complete; nothing to score")
    earlier = {call.call_id: call.scores.text for call in run.calls if call.scores is not None}
    rated = {call.call_id: call.scores.listening for call in run.calls if call.scores is not None}
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
        recording = store.recording(call_id)
        if recording is None:
            continue
        if told := recording.cut:
            cut[call_id] = told
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
        # Should this be cut off, earlier judgements are still there.
        scores = scores.model_copy(
            update={
                "text": earlier.get(call_id),
                "listening": still_rated(rated.get(call_id), recording.sha256),
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
        for record in records
    ]
    on_progress(f"listening to {len(orders)} calls, {many} at a time")
    return hear_beside(
        orders,
        processes=many,
        hear=hear_call,
        on_heard=lambda call_id, done, n: on_progress(f"listened to {call_id} ({done} of {n})"),
    )


def still_rated(listened: Listened | None, recording_sha256: str) -> Listened | None:
    """What people said of a call, where its recording is the one that they heard."""
    return listened if listened is not None and listened.recording_sha256 == recording_sha256 else None


def score_recording(
    path: Path, *, instruments: Instruments, language: str, caller_is_left: bool
) -> RecordingScores:
    """Scores a sound file: with two channels as a call, with one as a clip of one voice.

    Raises:
        UserError: It cannot be read, is too short, or has more than two channels.
    """
    sound = read_audio_file(path)
    audio, rate = sound.samples, sound.sample_rate_hz
    if audio.shape[1] == 1:
        return _score_clip(path, sound, instruments=instruments, language=language)
    if audio.shape[1] != 2:
        raise UserError(
            f"{path}: {audio.shape[1]} channels; a call has two (caller, agent) and a clip has one"
        )
    caller, agent = (audio[:, 0], audio[:, 1]) if caller_is_left else (audio[:, 1], audio[:, 0])
    caller, agent = at_call_rate(caller, rate), at_call_rate(agent, rate)
    listener = Listener(lambda: (caller, agent), instruments=instruments)
    utterances = utterances_in(listener.activity("caller"), listener.activity("agent"))
    note = CalibrationNote(
        transport="recording",
        not_calibrated="a recording from elsewhere: how its two channels were aligned is not known to us",
    )
    scores, transcript = analyse(
        CallMaterial(
            call_id=path.stem,
            utterances=utterances,
            utterances_known=False,
            end_s=len(agent) / SAMPLE_RATE_HZ,
            language=language,
        ),
        listener=listener,
        calibration=note,
    )
    return RecordingScores(
        source=str(path),
        kind="stereo",
        cut=sound.cut,
        utterances=tuple(utterances),
        metrics=pooled([ScoredCall(scores=scores)]),
        scores=scores,
        transcript=transcript,
    )


def _score_clip(path: Path, sound: Sound, *, instruments: Instruments, language: str) -> RecordingScores:
    audio, rate = sound.samples[:, 0], sound.sample_rate_hz
    rated, why = rate_clip(audio, rate, instruments=instruments)
    lines = []
    whisper = instruments.whisper
    if whisper is not None and 8_000 <= rate <= 192_000:
        narrow = to_speech_rate(audio, rate)
        activity = detect_speech(audio, rate)
        heard = whisper.transcribe(narrow, language, spans=[talk.span for talk in activity.talks])
        lines = clip_lines(heard)
    predicted, why_not = predict_clip(audio, rate, instruments=instruments)
    clip = AnalysedCall(
        material=CallMaterial(call_id=path.stem, utterances=()),
        rated=rated,
        predicted=predicted,
        why_no_rating=why,
        why_no_prediction=why_not,
    )
    # A clip has one voice: nothing of a conversation can be in it, and nothing of that kind is listed.
    of_a_voice = [one for one in measures() if one.entry.needs and OF_A_VOICE.issuperset(one.entry.needs)]
    scores = CallScores(
        call_id=path.stem,
        clips=[clip_quality(one) for one in rated or ()],
        scores=[found(measure, clip).score for measure in of_a_voice],
    )
    metrics = {measure.entry.name: measure.pool([ScoredCall(scores=scores)]) for measure in of_a_voice}
    return RecordingScores(
        source=str(path),
        kind="mono",
        cut=sound.cut,
        metrics=metrics,
        scores=scores,
        transcript=Transcript(lines=lines),
    )


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


def at_call_rate(audio: Samples, rate: int) -> Samples:
    """A channel of a recording from elsewhere, at 48 kHz.

    Raises:
        UserError: Its rate is none of speech.
    """
    if rate == SAMPLE_RATE_HZ:
        return np.ascontiguousarray(audio)
    if not 8_000 <= rate <= 192_000:
        raise UserError(f"a sampling rate of {rate} Hz is no speech recording (8000 to 192000)")
    divisor = int(np.gcd(rate, SAMPLE_RATE_HZ))
    return np.asarray(resample_poly(audio, SAMPLE_RATE_HZ // divisor, rate // divisor), dtype=np.float32)
