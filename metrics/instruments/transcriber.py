"""What somebody says; see :mod:`metrics.transcript` for what of Whisper's answers is believed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from metrics import transcript
from metrics.audio import Audio
from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span
from metrics.speech import detect_speech


class Transcriber:
    """A Whisper model that was loaded once. Not for use by several threads at a time.

    Args:
        model_folder: With faster-whisper's ``model.bin``, ``config.json`` and ``tokenizer.json``.
        language: Spoken language (``en``, ``zh``) where :meth:`transcribe` is told none; None: detected.
        threads: CPU threads.

    Raises:
        TranscriberError: The folder has no such model, or it does not load.
    """

    def __init__(self, model_folder: str | Path, *, language: str | None = None, threads: int = 2) -> None:
        self._whisper = transcript.Transcriber(Path(model_folder), language=language, threads=threads)

    def transcribe(
        self, audio: Audio, language: str | None = None, *, spans: Sequence[Span] | None = None
    ) -> transcript.Transcript:
        """The words of one side of a call, with their times.

        Args:
            language: As in the constructor, for this audio.
            spans: Where somebody speaks; None: where :func:`metrics.detect_speech` hears speech.
        """
        if spans is None:
            activity = detect_speech(audio.samples, audio.sample_rate_hz)
            spans = [talk.span for talk in activity.talks]
        narrow = audio.resampled(SPEECH_RATE_HZ)
        return self._whisper.transcribe(narrow.samples, language, spans=spans)
