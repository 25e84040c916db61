"""Choices: what a question names to choose from, points to, or leaves to a wish; English and Chinese."""

from __future__ import annotations

import re
from functools import lru_cache

from voice_sim.understanding.acts import Language

NAMED_APART: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\w,? or \w", re.IGNORECASE),
    "zh": re.compile(r"还是|或者"),
}
_NOT_TO_PICK = {
    "en": re.compile(r"\bor (?:not|something|anything|so|another|someone|whatever|what)\b", re.IGNORECASE),
    "zh": re.compile(r"还是(?:别的|其他|怎么|不)"),
}
_POINTS = {
    "en": re.compile(
        r"^\W*(?:(?:and|so|okay|well|now|then),? )*which (?:(?:one|of (?:the|those|these) (?:two|three))?"
        r"\W*(?:is it|(?:will|shall|should) it be|would (?:you|that|it)\b.*|do you (?:want|prefer|like)"
        r"|suits you)?(?: better| more| best)?)\W*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^\W*(?:那|您)?(?:看|说|觉得|选|要|想要)?哪(?:一)?(?:个|样|种|天)(?:好|合适|方便|行)?(?:呢|啊)?\W*$"
    ),
}
_OF_THE_TWO = {
    "en": re.compile(
        r"\bwhich (?:one )?of (?:the|those|these) (?:two|three)\b(?! (?:was|were|did|had|has)\b)", re.I
    ),
    "zh": re.compile(r"这?[两三]个?(?:里头?|中间?|当中).{0,4}哪|[两三](?:个|样|天)您?(?:选|要|挑)哪"),
}
_WISH = {
    "en": re.compile(
        r"\bwhich\b.*\b(?:would you (?:like|prefer|rather|choose|pick)|do you (?:want|prefer|fancy))\b"
        r"|^\W*(?:and |so )?which one\W*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:想|要|喜欢|愿意|选).{0,6}哪(?:一)?(?:个|家|种|样|款)|哪(?:一)?(?:家|种|样|款)(?:好|呢)?\W*$"
    ),
}


@lru_cache(maxsize=4096)
def names_two(question: str, language: Language) -> bool:
    """Whether it names what there is to choose from, so that one can be picked."""
    return bool(NAMED_APART[language].search(question)) and not _NOT_TO_PICK[language].search(question)


@lru_cache(maxsize=4096)
def points_to_what_was_named(question: str, language: Language) -> bool:
    """Whether it only points to what was named before it ("Which is it?", "Which of the two?")."""
    return points_to_two(question, language) or bool(_POINTS[language].search(question))


@lru_cache(maxsize=4096)
def points_to_two(question: str, language: Language) -> bool:
    """Whether it says itself that there are two or three to choose from, named a while ago maybe."""
    return bool(_OF_THE_TWO[language].search(question))


@lru_cache(maxsize=4096)
def asks_for_a_wish(question: str, language: Language) -> bool:
    """Whether it asks which of something the listener would like."""
    return bool(_WISH[language].search(question))
