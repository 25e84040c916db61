"""English text as the letters that Kokoro was trained on, through espeak-ng's phonemes.

Kokoro writes American English with one letter for each sound: diphthongs and affricates are single letters
(``A`` for eɪ, ``ʤ`` for dʒ), vowels carry no length mark, the flap is ``T``. Punctuation is kept, because the
model takes its pauses and its melody from it.
"""

from __future__ import annotations

import re

from voice_sim.tts.espeak_library import TIE, library_version, phonemes

_VOICE = "en-us"
_LETTERS = (
    ("a^ɪ", "I"),
    ("a^ʊ", "W"),
    ("e^ɪ", "A"),
    ("o^ʊ", "O"),
    ("ə^ʊ", "O"),
    ("ɔ^ɪ", "Y"),
    ("t^ʃ", "ʧ"),
    ("d^ʒ", "ʤ"),
    ("ə^l", "ᵊl"),
    (TIE, ""),
    ("ɚɹ", "ɚ"),
    ("ɚ", "əɹ"),
    ("ː", ""),
    ("ɐ", "ə"),
    ("ɾ", "T"),
    ("ʔ", "t"),
    ("r", "ɹ"),
    ("x", "k"),
    ("ɬ", "l"),
    ("\u0329", ""),
    # Not in American English, but espeak-ng's dictionary has it in words from elsewhere.
    ("o", "ɔ"),
    ("e", "A"),
)
_RHOTIC = re.compile("ɜ(?!ɹ)")
_ABBREVIATIONS = (
    (re.compile(r"\bMr\."), "Mister"),
    (re.compile(r"\bMrs\."), "Missis"),
    (re.compile(r"\bMs\."), "Miz"),
    (re.compile(r"\bDr\."), "Doctor"),
    # A full stop that ends the sentence stays.
    (re.compile(r"(?<=\d)\s?[Aa]\.?\s?[Mm]\b(\.(?=\s+[a-z]))?"), " A-M"),
    (re.compile(r"(?<=\d)\s?[Pp]\.?\s?[Mm]\b(\.(?=\s+[a-z]))?"), " P-M"),
)
_PUNCTUATION = re.compile(r"([;:,.!?…]+(?=[\s\"”’')\]]|$)|[—–()\"“”…]+|(?<=\s)-(?=\s))")
_MARKS = str.maketrans({"–": "—", "-": "—", "(": ",", ")": ",", '"': "", "“": "", "”": ""})


def english_phonemes(text: str) -> str:
    """``text`` in Kokoro's letters for American English; punctuation is kept, other symbols are spoken.

    Raises:
        EspeakLibraryError: espeak-ng's library does not work here.
    """
    for pattern, spoken in _ABBREVIATIONS:
        text = pattern.sub(spoken, text)
    parts = _PUNCTUATION.split(text.replace("’", "'"))
    written = ""
    for index, part in enumerate(parts):
        if index % 2:
            written = written.rstrip() + part.translate(_MARKS) + " "
        elif any(character.isalnum() or character in "$£€%&@#+=/*" for character in part):
            written += in_kokoro_letters(phonemes(part, voice=_VOICE))
    return " ".join(written.split())


def in_kokoro_letters(ipa: str) -> str:
    """espeak-ng's alphabet, ties included, in Kokoro's."""
    for theirs, ours in _LETTERS:
        ipa = ipa.replace(theirs, ours)
    return _RHOTIC.sub("ɜɹ", ipa)


def identity() -> str:
    """What decides the phonemes of a text."""
    return f"{library_version()} {_VOICE}"
