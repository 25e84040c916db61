"""Recordings as files: a call's own, and any sound file from anywhere."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness.errors import UserError
from harness.records.call import SAMPLE_RATE_HZ

Samples = NDArray[np.float32]

MAX_AUDIO_S = 4 * 3600
MAX_AUDIO_BYTES = 4_000_000_000


@dataclass(frozen=True, kw_only=True)
class RecordingFile:
    """A call's recording as it was read, once: the checksum and the sound are of the same bytes, whatever
    becomes of the file.

    Attributes:
        path: Where it lay, for messages.
    """

    path: Path
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def samples(self) -> Samples:
        """(samples, 2) at 48 kHz.

        Raises:
            UserError: It is no recording of a call.
        """
        audio, rate = _read_audio(io.BytesIO(self.content), self.path)
        if rate != SAMPLE_RATE_HZ or audio.shape[1] != 2:
            raise UserError(
                f"{self.path}: {audio.shape[1]} channels at {rate} Hz; a call's recording is stereo, 48 kHz"
            )
        return audio


def recording_bytes(audio: Samples) -> bytes:
    """(samples, 2) at 48 kHz, as a FLAC file of 16 bits.

    Encoded in memory (11 MB a minute at the very most), so that a full disk is met where files are written,
    and no half of a recording can pass for a short call.
    """
    file = io.BytesIO()
    soundfile.write(file, audio, SAMPLE_RATE_HZ, format="FLAC", subtype="PCM_16")
    return file.getvalue()


def read_audio_file(path: Path) -> tuple[Samples, int]:
    """(samples, channels) float32 and the sample rate of any sound file.

    Raises:
        UserError: It is no sound file, or longer than :data:`MAX_AUDIO_S`.
    """
    return _read_audio(path, path)


def _read_audio(file: Path | BinaryIO, path: Path) -> tuple[Samples, int]:
    try:
        info = soundfile.info(file)
        if info.frames == 0:
            raise UserError(f"{path}: holds no sound")
        if info.duration > MAX_AUDIO_S or info.channels > 8:
            raise UserError(f"{path}: {info.duration:.0f} s, {info.channels} channels: too large to score")
        if not isinstance(file, Path):
            file.seek(0)
        audio, rate = soundfile.read(file, dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, OSError) as error:
        raise UserError(f"{path}: not a sound file that can be read: {error}") from error
    if not np.isfinite(audio).all():
        raise UserError(f"{path}: holds values that are no numbers (NaN or infinity)")
    return audio, int(rate)
