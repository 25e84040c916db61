"""The folder of a run: what every call left, at once when it has ended, so that nothing finished is lost.

The folder's layout is in ``harness.records``; a call by voice has ``packets.npz`` besides. Calls by voice lie
below ``RUN/calls``, dialogues in text below ``RUN/dialogues``::

    for record in RunStore(Path("runs/benchmark")).records():
        print(record.plan.call_id, record.status, len(record.dialogue.turns))
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from harness._files.atomic_file import as_written, model_text, stage, write_model
from harness._files.json_file import read_model
from harness._files.outside_file import check_within, read_bytes
from harness.analysis.cache import ANALYSIS_FILE, AnalysisCache
from harness.calls.conversation import Held
from harness.calls.voice.packet_times import PacketTimes
from harness.errors import NotWritten, UserError
from harness.plans.call import ID_PATTERN, Medium
from harness.plans.checks.checks import CHECKS_FILE, Checks
from harness.records.calibration import CALIBRATION_FILE
from harness.records.call import CallRecord, CallStatus, Event
from harness.records.scores import CallScores, RunInfo, Summary, Transcript
from harness.records.timeline import TIMELINE, read_events, timeline_text
from harness.records.verdict import AFTER_CALL_FILE
from harness.records.witness import OF_A_CALL_FILE
from harness.runs.packets_file import PACKETS_FILE, packets_bytes, read_packets
from harness.runs.sound_file import MAX_AUDIO_BYTES, RecordingFile, Samples, recording_bytes
from spoken_language.outside_text import one_line

AUDIO_FILE = "audio.flac"
_AFTERWARDS = (
    "scores.json",
    "transcript.json",
    ANALYSIS_FILE,
    "guard.json",
    AFTER_CALL_FILE,
    CALIBRATION_FILE,
    OF_A_CALL_FILE,
)
"""What is made from a call when it is scored, or found out when it is over."""

_FOLDER: dict[Medium, str] = {"voice": "calls", "text": "dialogues"}
_RECORD: dict[Medium, str] = {"voice": "call.json", "text": "dialogue.json"}


class RunStore:
    """The folder of one run. Creates what is missing; overwrites only what it is told to write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._medium: Medium | None = None

    @property
    def medium(self) -> Medium:
        """By voice or in text; by voice where there is no ``run.json`` yet."""
        if self._medium is None and (self.folder / "run.json").is_file():
            self._medium = "text" if is_chat_run(self.folder) else "voice"
        return self._medium or "voice"

    def call_folder(self, call_id: str) -> Path:
        """Where a call's files lie: inside the run, whatever files of strangers say.

        Raises:
            UserError: It is no id of a call, or a link there leads out of the run.
        """
        if re.fullmatch(ID_PATTERN, call_id) is None:
            raise UserError(f"{self.folder}: '{one_line(call_id, most=100)}' is no id of a call")
        folder = self.folder / _FOLDER[self.medium] / call_id
        try:
            check_within(folder, self.folder)
        except OSError as error:
            raise UserError(f"{folder}: {error.strerror}") from error
        return folder

    def record_file(self, call_id: str) -> Path:
        """Where the record of a call lies: what has one is complete."""
        return self.call_folder(call_id) / _RECORD[self.medium]

    def write_info(self, info: RunInfo) -> None:
        """Raises NotWritten where the folder cannot be written."""
        with _writing(self.folder):
            write_model(self.folder / "run.json", info)
        self._medium = "text" if info.kind == "chat" else "voice"

    def write_checks(self, checks: Checks) -> None:
        """Raises NotWritten where the folder cannot be written."""
        with _writing(self.folder / CHECKS_FILE):
            write_model(self.folder / CHECKS_FILE, checks)

    def read_info(self) -> RunInfo | None:
        """What an earlier start of this run left; None where there was none."""
        path = self.folder / "run.json"
        if not path.is_file():
            return None
        return read_model(path, RunInfo)

    def write_summary(self, summary: Summary) -> None:
        """Raises NotWritten where the folder cannot be written."""
        with _writing(self.folder / "summary.json"):
            write_model(self.folder / "summary.json", summary)

    def write(self, held: Held) -> None:
        """Everything of a call that has ended, in place of what an earlier attempt left.

        All of it is on the disk before anything takes its place: a disk that is too full for it leaves what
        an earlier attempt left, and else nothing. The record of that attempt goes first and the new one comes
        last: a call that has one is complete, and all that lies beside it is of the same attempt.

        Raises:
            NotWritten: The folder cannot be written.
        """
        call_id = held.record.plan.call_id
        folder = self.call_folder(call_id)
        staged: list[tuple[Path, Path]] = []
        with _writing(folder):
            try:
                self._sweep(folder)
                for path, content in self._files_of(held):
                    staged.append((stage(path, content), path))
                record = self.record_file(call_id)
                record.unlink(missing_ok=True)
                # Nothing is taken away before what takes its place is there.
                *others, last = staged
                for temporary, path in others:
                    temporary.replace(path)
                for stale in {*_AFTERWARDS, AUDIO_FILE, PACKETS_FILE} - {path.name for _, path in others}:
                    (folder / stale).unlink(missing_ok=True)
                last[0].replace(last[1])
            except BaseException:
                for temporary, _ in staged:
                    temporary.unlink(missing_ok=True)
                with contextlib.suppress(OSError):  # only where nothing else is in it
                    folder.rmdir()
                raise

    def _files_of(self, held: Held) -> Iterator[tuple[Path, bytes]]:
        folder = self.call_folder(held.record.plan.call_id)
        yield folder / TIMELINE, as_written(timeline_text(held.events))
        if held.recording is not None:
            yield folder / AUDIO_FILE, held.recording.packed or recording_bytes(held.recording.audio)
            yield folder / PACKETS_FILE, packets_bytes(held.recording.sent, held.recording.received)
        # The last one: see :meth:`write`.
        yield self.record_file(held.record.plan.call_id), as_written(model_text(held.record))

    def _sweep(self, folder: Path) -> None:
        """Removes what a process that was killed had begun to write."""
        for name in (TIMELINE, AUDIO_FILE, PACKETS_FILE, *_RECORD.values(), *_AFTERWARDS):
            for begun in folder.glob(f".{name}.*"):
                begun.unlink(missing_ok=True)

    def write_scores(
        self, call_id: str, scores: CallScores, transcript: Transcript, cache: AnalysisCache | None = None
    ) -> None:
        """The scores and the transcript of a call; ``kept`` is told of a transcript that was changed."""
        folder = self.call_folder(call_id)
        path = folder / "transcript.json"
        if cache is not None:
            cache.check_transcript(path)
        with _writing(path):
            write_model(path, transcript)
        if cache is not None:
            cache.note_transcript(path)
        self.write_scores_only(scores)

    def write_scores_only(self, scores: CallScores) -> None:
        path = self.call_folder(scores.call_id) / "scores.json"
        with _writing(path):
            write_model(path, scores)

    def analysis_cache(self, call_id: str, *, fresh: bool = False) -> AnalysisCache:
        """What the instruments heard in a call's recording before; see :class:`AnalysisCache`."""
        return AnalysisCache(self.call_folder(call_id), fresh=fresh)

    def has_analysis(self, call_id: str) -> bool:
        """Whether anything is kept of what the instruments heard in a call."""
        return (self.call_folder(call_id) / ANALYSIS_FILE).is_file()

    def recording(self, call_id: str) -> RecordingFile | None:
        """A call's recording; None where it has none.

        Raises:
            UserError: It cannot be read.
        """
        path = self.call_folder(call_id) / AUDIO_FILE
        if not path.is_file():
            return None
        try:
            content = read_bytes(path, max_bytes=MAX_AUDIO_BYTES, within=self.folder)
        except OSError as error:
            raise UserError(
                f"{path}: not a sound file that can be read: {error.strerror or error}"
            ) from error
        return RecordingFile(path=path, content=content)

    def read_record(self, call_id: str) -> CallRecord | None:
        """The record of a call that is complete; None where there is none or it cannot be read."""
        try:
            path = self.record_file(call_id)
            if not path.is_file():
                return None
            record = read_model(path, CallRecord, within=self.folder)
        except UserError:
            return None
        return record if record.plan.call_id == call_id else None

    def records(self) -> Iterator[CallRecord]:
        """Every call that came to an end, in the order of the plan; failed ones too, see their status.

        Raises:
            UserError: The folder holds no run.
        """
        info = self.read_info()
        if info is None:
            raise UserError(f"{self.folder}: holds no run (there is no run.json)")
        for call_id in info.call_ids:
            record = self.read_record(call_id)
            if record is not None and record.status is not CallStatus.INTERRUPTED:
                yield record

    def read_scores(self, call_id: str) -> CallScores | None:
        path = self.call_folder(call_id) / "scores.json"
        return read_model(path, CallScores, within=self.folder) if path.is_file() else None

    def read_events(self, call_id: str) -> list[Event]:
        """The timeline; lines that cannot be read are left out."""
        return read_events(self.call_folder(call_id) / TIMELINE, within=self.folder)

    def read_audio(self, call_id: str) -> Samples | None:
        """(samples, 2) at 48 kHz, or None where the call has no recording."""
        recording = self.recording(call_id)
        return None if recording is None else recording.samples()

    def read_packets(self, call_id: str) -> tuple[PacketTimes, PacketTimes]:
        """(sent, received); empty where they were not kept."""
        return read_packets(self.call_folder(call_id) / PACKETS_FILE, within=self.folder)


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What cannot be written is told by its name in the run."""
    try:
        yield
    except OSError as error:
        raise NotWritten.of(path, error) from error


class _Kind(BaseModel):
    kind: Literal["calls", "chat"] = "calls"


def is_chat_run(folder: Path) -> bool:
    """Whether a folder holds a run of dialogues in text."""
    try:
        return read_model(folder / "run.json", _Kind).kind == "chat"
    except UserError:
        return False
