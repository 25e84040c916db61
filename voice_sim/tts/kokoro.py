"""Kokoro-82M: five neural voices that speak English and Mandarin, both with a foreign accent.

The voices are Japanese; the model says with them whatever phonemes it is given. That makes them real people's
voices with a real accent, which is what a caller from another country has; it is no voice for measuring how
well an agent understands native Mandarin. The model draws no random numbers and runs on one thread: the same
text gives the same samples, bit for bit.
"""

from __future__ import annotations

import hashlib
import json
import threading
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from voice_sim.tts import chinese_phonemes, english_phonemes
from voice_sim.tts.base import Speech, SynthesisError, checked_rate, checked_text
from voice_sim.tts.espeak_library import EspeakLibraryError
from voice_sim.tts.joining import joined, trimmed

MODEL_FILE = "kokoro-v1.0.int8.onnx"
VOICES_FILE = "voices_ja.npz"
LETTERS_FILE = "vocab.json"
SAMPLE_RATE_HZ = 24_000
THREADS = 1
FRONT_END_VERSION = 6
"""Counts up whenever the same text is turned into other phonemes, or the pieces are joined otherwise."""

MAX_TOKENS = 500
"""Of one piece; the styles of a voice are given for up to 510."""
GAP_S = 0.25
"""Between the pieces of a text that is too long for one."""
MIN_RATE, MAX_RATE = 0.5, 2.0


class KokoroEngine:
    """The voices of one folder: the model, the voices' styles and the table of letters.

    Text with Chinese characters is spoken in Mandarin, all other text in English. Loading takes about a
    second, at the first synthesis; after that 0.4-0.5 s for a second of speech on one core.
    """

    name = "kokoro"

    def __init__(self, *, folder: Path | None) -> None:
        if folder is None:
            raise SynthesisError(
                f"kokoro: needs a folder with {MODEL_FILE}, {VOICES_FILE} and {LETTERS_FILE}"
            )
        self._folder = folder
        self._lock = threading.Lock()
        self._session: onnxruntime.InferenceSession | None = None
        self._styles: dict[str, NDArray[np.float32]] | None = None
        self._letters: dict[str, int] | None = None

    def voices(self) -> list[str]:
        """The names of the voices; their second letter says f(emale) or m(ale).

        Raises:
            SynthesisError: The folder's files cannot be read.
        """
        return sorted(self._known_styles())

    def identity(self, voice: str) -> str:
        """See :class:`voice_sim.tts.base.TTSEngine`."""
        self._style(voice)
        files = ", ".join(
            f"{name} {_sha256(self._folder / name)}" for name in (MODEL_FILE, VOICES_FILE, LETTERS_FILE)
        )
        return (
            f"onnxruntime {version('onnxruntime')}, {files}, threads {THREADS}, "
            f"front end {FRONT_END_VERSION}: {chinese_phonemes.identity()}"
        )

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        """See :class:`voice_sim.tts.base.TTSEngine`. Rates beyond 0.5-2 are spoken at 0.5 or 2."""
        words = checked_text(text, engine=self.name)
        speed = min(max(checked_rate(rate, engine=self.name), MIN_RATE), MAX_RATE)
        style = self._style(voice)
        try:
            letters = phonemes(words)
        except EspeakLibraryError as error:
            raise SynthesisError(f"kokoro: {error}") from error
        with self._lock:
            known = self._known_letters()
            pieces = [
                self._speak(tokens, style=style, speed=speed)
                for piece in _split(letters)
                if any(character.isalpha() for character in piece)
                and (tokens := [known[letter] for letter in piece if letter in known])
            ]
        if not pieces:
            raise SynthesisError(f"kokoro: there is nothing to pronounce in {words[:60]!r}")
        return pieces[0] if len(pieces) == 1 else joined([trimmed(piece) for piece in pieces], gap_s=GAP_S)

    def _speak(self, tokens: list[int], *, style: NDArray[np.float32], speed: float) -> Speech:
        if self._session is None:
            self._session = _load(self._folder / MODEL_FILE)
        try:
            (samples,) = self._session.run(
                None,
                {
                    "tokens": np.array([[0, *tokens, 0]], np.int64),
                    "style": style[len(tokens)].reshape(1, -1),
                    "speed": np.array([speed], np.float32),
                },
            )
        except Exception as error:  # onnxruntime's exceptions are of every kind
            raise SynthesisError(f"kokoro: the model failed on {len(tokens)} sounds: {error}") from error
        return Speech(
            samples=np.ascontiguousarray(samples.reshape(-1), np.float32), sample_rate_hz=SAMPLE_RATE_HZ
        )

    def _style(self, voice: str) -> NDArray[np.float32]:
        styles = self._known_styles()
        if voice not in styles:
            raise SynthesisError(f"kokoro: no voice '{voice[:60]}'; known: {', '.join(sorted(styles))}")
        return styles[voice]

    def _known_styles(self) -> dict[str, NDArray[np.float32]]:
        if self._styles is None:
            path = self._folder / VOICES_FILE
            try:
                with np.load(path, allow_pickle=False) as file:
                    styles = {name: np.asarray(file[name], np.float32) for name in file.files}
            except (OSError, ValueError, EOFError) as error:
                raise SynthesisError(f"kokoro: {path} cannot be read: {error}") from error
            if not styles or any(style[:, 0].shape != (510, 256) for style in styles.values()):
                raise SynthesisError(f"kokoro: {path} does not hold voices of 510 styles of 256 numbers")
            self._styles = styles
        return self._styles

    def _known_letters(self) -> dict[str, int]:
        if self._letters is None:
            path = self._folder / LETTERS_FILE
            try:
                self._letters = {
                    str(k): int(v) for k, v in json.loads(path.read_text("utf-8"))["vocab"].items()
                }
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                raise SynthesisError(f"kokoro: {path} is no table of letters: {error}") from error
        return self._letters


def phonemes(text: str) -> str:
    """``text`` in Kokoro's letters, by the language that its characters show."""
    if any("\u3400" <= character <= "\u9fff" for character in text):
        return chinese_phonemes.chinese_phonemes(text)
    return english_phonemes.english_phonemes(text)


def _split(letters: str) -> list[str]:
    """Pieces of at most :data:`MAX_TOKENS` letters, cut after a sentence, else a clause, else a word."""
    pieces: list[str] = []
    while len(letters) > MAX_TOKENS:
        head = letters[:MAX_TOKENS]
        cut = max((head.rfind(mark) for mark in (". ", "? ", "! ")), default=-1)
        if cut < MAX_TOKENS // 3:
            cut = max(head.rfind(", "), head.rfind("; "), head.rfind(": "))
        if cut < MAX_TOKENS // 3:
            cut = head.rfind(" ") - 1
        cut = cut + 1 if cut > 0 else MAX_TOKENS
        pieces.append(letters[:cut].strip())
        letters = letters[cut:].strip()
    return [*pieces, letters]


def _load(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = THREADS
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime's own, and whatever a broken file brings about
        raise SynthesisError(f"kokoro: {path} cannot be loaded: {error}") from error


@cache
def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SynthesisError(f"kokoro: {path} cannot be read: {error}") from error
