"""Voices on a list of texts: ``outboundeval score-tts``.

A line of the list::

    {"text": "Your order costs $4.99.", "language": "en"}

with ``id``, ``group`` (texts of one are not independent) and ``spoken`` (the words in which it is to be read;
default: the text, whose numbers our normaliser reads) where they are of use. A ``.txt`` has a text a line.
Voices are ``ENGINE/VOICE`` as in a plan: ``piper/joe``, ``kokoro/jf_alpha``, ``espeak/en-us``,
``livekit/openai/alloy``. What they say is kept as FLAC below the folder, to be listened to.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import soundfile
from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness._files.atomic_file import write_bytes
from harness.analysis.components.kept import Kept, Result, key_of
from harness.analysis.components.rows import ID_PATTERN, language_problem, read_items
from harness.analysis.instruments import Instruments
from harness.analysis.sound.nisqa_clips import rate_clips
from harness.errors import NotWritten, UserError
from harness.models.resolve import resolve
from harness.models.voices import model_of, refuse_foreign_text
from metrics.audio import Audio
from metrics.recognition.normalize import Language
from metrics.spans import Span
from voice_sim.registry import MissingExtraError, UnknownPartError
from voice_sim.tts import create_engine
from voice_sim.tts.base import MAX_TEXT_CHARS, OpensFirst, Speech, SynthesisError, TTSEngine

DEFAULT_VOICES: Mapping[tuple[str, Language], str] = {
    ("piper", "en"): "joe",
    ("kokoro", "en"): "jf_alpha",
    ("kokoro", "zh"): "jf_gongitsune",
    ("espeak", "en"): "en-us",
    ("espeak", "zh"): "cmn",
}
"""Of an engine that is named alone."""


class TtsItem(BaseModel):
    """One line of the list; see the module's docstring."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=ID_PATTERN)
    text: str = Field(max_length=MAX_TEXT_CHARS)
    language: Language = "en"
    group: str = Field(default="", max_length=80)
    spoken: str = Field(default="", max_length=MAX_TEXT_CHARS)

    @model_validator(mode="after")
    def _can_be_said(self) -> Self:
        if not any(character.isalnum() for character in self.text):
            raise ValueError("text: there is nothing to say in it")
        if problem := language_problem(self.text, self.language):
            raise ValueError(problem)
        return self


class TtsResult(Result):
    """What a voice made of a text.

    Attributes:
        took_s: From the text to all of its sound.
        audio: The clip, below the folder.
        language: Of the text; empty in older files.
        hypothesis: What our recogniser heard; None without one.
        naturalness, quality: NISQA's; None where there is none, with ``no_nisqa`` saying why.
    """

    took_s: float = 0.0
    audio_s: float = 0.0
    audio: str = ""
    language: str = ""
    hypothesis: str | None = None
    naturalness: float | None = None
    quality: float | None = None
    no_nisqa: str = ""


@dataclass(frozen=True, kw_only=True)
class Voice:
    """A voice to try."""

    engine: TTSEngine
    voices: Mapping[Language, str]
    """Its name for each language of the list."""

    def identity(self, language: Language) -> str:
        """Whatever decides the sound.

        Raises:
            UserError: The engine has no such voice.
        """
        name = self.voices[language]
        try:
            return f"{self.engine.name}/{name}: {self.engine.identity(name)}"
        except SynthesisError as error:
            raise UserError(f"--tts: {error}") from error


def read_texts(path: Path, *, language: Language | None = None) -> list[TtsItem]:
    """The texts of a list; ``language`` is that of a ``.txt``, English where it is not given.

    Raises:
        UserError: Lines are wrong: the first are named; or a language is given for a list that has its own.
    """
    lines = path.suffix.lower() == ".txt"
    if language is not None and not lines:
        raise UserError(f"--language {language}: is for a .txt; in {path} it is a column of its own")
    return read_items(path, TtsItem, also_lines=True, besides={"language": language or "en"} if lines else {})


