"""Whisper whose encoder hears the speech and some silence behind it, not always thirty seconds.

Whisper was trained on windows of thirty seconds and fills a shorter clip up with silence, which its encoder
then works through: for an utterance of three seconds, nine parts of ten. CTranslate2's encoder takes windows
of any even length. How far the words stay the same is measured by ``python -m bench.encoder_window``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from faster_whisper import WhisperModel
from numpy.typing import NDArray

WHOLE_WINDOW_FRAMES = 3000
"""Whisper's thirty seconds, in its frames of 10 ms."""
LEAST_WINDOW_FRAMES = 1000
PADDING_FRAMES = 400
"""Silence behind the speech. With 50 frames behind a short stretch Whisper begins to repeat itself."""


class ShortWindow(WhisperModel):  # type: ignore[misc]  # faster-whisper has no types
    """faster-whisper's model with a window as long as the clip, :data:`PADDING_FRAMES` and at least
    :data:`LEAST_WINDOW_FRAMES`.

    Attributes:
        least_frames: The shortest window; :data:`WHOLE_WINDOW_FRAMES` makes it Whisper as it was trained.
    """

    least_frames = LEAST_WINDOW_FRAMES

    def encode(self, features: NDArray[np.float32]) -> Any:
        """The encoder's output for ``(bands, frames)``, of which what is silence by filling up is left out
        as far as the window may be shorter."""
        # Filled-up frames are exactly zero in every band, which those of a sound never are.
        filled = np.flatnonzero(features.any(axis=0))
        speech_frames = int(filled[-1]) + 1 if len(filled) else 0
        # The encoder halves the rate, so the number of frames must be even.
        frames = max(self.least_frames, (speech_frames + 1) // 2 * 2 + PADDING_FRAMES)
        return super().encode(np.ascontiguousarray(features[..., :frames]))
