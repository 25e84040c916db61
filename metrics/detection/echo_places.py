"""Where the agent's channel has nothing but the caller's own voice come back, and where that hides an edge.

What comes back is predicted from what was sent by one filter of :data:`TAPS_S` for the whole call (least
squares, from where the echo is heard alone). The prediction is only held to the sound, and taken out of none:
a stretch is the echo's where it explains at least half of the power, or leaves no more than the detector
would not hear; all else is the agent's own. Half of the power is the bar because a voice that is as loud as
the echo fails it, and an agent's is 6 to 40 dB louder; while of echoes through G.711 and Opus at least four
fifths are explained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz
from scipy.ndimage import maximum_filter1d
from scipy.signal import fftconvolve

from metrics.detection.echo_path import LONGEST_S, slice_of
from metrics.detection.line_echo import AHEAD_S, EchoPath
from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span, merge_spans

TAPS_S = 0.064
BEFORE_S = 0.004
"""Of the filter so much lies before the delay that was found."""
EXPLAINED = 0.5
CLOSE_S = 0.15
"""As long a quiet parts two clusters of sound, and as long an echo, too."""
OWN_S = 0.04
"""Less sound of the agent's own than this is a click."""
MOST_S = 12.0
"""Of the caller's talks so much is enough to learn the filter from."""
PIECE_S = 10.0

_FRAME_S = 0.01
_FRAME = round(_FRAME_S * SPEECH_RATE_HZ)
_SMOOTH = 3
_LEAD_S = LONGEST_S + 0.1
_ROUNDS = 4
_RIDGE = 1e-4

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class EchoPlaces:
    """What of the agent's sound is the caller's own voice.

    Attributes:
        own: The agent's clusters, without those and those parts that are nothing but the echo.
        echo: What was left out of them.
        hidden: Where the echo is loud enough to be heard: edges of speech in it are not to be measured.
        back: Where each talk of the caller's comes back, loud enough or not.
    """

    own: tuple[Span, ...]
    echo: tuple[Span, ...]
    hidden: tuple[Span, ...]
    back: tuple[Span, ...]


def echo_places(
    caller: Samples,
    agent: Samples,
    rate: int,
    *,
    path: EchoPath,
    said: Sequence[Span],
    sounds: Sequence[Span],
    threshold: float,
) -> EchoPlaces:
    """Which of the agent's sounds are the echo's, and where it may hide others.

    Args:
        said: The caller's talks.
        sounds: The agent's clusters of sound.
        threshold: Level (linear) from which a sample of the agent's counts as voiced.
    """
    back = [
        Span(start_s=one.start_s + path.delay_s - AHEAD_S, end_s=one.end_s + path.delay_s + TAPS_S)
        for one in said
    ]
    first = max(0, round((path.delay_s - BEFORE_S) * SPEECH_RATE_HZ))
    heard = [one for one in back if any(one.overlap_s(sound) > 0 for sound in sounds)]
    taps = _filter(caller, agent, rate, first=first, back=heard)
    own: list[Span] = []
    echo: list[Span] = []
    hidden: list[Span] = []
    for cluster in sounds:
        if not any(one.overlap_s(cluster) > 0 for one in back):
            own.append(cluster)
            continue
        mine, loud = _flags(caller, agent, rate, cluster, taps, first, threshold)
        pieces = _pieces(cluster, mine)
        own += pieces
        echo += _rest(cluster, pieces)
        hidden += _runs(loud, cluster.start_s)
    return EchoPlaces(
        own=tuple(own), echo=tuple(echo), hidden=tuple(merge_spans(hidden)), back=tuple(merge_spans(back))
    )


def _pieces(cluster: Span, mine: Flags) -> list[Span]:
    """What is left of a cluster where no longer stretch is nothing but the echo."""
    runs = merge_spans(_runs(mine, cluster.start_s), max_gap_s=CLOSE_S)
    found = []
    for run in runs:
        first, last = (round((at_s - cluster.start_s) / _FRAME_S) for at_s in (run.start_s, run.end_s))
        if np.count_nonzero(mine[first:last]) * _FRAME_S >= OWN_S:
            # A cut closer to the cluster's edge than a pause is long is none.
            start_s = cluster.start_s if run.start_s - cluster.start_s < CLOSE_S else run.start_s
            end_s = cluster.end_s if cluster.end_s - run.end_s < CLOSE_S else run.end_s
            found.append(Span(start_s=start_s, end_s=end_s))
    return found


def _rest(cluster: Span, pieces: Sequence[Span]) -> list[Span]:
    edges = [cluster.start_s, *(edge for one in pieces for edge in (one.start_s, one.end_s)), cluster.end_s]
    return [
        Span(start_s=start_s, end_s=end_s)
        for start_s, end_s in zip(edges[::2], edges[1::2], strict=True)
        if end_s > start_s
    ]


