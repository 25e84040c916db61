"""How well each spoken form of a sentence fits to what the agent said; verdicts on symbols rest on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.recognition.forced_decoding import CannotBeForced, ForcedDecoder
from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span

AROUND_S = 0.3
"""Sound before the first and behind the last sample of speech that is listened to, too."""

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Forms:
    """A sentence, said once, and all that it may have sounded like.

    Attributes:
        span: The agent's speech, in call seconds.
        sentences: As they would be said, in words.
    """

    span: Span
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class HeardForms:
    """What was heard of one sentence.

    Attributes:
        fits: For each of its sentences the natural logarithm of its probability, given the sound.
        in_words: What the recogniser wrote by itself, in words.
        in_words_fits: The same of that; None where it wrote nothing.
        reason: Why there is nothing; empty where there is.
    """

    fits: tuple[float, ...] = ()
    in_words: str = ""
    in_words_fits: float | None = None
    reason: str = ""


def hear_forms(
    audio: Samples, forms: Sequence[Forms], *, decoder: ForcedDecoder, language: str
) -> list[HeardForms]:
    """One for each of ``forms``.

    Args:
        audio: The agent's side of the call, mono, 16 kHz.
    """
    return [_heard(audio, one, decoder, language) for one in forms]


def _heard(audio: Samples, forms: Forms, decoder: ForcedDecoder, language: str) -> HeardForms:
    first = max(0, round((forms.span.start_s - AROUND_S) * SPEECH_RATE_HZ))
    clip = audio[first : round((forms.span.end_s + AROUND_S) * SPEECH_RATE_HZ)]
    try:
        written = decoder.in_words(clip, language).strip()
        fits = decoder.log_likelihoods(clip, [*forms.sentences, *([written] if written else [])], language)
    except CannotBeForced as error:
        return HeardForms(reason=str(error))
    return HeardForms(
        fits=tuple(fits[: len(forms.sentences)]),
        in_words=written[:500],
        in_words_fits=fits[-1] if written else None,
    )
