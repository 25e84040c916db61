"""DNSMOS (P.835 and P.808) and PLCMOS of an utterance: trained guesses at what people would say, never a MOS.

The networks are Microsoft's, as the package ``speechmos`` carries them (MIT); only their files are read, the
features are made here, because that package's own code asks for librosa.

- **DNSMOS P.835** (Reddy et al., ICASSP 2022): signal, background and overall quality, from windows of 9.01 s
  at steps of 1 s; each output goes through the polynomial that the authors fitted to people's ratings.
- **DNSMOS P.808** (Reddy et al., ICASSP 2021): overall quality, from 120 mel bands of the same windows.
- **PLCMOS v2** (Diener et al., Interspeech 2023): how lost packets were concealed. The network asks for a
  rater, a vector drawn at random; in the authors' code the value is the mean over 15 of them, which here are
  always the same ones, so that the same sound has the same value.

A clip that is shorter than a window is doubled until it fills one, as the authors do. All that costs 6 to
30 s for a minute of speech on two cores; :data:`QUICK` looks at windows that hardly overlap and asks five
raters: 3 to 6 s, and within 0.06 on four clips of five (0.12 on a buzz that is no voice).

All three were trained on sound at 16 kHz: on telephone-band sound they measure the line. Nothing that they
say holds for a clip of under a second of speech. :mod:`metrics.synthesis.nisqa_domain` tells both.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ, to_speech_rate
from metrics.synthesis.mel import MelSettings, mel_filterbank
from metrics.synthesis.prediction import Prediction

VERSION = "1"
P835_FILE = "dnsmos_p835.onnx"
P808_FILE = "dnsmos_p808.onnx"
PLCMOS_FILE = "plcmos_v2.onnx"

SHORTEST_S = 0.25
LONGEST_S = 60.0
"""Beyond this a clip is no utterance; parts of it are to be given."""

_WINDOW_S = 9.01
_WINDOW = int(_WINDOW_S * SPEECH_RATE_HZ)
_P808_MEL = MelSettings(n_fft=321, hop_s=0.01, window_s=321 / SPEECH_RATE_HZ, n_mels=120, fmax_hz=8_000.0)
_POLYNOMIALS = {
    "sig": (-0.08397278, 1.22083953, 0.0052439),
    "bak": (-0.13166888, 1.60915514, -0.39604546),
    "ovrl": (-0.06766283, 1.11546468, 0.04602535),
}
"""From the network's outputs to people's ratings; the highest power first (from the authors' code)."""
_RATER_SIZE = 64

Samples = NDArray[np.float32]


class PredictorError(ValueError):
    """A model that cannot be opened, or a clip that none of them can rate; the message says which."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How often a clip is looked at.

    Attributes:
        step_s: From one window of DNSMOS to the next, whole seconds.
        raters: Of PLCMOS.
    """

    step_s: int
    raters: int

    @property
    def text(self) -> str:
        """For what a result depends on."""
        return f"a window every {self.step_s} s, {self.raters} raters"


AS_PUBLISHED = Effort(step_s=1, raters=15)
QUICK = Effort(step_s=9, raters=5)


class Predictors:
    """The three networks, opened once.

    Args:
        folder: Holds :data:`P835_FILE`, :data:`P808_FILE` and :data:`PLCMOS_FILE`.
        threads: That one of them may use.

    Raises:
        PredictorError: One of the files is missing, or is not such a network.
    """

    def __init__(self, folder: Path, *, effort: Effort = AS_PUBLISHED, threads: int = 1) -> None:
        self._effort = effort
        self._p835, self._p808, self._plcmos = (
            _open(folder / name, threads) for name in (P835_FILE, P808_FILE, PLCMOS_FILE)
        )

    @staticmethod
    def refusal(audio: Samples, sample_rate_hz: int) -> str:
        """Why a clip cannot be rated, in words; empty where it can."""
        seconds = len(audio) / sample_rate_hz if sample_rate_hz > 0 else 0.0
        if not 8_000 <= sample_rate_hz <= 192_000:
            return f"{sample_rate_hz} Hz is no rate of speech audio"
        if not SHORTEST_S <= seconds <= LONGEST_S:
            return f"a clip of {seconds:.1f} s: {SHORTEST_S:g} to {LONGEST_S:g} s can be rated"
        if not np.any(audio):
            return "a silent clip has no quality"
        return ""

    def predict(self, audio: Samples, sample_rate_hz: int) -> Prediction:
        """Rates one clip.

        Args:
            audio: ``(n,)``, full scale 1.0; what lies beyond is clipped, as the models were given it.

        Raises:
            PredictorError: See :meth:`refusal`.
        """
        if why := self.refusal(audio, sample_rate_hz):
            raise PredictorError(why)
        sound = np.clip(to_speech_rate(np.clip(audio, -1.0, 1.0), sample_rate_hz), -1.0, 1.0)
        raw, p808 = [], []
        for window in _windows(sound, self._effort.step_s):
            raw.append(self._p835.run(None, {"input_1": window[np.newaxis]})[0][0])
            features = p808_features(window[:-160])
            p808.append(float(self._p808.run(None, {"input_1": features[np.newaxis]})[0][0][0]))
        outputs = np.asarray(raw, dtype=np.float64)
        sig, bak, ovrl = (
            float(np.mean(np.polyval(polynomial, outputs[:, place])))
            for place, polynomial in enumerate(_POLYNOMIALS.values())
        )
        return Prediction(
            dnsmos_sig=sig,
            dnsmos_bak=bak,
            dnsmos_ovrl=ovrl,
            dnsmos_p808=float(np.mean(p808)),
            plcmos=self._conceals(sound),
        )

    def _conceals(self, sound: Samples) -> float:
        features = plcmos_features(sound)[np.newaxis, np.newaxis]
        raters = (
            np.random.default_rng(0).normal(size=(self._effort.raters, 1, _RATER_SIZE)).astype(np.float32)
        )
        values = [
            np.asarray(self._plcmos.run(None, {"degraded_audio": features, "rater_embed": rater})[0]).item()
            for rater in raters
        ]
        return float(np.mean(values))


def p808_features(sound: Samples) -> Samples:
    """What P.808's network sees: 120 mel bands of power in dB below the loudest, moved to about 1 to -1.

    As librosa's ``melspectrogram(n_fft=321, hop_length=160, n_mels=120)`` and ``power_to_db(ref=max)`` give
    them: frames centred on their time with silence beyond both ends, a range of 80 dB.

    Returns:
        ``(frames, 120)`` at 100 frames a second.
    """
    size, hop = _P808_MEL.n_fft, _P808_MEL.hop_samples(SPEECH_RATE_HZ)
    padded = np.pad(sound, size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    taper = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)
    power = np.abs(np.fft.rfft(frames * taper, axis=1)) ** 2
    mel = power @ mel_filterbank(SPEECH_RATE_HZ, _P808_MEL).T
    decibels = 10 * np.log10(np.maximum(mel, 1e-10))
    decibels -= decibels.max()
    return np.asarray((np.maximum(decibels, -80.0) + 40.0) / 40.0, dtype=np.float32)


def plcmos_features(sound: Samples) -> Samples:
    """What PLCMOS sees: the logarithm of power of 512 points under a Hamming window, each 16 ms.

    The first frame ends 16 ms into the sound. A bin without any power stands 120 dB below the weakest other.

    Returns:
        ``(frames, 257)``, the natural logarithm over 20.
    """
    size, hop = 512, 256
    start = hop - size
    count = -(-(len(sound) - start) // hop)
    padded = np.zeros((count - 1) * hop + size)
    padded[-start : -start + len(sound)] = sound
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    power = np.abs(np.fft.rfft(frames * np.hamming(size + 1)[:-1], axis=1)) ** 2
    some = power > 0
    logarithm = np.log(power, where=some, out=np.zeros_like(power))
    logarithm[~some] = logarithm[some].min() - 12 * np.log(10) if some.any() else -8 * np.log(10)
    return np.asarray(logarithm / 20, dtype=np.float32)


def _windows(sound: Samples, step_s: int) -> list[Samples]:
    """Windows of 9.01 s; a shorter clip is doubled until it holds one, as the authors do.

    Where steps are longer than the authors', nothing is gained by hearing the copies again: what was doubled
    has one window, and a longer clip's last one ends with it.
    """
    length = len(sound)
    while len(sound) < _WINDOW:
        sound = np.append(sound, sound)
    if step_s > 1:
        last = length - _WINDOW
        starts = sorted({*range(0, last, step_s * SPEECH_RATE_HZ), last}) if last > 0 else [0]
        return [sound[start : start + _WINDOW] for start in starts]
    # The authors' arithmetic: windows are counted by whole seconds, and one whose end is rounded down by a
    # sample is left out.
    count = int(len(sound) // SPEECH_RATE_HZ - _WINDOW_S) + 1
    spans = [(k * SPEECH_RATE_HZ, int((k + _WINDOW_S) * SPEECH_RATE_HZ)) for k in range(count)]
    return [sound[start:end] for start, end in spans if end - start == _WINDOW and end <= len(sound)]


def _open(path: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of classes of its own, without a common parent
        raise PredictorError(f"{path}: cannot be opened as a network: {error}"[:500]) from error
