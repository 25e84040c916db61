"""What a question wants to hear of: what is so, whether anybody ever, a feeling, a story; by its words."""

from __future__ import annotations

import re
from functools import lru_cache

from voice_sim.understanding.acts import Language

_FACTUAL = {
    "en": re.compile(
        r"\b(?:did|have|has|had|was|were) (?:you|he|she|they|it|that|this|there|any\w+|some\w+|your|the)\b"
        r"|\bor not(?: at all)?\W*$|\bis it (?:because|that)\b|\bdo you (?:live|work|have|own|use)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"过.{0,6}(?:没有?|吗|还是)|是因为|卡在|当时|以前|之前|那会儿|原来|一直|本来"),
}
_IF_ANY = {
    "en": re.compile(
        r"\b(?:did|have|has|had|was|were|is|are|does|do)\b.*\b(?:ever|any(?:body|one|where)"
        r"|some(?:body|one) else)\b"
        r"|\bdo you (?:happen to )?know (?:that|those|them|it|these|his|her|their|the \w+)\W*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:没有?|过吗|过吧)[？?]?$|^(?!.*还有).*有(?:没有)?(?:别)?人|给谁|有没有.{0,8}过|过(?:谁|别人)"
        r"|是不是.{0,12}过(?![来去年])|(?:有没有|有无).{0,6}(?:什么|任何|固定|别的)|有没有.*什么的"
    ),
}
_FEELING = {
    "en": re.compile(
        r"\b(?:are|were) you (?:\w+ )?(?:worried|afraid|nervous|scared|anxious|concerned|upset|annoyed|angry"
        r"|cross|stressed|disappointed|unsure)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"您?(?:是不是|是)?(?:有点|挺|还是)?(?:担心|害怕|紧张|怕|着急|生气|犯愁).{0,12}[吗吧不？?]"
    ),
}
_STORY = {
    "en": re.compile(
        r"\b(?:what happened(?: there| then| next)?|how (?:so|come)|what was that (?:about|like)"
        r"|how did (?:that|it) (?:go|happen|come about))\W*$|\btell me (?:more|(?:all )?about (?:it|that))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:怎么回事|怎么了|后来呢|然后呢|怎么说|说来听听)\W*$|[跟和给]我(?:说说|讲讲|聊聊)[吗吧不]?\W*$"
    ),
}


@lru_cache(maxsize=4096)
def asks_what_is_so(question: str, language: Language) -> bool:
    """Whether a question is about what is or was the case, and not about what is wanted: no matter of taste,
    so that "either is fine" answers nothing."""
    return bool(_FACTUAL[language].search(question))


@lru_cache(maxsize=4096)
def asks_if_any(question: str, language: Language) -> bool:
    """Whether a question for yes or no is for anybody, anything, ever: no answers it where none is known."""
    return bool(_IF_ANY[language].search(question))


@lru_cache(maxsize=4096)
def asks_for_a_feeling(question: str, language: Language) -> bool:
    """Whether it asks if the listener is worried, tired and the like."""
    return bool(_FEELING[language].search(question))


@lru_cache(maxsize=4096)
def asks_for_the_story(question: str, language: Language) -> bool:
    """Whether it only wants to hear more of what was just said ("Go on, what happened there?")."""
    return bool(_STORY[language].search(question))
