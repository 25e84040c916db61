"""Runs whose clips can be told apart by their words, times and sound, without any model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness.records.scores import CallScores, SpanSet, Transcript, TranscriptLine, TranscriptWord
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import summarize_guarded
from tests.unit.harness.stand_ins.recorded import recorded_call, run_of

TALKS = ((0.5, 3.0), (4.0, 6.5))
"""Seconds of the agent's speech in each call; each is a clip."""
RATE = 48_000


def rated_run(
    folder: Path, *call_ids: str, talks: Sequence[tuple[float, float]] = TALKS, words: str = ""
) -> RunStore:
    """A scored run. ``words``: what the recogniser heard in every talk."""
    store = run_of(folder, *call_ids)
    for number, call_id in enumerate(call_ids):
        held = recorded_call(call_id, text="Pardon?")
        assert held.recording is not None
        held.recording.audio[:, 1] = speech_like(number, talks, len(held.recording.audio))
        store.write(held)
        store.write_scores(call_id, scores_of(call_id, talks), transcript_of(words, talks))
    records = list(store.records())
    scored = [one for call_id in call_ids if (one := store.read_scores(call_id)) is not None]
    store.write_summary(summarize_guarded(store, records, scored, run=folder.name))
    return store


def scores_of(call_id: str, talks: Sequence[tuple[float, float]]) -> CallScores:
    spans = {name: list(talks) for name in ("energy", "silero", "webrtcvad")}
    return CallScores(call_id=call_id, spans=SpanSet(agent=spans))


def transcript_of(words: str, talks: Sequence[tuple[float, float]]) -> Transcript:
    lines = [
        TranscriptLine(
            side="agent",
            source="whisper",
            start_s=start_s,
            end_s=end_s,
            text=words,
            words=[
                TranscriptWord(word=word, start_s=start_s + 0.1 * n, end_s=start_s + 0.1 * n + 0.1)
                for n, word in enumerate(words.split())
            ],
        )
        for start_s, end_s in talks
    ]
    return Transcript(lines=lines)


def speech_like(seed: int, talks: Sequence[tuple[float, float]], length: int) -> np.ndarray:
    """Noise in syllables, louder in every call than in the one before."""
    audio = np.zeros(length, np.float32)
    drawn = np.random.default_rng(seed)
    for start_s, end_s in talks:
        at = np.arange(round(start_s * RATE), round(end_s * RATE))
        syllables = 0.55 + 0.45 * np.sin(2 * np.pi * 4 * at / RATE)
        audio[at] = 0.02 * (seed + 1) * syllables * drawn.standard_normal(len(at))
    return audio
