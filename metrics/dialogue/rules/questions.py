"""The questions of a reply, however they are strung together."""

from __future__ import annotations

import re
from functools import lru_cache

from metrics.dialogue.evidence import words
from metrics.dialogue.rules.reply import pattern, sentences

_WH = (
    # "when it does, …" and "in your own words, where you're coming" are no questions of their own.
    r"(?:what|which|who|whom|whose|where|why|how|when(?=\s+(?:do|does|did|is|are|was|were|can|could|will|would"
    r"|should|has|have|exactly)\b))\b(?!\s+(?:i|you|he|she|it|we|they|this|that|the|your|my|there)\b(?!\s*$))"
)
_AUX = (
    r"(?:do|does|did|is|are|was|were|can|could|would|will|have|has|may|shall|should)\s+"
    r"(?:you|your|i|we|it|that|this|there|they|he|she|anybody|anyone|someone)\b"
)
_ASKS = re.compile(rf"^(?:and|also|so|then|but)?\s*(?:{_WH}|{_AUX})", re.IGNORECASE)
# Not at "or": "today, or would tomorrow be better?" is one question.
_PIECES = re.compile(r"[,;，；]|(?:,\s*)?\band\b(?=\s+(?:" + _WH + "|" + _AUX + "))", re.IGNORECASE)
_AND_ASKS = re.compile(rf"\b(?:and|also)\b\s+(?:{_WH}|{_AUX})|还有|另外|再就是", re.IGNORECASE)
_HAN_ASKS = re.compile(
    r"什么|哪|谁|怎么|怎样|为何|几[点号个次天月年岁口]|多少|多久|多大|多长|吗|呢(?=$)|(.)不\1|有没有|是否|能否|可否|方便不"
)
_TAG = pattern(
    "(?:is that )?(?:right|okay|ok|correct|yes|no|alright|all right|yeah)",
    "(?:is|would) (?:that|it|this) (?:be )?(?:ok|okay|all right|alright|fine|right|"
    "correct)(?: with you| for you)?",
    "isn't it",
    "aren't you",
    "don't you",
    "doesn't it",
    "好吗",
    "行吗",
    "对吗",
    "对吧",
    "是吧",
    "可以吗",
    "好不好",
    "行不行",
    "对不对",
    "是吗",
)


@lru_cache(maxsize=2048)
def questions(text: str) -> tuple[str, ...]:
    """The questions of a reply, as they stand there, without tags and the halves of a choice."""
    found: list[str] = []
    for sentence in sentences(text):
        if not sentence.rstrip().endswith(("?", "？")):
            continue
        body = sentence.rstrip("?？ ").strip()
        pieces = [piece.strip() for piece in _PIECES.split(body) if words(piece)]
        if _TAG.fullmatch(pieces[-1]) and (found or len(pieces) > 1 or text.index(sentence) > 0):
            # A tag asks about what was just said: a question of its own only where there is no other.
            found += [] if found else [pieces[-1]]
            continue
        asking = [piece for piece in pieces if _asks(piece)]
        if len(asking) == 2 and not _AND_ASKS.search(body):
            # "How did you work together, who reported to whom?" puts one question in two ways.
            asking = asking[:1]
        found += asking or [body]
    return tuple(found)


def _asks(piece: str) -> bool:
    return bool(_HAN_ASKS.search(piece)) or (bool(_ASKS.match(piece)) and len(words(piece)) > 2)
