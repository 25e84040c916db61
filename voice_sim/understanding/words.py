"""The words of an utterance in one form, however they were spoken, written or transcribed.

Recognisers write "two hundred", "200" and "2 0 0" for the same sounds, and join or split contractions. Both
the cue and what was heard are brought into the same form, so that only the meaning has to agree:

- case, width, punctuation and thousands separators do not count;
- contractions are spelt out: "what's" is "what is", "can't" and "cannot" are "can not";
- spoken numbers are digits, in English and Chinese: "twenty-three hundred" is 2300, "fifteenth" is 15; a
  number that is read out digit by digit, or in groups of a telephone number, is one word; "three point five"
  is 3.5, and "2-3 days" has two numbers;
- the ways of saying goodbye are one: recognisers write "Bye bye." for "Goodbye."; 拜拜 is 再见;
- every Chinese character is a word of its own.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from spoken_language.chinese_numbers import DIGIT_VALUES, MYRIADS, NUMERALS, SCALES
from spoken_language.english_number_words import HUNDRED_AND_UP, UNITS, alternatives
from voice_sim.understanding.approximate import one_or_the_next
from voice_sim.understanding.numbers import STOP, with_digits

_IN_SCALES = rf"\s?(?:[{''.join(SCALES)}{''.join(MYRIADS)}]|(?:{alternatives(HUNDRED_AND_UP)})\b)"
_WORD = re.compile(
    rf"[㐀-䶿一-鿿{STOP}]|(?<![\d.])\d+\.(?:\d(?!\d|\.\d)|\d+(?={_IN_SCALES}))|\d+(?:st|nd|rd|th)?(?![a-z])|(?:(?![㐀-䶿一-鿿])[^\W_])+(?:'[a-z]+)?\*?"
)
_STOPS = re.compile(r"[，。；！？、]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BETWEEN_NUMBERS = re.compile(
    rf"(?<=\d)\s*[,.]\s+(?=\d)|(?<=\d)\.(?=\d\d)(?!\d+{_IN_SCALES})|(?<![\d-]\d)(?<=\d)[-~–](?=\d(?![\d-]))"
)
_UNITS = "|".join(word for word, value in UNITS.items() if value)
_BETWEEN_WORDS = re.compile(rf"\b({_UNITS}),\s+(?=(?:{_UNITS})\b)")
"""Two numbers that are not read out as one: "2-3 days", "call 5. 5 minutes later", "two, three"."""
_ABOUT = re.compile(
    rf"(?<![{NUMERALS}])(?:(?<![{NUMERALS}]点)|(?=两|..(?:[位人家秒]|分钟|个(?!百分|小时|钟头|月|星期))))"
    rf"([{''.join(DIGIT_VALUES)}])([{''.join(DIGIT_VALUES)}])"
    r"(?=[天个点次年周月分小块元人家位条件岁层遍倍成句秒杯])"
)
"""两三天: two or three days; not in 三点四五元, which is 3.45, but in 三点两三个人."""
_ABBREVIATION = re.compile(r"\b([a-z])\.(?=[a-z]\b)")

_WHOLE = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gotta": ("got", "to"),
    "ok": ("okay",),
}
_ENDINGS = {
    "n't": "not",
    "'re": "are",
    "'ve": "have",
    "'ll": "will",
    "'m": "am",
    "'d": "would",
}
_GOODBYE = "goodbye"
_BYES = frozenset({"bye", "goodbye", "byebye"})
_IS = "it that this he she there here what who where how when why everything nothing somebody"
_IS_AFTER = frozenset(_IS.split())
"""After these, 's is "is"; after a noun it is a possessive, which is dropped."""


@lru_cache(maxsize=16384)
def spoken_words(text: str) -> tuple[str, ...]:
    """The words of ``text`` in the form of this module. A word with ``*`` behind it keeps the star."""
    stopped = _STOPS.sub(STOP, text)
    folded = unicodedata.normalize("NFKC", stopped).casefold().replace("’", "'").replace("‘", "'")
    folded = _BETWEEN_NUMBERS.sub(STOP, _ABBREVIATION.sub(r"\1", _THOUSANDS.sub("", folded)))
    folded = one_or_the_next(folded)
    folded = _ABOUT.sub(_apart, _BETWEEN_WORDS.sub(rf"\1{STOP}", folded))
    words: list[str] = []
    for word in _WORD.findall(folded):
        words += _spelt_out(word)
    return with_digits(_one_goodbye(words))


def _apart(two: re.Match[str]) -> str:
    first, second = DIGIT_VALUES[two[1]], DIGIT_VALUES[two[2]]
    return f"{two[1]}{STOP}{two[2]}" if first and second == first + 1 else two[0]


def _one_goodbye(words: list[str]) -> list[str]:
    out: list[str] = []
    for word in words:
        if word == "bye" and out[-1:] == ["good"]:
            out[-1] = _GOODBYE
        elif word not in _BYES:
            out.append(word)
        elif out[-1:] != [_GOODBYE]:
            out.append(_GOODBYE)
        if out[-2:] == ["拜", "拜"]:
            out[-2:] = ["再", "见"]
    return out


def _spelt_out(word: str) -> tuple[str, ...]:
    if word in _WHOLE:
        return _WHOLE[word]
    if "'" not in word:
        return (word,)
    for ending, full in _ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return (word.removesuffix(ending), full)
    stem, _, rest = word.partition("'")
    if rest == "s":
        return (stem, "is") if stem in _IS_AFTER else (stem,)
    return (stem + rest,)
