"""Text as words and sentences, and how alike two texts are. English and Chinese."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache

CJK = "㐀-䶿一-鿿"
_WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])[^\W_])+(?:'[a-z]+)?")
_SENTENCE = re.compile(r"[^.!?。！？\n…]*(?:\.(?=\w)[^.!?。！？\n…]*)*[.!?。！？\n…]*")
_TITLES = re.compile(r"\b(Mr|Mrs|Ms|Dr|No)\.")


def listed(text: str) -> tuple[str, ...]:
    """The words of a list that is written in one string."""
    return tuple(text.split())


STOP = frozenset(
    listed(
        "a an the and or but so if then than that this these those it its is are was were be been being"
        " am do does"
        " did done have has had having i you he she we they me him her us them my your his our their"
        " mine yours to"
        " of in on at by for from with without into out up down over under about as not no yes yeah"
        " well oh um uh"
        " okay ok just now there here what which who whom when where why how can could would should"
        " will shall may"
        " might must i'm i've i'd i'll it's that's don't didn't isn't wasn't can't won't you're you've"
        " he's she's"
        " there's what's let's we're we've they're please sorry thank thanks really very too also only"
        " even still"
        " again all any some one ones get got go going say said tell told know think mean like want"
        " need make made"
        " take much many more most such same other another right good"
    )
)


@lru_cache(maxsize=16384)
def words(text: str) -> tuple[str, ...]:
    """Folded words; a Chinese character is a word of its own."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return tuple(_WORD.findall(folded))


@lru_cache(maxsize=16384)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text as written, with their marks."""
    guarded = _TITLES.sub(lambda found: found[1] + "\x00", text)
    found = [part.strip().replace("\x00", ".") for part in _SENTENCE.findall(guarded)]
    return tuple(part for part in found if part)


@lru_cache(maxsize=16384)
def content(text: str) -> frozenset[str]:
    """What a text is about: word stems without function words; for Chinese, pairs of characters."""
    found: set[str] = set()
    said = words(text)
    for first, second in zip(said, (*said[1:], ""), strict=False):  # of no words, none
        if re.match(rf"[{CJK}]", first):
            if second and re.match(rf"[{CJK}]", second):
                found.add(first + second)
        elif first not in STOP and len(first) > 1:
            found.add(stem(first))
    return frozenset(found)


def stem(word: str) -> str:
    """A crude English stem: enough to see "payments" in "payment"."""
    word = word.removesuffix("'s")
    for ending, left in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: len(word) - len(ending)] + left
    return word


@lru_cache(maxsize=65536)
def alike(first: str, second: str) -> float:
    """0 to 1: the share of words that two texts have in common in the same order."""
    a, b = words(first), words(second)
    if not a or not b:
        return 0.0
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.real_quick_ratio() < 0.5:
        return 0.0
    return matcher.ratio()


def is_chinese(text: str) -> bool:
    """Whether at least a third of the words are Chinese characters."""
    said = words(text)
    return bool(said) and sum(bool(re.match(rf"[{CJK}]", word)) for word in said) * 3 >= len(said)
