"""What kind of thing a question wants told, and whether a reply has any of it, English and Chinese.

Values are read by the guard's own reader (:mod:`voice_sim.guard.values.reading`): "How much comes in?" is not
answered by a reply without a number, "who" not by one without a name, whatever either is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from voice_sim.guard.misunderstanding.line_book import Role
from voice_sim.understanding.acts import Language
from voice_sim.understanding.numbers import with_digits
from voice_sim.understanding.words import spoken_words

_AMOUNT = {
    "en": re.compile(
        r"\b(?:how (?:many|much|long|old|often|far|big)|what (?:time|date|number|year|amount|figure)"
        r"|(?:which|what) year"
        r"|(?:phone|order|card|case|house|ticket|last \w+) (?:number|digits?))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"多少|几(?!乎|句|位老)|多久|多大|多长|哪年|哪一年|尾号|后四位|号码"),
}
_WHEN = {
    "en": re.compile(r"\b(?:when|what (?:time|day|date)|which day|since when|until when)\b", re.IGNORECASE),
    "zh": re.compile(r"什么时候|啥时候|哪天|几[号点月]|何时|哪一天"),
}
_MOMENT = {
    "en": re.compile(
        r"\b(?:\w+day|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|today|tonight"
        r"|tomorrow|now|morning|noon|afternoon|evening|night|week\w*|month\w*|year\w*|always|never|once|then|after"
        r"|before|spring|summer|autumn|winter|ago|last|next)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"[年月日号点天周晚早]|上午|下午|现在|马上|刚|星期|礼拜|以前|之后|完了"),
}
_SELF_OR_ANY = {
    "en": re.compile(r"\b(?:ever|any(?:body|one)|somebody|someone|or not)\b", re.IGNORECASE),
    "zh": re.compile(r"过.{0,6}(?:没有?|吗|谁)|有没有|还是没|没有?[？?]?$"),
}
_BARE: tuple[Role, ...] = ("yes", "murmur", "goes_ahead")
_TELLING: tuple[Role, ...] = ("fact", "other", "offers", "mood", "either", *_BARE)


def kind_mismatches(question: str, reply: str, role: Role, language: Language) -> Iterator[str]:
    """Names of what the question wants and the reply has none of.

    Args:
        reply: The sentences of the caller's turn that answer.
        role: What they are; one who does not know, objects or asks back owes no value.
    """
    if role in _TELLING:
        if _AMOUNT[language].search(question) and not _has_a_number(reply):
            yield "a number is wanted and none is said"
        if _WHEN[language].search(question) and not (_has_a_number(reply) or _MOMENT[language].search(reply)):
            yield "a time is wanted and none is said"
    if role in _BARE and _SELF_OR_ANY[language].search(question):
        yield "a bare yes to whether anybody or ever"
    if role == "either":
        yield "has no preference"
    if role == "planted":
        yield "only a planted place to a question"


def _has_a_number(text: str) -> bool:
    return any(any(map(str.isdigit, word)) for word in with_digits(spoken_words(text)))
