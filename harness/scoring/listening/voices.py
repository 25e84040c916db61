"""Voices of ``score-tts`` on a listening page: each is to the page what a run is, its texts are the calls."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import soundfile

from harness._files.json_file import read_model
from harness._files.outside_file import read_bytes
from harness.analysis.components.figures import ComponentTable
from harness.analysis.components.kept import NAME, Kept
from harness.analysis.components.tts import TtsResult
from harness.errors import UserError
from harness.records.call import SAMPLE_RATE_HZ
from harness.scoring.listening.pairs import FEWEST_WORDS
from harness.scoring.listening.stretches import LONGEST_S, SHORTEST_S, Samples, Stretch
from metrics.audio import Audio, AudioError
from spoken_language.outside_text import one_line
from voice_sim.tts.base import MAX_SPEECH_S

MAX_TABLE_BYTES = 64_000_000
MAX_CLIP_BYTES = 64_000_000


@dataclass(frozen=True, kw_only=True)
class VoiceClips:
    """What one voice said of a list of texts.

    Attributes:
        folder: Of ``score-tts``.
        results: By the id of the text: what was said last.
    """

    folder: Path
    name: str
    results: Mapping[str, TtsResult]

    def stretches(self, *, run: int) -> list[Stretch]:
        """Every clip that is long enough to be rated, and not too long, whole.

        Raises:
            UserError: There is none.
        """
        found = []
        for item, one in self.results.items():
            sha256 = self.sha256(item) if SHORTEST_S <= one.audio_s <= LONGEST_S else None
            if sha256 is not None:
                found.append(
                    Stretch(
                        run=run,
                        call_id=item,
                        recording_sha256=sha256,
                        start_s=0.0,
                        end_s=round(one.audio_s, 3),
                        # The same text, whatever a recogniser made of it.
                        words=(item,) * FEWEST_WORDS,
                    )
                )
        if not found:
            raise UserError(
                f"{self.folder}: nothing of {self.name} can be rated: it has no clip of {SHORTEST_S:g} to "
                f"{LONGEST_S:g} s; give score-tts longer texts"
            )
        return found

    def sha256(self, item: str) -> str | None:
        """Of the clip's file; None where there is none any more.

        Raises:
            UserError: It is there, and cannot be read.
        """
        path = self._path(item)
        try:
            if path is None or not path.is_file():
                return None
            return hashlib.sha256(read_bytes(path, max_bytes=MAX_CLIP_BYTES)).hexdigest()
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error

    def sound(self, item: str) -> tuple[str, Samples] | None:
        """A clip's checksum, and its samples at the rate of a page.

        Raises:
            UserError: It is there, and cannot be read, has several channels or is far too long.
        """
        sha256, path = self.sha256(item), self._path(item)
        if sha256 is None or path is None:
            return None
        if problem := _problem(path):
            raise UserError(f"{path}: {problem}")
        try:
            return sha256, Audio.from_file(path).resampled(SAMPLE_RATE_HZ).samples.copy()
        except AudioError as error:
            raise UserError(str(error)) from error

    def _path(self, item: str) -> Path | None:
        one = self.results.get(item)
        path = None if one is None or not one.audio else (self.folder / one.audio).resolve()
        return path if path is not None and path.is_relative_to(self.folder.resolve()) else None


def is_of_components(folder: Path) -> bool:
    """Whether ``score-tts`` or ``score-asr`` wrote a folder."""
    return (folder / NAME).is_file() and not (folder / "run.json").exists()


def table_of(folder: Path) -> ComponentTable:
    """The table that lies in a folder of ``score-tts``.

    Raises:
        UserError: There is none, or it is one of recognisers.
    """
    table = read_model(folder / "summary.json", ComponentTable, max_bytes=MAX_TABLE_BYTES)
    if table.kind != "tts":
        raise UserError(f"{folder}: holds a table of score-{table.kind}; there is nothing to listen to")
    return table


def voices_in(folder: Path, systems: Sequence[str] | None = None) -> list[VoiceClips]:
    """The voices of the folder's table, in its order.

    Args:
        systems: Their names; those of the table that lies in the folder where they are not given.

    Raises:
        UserError: It is no folder of ``score-tts``, or two voices have their sound in one file.
    """
    names = [row.system for row in table_of(folder).rows] if systems is None else systems
    said: dict[str, dict[str, TtsResult]] = {name: {} for name in names}
    owners: dict[str, set[str]] = {}
    for one in Kept(folder, TtsResult).in_order():
        if one.failed:
            continue
        if one.audio:
            owners.setdefault(one.audio, set()).add(one.system)
        if one.system in said:
            said[one.system][one.item] = one
    for results in said.values():
        for one in results.values():
            if len(both := sorted(owners.get(one.audio, ()))) > 1:
                first, second = (one_line(name, most=100) for name in both[:2])
                raise UserError(
                    f"{folder}: {first} and {second} have their sound in one file, "
                    f"{one_line(one.audio, most=200)}: which of them is heard is not known; have score-tts "
                    "say the texts again into another folder (--out)"
                )
    return [VoiceClips(folder=folder, name=name, results=results) for name, results in said.items()]


def _problem(path: Path) -> str:
    """Why a clip is not decoded; empty where it is."""
    try:
        told = soundfile.info(str(path))
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        return f"not a sound file that can be read: {one_line(str(error), most=200)}"
    if told.channels != 1:
        return f"{told.channels} channels; a clip has one"
    if told.frames > MAX_SPEECH_S * told.samplerate:
        return f"{told.frames / told.samplerate:.1f} s; a clip has at most {MAX_SPEECH_S:.0f}"
    return ""
