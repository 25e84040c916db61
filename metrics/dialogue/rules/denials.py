"""How far a negation reaches: what stands in its clause, and what only looks like a no.

A phrase is denied by a negation up to eight English words or eight Chinese characters before it, in the same
clause, unless the clause is a question. A clause ends at a mark, and at "and", "but" or 但是 where a subject
of its own follows. What a speaker does not know or promise goes on beyond the "and" ("I can't promise that
the fee is waived and the refund arrives"), but not where a thing or a time is not known. A Chinese condition
without a comma (不满12岁免费) denies nothing that it allows. Denial by other means ("a refund is out of the
question") is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from metrics.dialogue.evidence import FoundWord
from metrics.dialogue.rules.denying.chinese import is_denied_in_chinese
from metrics.dialogue.rules.denying.clauses import CLAUSE_END, CLAUSE_WORD, SENTENCE_END
from metrics.dialogue.rules.denying.doubts import doubt_goes_on

NEGATORS = frozenset(["not", "no", "never", "cannot", "without", "nor", "neither", "hardly"])
_REACH = 8

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

_CONDITIONAL = re.compile(
    r"\s*(?:and\s+|so\s+|even\s+)?(?:if|unless|when|whether|where)\b|\s*(?:如果|要是|若|假如|万一|除非)",
    re.IGNORECASE,
)
_NO_TO = (
    r"(?:\b(?:not|never|cannot)|n['’]t)\s+"
    r"(?:(?:be|been|being|get|going|to|able|yet|currently|actually|simply)\s+)*"
)
_HAN_NO_TO = "(?:[不没未]|无法|无权)(?:能|可以|会|给|予|支持|再|提供|办理|办|您){0,3}"
_HAN_NO_OF = "(?:是|也|都|就|我们)?(?:不(?:行|了|成|能|可以|给|支持)|办不了|做不到|没法|没有)"

_ASKS_INVERTED = re.compile(
    r"\s*(?:(?:and|so|or|well|but|why|then)\s+)*"
    r"(?:(?:ca|could|do|does|did|is|are|was|were|wo|would|have|has|had|should|ai)n't"
    r"|cannot|(?:can|could|will|do|does|did|is|are|was|were|would|have|has|had|should|may|might)"
    r"\s+(?:not|\w+\s+(?:not|no|never))|why not)\b",
    re.IGNORECASE,
)
_ASKS_OF = re.compile(
    r"\s*(?:(?:and|so|or|well)\s+)*(?:is|are|was|were|do|does|did|has|have|can|could|will|would)"
    r"\s+(?:there|any\w*|some\w*|you|your|he|she|they|it)\b",
    re.IGNORECASE,
)
"""Has the order of a question, and the no is an attribute of what is asked about: "is anybody unable to"."""
_ASKS_IN_CHINESE = re.compile(
    r"[^不没未无别，。；！？,;!?\n]*?(?:(?<!没)有没有|是否|有无|([是能会要行])[不没]\1)"
)
_OURS = re.compile(r"\b(?:we|i|our)\b|[我咱]", re.IGNORECASE)
"""What the speaker does not do is told, even in a question: "Did you know we don't refund that, madam?"."""
_EXAMPLE = re.compile(r"\s*(?:such as|for example|for instance|including)\b|\s*(?:比如|例如|譬如|诸如)", re.I)
"""Goes on with what was asked: "…, such as a pump?"."""
_NO_BUT_YES = re.compile(
    r"\b(?:can(?:not|['’]t|\s+not)|could(?:n['’]t|\s+not)|unable\s+to)"
    r"\s+(?:(?:ever|really|possibly)\s+)?(?:be|live|do|go|manage|cope|survive|function|get\s+by)\s+without\b"
    r"|\b(?:do|does|did|will|would)(?:n['’]t|\s+not)\s+(?:have|need)\s+to\s+pay\s+"
    r"(?:(?:anything|extra|more|a\s+\w+)\s+)?for\b",
    re.IGNORECASE,
)
"""Who cannot be without a thing needs it, and what one need not pay for is given."""
_ASKS_LEAVE = re.compile(
    r"\b(?:ok|okay|all right|alright)\s*$|(?:好吗|可以吗|行吗|好吧|好不好|行不行|可不可以)\s*$", re.IGNORECASE
)
"""Asks leave for what the clause says, without a comma: "我们不能退款好吗"."""


def is_denied(first: int, after: int, words: Sequence[FoundWord], text: str) -> bool:
    """Whether a phrase in a text is denied there.

    Args:
        first: The number of the phrase's first word.
        after: That of the word after its last one.
        words: The text's words, contractions spelled out.
    """
    start = words[first].start
    ends, held = _clause_ends(text)
    clause_start = max((end for end in ends if end <= start), default=0)
    if _is_question(text, clause_start, start):
        return False
    if any(clause_start <= place <= start for place in held):
        return True
    affirms = [one.span() for one in _NO_BUT_YES.finditer(text, clause_start, start)]
    before = [
        one.word
        for one in words[:first]
        if one.start >= clause_start and not any(low <= one.start < high for low, high in affirms)
    ]
    near_words = pairwise([*before[-_REACH:], words[first].word])
    if any(word in NEGATORS and (word, after) not in _NO_DENIAL for word, after in near_words):
        return True
    return is_denied_in_chinese(text, clause_start, start, words[after - 1].end)


def is_refused(word: str, clause: str) -> bool:
    """Whether a clause says of a content word, and of nothing between, that it is not done: "not covered",
    "cannot refund", 退款不行; and not under a condition ("if it is not covered").

    Args:
        word: As :func:`metrics.dialogue.rules.phrases.canonical_words` writes it, or two Chinese characters.
    """
    if _CONDITIONAL.match(clause):
        return False
    if not word.isascii():
        return bool(re.search(rf"{_HAN_NO_TO}{word}|{word}{_HAN_NO_OF}", clause))
    return bool(re.search(rf"{_NO_TO}{re.escape(word)}\w*", clause, re.IGNORECASE))


def own_clauses(text: str) -> list[str]:
    """The parts of a text between words such as "but", or "and" before a subject of its own."""
    parts, start = [], 0
    for found, held in _breaks(CLAUSE_WORD, text):
        if not held:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


@lru_cache(maxsize=4096)
def _clause_ends(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where the clauses of a whole text end, and where an "and" ends none because a doubt reaches beyond it.

    Of the whole text: an end may be told by a phrase's own first words ("and we will refund").
    """
    found = list(_breaks(CLAUSE_END, text))
    ends = tuple(one.end() for one, held in found if not held)
    return ends, tuple(one.start() for one, held in found if held)


def _breaks(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], bool]]:
    start = 0
    for found in pattern.finditer(text):
        held = doubt_goes_on(text, start, found.start())
        yield found, held
        if not held:
            start = found.end()


def _is_question(text: str, clause_start: int, place: int) -> bool:
    """Whether the clause of a place asks something, so that its negation denies nothing.

    It has the word order of a question, or ends in a question mark and asks no leave; an example may follow
    (有没有不能断电的设备，比如制氧机？). What is asked after a refusal ("I can't refund that, all right?")
    does not count.
    """
    end = SENTENCE_END.search(text, place)
    if end is None or end.group() not in "?？":
        return False
    if _ASKS_INVERTED.match(text, clause_start):
        return True
    after = CLAUSE_END.search(text, place)
    asks = _ASKS_OF.match(text, clause_start) or _ASKS_IN_CHINESE.match(text, clause_start)
    if asks and not _OURS.search(text, asks.end(), place):
        return True
    own = after is not None and (after.start() >= end.start() or bool(_EXAMPLE.match(text, after.end())))
    return own and not _ASKS_LEAVE.search(text[clause_start : end.start()])
