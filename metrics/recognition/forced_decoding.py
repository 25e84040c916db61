"""How well given words fit to a sound: Whisper's probability of each of several texts, and its own in words.

Whisper writes "$4.99" whatever was said for it, so its transcript does not tell how a symbol was read. Its
decoder does: made to write one reading after the other, it gives to each the probability that it was said
(teacher forcing). And with all tokens suppressed that hold a digit or a symbol it writes words of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.audio import pad_or_trim
from faster_whisper.tokenizer import Tokenizer
from numpy.typing import NDArray

from metrics.chinese_script import to_simplified

MOST_S = 28.0
MOST_TEXTS = 60
MOST_TOKENS = 200
LEAST_PROBABILITY = 1e-10
_FILTER_WIDTH = 7
_SYMBOLS = frozenset("$€£¥%#@&+=/\\°:*_^~<>|½¼¾×÷√²³№§")

Samples = NDArray[np.float32]


class CannotBeForced(ValueError):
    """The sound is too long, or a text is; the message says which."""


class ForcedDecoder:
    """Asks a Whisper model that is loaded already; not for use by several threads at a time.

    Args:
        model: Its features must be those of the language that is asked for; any multilingual one.
    """

    def __init__(self, model: WhisperModel) -> None:
        self._model: Any = model

    def log_likelihoods(self, audio: Samples, texts: Sequence[str], language: str) -> list[float]:
        """The natural logarithm of the probability of each text, all tokens of it, given the sound.

        Args:
            audio: Mono, 16 kHz, of at most 28 s, from before the first word to behind the last.
            texts: As they would be written; in words where it matters how something was said.

        Raises:
            CannotBeForced: The sound or a text is too long, or there are too many.
        """
        features = self._features(audio)
        if len(texts) > MOST_TEXTS:
            raise CannotBeForced(f"{len(texts)} texts; {MOST_TEXTS} at most")
        tokenizer = self._tokenizer(language)
        encoded = self._model.encode(features)
        found = []
        for text in texts:
            tokens = tokenizer.encode(text if language == "zh" else f" {text}")
            if not 0 < len(tokens) <= MOST_TOKENS:
                raise CannotBeForced(f"a text of {len(tokens)} tokens; 1 to {MOST_TOKENS}")
            (aligned,) = self._model.model.align(
                encoded,
                tokenizer.sot_sequence,
                [tokens],
                [features.shape[-1]],
                median_filter_width=_FILTER_WIDTH,
            )
            found.append(sum(math.log(max(one, LEAST_PROBABILITY)) for one in aligned.text_token_probs))
        return found

    def in_words(self, audio: Samples, language: str) -> str:
        """What is said, written without a digit and without a symbol.

        Raises:
            CannotBeForced: The sound is too long.
        """
        self._features(audio)
        segments, _ = self._model.transcribe(
            audio,
            language=language,
            beam_size=5,
            temperature=[0.0],
            condition_on_previous_text=False,
            without_timestamps=True,
            vad_filter=False,
            suppress_tokens=[-1, *self._without_words],
            no_speech_threshold=None,
            log_prob_threshold=None,
            compression_ratio_threshold=None,
            max_new_tokens=MOST_TOKENS,
        )
        joined = ("" if language == "zh" else " ").join(one.text.strip() for one in segments)
        return to_simplified(joined) if language == "zh" else joined

    def _features(self, audio: Samples) -> NDArray[np.float32]:
        length_s = len(audio) / self._model.feature_extractor.sampling_rate
        if length_s > MOST_S:
            raise CannotBeForced(f"{length_s:.1f} s of sound; {MOST_S:g} at most")
        return np.asarray(pad_or_trim(self._model.feature_extractor(audio)), np.float32)

    def _tokenizer(self, language: str) -> Any:
        return Tokenizer(self._model.hf_tokenizer, True, task="transcribe", language=language)

    @cached_property
    def _without_words(self) -> tuple[int, ...]:
        tokenizer = self._tokenizer("en")
        return tuple(token for token in range(tokenizer.eot) if not_a_word(tokenizer.decode([token])))


def not_a_word(token: str) -> bool:
    """Whether a token holds a digit or a sign that stands for a word."""
    return any(sign.isdigit() or sign in _SYMBOLS for sign in token)
