"""Where somebody speaks; see :mod:`metrics.speech` for what counts as an edge."""

from __future__ import annotations

from metrics import speech
from metrics.audio import Audio
from metrics.spans import Span


def detect_speech(
    audio: Audio, *, present: Span | None = None, absent: tuple[Span, ...] = ()
) -> speech.SpeechActivity:
    """Finds the speech in one side of a call: ``.talks`` has each stretch, with its edges to the sample.

    Args:
        present: Where the side sent audio at all; None: everywhere. The noise floor is taken from there.
        absent: Stretches inside it that never arrived.
    """
    return speech.detect_speech(audio.samples, audio.sample_rate_hz, present=present, absent=absent)
