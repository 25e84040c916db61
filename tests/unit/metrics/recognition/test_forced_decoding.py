"""How many texts a sound may be asked about, and how long they may be: a model that only counts."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from metrics.recognition.forced_decoding import CannotBeForced, ForcedSound


class _Tokenizer:
    """A token a character."""

    language_code = "en"
    sot_sequence = (1, 2)

    def encode(self, text: str) -> list[int]:
        return [ord(sign) for sign in text]


class _Model:
    """Holds every token for as probable as a half."""

    def align(
        self, encoded: Any, start: Any, tokens: list[list[int]], *others: Any, **more: Any
    ) -> list[Any]:
        (only,) = tokens
        return [SimpleNamespace(text_token_probs=[0.5] * len(only))]


def sound() -> ForcedSound:
    return ForcedSound(model=_Model(), encoded=None, frames=100, tokenizer=_Tokenizer(), without_words=[])


def test_as_many_texts_as_a_symbol_may_have_readings_right_and_wrong_and_the_recognisers_own() -> None:
    """Thirty of each, and one; a text has a space before it."""
    found = sound().log_likelihoods(["abc"] * 61)
    assert found == [pytest.approx(4 * math.log(0.5))] * 61
    with pytest.raises(CannotBeForced, match="62 texts; 61 at most"):
        sound().log_likelihoods(["abc"] * 62)


def test_a_text_has_200_tokens_at_most() -> None:
    assert sound().log_likelihoods(["a" * 199]) == [pytest.approx(200 * math.log(0.5))]
    with pytest.raises(CannotBeForced, match="a text of 201 tokens; 1 to 200"):
        sound().log_likelihoods(["abc", "a" * 200])
