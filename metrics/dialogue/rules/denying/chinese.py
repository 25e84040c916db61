"""Chinese negations: which deny, which only look like one, and which are a condition (不满12岁免费).

What is no denial is listed; 不便 is in :mod:`metrics.dialogue.rules.denying.inconvenience`.
"""

from __future__ import annotations

import re

from metrics.dialogue.rules.denying.clauses import CLAUSE_END, HAN_MARK
from metrics.dialogue.rules.denying.inconvenience import AT_ONCE, INCONVENIENT, TELLS, refuses, refuses_phrase
from spoken_language.chinese_numbers import NUMERALS

HAN_NEGATORS = re.compile(r"[不没未别勿]|无法|无权")
_HAN_REACH = 8

# Not 收不到一分钱 or 拿不到两千.
_BELOW_NUMBER = (
    rf"(?:[不未没]满|[未没]到|(?<![收找看听拿领得查买达享退系办做])不到|[不未]足)(?=[\d半{NUMERALS}])"
)
_HARDSHIP = (
    "(?:行动|腿脚|手脚|身体|出行|出门|交通|往来|生活"
    "|出入|使用|携带|看病|就医|取货|停车|操作|沟通|走路|听力|视力)"
)
_BRINGS = "(?:带来|造成|产生|引起|添)[了的您你们大家一些点很多许极其大任何种诸不小]{0,6}?"
_HAN_NO_DENIAL = re.compile(
    r"不好意思|不过|不如|不但|不仅|不光|不只|不管|不论|没问题|没事|没关系|别的|特别|区别|差不多|要不|不错|对不起"
    r"|(.)不\1|有没有|没错"
    # What one cannot be without is needed.
    r"|离不开|离不了|少不了|缺不了|缺不得|不能断(?![定言])|不能没有|不能缺"
    # What is unpleasant, soon, or no reason to worry, is told of, not denied.
    r"|不周|不快|不愉快|不舒服|不高兴|不开心|不少|不久|不断|不妨|不瞒|不得不|不客气|未来|别人"
    # 不同意, 不满足 and 不适用 refuse; 不满12岁 is in ``_BELOW_NUMBER``.
    rf"|不同(?!意(?!见))|不满(?!足|[\d半{NUMERALS}])|不适(?!用|合|宜)"
    rf"|{_BRINGS}不便|(?:的|有|诸多|任何|种种|给您|[和与及])的?不便"
    rf"|{_HARDSHIP}(?:有些|有点|上|多有)?不便"
    r"|(?:不用|不必|不要|别)(?:太|再)?(?:担心|着急|急|忘|紧)|不会忘"
)
_OF_A_NOUN = re.compile(r"(?:(?<!没)有|那些|这些|凡是|[给对为])$")
"""Before a negation: it begins a relative clause, and says nothing of the noun (给不会用手机的老人)."""
_CONDITION = re.compile(
    rf"[不没](?:方?便(?!{AT_ONCE}{TELLS})|满[足意]?|适[用合宜]|合适|符合|够|喜欢|想要?|愿意|需要)|{_BELOW_NUMBER}"
)
"""What may be a condition: 不适用可以退货."""
_ALLOWS = re.compile(
    rf"(?:(?<![不没未])可以|(?<![不没未可功性智技职效])能(?![力源量耗否]))(?!不)"
    # 可以退款的条件 is what is not met.
    rf"(?![^{HAN_MARK}]{{0,10}}的(?:条件|要求|规定|规则|政策|情形|情况|范围|标准|资格|条款|活动|订单))"
)
_BELOW = re.compile(_BELOW_NUMBER)
_ENTITLED = "(?:优惠|资格|折扣|权益|福利|补贴|补偿|奖励|名额|额度)"
_REFUSES_AFTER = re.compile(
    r"[不没未](?![用必需花限扣难]|收[费钱取票您任手额押违利])|无(?!需|须|论)|勿|禁(?!忌)|谢绝|[违犯非]法|违规|违约(?!金)"
    # Who turns a parcel away (拒收) or cancels an order has the money back.
    rf"|拒(?![收签])|(?<=[会被将])拒|(?:被|将|会|(?<={_ENTITLED}))(?:自动|直接|全部|一律)?取消"
    rf"|取消(?=[^{HAN_MARK}]{{0,4}}?{_ENTITLED})|作废|驳回|免谈|失败"
    r"|(?<![困疑为灾急刁不])难(?![得免忘过题度])"
)
"""Refuses, in what follows 不满18岁; 难 in 理赔难."""


