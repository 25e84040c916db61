"""Texts as other people's tables compare them, so that a figure can be laid beside theirs.

Three ways of writing the same words down, three error rates; none is comparable with another:

- ours (:mod:`metrics.recognition.normalize`): whatever sounds the same is the same;
- *plain*: (S + D + I) / N of Table 15 and nothing else: case, punctuation and the kind of Chinese writing do
  not count, all else does. Each digit is a word of its own, so that a telephone number is not one word;
- *Whisper's*: the normaliser that was published with Whisper (Radford et al. 2023, appendix C), as the
  package ``whisper-normalizer`` carries it; leaderboards of recognisers use it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from metrics.chinese_script import to_simplified
from metrics.recognition.normalize import Language

_DIGIT = re.compile(r"([0-9])")
_APOSTROPHE = re.compile(r"(?<=[a-z])['’](?=[a-z])")


def plain(text: str, language: Language) -> str:
    """Words with single spaces; Chinese as characters without any. Numbers stay as they are written."""
    text = unicodedata.normalize("NFKC", text).casefold()
    if language == "zh":
        return "".join(character for character in to_simplified(text) if character.isalnum())
    text = _APOSTROPHE.sub("", text)
    text = "".join(character if character.isalnum() else " " for character in text)
    return " ".join(_DIGIT.sub(r" \1 ", text).split())


def whispers_version() -> str | None:
    """Which normaliser of Whisper's is installed; None where none is."""
    if find_spec("whisper_normalizer") is None:
        return None
    return f"whisper-normalizer {version('whisper-normalizer')}"


def whispers(text: str, language: Language) -> str:
    """``text`` as Whisper's own normaliser writes it; Chinese characters joined.

    Raises:
        ModuleNotFoundError: ``whisper-normalizer`` is not installed; see :func:`whispers_version`.
    """
    found = _normaliser(language)(text)
    return "".join(found.split()) if language == "zh" else " ".join(found.split())


@cache
def _normaliser(language: Language) -> Any:
    if language == "zh":
        from whisper_normalizer.basic import BasicTextNormalizer  # an extra

        return BasicTextNormalizer(split_letters=True)
    from whisper_normalizer.english import EnglishTextNormalizer

    return EnglishTextNormalizer()
