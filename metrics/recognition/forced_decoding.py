"""How well given words fit to a sound: Whisper's probability of each of several texts, and its own in words.

Whisper writes "$4.99" whatever was said for it, so its transcript does not tell how a symbol was read. Its
decoder does: made to write one reading after the other, it gives to each the probability that it was said
(teacher forcing). And with all tokens suppressed that hold a digit or a symbol it writes words of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.audio import pad_or_trim
from faster_whisper.tokenizer import Tokenizer
from numpy.typing import NDArray

from metrics.chinese_script import to_simplified
from metrics.recognition.whisper.short_window import LEAST_WINDOW_FRAMES, PADDING_FRAMES, WHOLE_WINDOW_FRAMES

MOST_S = 28.0
MOST_TEXTS = 61
"""Thirty readings of a symbol, thirty wrong ones, and what the recogniser writes by itself."""
MOST_TOKENS = 200
BEAMS = 5
LEAST_PROBABILITY = 1e-10
_FILTER_WIDTH = 7
_SYMBOLS = frozenset("$€£¥%#@&+=/\\°:*_^~<>|½¼¾×÷√²³№§")

_NOT_WORDS: WeakKeyDictionary[WhisperModel, list[int]] = WeakKeyDictionary()
"""Of each model that is loaded, its tokens that are no words: fifty thousand are looked at to find them."""

Samples = NDArray[np.float32]


class CannotBeForced(ValueError):
    """The sound is too long, or a text is; the message says which."""


class ForcedDecoder:
    """Asks a multilingual Whisper model that is loaded already; not by several threads at a time."""

    def __init__(self, model: WhisperModel) -> None:
        self._model: Any = model

    def listen(self, audio: Samples, language: str) -> ForcedSound:
        """A sound that can be asked about, encoded once.

        Args:
            audio: Mono, 16 kHz, of at most 28 s, from before the first word to behind the last.

        Raises:
            CannotBeForced: The sound is too long.
        """
        extract = self._model.feature_extractor
        length_s = len(audio) / extract.sampling_rate
        if length_s > MOST_S:
            raise CannotBeForced(f"{length_s:.1f} s of sound; {MOST_S:g} at most")
        features = np.asarray(extract(audio), np.float32)
        frames = min(
            WHOLE_WINDOW_FRAMES,
            max(LEAST_WINDOW_FRAMES, (features.shape[-1] + 1) // 2 * 2 + PADDING_FRAMES),
        )
        tokenizer = Tokenizer(self._model.hf_tokenizer, True, task="transcribe", language=language)
        if self._model not in _NOT_WORDS:
            _NOT_WORDS[self._model] = [
                token for token in range(tokenizer.eot) if not_a_word(tokenizer.decode([token]))
            ]
        return ForcedSound(
            model=self._model.model,
            encoded=self._model.encode(pad_or_trim(features, frames)),
            frames=frames,
            tokenizer=tokenizer,
            without_words=_NOT_WORDS[self._model],
        )


class ForcedSound:
    """A sound that was encoded, and what may be said in it; of :meth:`ForcedDecoder.listen`."""

    def __init__(
        self, *, model: Any, encoded: Any, frames: int, tokenizer: Any, without_words: list[int]
    ) -> None:
        self._model = model
        self._encoded = encoded
        self._frames = frames
        self._tokenizer = tokenizer
        self._without_words = without_words
        self._chinese = tokenizer.language_code == "zh"

    def log_likelihoods(self, texts: Sequence[str]) -> list[float]:
        """The natural logarithm of the probability of each text, all tokens of it, given the sound.

        Args:
            texts: As they would be written; in words where it matters how something was said.

        Raises:
            CannotBeForced: A text is too long, or there are too many.
        """
        if len(texts) > MOST_TEXTS:
            raise CannotBeForced(f"{len(texts)} texts; {MOST_TEXTS} at most")
        found = []
        for text in texts:
            tokens = self._tokenizer.encode(text if self._chinese else f" {text}")
            if not 0 < len(tokens) <= MOST_TOKENS:
                raise CannotBeForced(f"a text of {len(tokens)} tokens; 1 to {MOST_TOKENS}")
            (aligned,) = self._model.align(
                self._encoded,
                self._tokenizer.sot_sequence,
                [tokens],
                [self._frames],
                median_filter_width=_FILTER_WIDTH,
            )
            found.append(sum(math.log(max(one, LEAST_PROBABILITY)) for one in aligned.text_token_probs))
        return found

    def in_words(self) -> str:
        """What is said, written without a digit and without a symbol; empty where nothing is."""
        prompt = [*self._tokenizer.sot_sequence, self._tokenizer.no_timestamps]
        (result,) = self._model.generate(
            self._encoded,
            [prompt],
            beam_size=BEAMS,
            suppress_blank=True,
            suppress_tokens=[-1, *self._without_words],
            max_length=MOST_TOKENS,
        )
        tokens = [token for token in result.sequences_ids[0] if token < self._tokenizer.eot]
        written = str(self._tokenizer.decode(tokens)).strip()
        return to_simplified(written) if self._chinese else written


def not_a_word(token: str) -> bool:
    """Whether a token holds a digit or a sign that stands for a word."""
    return any(sign.isdigit() or sign in _SYMBOLS for sign in token)
