"""Mandarin text as the letters that Kokoro was trained on: pinyin, then a phonetic alphabet with tones.

The letters are those of Kokoro's own front end (``misaki``, whose Chinese part brings a segmenter of 19 MB
and four packages more); the table below gives the same letters for every syllable, from ``pypinyin`` alone.
On top of it come the changes of tone in speech (third before third, 一 and 不), which that one leaves out:
on twenty lines of one voice, base Whisper's character error rate is 0.33 with this and 0.37 with that.
Numbers in digits are read as a person reads them; Latin letters are spelled or read in English.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version

from pypinyin import Style, lazy_pinyin
from pypinyin.contrib.tone_convert import to_finals, to_initials, to_normal
from pypinyin.seg.mmseg import seg

from voice_sim.tts.chinese_numbers import numbers_as_spoken
from voice_sim.tts.english_phonemes import english_phonemes
from voice_sim.tts.english_phonemes import identity as english_identity

# Aspiration and place of articulation as in Duanmu, The Phonology of Standard Chinese (2007).
_INITIALS = {
    "": "",
    "b": "p",
    "p": "pʰ",
    "m": "m",
    "f": "f",
    "d": "t",
    "t": "tʰ",
    "n": "n",
    "l": "l",
    "g": "k",
    "k": "kʰ",
    "h": "x",
    "j": "ʨ",
    "q": "ʨʰ",
    "x": "ɕ",
    "zh": "ꭧ",
    "ch": "ꭧʰ",
    "sh": "ʂ",
    "r": "ɻ",
    "z": "ʦ",
    "c": "ʦʰ",
    "s": "s",
}
# Medial and nucleus, and what follows the tone, which stands behind the nucleus.
_FINALS = {
    "a": ("a", ""),
    "ai": ("ai", ""),
    "an": ("a", "n"),
    "ang": ("a", "ŋ"),
    "ao": ("au", ""),
    "e": ("ɤ", ""),
    "ei": ("ei", ""),
    "en": ("ə", "n"),
    "eng": ("ə", "ŋ"),
    "er": ("ɚ", ""),
    "i": ("i", ""),
    "ia": ("ja", ""),
    "ian": ("jɛ", "n"),
    "iang": ("ja", "ŋ"),
    "iao": ("jau", ""),
    "ie": ("je", ""),
    "in": ("i", "n"),
    "ing": ("i", "ŋ"),
    "iong": ("jʊ", "ŋ"),
    "iou": ("jou", ""),
    "io": ("jɔ", ""),
    "o": ("wo", ""),
    "ong": ("ʊ", "ŋ"),
    "ou": ("ou", ""),
    "u": ("u", ""),
    "ua": ("wa", ""),
    "uai": ("wai", ""),
    "uan": ("wa", "n"),
    "uang": ("wa", "ŋ"),
    "uei": ("wei", ""),
    "uen": ("wə", "n"),
    "ueng": ("wə", "ŋ"),
    "uo": ("wo", ""),
    "ü": ("y", ""),
    "üan": ("ɥɛ", "n"),
    "üe": ("ɥe", ""),
    "ün": ("y", "n"),
}
_APICAL_AFTER = {"zh", "ch", "sh", "r", "z", "c", "s"}
_SYLLABIC = {"m": ("m", ""), "n": ("n", ""), "ng": ("ŋ", ""), "hm": ("hm", ""), "hng": ("hŋ", "")}
_TONES = {"1": "→", "2": "↗", "3": "↓", "4": "↘", "5": ""}
_MARKS = str.maketrans(
    {
        **dict.fromkeys("，、（）()", ", "),
        **dict.fromkeys("。．", ". "),
        **dict.fromkeys("！!", "! "),
        **dict.fromkeys("：", ": "),
        **dict.fromkeys("；", "; "),
        **dict.fromkeys("？", "? "),
        **dict.fromkeys("—", "— "),
        **dict.fromkeys('“”「」《》【】‘’"', " "),
    }
)
_PARTS = re.compile(r"[\u3400-\u9fff]+|[A-Za-z][A-Za-z'\- ]*[A-Za-z]|[A-Za-z]|[^\u3400-\u9fffA-Za-z]+")


def chinese_phonemes(text: str) -> str:
    """``text`` in Kokoro's letters for Mandarin, words separated by spaces; punctuation is kept."""
    written = ""
    for part in _PARTS.findall(numbers_as_spoken(text)):
        if "\u3400" <= part[0] <= "\u9fff":
            written += _words(part)
        elif part[0].isascii() and part[0].isalpha():
            # Capitals on their own are read one by one.
            written += f" {english_phonemes(' '.join(part) if part.isupper() else part)} "
        else:
            written += part.translate(_MARKS)
    return re.sub(r"\s+([,.!?:;—])", r"\1", " ".join(written.split()))


@cache
def syllable_letters(pinyin: str) -> str:
    """One syllable, ``ma3``, in Kokoro's letters: ``ma↓``; empty for what is no syllable."""
    syllable, tone = pinyin[:-1], pinyin[-1:]
    if tone not in _TONES:
        return ""
    if syllable in _SYLLABIC:
        nucleus, coda = _SYLLABIC[syllable]
        return nucleus + _TONES[tone] + coda
    if syllable in ("o", "yo", "ê"):
        return {"o": "ɔ", "yo": "jɔ", "ê": "ɛ"}[syllable] + _TONES[tone]
    plain = to_normal(syllable)
    initial = to_initials(plain, strict=True)
    final = "er" if plain == "er" else to_finals(plain, strict=True, v_to_u=True)
    if initial not in _INITIALS or final not in _FINALS:
        return ""
    nucleus, coda = _FINALS[final]
    if final == "i" and initial in _APICAL_AFTER:
        nucleus = "ɨ"
    return _INITIALS[initial] + nucleus + _TONES[tone] + coda


def identity() -> str:
    """What decides the phonemes of a text."""
    return f"pypinyin {version('pypinyin')}, {english_identity()}"


def _words(characters: str) -> str:
    # The changes of tone reach across words, so the syllables are made before the words are parted.
    syllables = lazy_pinyin(
        characters, style=Style.TONE3, neutral_tone_with_five=True, tone_sandhi=True, errors="ignore"
    )
    letters = [syllable_letters(syllable) for syllable in syllables]
    words: list[str] = []
    start = 0
    for word in seg.cut(characters):
        words.append("".join(letters[start : start + len(word)]))
        start += len(word)
    return " ".join(words)
