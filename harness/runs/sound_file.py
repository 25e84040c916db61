"""Recordings as files: a call's own, and any sound file from anywhere."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness._files.outside_file import check_plain
from harness.errors import UserError
from harness.records.call import SAMPLE_RATE_HZ
from harness.runs.sound_length import promised_frames
from spoken_language.outside_text import one_line

Samples = NDArray[np.float32]

MAX_AUDIO_S = 4 * 3600
MAX_AUDIO_BYTES = 4_000_000_000
MAX_CHANNELS = 8
MAX_RATE_HZ = 192_000
MAX_VALUES = MAX_AUDIO_S * SAMPLE_RATE_HZ * 2
"""Samples of all channels together, as many as the longest call has: a few bytes of a compressed
file decode to any amount of silence."""
MIN_CUT_S = 0.001
_BLOCK = 4096
"""Frames decoded at a time: as many as a FLAC frame has, so that little is lost where a file breaks."""


@dataclass(frozen=True, kw_only=True)
class Sound:
    """What could be read of a sound file.

    Attributes:
        samples: (samples, channels), as far as the file goes.
        promised_s: What its header promises; None where it promises nothing.
    """

    samples: Samples
    sample_rate_hz: int
    promised_s: float | None = None

    @property
    def duration_s(self) -> float:
        return len(self.samples) / self.sample_rate_hz

    @property
    def cut(self) -> str:
        """How the file was cut off, in words; empty where it holds what its header promises."""
        # WAV headers of some recorders count a padding byte; a part of a millisecond is no cut.
        if self.promised_s is None or self.promised_s - self.duration_s < MIN_CUT_S:
            return ""
        return (
            f"cut off or damaged: its header promises {self.promised_s:.2f} s, {self.duration_s:.2f} s can "
            "be read; scored as far as it goes"
        )


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

    @property
    def cut(self) -> str:
        """How the file was cut off; see :attr:`Sound.cut`. A whole file is not decoded for it."""
        file = io.BytesIO(self.content)
        promised = promised_frames(file)
        if promised is None:
            return ""
        try:
            file.seek(0)
            with soundfile.SoundFile(file) as sound:
                # FLAC frames are found from the end: the last one is there, or the file was cut.
                sound.seek(promised - 1)
                if len(sound.read(2)) == 1:
                    return ""
        except (soundfile.LibsndfileError, OSError):
            pass
        return _read_audio(io.BytesIO(self.content), self.path).cut

    def samples(self) -> Samples:
        """(samples, 2) at 48 kHz, as far as the file goes.

        Raises:
            UserError: It is no recording of a call.
        """
        sound = _read_audio(io.BytesIO(self.content), self.path)
        channels = sound.samples.shape[1]
        if sound.sample_rate_hz != SAMPLE_RATE_HZ or channels != 2:
            raise UserError(
                f"{self.path}: {channels} channels at {sound.sample_rate_hz} Hz; a call's recording is "
                "stereo, 48 kHz"
            )
        return sound.samples


def recording_bytes(audio: Samples) -> bytes:
    """(samples, 2) at 48 kHz, as a FLAC file of 16 bits.

    Encoded in memory (11 MB a minute at the very most), so that a full disk is met where files are written,
    and no half of a recording can pass for a short call.
    """
    file = io.BytesIO()
    soundfile.write(file, audio, SAMPLE_RATE_HZ, format="FLAC", subtype="PCM_16")
    return file.getvalue()


def read_audio_file(path: Path) -> Sound:
    """Any sound file, as far as it can be decoded.

    Raises:
        UserError: It is no sound file, no plain file, or longer than :data:`MAX_AUDIO_S`.
    """
    try:
        check_plain(path)
        with path.open("rb") as file:
            return _read_audio(file, path)
    except OSError as error:
        raise UserError(f"{path}: not a sound file that can be read: {error.strerror or error}") from error


def _read_audio(file: BinaryIO, path: Path) -> Sound:
    try:
        promised = promised_frames(file)
        file.seek(0)
        with soundfile.SoundFile(file) as sound:
            rate, channels = sound.samplerate, sound.channels
            length_s = sound.frames / rate if rate > 0 else 0.0
            too_large = length_s > MAX_AUDIO_S or sound.frames * channels > MAX_VALUES
            if too_large or channels > MAX_CHANNELS or rate > MAX_RATE_HZ:
                raise UserError(
                    f"{path}: {length_s:.0f} s, {channels} channels, {rate} Hz: too large to score"
                )
            # Grows in place; blocks in a list would stand in memory twice when they are put together.
            decoded, finite = bytearray(), True
            for block in _blocks(sound):
                finite = finite and bool(np.isfinite(block).all())
                decoded += block.tobytes()
    except soundfile.LibsndfileError as error:
        why = one_line(error.error_string, most=200)
        raise UserError(f"{path}: not a sound file that can be read: {why}") from error
    if not decoded:
        raise UserError(f"{path}: holds no sound")
    audio = np.frombuffer(decoded, np.float32).reshape(-1, channels)
    if not finite:
        raise UserError(f"{path}: holds values that are no numbers (NaN or infinity)")
    return Sound(
        samples=audio, sample_rate_hz=int(rate), promised_s=None if promised is None else promised / rate
    )


def _blocks(sound: soundfile.SoundFile) -> Iterator[Samples]:
    """What can be decoded, until the file ends or breaks.

    Raises:
        soundfile.LibsndfileError: Nothing of it can be decoded.
    """
    most, some = min(MAX_AUDIO_S * sound.samplerate, MAX_VALUES // sound.channels), 0
    while some < most:
        try:
            block = sound.read(_BLOCK, dtype="float32", always_2d=True)
        except soundfile.LibsndfileError:
            if not some:
                raise
            return
        if not len(block):
            return
        some += len(block)
        yield block
