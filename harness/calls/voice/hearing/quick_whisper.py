"""Whisper for a person who has to answer: a stretch of speech to words in a fraction of a second.

:class:`metrics.transcript.Transcriber` is for scores: five beams, word times, thirty seconds of encoder at a
time. This one decodes greedily and encodes no more than the stretch and a little silence. Nothing is
scored from it; it is what the simulated caller understands.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metrics.chinese_script import to_simplified
from metrics.recognition.whisper.guards import invention_reason, silence_reason
from metrics.recognition.whisper.short_window import ShortWindow
from metrics.resample import SPEECH_RATE_HZ

_TOKENS_PER_S = 20


class QuickTranscriber:
    """A Whisper model that was loaded once. Not for use by several threads at a time.

    Args:
        model_folder: faster-whisper's ``model.bin``, ``config.json``, ``tokenizer.json``.
        threads: CPU threads.
    """

    def __init__(self, model_folder: Path, *, threads: int = 1) -> None:
        self._model = ShortWindow(
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