def is_denied_in_chinese(text: str, clause_start: int, start: int, phrase_end: int) -> bool:
    """Whether a phrase is denied by a Chinese negation up to eight characters before it in its clause.

    Args:
        clause_start: Where its clause begins in the text.
        start: Where the phrase begins.
        phrase_end: Where it ends.
    """
    # Up to the phrase's first characters, because "没问题" and "是不是" begin before it and end inside it.
    window = text[clause_start : start + 3]
    harmless = [one.span() for one in _HAN_NO_DENIAL.finditer(window)]
    place = start - clause_start
    near = max(0, place - _HAN_REACH)
    clause_end = CLAUSE_END.search(text, start)
    clause = text[clause_start : clause_end.start() if clause_end else len(text)]
    return any(
        near <= one.start() < place
        and not any(low <= one.start() < high for low, high in harmless)
        and not _is_attribute(clause, one.start(), place)
        and (not INCONVENIENT.match(clause, one.start()) or refuses_phrase(clause, one.start(), place))
        and not _is_condition(clause, one.start(), place, phrase_end - clause_start)
        for one in HAN_NEGATORS.finditer(window)
    )


def _is_attribute(clause: str, negator: int, place: int) -> bool:
    """Whether a negation stands in a relative clause that ends before the place."""
    # 给不了您要的 and 对不上 refuse.
    begins = bool(_OF_A_NOUN.search(clause[:negator])) and not re.match("不[了起上出到住]", clause[negator:])
    return begins and "的" in clause[negator:place]


def _is_condition(clause: str, negator: int, place: int, phrase_end: int) -> bool:
    """Whether a negation only says when the phrase at a place of the clause holds."""
    condition = _CONDITION.match(clause, negator)
    if condition is None:
        return False
    allows = _ALLOWS.search(clause, condition.end())
    if allows is not None and allows.start() <= place:
        return True
    below = _BELOW.match(clause, negator)
    # 满12岁 itself is denied by 不满12岁; 不满18岁退款办不了 refuses.
    if below is None or place < below.end():
        return False
    left = _without_harmless(clause, keeps_length=True)
    refusals = [one.span() for one in _REFUSES_AFTER.finditer(left, below.end())]
    # A phrase that refuses itself (拒绝退款) is what is said.
    return not refusals or any(place < end and start < phrase_end for start, end in refusals)


def without_harmless_han(text: str) -> str:
    """A text without Chinese words that have the sign for a no and deny nothing, conditions among them."""
    left = _BELOW.sub(" ", _without_harmless(text))
    return _CONDITION.sub(lambda found: " " if _allows_soon(left, found.end()) else found.group(), left)


def _without_harmless(text: str, *, keeps_length: bool = False) -> str:
    def blank(found: re.Match[str]) -> str:
        return " " * len(found.group()) if keeps_length else " "

    left = _HAN_NO_DENIAL.sub(blank, text)
    return INCONVENIENT.sub(
        lambda found: found.group() if refuses(left, found.start()) else blank(found), left
    )


def _allows_soon(text: str, place: int) -> bool:
    allows = _ALLOWS.search(text, place)
    if allows is None or allows.start() > place + _HAN_REACH:
        return False
    return not any(mark in HAN_MARK for mark in text[place : allows.start()])
