"""What keeps invented words out of transcripts: three guards, with thresholds set from measurements.

Whisper writes words where nobody spoke: on silence, hum or noise "Thank you" or "I'm sorry, I'm sorry". The
first guard asks the sound whether it can be speech at all, the second asks Whisper's own measures of doubt,
the third asks whether anything sounds where a word is said to be.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ

Samples = NDArray[np.float32]

SHORTEST_SPAN_S = 0.1

SILENCE_DBFS = -60.0
"""95th percentile of the level in 20 ms frames. Speech of -60 dBFS (RMS) still reaches -53 dBFS there."""
STEADY_DB = 3.0
"""95th less 10th percentile of the level. White noise 0.9 dB, hum 0; speech in noise at 0 dB SNR 7.7 dB."""
STEADY_FROM_S = 0.5
"""Shorter spans may be a single vowel, which is as steady as noise."""

# Set on Whisper base. 72 clips of white, brown and comfort noise, hum, breath, clicks, ringing and silence
# (0.3 to 10 s) had no-speech probabilities of 0.61 and more; decoded as Chinese, 12 had 0.55 and more, the
# lowest with a log probability of -1.16. Of 16 phrases of one to fourteen words, clean and in white noise at
# 10, 5, 3 and 0 dB SNR, these thresholds reject 4 of 80: three times a single "two", which was misheard each
# time, and a "hello" at 0 dB.
NO_SPEECH = 0.6
DOUBTFUL_NO_SPEECH = 0.5
DOUBTFUL_LOG_PROBABILITY = -1.0
LOW_LOG_PROBABILITY = -1.2
REPETITION = 3.0
"""Compression ratio. Loops of invented words have 4 to 24; a spoken run of fifteen zeros 2.4."""


def silence_reason(clip: Samples) -> str:
    """Why a clip at 16 kHz can hold no speech, before any recogniser is asked; empty where it may."""
    duration_s = len(clip) / SPEECH_RATE_HZ
    if duration_s < SHORTEST_SPAN_S:
        return f"shorter than {SHORTEST_SPAN_S} s"
    loud, quiet = np.percentile(_frame_levels_db(clip), [95, 10])
    if loud < SILENCE_DBFS:
        return f"silence (below {SILENCE_DBFS:g} dBFS)"
    if duration_s >= STEADY_FROM_S and loud - quiet < STEADY_DB:
        return f"steady sound (level within {STEADY_DB:g} dB)"
    return ""


def invention_reason(*, no_speech: float, log_probability: float, compression_ratio: float) -> str:
    """Why a segment of Whisper's was probably invented; empty where it can be believed."""
    if no_speech > NO_SPEECH:
        return f"no-speech probability {no_speech:.2f}"
    if no_speech > DOUBTFUL_NO_SPEECH and log_probability < DOUBTFUL_LOG_PROBABILITY:
        return f"no-speech probability {no_speech:.2f} with log probability {log_probability:.2f}"
    if log_probability < LOW_LOG_PROBABILITY:
        return f"log probability {log_probability:.2f}"
    if compression_ratio > REPETITION:
        return f"repeats itself (compression ratio {compression_ratio:.1f})"
    return ""


def word_silence_reason(clip: Samples, start_s: float, end_s: float) -> str:
    """Why a word cannot have been spoken at its place in the clip; empty where it may.

    Whisper's word times are good to about 0.1 s, so that much around the word is looked at too.
    """
    around = clip[round(max(0.0, start_s - 0.1) * SPEECH_RATE_HZ) : round((end_s + 0.1) * SPEECH_RATE_HZ)]
    if len(around) and _frame_levels_db(around).max() >= SILENCE_DBFS:
        return ""
    return f"word on silence (below {SILENCE_DBFS:g} dBFS)"


def _frame_levels_db(clip: Samples) -> NDArray[np.float64]:
    """RMS level in dBFS of each 20 ms, without the DC offset; digital silence is -200."""
    frame = SPEECH_RATE_HZ // 50
    centred = clip.astype(np.float64) - float(np.mean(clip, dtype=np.float64))
    if len(centred) < frame:
        centred = np.pad(centred, (0, frame - len(centred)))
    frames = centred[: len(centred) // frame * frame].reshape(-1, frame)
    return np.asarray(10.0 * np.log10(np.maximum(np.mean(frames**2, axis=1), 1e-20)))
