"""Text as it sounds, in the language of the call: what error rates compare.

Reference and hypothesis go through the same rules; see :mod:`metrics.recognition.english` and
:mod:`metrics.recognition.chinese` for what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from metrics.recognition.chinese import normalize_chinese
from metrics.recognition.english import normalize_english

Language = Literal["en", "zh"]

NORMALIZATION_VERSION = "2"
"""Part of the version of every error rate: rates by different rules are not comparable."""

_NORMALIZERS: Mapping[Language, Callable[[str], str]] = {"en": normalize_english, "zh": normalize_chinese}


def normalize(text: str, language: Language) -> str:
    """``text`` in its normal form: English words with single spaces, Chinese characters without any.

    Raises:
        ValueError: There are no rules for ``language``.
    """
    try:
        normalizer = _NORMALIZERS[language]
    except KeyError:
        known = ", ".join(_NORMALIZERS)
        raise ValueError(f"no normalisation rules for language {language!r}; there are: {known}") from None
    return normalizer(text)