def open_voice(name: str, languages: Sequence[Language]) -> Voice:
    """The voice called ``name``, for the languages of a list.

    Raises:
        UserError: There is none, or it does not speak one of them.
    """
    engine, _, rest = name.partition("/")
    voices: dict[Language, str] = {}
    folder = None
    try:
        for language in languages:
            voice = rest or DEFAULT_VOICES.get((engine, language), "")
            if not voice and engine != "livekit":
                raise UserError(f"--tts {name}: name a voice for '{language}', as in {engine}/VOICE")
            refuse_foreign_text(engine, voice, language)
            model = model_of(engine, voice)
            folder = None if model is None else resolve(model).path
            voices[language] = voice
        speaks = create_engine(engine, folder=folder)
        if isinstance(speaks, OpensFirst):
            for voice in dict.fromkeys(voices.values()):
                speaks.check_opens(voice)
        return Voice(engine=speaks, voices=voices)
    except (UnknownPartError, MissingExtraError, SynthesisError) as error:
        raise UserError(f"--tts {name}: {error}") from error


def speak_all(
    items: Sequence[TtsItem],
    voices: Mapping[str, Voice],
    folder: Path,
    instruments: Instruments,
    *,
    only_kept: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, dict[str, TtsResult]]:
    """What each voice makes of each text, by voice and id; kept in ``folder`` one by one.

    A voice says its first text twice: what it loads on the way is no part of how fast it is.

    Args:
        only_kept: Nothing is said, only what was kept is taken.

    Raises:
        NotWritten: A result cannot be kept.
    """
    kept = Kept(folder, TtsResult)
    found: dict[str, dict[str, TtsResult]] = {name: {} for name in voices}
    heard_by = f"{instruments.whisper_digest} {instruments.nisqa_digest}"
    done, of = 0, len(items) * len(voices)
    for name, voice in voices.items():
        warm = False
        for item in items:
            key = key_of(name, voice.identity(item.language), heard_by, item.model_dump_json())
            result = kept.get(key)
            if result is None and not only_kept:
                if not warm:
                    _said(voice, item)
                    warm = True
                result = kept.put(_result(name, key, voice, item, folder, instruments))
            if result is not None:
                found[name][item.id] = result
            done += 1
            on_progress(done, of)
    return found


def _said(voice: Voice, item: TtsItem) -> tuple[Speech, float] | str:
    """Its sound and how long that took; or why there is none."""
    began_s = time.monotonic()
    try:
        speech = voice.engine.synthesize(item.text, voice=voice.voices[item.language], rate=1.0)
    except SynthesisError as error:
        return str(error)
    took_s = time.monotonic() - began_s
    if not speech.samples.size or not np.any(speech.samples):
        return "gave no sound but silence"
    return speech, took_s


def _result(
    name: str, key: str, voice: Voice, item: TtsItem, folder: Path, instruments: Instruments
) -> TtsResult:
    said = _said(voice, item)
    if isinstance(said, str):
        return TtsResult(key=key, system=name, item=item.id, language=item.language, failed=said)
    speech, took_s = said
    place = f"audio/{_folder_of(name)}/{item.id}.flac"
    buffer = io.BytesIO()
    soundfile.write(buffer, np.clip(speech.samples, -1.0, 1.0), speech.sample_rate_hz, format="FLAC")
    try:
        write_bytes(folder / place, buffer.getvalue())
    except OSError as error:
        raise NotWritten.of(folder / place, error) from error
    audio = Audio(samples=speech.samples, sample_rate_hz=speech.sample_rate_hz)
    whisper = instruments.whisper
    heard = None if whisper is None else whisper.transcribe(audio.resampled().samples, item.language).text
    naturalness, quality, why = _nisqa(audio, instruments)
    return TtsResult(
        key=key,
        system=name,
        item=item.id,
        took_s=took_s,
        audio_s=speech.duration_s,
        audio=place,
        language=item.language,
        hypothesis=heard,
        naturalness=naturalness,
        quality=quality,
        no_nisqa=why,
    )


def _folder_of(name: str) -> str:
    """For a voice's clips; its own, however long the name is and whatever letters it has."""
    return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name)[:50]}-{key_of(name)[:8]}"


def _nisqa(audio: Audio, instruments: Instruments) -> tuple[float | None, float | None, str]:
    naturalness, quality = instruments.naturalness, instruments.quality
    if naturalness is None or quality is None:
        return None, None, instruments.why_no_nisqa.split("\n")[0]
    rated = rate_clips(
        audio.samples,
        audio.sample_rate_hz,
        [Span(start_s=0.0, end_s=audio.duration_s)],
        naturalness=naturalness,
        quality=quality,
    )
    if not rated or rated[0].warnings:
        return None, None, ", ".join(rated[0].warnings) if rated else "too short, too long or silent"
    return rated[0].naturalness.naturalness, rated[0].quality.mos, ""
