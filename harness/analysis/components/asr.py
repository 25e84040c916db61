"""Recognisers on a list of clips whose words are known: ``outboundeval score-asr``.

A line of the list::

    {"audio": "clips/a.flac", "text": "I live in Paris", "language": "en"}

and where it is known of a clip: ``id``; ``group`` (a speaker: clips of one are not independent); ``snr_db``;
``accent`` (``standard`` is what the others are held against); ``entities``, a list of ``{"kind": "place",
"value": "Paris"}``; ``usable: false`` for a clip that nobody can understand, whose text is empty.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import soundfile
from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness._files.outside_file import check_plain, check_within
from harness.analysis.components.kept import Kept, Result, key_of
from harness.analysis.components.rows import ID_PATTERN, MAX_TOLD, language_problem, read_items
from harness.analysis.components.systems.base import Recogniser, RecognitionFailed
from harness.errors import UserError
from metrics.audio import Audio, AudioError
from metrics.recognition.error_rate import ALIGNMENT_LIMIT
from metrics.recognition.normalize import Language
from spoken_language.entity_kinds import EntityKind

MAX_CLIP_S = 600.0
MAX_CLIP_BYTES = 400_000_000
STANDARD = "standard"


class Entity(BaseModel):
    """What has to be recognised in a clip."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: EntityKind
    value: str = Field(min_length=1, max_length=200)


class AsrItem(BaseModel):
    """One line of the list; see the module's docstring."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=ID_PATTERN)
    audio: str = Field(min_length=1, max_length=1000)
    text: str = Field(default="", max_length=ALIGNMENT_LIMIT // 2)
    language: Language = "en"
    group: str = Field(default="", max_length=80)
    snr_db: float | None = Field(default=None, ge=-40.0, le=100.0)
    accent: str = Field(default="", max_length=80)
    entities: tuple[Entity, ...] = Field(default=(), max_length=50)
    usable: bool = True

    @model_validator(mode="after")
    def _has_words(self) -> Self:
        if self.usable and not any(character.isalnum() for character in self.text):
            raise ValueError("text: the words of the clip; or 'usable' is false where nobody can tell them")
        if problem := language_problem(self.text, self.language):
            raise ValueError(problem)
        if not self.usable and (self.text.strip() or self.entities):
            raise ValueError("usable: a clip that cannot be understood has neither text nor entities")
        return self


class AsrResult(Result):
    """What a recogniser heard in a clip, how long it took, and how long the clip is."""

    hypothesis: str = ""
    took_s: float = 0.0
    audio_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Clip:
    """An item with its file, which was looked at."""

    item: AsrItem
    path: Path


def read_clips(manifest: Path) -> list[Clip]:
    """The clips of a list, each a sound file below the list's folder.

    Raises:
        UserError: Lines or files are wrong: the first are named.
    """
    clips, wrong = [], []
    for item in read_items(manifest, AsrItem):
        path = manifest.parent / item.audio
        problem = _problem(path, manifest.parent)
        if problem:
            wrong.append(f"{manifest}: '{item.id}': audio '{item.audio}': {problem}")
        clips.append(Clip(item=item, path=path))
    if wrong:
        more = f"\nand {len(wrong) - MAX_TOLD} more clips" if len(wrong) > MAX_TOLD else ""
        raise UserError("\n".join(wrong[:MAX_TOLD]) + more)
    return clips


def recognise_all(
    clips: Sequence[Clip],
    systems: Mapping[str, Recogniser],
    folder: Path,
    *,
    on_progress: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, dict[str, AsrResult]]:
    """What each system hears in each clip, by system and id; kept in ``folder`` one by one.

    A system hears its first clip twice: what it loads on the way is no part of how fast it is.

    Raises:
        NotWritten: A result cannot be kept.
    """
    kept = Kept(folder, AsrResult)
    found: dict[str, dict[str, AsrResult]] = {name: {} for name in systems}
    done, of = 0, len(clips) * len(systems)
    for name, system in systems.items():
        warm = False
        for clip in clips:
            key = key_of(name, system.identity, clip.item.id, clip.item.language, _sha256(clip.path))
            result = kept.get(key)
            if result is None:
                if not warm:
                    _recognised(name, key, system, clip)
                    warm = True
                result = kept.put(_recognised(name, key, system, clip))
            found[name][clip.item.id] = result
            done += 1
            on_progress(done, of)
    return found


def kept_results(
    clips: Sequence[Clip], systems: Mapping[str, Recogniser], folder: Path
) -> dict[str, dict[str, AsrResult]]:
    """What :func:`recognise_all` kept so far."""
    kept = Kept(folder, AsrResult)
    found: dict[str, dict[str, AsrResult]] = {name: {} for name in systems}
    for name, system in systems.items():
        for clip in clips:
            key = key_of(name, system.identity, clip.item.id, clip.item.language, _sha256(clip.path))
            if (result := kept.get(key)) is not None:
                found[name][clip.item.id] = result
    return found


def _recognised(name: str, key: str, system: Recogniser, clip: Clip) -> AsrResult:
    try:
        audio = Audio.from_file(clip.path)
    except AudioError as error:
        return AsrResult(key=key, system=name, item=clip.item.id, failed=str(error))
    began_s = time.monotonic()
    try:
        text = system.recognise(audio, clip.item.language)
    except RecognitionFailed as error:
        return AsrResult(key=key, system=name, item=clip.item.id, failed=str(error) or "no reason was given")
    return AsrResult(
        key=key,
        system=name,
        item=clip.item.id,
        hypothesis=text[: ALIGNMENT_LIMIT // 2],
        took_s=time.monotonic() - began_s,
        audio_s=audio.duration_s,
    )


def _problem(path: Path, folder: Path) -> str:
    try:
        check_within(path, folder)
        check_plain(path)
        if path.stat().st_size > MAX_CLIP_BYTES:
            return f"larger than {MAX_CLIP_BYTES} bytes"
        told = soundfile.info(str(path))
    except (OSError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error)
    except RuntimeError as error:
        return f"not a sound file that can be read: {error}"
    if told.channels != 1:
        return f"{told.channels} channels; a clip has one"
    if not 0.1 <= told.duration <= MAX_CLIP_S:
        return f"{told.duration:.1f} s; a clip has 0.1 to {MAX_CLIP_S:.0f}"
    return ""


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
