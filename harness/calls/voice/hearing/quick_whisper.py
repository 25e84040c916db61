"""Whisper for a person who has to answer: a stretch of speech to words in a fraction of a second.

:class:`metrics.transcript.Transcriber` is for scores: five beams, word times, thirty seconds of encoder for
every clip. This one decodes greedily and encodes no more than the stretch and a little silence. Nothing is
scored from it; it is what the simulated caller understands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from faster_whisper import WhisperModel
from numpy.typing import NDArray

from metrics.chinese_script import to_simplified
from metrics.recognition.whisper_guards import invention_reason, silence_reason
from metrics.resample import SPEECH_RATE_HZ

LEAST_WINDOW_FRAMES = 1000
PADDING_FRAMES = 400
"""In Whisper's 10 ms frames. With 50 frames of silence behind a short stretch it begins to repeat itself."""
_TOKENS_PER_S = 20


class QuickTranscriber:
    """A Whisper model that was loaded once. Not for use by several threads at a time.

    Args:
        model_folder: faster-whisper's ``model.bin``, ``config.json``, ``tokenizer.json``.
        threads: CPU threads.
    """

    def __init__(self, model_folder: Path, *, threads: int = 1) -> None:
        self._model = _ShortWindow(
            str(model_folder), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True
        )

    def transcribe(self, audio: NDArray[np.float32], language: str) -> str:
        """What is said in a stretch of at most 30 s at 16 kHz; empty where nothing can be believed."""
        if silence_reason(audio):
            return ""
        segments, _ = self._model.transcribe(
            audio,
            language=language,
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=True,
            vad_filter=False,
            # Applied below; here they would make Whisper try again with sampling.
            no_speech_threshold=None,
            log_prob_threshold=None,
            compression_ratio_threshold=None,
            max_new_tokens=min(400, round(24 + _TOKENS_PER_S * len(audio) / SPEECH_RATE_HZ)),
        )
        said = [
            segment.text.strip()
            for segment in segments
            if not invention_reason(
                no_speech=segment.no_speech_prob,
                log_probability=segment.avg_logprob,
                compression_ratio=segment.compression_ratio,
            )
        ]
        text = ("" if language == "zh" else " ").join(said).strip()
        return to_simplified(text) if language == "zh" else text


class _ShortWindow(WhisperModel):  # type: ignore[misc]  # faster-whisper has no types
    """Encodes the speech and some silence, not always 30 s: the same words, a quarter of the work."""

    def encode(self, features: NDArray[np.float32]) -> Any:
        filled = np.flatnonzero(features.any(axis=0))
        speech_frames = int(filled[-1]) + 1 if len(filled) else 0
        # The encoder halves the rate, so the number of frames must be even.
        frames = max(LEAST_WINDOW_FRAMES, (speech_frames + 1) // 2 * 2 + PADDING_FRAMES)
        return super().encode(np.ascontiguousarray(features[..., :frames]))