def _flags(
    caller: Samples, agent: Samples, rate: int, cluster: Span, taps: Floats, first: int, threshold: float
) -> tuple[Flags, Flags]:
    """For each frame of a cluster: whether the agent's own sound is in it, and whether an echo is audible."""
    mine, loud = [], []
    at_s = cluster.start_s
    while at_s < cluster.end_s:
        piece = Span(start_s=at_s, end_s=min(at_s + PIECE_S, cluster.end_s))
        came = slice_of(agent, rate, piece, SPEECH_RATE_HZ).astype(np.float64)
        sent = slice_of(caller, rate, Span(start_s=at_s - _LEAD_S, end_s=piece.end_s), SPEECH_RATE_HZ).astype(
            np.float64
        )
        guess = _predicted(sent, taps, first, len(came))
        left = came - guess
        audible = maximum_filter1d(_peaks(guess), 2 * round(AHEAD_S / _FRAME_S) + 1) >= threshold / 2
        explained = _power(left) <= EXPLAINED * _power(came)
        mine.append((_peaks(came) >= threshold) & ~(audible & (explained | (_peaks(left) < threshold))))
        loud.append(audible)
        at_s = piece.end_s
    return np.concatenate(mine), np.concatenate(loud)


def _predicted(sent: Floats, taps: Floats, first: int, length: int) -> Floats:
    """What comes back over the last ``length`` samples of what was sent."""
    lead = len(sent) - length - first
    return np.asarray(fftconvolve(sent, taps)[lead : lead + length])


def _filter(caller: Samples, agent: Samples, rate: int, *, first: int, back: Sequence[Span]) -> Floats:
    """The filter from what was sent to what came back, from where nobody else is heard.

    It is one for all talks: over the seconds that a path takes to be found, its 64 ms learn next to nothing
    of a voice that happens to speak beside the echo.
    """
    count = round(TAPS_S * SPEECH_RATE_HZ)
    sent: list[Floats] = []
    came: list[Floats] = []
    total_s = 0.0
    for one in back:
        if total_s >= MOST_S:
            break
        span = Span(start_s=one.start_s, end_s=min(one.end_s, one.start_s + MOST_S / 2))
        total_s += span.duration_s
        heard = _emphasised(slice_of(agent, rate, span, SPEECH_RATE_HZ))
        before = Span(start_s=span.start_s - _LEAD_S, end_s=span.end_s)
        spoken = _emphasised(slice_of(caller, rate, before, SPEECH_RATE_HZ))
        lead = len(spoken) - len(heard) - first - count
        sent.append(spoken[lead : lead + len(heard) + count])
        came.append(heard)
    sizes = [1 << (len(one) + count).bit_length() for one in sent]
    spectra = [np.fft.rfft(one, size) for one, size in zip(sent, sizes, strict=True)]
    own = sum(
        (
            np.fft.irfft(np.square(np.abs(one)), size)[:count]
            for one, size in zip(spectra, sizes, strict=True)
        ),
        start=np.zeros(count),
    )
    own[0] = own[0] * (1 + _RIDGE) + 1e-9
    targets = [_limited(one) for one in came]
    taps = np.zeros(count)
    for _ in range(_ROUNDS):
        across = np.zeros(count)
        for target, spectrum, size in zip(targets, spectra, sizes, strict=True):
            padded = np.concatenate([np.zeros(count), target])
            across += np.fft.irfft(np.fft.rfft(padded, size) * np.conj(spectrum), size)[:count]
        taps = np.asarray(solve_toeplitz(own, across))
        for place, (spectrum, heard, size) in enumerate(zip(spectra, came, sizes, strict=True)):
            guess = np.fft.irfft(spectrum * np.fft.rfft(taps, size), size)[count : count + len(heard)]
            # Where somebody else is heard, the prediction stands for what was not heard by itself.
            alone = np.repeat(_power(heard - guess) <= EXPLAINED * _power(heard), _FRAME)[: len(heard)]
            targets[place] = np.where(alone, heard, guess)
    return taps


def _emphasised(audio: Samples) -> Floats:
    wide = np.asarray(audio, dtype=np.float64)
    return np.concatenate([wide[:1], wide[1:] - 0.95 * wide[:-1]])


def _limited(audio: Floats) -> Floats:
    """Frames that are louder than most are brought down to these: in the beginning what is louder than the
    rest is taken for somebody else."""
    level = np.sqrt(_power(audio))
    sounding = level[level > 1e-4]
    most = 2 * float(np.percentile(sounding, 40)) if len(sounding) else 1.0
    gains = np.repeat(np.minimum(1.0, most / np.maximum(level, 1e-12)), _FRAME)
    return np.asarray(audio * gains[: len(audio)])


def _framed(audio: Floats) -> Floats:
    return np.pad(audio, (0, -len(audio) % _FRAME)).reshape(-1, _FRAME)


def _power(audio: Floats) -> Floats:
    # No running sum: what that loses in rounding may be less than nothing.
    power = np.mean(np.square(_framed(audio)), axis=1)
    return np.convolve(power, np.ones(_SMOOTH) / _SMOOTH, mode="full")[_SMOOTH // 2 :][: len(power)]


def _peaks(audio: Floats) -> Floats:
    return np.asarray(np.max(np.abs(_framed(audio)), axis=1))


def _runs(flags: Flags, from_s: float) -> list[Span]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [
        Span(start_s=from_s + first * _FRAME_S, end_s=from_s + last * _FRAME_S)
        for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    ]
