"""Scores a sound file from anywhere: a stereo recording of a call, or a single clip of one voice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from harness.analysis.analysed_call import AnalysedCall, CallMaterial, Need
from harness.analysis.call import analyse, utterances_in
from harness.analysis.instruments import Instruments
from harness.analysis.listener import Listener
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import found, measures
from harness.analysis.sound.artefact_clips import artefacts_in
from harness.analysis.voice import clip_quality, predict_clip, rate_clip
from harness.analysis.words import clip_lines
from harness.errors import UserError
from harness.records.call import SAMPLE_RATE_HZ, SpokenUtterance
from harness.records.scores import CalibrationNote, CallScores, Transcript
from harness.runs.sound_file import Sound, read_audio_file
from harness.scoring.summary import pooled
from metrics.resample import to_speech_rate
from metrics.score import Score
from metrics.spans import Span
from metrics.speech import detect_speech

Samples = NDArray[np.float32]

OF_A_VOICE = {Need.VOICE_RATING, Need.VOICE_PREDICTION, Need.VOICE_ARTEFACTS}
"""What a measure needs that a clip of one voice has."""


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
        artefacts=artefacts_in(audio, rate, [Span(start_s=0.0, end_s=len(audio) / rate)]),
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
