"""NISQA: how good a voice sounds, from the audio alone, on the five-point MOS scale.

Two models with one front end: *naturalness* (``nisqa_tts.tar``) judges a synthetic voice; *quality*
(``nisqa.tar``) what reaches the listener: overall MOS, noisiness, discontinuity, coloration, loudness::

    model = NisqaModel.load(Path("models/nisqa/nisqa_tts.tar"))
    [result] = model.predict([(samples, 24_000)])
    result.naturalness

The values follow the official implementation (https://github.com/gabrielmittag/NISQA), also in what it
refuses: clips with fewer frames than one segment (0.14 s) and clips with more segments than the model's limit
(about 52 s for quality, 60 s for naturalness). Silent clips are refused here too: the networks would give
silence an ordinary score. Values are not clamped: the models may leave 1-5 a little. What is out of the
models' domain but still scored is told by :func:`metrics.synthesis.nisqa_domain.domain_warnings`.
The weights are licensed CC BY-NC-SA and never shipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from metrics.synthesis.mel import log_mel_spectrogram, mono_float32
from metrics.synthesis.nisqa_checkpoint import NisqaError, NisqaSettings, read_checkpoint
from metrics.synthesis.nisqa_domain import SILENCE_DBFS, is_silent
from metrics.synthesis.nisqa_network import NisqaNetwork
from metrics.synthesis.nisqa_result import NaturalnessResult, NisqaResult, QualityResult

__all__ = ["NaturalnessResult", "NisqaError", "NisqaModel", "NisqaResult", "QualityResult"]

_BATCH_SEGMENTS = 4096
"""Segments, padding included, that go through the network at once: bounds the memory, not the result."""

Clip = tuple[NDArray[Any], int]
"""Samples, ``(n,)`` or ``(n, channels)`` with channels averaged, and their rate in Hz; never resampled."""


class NisqaModel:
    """A loaded checkpoint. Runs on the CPU; ``predict`` may be called from several threads.

    Attributes:
        settings: What the checkpoint says of itself.
    """

    def __init__(self, *, settings: NisqaSettings, network: NisqaNetwork) -> None:
        self.settings = settings
        self._network = network.eval()

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Reads ``nisqa_tts.tar`` or ``nisqa.tar`` without executing anything in it.

        Raises:
            NisqaError: The file is missing, broken, not one of these models, or lacks weights.
        """
        path = Path(path)
        settings, tensors = read_checkpoint(path)
        if settings.model == "NISQA" and not settings.name.upper().startswith("NISQA_TTS"):
            raise NisqaError(
                f"{path}: model '{settings.name}' predicts neither naturalness nor the quality dimensions; "
                "use nisqa_tts.tar or nisqa.tar"
            )
        network = NisqaNetwork(settings)
        try:
            network.load_checkpoint_tensors(tensors)
        except RuntimeError as error:
            problems = " ".join(str(error).split())[:400]
            raise NisqaError(f"{path}: its weights do not fit its settings: {problems}") from error
        return cls(settings=settings, network=network)

    def refusal(self, audio: NDArray[Any], rate_hz: int) -> str:
        """Why a clip cannot be scored, in words for a report; empty when it can."""
        try:
            self._checked(audio, rate_hz)
        except ValueError as error:
            return str(error)
        return ""

    def predict(self, clips: Sequence[Clip]) -> list[NisqaResult]:
        """One result for each clip, in order. What stands beside a clip in a batch does not change it.

        Raises:
            NisqaError: A clip cannot be scored; the message gives its position. :meth:`refusal` tells before.
        """
        checked = []
        for position, (audio, rate_hz) in enumerate(clips):
            try:
                checked.append((self._checked(audio, rate_hz), rate_hz))
            except ValueError as error:
                raise NisqaError(f"clip {position}: {error}") from error
        lengths = [self._segment_count(samples.size, rate_hz) for samples, rate_hz in checked]
        results: dict[int, NisqaResult] = {}
        for batch in _batches(lengths):
            segments = [self._segments(*checked[position]) for position in batch]
            with torch.inference_mode():
                outputs = self._network(segments).tolist()
            for position, row in zip(batch, outputs, strict=True):
                results[position] = _result(row, position)
        return [results[position] for position in range(len(checked))]

    def _checked(self, audio: NDArray[Any], rate_hz: int) -> NDArray[np.float32]:
        settings, mel = self.settings, self.settings.mel
        samples = mono_float32(audio)
        if mel.hop_samples(rate_hz) < 1 or not 2 <= mel.window_samples(rate_hz) <= mel.n_fft:
            raise NisqaError(f"a sample rate of {rate_hz} Hz is outside of what the model can take")
        if settings.ms_sr is not None and rate_hz != settings.ms_sr:
            raise NisqaError(f"this model wants {settings.ms_sr} Hz, the clip has {rate_hz} Hz; resample it")
        duration_s = samples.size / rate_hz
        frames = mel.frame_count(samples.size, rate_hz)
        if frames < settings.ms_seg_length:
            needed_s = (settings.ms_seg_length - 1) * mel.hop_s
            raise NisqaError(f"too short: {duration_s:.3f} s, the model needs {needed_s:.2f} s")
        if self._segment_count(samples.size, rate_hz) > settings.ms_max_segments:
            last_frame = settings.ms_max_segments * settings.ms_seg_hop_length + settings.ms_seg_length - 2
            limit_s = last_frame * mel.hop_s
            raise NisqaError(f"too long: {duration_s:.1f} s, the model takes {limit_s:.2f} s at most")
        if is_silent(samples, rate_hz):
            raise NisqaError(f"silent: never above {SILENCE_DBFS:.0f} dBFS, so there is nothing to judge")
        return samples

    def _segment_count(self, samples: int, rate_hz: int) -> int:
        windows = self.settings.mel.frame_count(samples, rate_hz) - self.settings.ms_seg_length + 1
        return -(-windows // self.settings.ms_seg_hop_length)

    def _segments(self, samples: NDArray[np.float32], rate_hz: int) -> torch.Tensor:
        """Overlapping pieces of the spectrogram, ``(segments, mels, frames of a segment)``."""
        spectrogram = log_mel_spectrogram(samples, rate_hz, self.settings.mel)
        windows = np.lib.stride_tricks.sliding_window_view(spectrogram, self.settings.ms_seg_length, axis=1)
        chosen = windows[:, :: self.settings.ms_seg_hop_length].transpose(1, 0, 2)
        return torch.from_numpy(chosen.copy())


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions grouped by similar length, so that little is padding and a batch stays within its bound."""
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda position: lengths[position]):
        # Ascending order: this clip's length is what the whole batch would be padded to.
        if batch and lengths[position] * (len(batch) + 1) > _BATCH_SEGMENTS:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def _result(row: Sequence[float], position: int) -> NisqaResult:
    if not np.isfinite(row).all():
        raise NisqaError(f"clip {position}: the network gave no finite value")
    if len(row) == 1:
        return NaturalnessResult(naturalness=row[0])
    mos, noisiness, discontinuity, coloration, loudness = row
    return QualityResult(
        mos=mos, noisiness=noisiness, discontinuity=discontinuity, coloration=coloration, loudness=loudness
    )
