"""espeak-ng: a formant synthesiser with many languages and accents; robotic and tiny.

It is run as a program (``espeak-ng``, installed by the system's package manager); no model files are needed.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from functools import cached_property
from pathlib import Path

import soundfile

from voice_sim.tts.base import Speech, SynthesisError, checked_rate, checked_text

NORMAL_WORDS_PER_MINUTE = 175
TIMEOUT_S = 30.0
_VOICE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,39}")
_OTHER_NAME = re.compile(r"\(([A-Za-z0-9-]+) \d+\)")
_UNKNOWN_SIZE = 0x7FFF_F000
"""espeak-ng writes to a pipe, where it cannot go back and fill in how long the file became."""


class EspeakEngine:
    """The voices of the installed espeak-ng, by its own names: ``en-us``, ``en-gb-scotland``, ``de`` ..."""

    name = "espeak"

    def __init__(self, *, folder: Path | None = None) -> None:
        program = shutil.which("espeak-ng")
        if program is None:
            raise SynthesisError("espeak: espeak-ng is not installed (Debian: apt install espeak-ng)")
        self._program = program

    def voices(self, language: str = "") -> list[str]:
        """Names of the voices of a language (``en``) and its accents, or of all; mbrola's are left out.

        Behind a name, ``+f1`` to ``+f5``, ``+m1`` to ``+m8`` and others make another woman or man of it.

        Raises:
            SynthesisError: The program does not answer.
        """
        return sorted(name for name in self._names if not language or name.partition("-")[0] == language)

    def identity(self, voice: str) -> str:
        """See :class:`voice_sim.tts.base.TTSEngine`."""
        return self._version

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        """See :class:`voice_sim.tts.base.TTSEngine`."""
        words = checked_text(text, engine=self.name)
        if not _VOICE_NAME.fullmatch(voice):
            raise SynthesisError(f"espeak: '{voice[:60]}' is not a voice; espeak-ng --voices lists them")
        speed = round(NORMAL_WORDS_PER_MINUTE * checked_rate(rate, engine=self.name))
        self._check_voice(voice)
        wav = self._run(["-v", voice, "-s", str(speed), "-b", "1", "--stdin", "--stdout"], words)
        try:
            samples, sample_rate_hz = soundfile.read(io.BytesIO(_with_true_size(wav)), dtype="float32")
        except soundfile.LibsndfileError as error:
            raise SynthesisError(f"espeak: no audio came for {words[:60]!r}: {error}") from error
        if samples.size == 0:
            raise SynthesisError(f"espeak: there is nothing to pronounce in {words[:60]!r}")
        return Speech(samples=samples, sample_rate_hz=sample_rate_hz)

    def _check_voice(self, voice: str) -> None:
        # Left to itself, espeak-ng speaks en-mars as plain en, and leaves unknown variants out.
        base, _, variant = voice.partition("+")
        if base not in self._names:
            alike = self.voices(base.partition("-")[0]) or self.voices()
            raise SynthesisError(f"espeak: the voice '{base}' does not exist; known: {', '.join(alike)}")
        if variant and variant not in self._variants:
            known = ", ".join(sorted(self._variants))
            raise SynthesisError(f"espeak: the variant '+{variant}' does not exist; known: {known}")

    @cached_property
    def _names(self) -> frozenset[str]:
        rows = [row for row in self._rows("--voices") if not row[4].startswith("mb/")]
        # Behind the file stand other names for the same language: (zh-cmn 5)(zh 5).
        others = (name for row in rows for name in _OTHER_NAME.findall(" ".join(row[5:])))
        return frozenset([*(row[1] for row in rows), *others])

    @cached_property
    def _variants(self) -> frozenset[str]:
        return frozenset(row[4].removeprefix("!v/") for row in self._rows("--voices=variant"))

    def _rows(self, option: str) -> list[list[str]]:
        """Columns: priority, language, age and gender, name, file."""
        lines = self._run([option], "").decode(errors="replace").splitlines()[1:]
        return [row for line in lines if len(row := line.split()) > 4]

    @cached_property
    def _version(self) -> str:
        return self._run(["--version"], "").decode(errors="replace").partition("Data at")[0].strip()

    def _run(self, arguments: list[str], text: str) -> bytes:
        try:
            done = subprocess.run(
                [self._program, *arguments],
                input=text.encode(),
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SynthesisError(f"espeak: {self._program} could not be run: {error}") from error
        complaint = done.stderr.decode(errors="replace").strip()
        if done.returncode != 0 or (complaint and not done.stdout):
            raise SynthesisError(f"espeak: {complaint or f'exit status {done.returncode}'}")
        return done.stdout


def _with_true_size(wav: bytes) -> bytes:
    """The WAV with its two size fields corrected, so that a reader does not wait for what never comes."""
    data = wav.find(b"data")
    if wav[:4] != b"RIFF" or data < 0 or int.from_bytes(wav[data + 4 : data + 8], "little") < _UNKNOWN_SIZE:
        return wav
    riff_size, data_size = len(wav) - 8, len(wav) - data - 8
    return (
        wav[:4]
        + riff_size.to_bytes(4, "little")
        + wav[8 : data + 4]
        + data_size.to_bytes(4, "little")
        + wav[data + 8 :]
    )
