"""espeak-ng from a package: many accents of English, Mandarin and Cantonese; robotic and tiny.

The same voices as :mod:`voice_sim.tts.espeak` has, without a program of the system: the library comes with
``espeakng-loader``, so that a voice is the same on every machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from voice_sim.tts.base import Speech, SynthesisError, checked_rate, checked_text

NORMAL_WORDS_PER_MINUTE = 175
TIMEOUT_S = 30.0
_VOICE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,39}")


class EspeakVoicesEngine:
    """The voices of the packaged espeak-ng by its own names: ``en-us``, ``en-gb-scotland``, ``cmn`` ..."""

    name = "espeakng"

    def __init__(self, *, folder: Path | None = None) -> None:
        if find_spec("espeakng_loader") is None:
            raise SynthesisError("espeakng: not installed: pip install 'outboundeval[voices]'")

    def identity(self, voice: str) -> str:
        """See :class:`voice_sim.tts.base.TTSEngine`."""
        return f"espeakng-loader {version('espeakng-loader')}"

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        """See :class:`voice_sim.tts.base.TTSEngine`."""
        words = checked_text(text, engine=self.name)
        if not _VOICE_NAME.fullmatch(voice):
            raise SynthesisError(f"espeakng: '{voice[:60]}' is not a voice; espeak-ng --voices lists them")
        speed = round(NORMAL_WORDS_PER_MINUTE * checked_rate(rate, engine=self.name))
        command = [sys.executable, "-P", "-m", "voice_sim.tts.espeak_said", voice, str(speed)]
        try:
            done = subprocess.run(
                command, input=words.encode(), capture_output=True, timeout=TIMEOUT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SynthesisError(f"espeakng: could not be run: {error}") from error
        rate_hz, _, pcm = done.stdout.partition(b"\n")
        if done.returncode != 0 or not rate_hz.isdigit():
            told = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise SynthesisError(f"espeakng: {told[0] if told else f'exit status {done.returncode}'}")
        samples = np.frombuffer(pcm, "<i2").astype(np.float32) / 32768.0
        if samples.size == 0:
            raise SynthesisError(f"espeakng: there is nothing to pronounce in {words[:60]!r}")
        return Speech(samples=samples, sample_rate_hz=int(rate_hz))
