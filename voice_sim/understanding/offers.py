"""What one adds to a goodbye and means as nothing new, English and Chinese.

That the other may call again, that one looks forward to the next time, or was glad of this one.
"""

from __future__ import annotations

import re
from typing import Literal

_IF_ANYTHING = (
    r"\b(?:if|when|whenever|should|in case) (?:you|there|anything|something|your (?:plans?|mind))"
    r"(?:['’](?:re|ve|d|s))?"
    r"(?: (?:is|are|have|need|want|still|ever|should|would|like|any|anything|something|more|else|other"
    r"|further|another|changed?|your|mind|or|and|a|with|help"
    r"|assistance|questions?|doubts?|problems?|concerns?|trouble|wrong|comes?"
    r"|up|at|all|to|know|ask|we|i|can|could|do|for|you|us|unclear)\b)*+"
)
_GET_IN_TOUCH = (
    r"(?:call|ring|phone|contact|text|email|message|ask|write(?: to)?|reach(?: out)?(?: to)?"
    r"|let (?:us|me) know|give (?:us|me) a (?:call|ring|shout)|drop (?:us|me) a (?:line|note|message)"
    r"|get(?: back)? in touch(?: with)?|get back to|come back(?: to)?"
    r")"
)
_IF_ANYTHING_ZH = (
    r"(?:如果|要是|以后|之后|后续)?(?:您|你)?(?:还|再)?有(?:什么|任何|其他|其它|别的|啥)?"
    r"(?:问题|需要|事情?|疑问|不清楚的|不明白的)(?:的话|的时候)?"
)
_OFFERS = {
    "en": re.compile(
        rf"(?:\b(?:and|but|so|or) )?(?:{_IF_ANYTHING},? )?"
        r"\b(?:(?:please|just|do(?! not\b)|always|you can|feel free to"
        r"|you(?:['’]re| are) (?:always |very )?welcome to|(?:don['’]t|do not|never) hesitate to) )*+"
        rf"{_GET_IN_TOUCH}\b(?: (?:us|me|back|again|any ?time)\b)*+(?:,? {_IF_ANYTHING})?"
        r"|(?:\b(?:and|but|so) )?\b(?:we|i)(?:['’](?:re|m)| are| am)? (?:really )?look(?:ing)? forward to"
        r" (?:seeing|hearing|speaking|talking|meeting|welcoming|serving|helping)"
        r"(?: (?:from|to|with|you|it|soon|then|there|again|tomorrow)\b)*+"
        r"|(?:\b(?:and|but|so) )?\bit(?:['’]s| was| has)(?: been)? (?:a pleasure|nice|lovely|great|good)"
        r" (?:talking|speaking|chatting) (?:to|with) you",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        rf"(?:{_IF_ANYTHING_ZH}[，,]?)?(?:您|你)?(?:也|都|请|可以|欢迎|就|尽管){{0,3}}(?:随时|再|直接|及时){{1,2}}"
        r"(?:可以)?(?:联系|找|来电|致电|拨打|咨询|打给|(?:打|来)电话给|给我们?[打来]个?电话|跟我们?联系)"
        r"(?:我们?)?(?:的?(?:客服)?(?:电话|热线))?(?:咨询|就行|就好|就可以)?"
        r"|期待(?:(?:与|和)?(?:您|你)|我们|下次|再次){0,3}的?(?:光临|见面|来电|合作|到来)"
        r"|欢迎(?:您|你)?(?:下次|再次|随时)再?(?:来电|光临|致电|惠顾)"
    ),
}


def without_offers(text: str, language: Literal["en", "zh"]) -> str:
    """The text without them ("Bye for now, but feel free to call us if you need anything")."""
    return _OFFERS[language].sub(" ", text)


def only_offers(text: str, language: Literal["en", "zh"]) -> bool:
    """Whether a text is nothing but such offers."""
    rest = without_offers(text, language)
    return rest != text and not any(map(str.isalnum, rest))
