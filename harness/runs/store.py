"""Writes a run folder: what every call left, at once when it has ended, so that nothing finished is lost.

The folder's layout is in ``harness.records``; beside those files each call has ``packets.npz``: media,
passing and envelope time of every packet of both directions, from which the per-packet figures come and a
timing can be looked into later.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness._files.atomic_file import read_model, write_model
from harness.analysis.cache import ANALYSIS_FILE, KeptAnalysis
from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.place import PlacedCall
from harness.errors import UserError
from harness.records.call import SAMPLE_RATE_HZ, CallRecord, Event
from harness.records.scores import CallScores, RunInfo, Summary, Transcript
from harness.records.timeline import TIMELINE, read_events, write_timeline

Samples = NDArray[np.float32]

MAX_AUDIO_S = 4 * 3600
_AFTERWARDS = ("scores.json", "transcript.json", ANALYSIS_FILE, "guard.json")
"""What is made from a call when it is scored."""


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


class RunStore:
    """The folder of one run. Creates what is missing; overwrites only what it is told to write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def call_folder(self, call_id: str) -> Path:
        return self.folder / "calls" / call_id

    @property
    def report_page(self) -> Path:
        return self.folder / "report" / "index.html"

    def write_info(self, info: RunInfo) -> None:
        write_model(self.folder / "run.json", info)

    def read_info(self) -> RunInfo | None:
        """What an earlier start of this run left; None where there was none."""
        path = self.folder / "run.json"
        if not path.is_file():
            return None
        return read_model(path, RunInfo)

    def write_summary(self, summary: Summary) -> None:
        write_model(self.folder / "summary.json", summary)

    def write_call(self, placed: PlacedCall) -> None:
        """Everything of a call that has ended. ``call.json`` comes last: a call that has one is complete."""
        folder = self.call_folder(placed.record.plan.call_id)
        folder.mkdir(parents=True, exist_ok=True)
        for stale in (*_AFTERWARDS, "audio.flac", "packets.npz"):
            (folder / stale).unlink(missing_ok=True)
        write_timeline(folder / TIMELINE, placed.events)
        if placed.recording is not None:
            recording = placed.recording
            soundfile.write(folder / "audio.flac", recording.audio, SAMPLE_RATE_HZ, subtype="PCM_16")
            _write_packets(folder / "packets.npz", recording.sent, recording.received)
        write_model(folder / "call.json", placed.record)

    def write_scores(
        self, call_id: str, scores: CallScores, transcript: Transcript, kept: KeptAnalysis | None = None
    ) -> None:
        """The scores and the transcript of a call; ``kept`` is told of a transcript that was changed."""
        folder = self.call_folder(call_id)
        path = folder / "transcript.json"
        if kept is not None:
            kept.check_transcript(path)
        write_model(path, transcript)
        if kept is not None:
            kept.note_transcript(path)
        self.write_scores_only(scores)

    def write_scores_only(self, scores: CallScores) -> None:
        write_model(self.call_folder(scores.call_id) / "scores.json", scores)

    def kept_analysis(self, call_id: str, *, fresh: bool = False) -> KeptAnalysis:
        """What the instruments heard in a call's recording before; see :class:`KeptAnalysis`."""
        return KeptAnalysis(self.call_folder(call_id), fresh=fresh)

    def recording(self, call_id: str) -> RecordingFile | None:
        """A call's recording; None where it has none.

        Raises:
            UserError: It cannot be read.
        """
        path = self.call_folder(call_id) / "audio.flac"
        if not path.is_file():
            return None
        try:
            return RecordingFile(path=path, content=path.read_bytes())
        except OSError as error:
            raise UserError(f"{path}: not a sound file that can be read: {error}") from error

    def read_record(self, call_id: str) -> CallRecord | None:
        """The record of a call that is complete; None where there is none or it cannot be read."""
        path = self.call_folder(call_id) / "call.json"
        if not path.is_file():
            return None
        try:
            return read_model(path, CallRecord)
        except UserError:
            return None

    def read_scores(self, call_id: str) -> CallScores | None:
        path = self.call_folder(call_id) / "scores.json"
        return read_model(path, CallScores) if path.is_file() else None

    def read_events(self, call_id: str) -> list[Event]:
        """The timeline; lines that cannot be read are left out."""
        return read_events(self.call_folder(call_id) / TIMELINE)

    def read_audio(self, call_id: str) -> Samples | None:
        """(samples, 2) at 48 kHz, or None where the call has no recording."""
        recording = self.recording(call_id)
        return None if recording is None else recording.samples()

    def read_packets(self, call_id: str) -> tuple[PacketTimes, PacketTimes]:
        """(sent, received); empty where they were not kept."""
        path = self.call_folder(call_id) / "packets.npz"
        if not path.is_file():
            return PacketTimes(), PacketTimes()
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return _packet_times(arrays, "sent"), _packet_times(arrays, "received")
        # numpy, zipfile and zlib have a dozen kinds of errors for a file that is not what it says it is.
        except Exception as error:
            raise UserError(f"{path}: cannot be read: {error}") from error


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


def _packet_times(arrays: np.lib.npyio.NpzFile, name: str) -> PacketTimes:
    return PacketTimes(
        media_s=arrays[f"{name}_media_s"],
        passed_s=arrays[f"{name}_passed_s"],
        placed_s=arrays[f"{name}_placed_s"],
        codec_delay_s=float(arrays[f"{name}_codec_delay_s"]),
    )


def _write_packets(path: Path, sent: PacketTimes, received: PacketTimes) -> None:
    np.savez_compressed(
        path,
        sent_media_s=sent.media_s,
        sent_passed_s=sent.passed_s,
        sent_placed_s=sent.placed_s,
        sent_codec_delay_s=sent.codec_delay_s,
        received_media_s=received.media_s,
        received_passed_s=received.passed_s,
        received_placed_s=received.placed_s,
        received_codec_delay_s=received.codec_delay_s,
    )
