"""Finds evidence phrases in a turn and says where they stand. The grammar: :mod:`spoken_language.phrases`.

On top of the grammar, spoken variants are one: "January thirteenth" and "January 13", 三点 and 3点, "I am"
and "I'm", "reports" and "reported". And a match that is plainly denied ("we cannot refund that") is none: a
negation up to eight English words or eight Chinese characters before it, in the same clause, unless the
phrase itself has the negation or the clause itself is a question. Denial by other means ("a refund is out of
the question") is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from metrics.dialogue.evidence import FoundWord, located_words, parse
from metrics.recognition.chinese import normalize_chinese
from metrics.recognition.english_numbers import numbers_to_digits
from spoken_language.chinese_numbers import NUMERALS
from spoken_language.english_number_words import NUMBER_WORDS
from spoken_language.phrases import MARK, marked, option_pattern

_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_CONTRACTIONS = {
    "i'm": ("i", "am"),
    "can't": ("cannot",),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
}
_IS = frozenset(["it", "that", "what", "here", "there", "he", "she", "who", "where", "how", "when"])
_ENDINGS = {"'re": "are", "'ll": "will", "'ve": "have", "'d": "would"}

_VERB = (
    "(?:is|are|was|were|will|would|can|could|has|have|had|does|do|did|must|should"
    "|arrives?|comes?|goes?|gets?|begins?|remains?|follows|takes|stays|reaches|starts|ends|applies|stands)"
)
CLAUSE_WORD = re.compile(
    r"\b(?:but|because|although)\b"
    r"|\b(?:and|so)(?=\s+(?:then|(?:i|we|you|he|she|it|they|that|there)\b))"
    # "No fee and the refund arrives tomorrow", not "no refund of the fee and the interest".
    rf"|\band(?=\s+(?:the|your|our|my)\s+(?:(?!(?:that|which|who|i|we|you|they)\b)\w+\s+){{1,4}}?{_VERB}\b)"
    r"|但是|不过|而是|所以|因此|然后",
    re.IGNORECASE,
)
"""The words between two clauses, the second of which has a subject of its own: what one denies, the other
does not."""
_CLAUSE_END = re.compile(
    rf"[;!?，。；：！？、…\n—]|[,.:](?!\d)|(?<!\d)[,.:]|{CLAUSE_WORD.pattern}", re.IGNORECASE
)
_NEGATORS = frozenset(["not", "no", "never", "cannot", "without", "nor", "neither", "hardly"])
_NO_DENIAL = frozenset(
    {
        ("no", "problem"),
        ("no", "doubt"),
        ("no", "matter"),
        ("no", "worri"),
        ("no", "later"),
        ("not", "later"),
        ("not", "only"),
        ("not", "just"),
        ("not", "worry"),
        ("not", "forget"),
        ("not", "hesitat"),
    }
)
_HAN_NEGATORS = re.compile(r"[不没未别勿]|无法|无权")
HAN_NO_DENIAL = re.compile(
    r"不好意思|不过|不如|不但|不仅|不光|不只|不管|不论|没问题|没事|没关系|别的|特别|区别|差不多|要不|不错|对不起"
    r"|(.)不\1|有没有|没错"
    # What is unpleasant, soon, or no reason to worry, is told of, not denied.
    r"|不周|不快|不愉快|不舒服|不高兴|不开心|不少|不久|不断|不妨|不瞒|不得不|不客气|未来|别人"
    # 不同意, 不满足, 不适用 and 不便透露 refuse.
    r"|不同(?!意(?!见))|不满(?!足|[\d半" + NUMERALS + r"])|不适(?!用|合|宜)"
    r"|(?:带来|造成|产生|引起)[了的]?(?:一些|一点|很多|许多|极大|很大)?的?不便|(?:多有|诸多|任何|种种|给您)的?不便|不便之处"
    r"|(?:不用|不必|不要|别)(?:太|再)?(?:担心|着急|急|忘|紧)|不会忘"
)
_ASKS_INVERTED = re.compile(
    r"\s*(?:(?:and|so|or|well|but|why|then)\s+)*"
    r"(?:(?:ca|could|do|does|did|is|are|was|were|wo|would|have|has|had|should|ai)n't"
    r"|cannot|(?:can|could|will|do|does|did|is|are|was|were|would|have|has|had|should|may|might)"
    r"\s+(?:not|\w+\s+(?:not|no|never))|why not)\b",
    re.IGNORECASE,
)
_ASKS_LEAVE = re.compile(
    r"\b(?:ok|okay|all right|alright)\s*$|(?:好吗|可以吗|行吗|好吧|好不好|行不行|可不可以)\s*$", re.IGNORECASE
)
"""Asks leave for what the clause says, without a comma: "我们不能退款好吗"."""
_SENTENCE_END = re.compile(r"[!?。！？\n]|\.(?!\d)")
_INFLECTIONS = ("ing", "ed", "es", "s", "e")
_STEM_MIN = 4
_REACH, _HAN_REACH = 8, 8


@dataclass(frozen=True, kw_only=True)
class Found:
    """A phrase in a turn. ``quote`` has the words as they stand there, its parts joined by " … ";
    ``places`` are the numbers of those words in the turn."""

    phrase: str
    quote: str
    places: frozenset[int]


def find_phrase(phrases: Sequence[str], turn: str) -> Found | None:
    """The first of several evidence phrases that the turn contains and does not deny.

    Raises:
        ValueError: A phrase has an empty part or alternative.
    """
    said = _canonical_turn(turn)
    for phrase in phrases:
        spans = []
        for part in _patterns(phrase):
            span = next((one for one in _spans(part, said) if not _denied(one, said)), None)
            if span is None:
                break
            spans.append(span)
        else:
            places = frozenset(place for first, after, _ in spans for place in range(first, after))
            return Found(phrase=phrase, quote=_quote(spans, said), places=places)
    return None


@dataclass(frozen=True, kw_only=True)
class _Turn:
    text: str
    words: tuple[FoundWord, ...]
    marked: str


@dataclass(frozen=True, kw_only=True)
class _Alternative:
    pattern: re.Pattern[str]
    negates: bool


@lru_cache(maxsize=4096)
def _canonical_turn(text: str) -> _Turn:
    found = tuple(_canonical(located_words(text)))
    return _Turn(text=text, words=found, marked=marked(one.word for one in found))


@lru_cache(maxsize=8192)
def _patterns(phrase: str) -> tuple[tuple[_Alternative, ...], ...]:
    # One negation anywhere in a phrase makes it one about something that is not done.
    negates = any(_negates(word) for part in parse(phrase) for option in part for word in option)
    return tuple(tuple(_alternative(option, negates) for option in part) for part in parse(phrase))


def _negates(word: str) -> bool:
    return any(part in _NEGATORS for part in _spelled_out(word)) or bool(_HAN_NEGATORS.search(word))


def _alternative(option: tuple[str, ...], negates: bool) -> _Alternative:
    stars = {stem(word.rstrip("*")) for word in option if word.endswith("*")}
    plain = [FoundWord(word=word.rstrip("*"), start=0, end=0) for word in option]
    words = [f"{one.word}*" if one.word in stars else one.word for one in _canonical(plain)]
    return _Alternative(pattern=option_pattern(words), negates=negates)


def _canonical(words: Sequence[FoundWord]) -> Iterator[FoundWord]:
    """The words with numbers in digits and contractions spelled out; what several become spans them all."""
    position = 0
    while position < len(words):
        one = words[position]
        run = _han_run(words, position) or _run(words, position, NUMBER_WORDS)
        if run:
            texts = [item.word for item in run]
            digits = [normalize_chinese("".join(texts))] if texts[0] in NUMERALS else numbers_to_digits(texts)
            for digit in digits:
                yield FoundWord(word=_cardinal(digit), start=run[0].start, end=run[-1].end)
            position += len(run)
            continue
        for part in _spelled_out(one.word):
            yield FoundWord(word=stem(part), start=one.start, end=one.end)
        position += 1


def stem(word: str) -> str:
    """An English word without the commonest endings ("scores", "scored" and "score" are "scor")."""
    if not word.isascii() or not word.isalpha():
        return word
    cut = (word[: -len(ending)] for ending in _INFLECTIONS if word.endswith(ending))
    return next((kept for kept in cut if len(kept) >= _STEM_MIN), word)


def canonical_words(text: str) -> tuple[FoundWord, ...]:
    """The words of a text in the form in which phrases are compared, and where they stand."""
    return _canonical_turn(text).words


def _run(words: Sequence[FoundWord], start: int, of: Container[str]) -> Sequence[FoundWord]:
    end = start
    while end < len(words) and words[end].word in of:
        end += 1
    return words[start:end]


def _han_run(words: Sequence[FoundWord], start: int) -> Sequence[FoundWord]:
    """Numerals that stand side by side: 六百一十八，十二期 has two numbers. 幺 is one only among digits."""
    run = _run(words, start, NUMERALS)
    apart = (place for place, (one, after) in enumerate(pairwise(run), start=1) if one.end < after.start)
    run = run[: next(apart, len(run))]
    return run if [one.word for one in run] != ["幺"] else ()


def _cardinal(word: str) -> str:
    ordinal = _ORDINAL.fullmatch(word)
    return ordinal[1] if ordinal else word


def _spelled_out(word: str) -> tuple[str, ...]:
    if word in _CONTRACTIONS:
        return _CONTRACTIONS[word]
    if word.endswith("n't"):
        return (word[:-3], "not")
    for ending, meant in _ENDINGS.items():
        if word.endswith(ending):
            return (word.removesuffix(ending), meant)
    if word.endswith("'s") and word[:-2] in _IS:
        return (word[:-2], "is")
    return (_cardinal(word),)


_Span = tuple[int, int, bool]
"""First word, word after the last, and whether the phrase itself negates."""


def _spans(part: Sequence[_Alternative], said: _Turn) -> Iterator[_Span]:
    for alternative in part:
        for found in alternative.pattern.finditer(said.marked):
            first = said.marked.count(MARK, 0, found.start())
            yield first, first + found.group().count(MARK), alternative.negates


def _denied(span: _Span, said: _Turn) -> bool:
    first, _, negates = span
    start = said.words[first].start
    clause_start = max((end for end in _clause_ends(said.text) if end <= start), default=0)
    if negates or _is_question(said.text, clause_start, start):
        return False
    before = [one.word for one in said.words[:first] if one.start >= clause_start]
    near_words = pairwise([*before[-_REACH:], said.words[first].word])
    if any(word in _NEGATORS and (word, after) not in _NO_DENIAL for word, after in near_words):
        return True
    # Up to the phrase's first characters, because "没问题" and "是不是" begin before it and end inside it.
    window = said.text[clause_start : start + 3]
    harmless = [one.span() for one in HAN_NO_DENIAL.finditer(window)]
    place = start - clause_start
    near = max(0, place - _HAN_REACH)
    return any(
        near <= one.start() < place and not any(low <= one.start() < high for low, high in harmless)
        for one in _HAN_NEGATORS.finditer(window)
    )


@lru_cache(maxsize=4096)
def _clause_ends(text: str) -> tuple[int, ...]:
    """Of the whole text: an end may be told by a phrase's own first words ("and we will refund")."""
    return tuple(one.end() for one in _CLAUSE_END.finditer(text))


def _is_question(text: str, clause_start: int, place: int) -> bool:
    """Whether the clause of a place asks something, so that its negation denies nothing.

    It has the word order of a question, or ends in a question mark and asks no leave. What is asked after a
    refusal ("I can't refund that, all right?") does not count.
    """
    end = _SENTENCE_END.search(text, place)
    if end is None or end.group() not in "?？":
        return False
    if _ASKS_INVERTED.match(text, clause_start):
        return True
    after = _CLAUSE_END.search(text, place)
    own = after is not None and after.start() >= end.start()
    return own and not _ASKS_LEAVE.search(text[clause_start : end.start()])


def _quote(spans: Sequence[_Span], said: _Turn) -> str:
    places = sorted((said.words[first].start, said.words[after - 1].end) for first, after, _ in spans)
    merged: list[tuple[int, int]] = []
    for start, end in places:
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return " … ".join(said.text[start:end] for start, end in merged)
