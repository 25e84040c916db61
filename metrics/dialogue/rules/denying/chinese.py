"""Chinese negations: which deny, which only look like one, and which are a condition (不满12岁免费).

What is no denial is listed; 不便 denies before any verb, unless it is the caller for whom it is inconvenient.
"""

from __future__ import annotations

import re

from metrics.dialogue.rules.denying.clauses import CLAUSE_END
from spoken_language.chinese_numbers import NUMERALS

HAN_NEGATORS = re.compile(r"[不没未别勿]|无法|无权")
_HAN_REACH = 8

_HAN_MARK = "，。；：！？、,;!?\n"
# Not 收不到一分钱 or 拿不到两千.
_BELOW_NUMBER = (
    rf"(?:[不未没]满|[未没]到|(?<![收找看听拿领得查买达享退系办做])不到|[不未]足)(?=[\d半{NUMERALS}])"
)
_TELLS = "(?:透露|告知|告诉|泄露|公开|回答|答复|提供|承诺|[说讲](?!话))"
_ACTS = "(?:办|给|退|赔|补|减|免|换|查|处理|安排|受理|为您|帮|替|向|对|再)"
_AT_ONCE = rf"(?:于|马上|立即|立刻|现在|直接|私下|擅自|轻易|在[^{_HAN_MARK}]{{1,4}}?|电话里|过多)?"
# What is not done for us is done by whom we call: 您现在不便接听我稍后再打, but not 跟您说这个不便延期.
_OF_THE_CALLER = (
    "(?<![跟给为对和与向替帮同诉知])(?:[您你](?!的|好(?!像))|家人|老人|孩子|家属|父母|爱人)"
    rf"[^{_HAN_MARK}的我咱师这那此区址单号件司里户卡款额求不没未别勿]{{0,6}}?"
)
_THEIRS = "(?:接|听|说话|讲话|通话|出门|下楼|来|收|签收|到店|到场)"
# A noun, or the end of a sentence: 多有不便请谅解, 交通不便我们上门.
_NO_VERB = (
    "(?:[之的了吗吧呢啊]|敬?请|[敬还]?望|[我您你咱可能才则时也都很真]|就(?![此这该])|还(?![款钱给您])"
    rf"|深[表感]|表示[歉抱遗诚]|非常|十分|万分|实在|抱歉|改[天日]|回头|多?打扰|久留|$|[\s{_HAN_MARK}])"
)
_INCONVENIENT = (
    rf"不便(?={_NO_VERB})|(?:今天|今日|现在|这会儿?|目前)(?:有点|有些)?不便(?=明|后天|下[午周次个]|稍|晚)"
    rf"|{_OF_THE_CALLER}不便(?!{_AT_ONCE}(?:{_TELLS}|{_ACTS}))"
    rf"|[您你][这那](?:边|里|会儿?|时候)?[^{_HAN_MARK}的我咱师不没未别勿]{{0,4}}?不便(?={_THEIRS})"
)
_HARDSHIP = (
    "(?:行动|腿脚|手脚|身体|出行|出门|交通|往来|生活"
    "|出入|使用|携带|看病|就医|取货|停车|操作|沟通|走路|听力|视力)"
)
_BRINGS = "(?:带来|造成|产生|引起|添)[了的您你们大家一些点很多许极其大任何种诸不小]{0,6}?"
_HAN_NO_DENIAL = re.compile(
    r"不好意思|不过|不如|不但|不仅|不光|不只|不管|不论|没问题|没事|没关系|别的|特别|区别|差不多|要不|不错|对不起"
    r"|(.)不\1|有没有|没错"
    # What is unpleasant, soon, or no reason to worry, is told of, not denied.
    r"|不周|不快|不愉快|不舒服|不高兴|不开心|不少|不久|不断|不妨|不瞒|不得不|不客气|未来|别人"
    # 不同意, 不满足 and 不适用 refuse; 不满12岁 is in ``_BELOW_NUMBER``.
    rf"|不同(?!意(?!见))|不满(?!足|[\d半{NUMERALS}])|不适(?!用|合|宜)"
    rf"|{_INCONVENIENT}|{_BRINGS}不便|(?:的|有|诸多|任何|种种|给您)的?不便"
    rf"|{_HARDSHIP}(?:有些|有点|上|多有)?不便"
    r"|(?:不用|不必|不要|别)(?:太|再)?(?:担心|着急|急|忘|紧)|不会忘"
)
_CONDITION = re.compile(
    rf"[不没](?:方?便(?!{_AT_ONCE}{_TELLS})|满[足意]?|适[用合宜]|合适|符合|够|喜欢|想要?|愿意|需要)|{_BELOW_NUMBER}"
)
"""What may be a condition: 不适用可以退货."""
_ALLOWS = re.compile(
    rf"(?:(?<![不没未])可以|(?<![不没未可功性智技职效])能(?![力源量耗否]))(?!不)"
    # 可以退款的条件 is what is not met.
    rf"(?![^{_HAN_MARK}]{{0,10}}的(?:条件|要求|规定|规则|政策|情形|情况|范围|标准|资格|条款|活动|订单))"
)
_BELOW = re.compile(_BELOW_NUMBER)
_ENTITLED = "(?:优惠|资格|折扣|权益|福利|补贴|补偿|奖励|名额|额度)"
_REFUSES_AFTER = re.compile(
    r"[不没未](?![用必需花限扣难]|收[费钱取票您任手额押违利])|无(?!需|须|论)|勿|禁(?!忌)|谢绝|[违犯非]法|违规|违约(?!金)"
    # Who turns a parcel away (拒收) or cancels an order has the money back.
    rf"|拒(?![收签])|[会被将]拒|(?:被|将|会)(?:自动|直接|全部)?取消|{_ENTITLED}(?:自动|直接|全部|一律)?取消"
    rf"|取消[^{_HAN_MARK}]{{0,4}}?{_ENTITLED}|作废|驳回|除外|免谈|失败"
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
        and not _is_condition(clause, one.start(), place, phrase_end - clause_start)
        for one in HAN_NEGATORS.finditer(window)
    )


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
    # A phrase that refuses itself (拒绝退款) is what is said.
    left = _HAN_NO_DENIAL.sub(lambda found: " " * len(found.group()), clause)
    refusals = _REFUSES_AFTER.finditer(left, below.end())
    return all(place <= one.start() and one.end() <= phrase_end for one in refusals)


def without_harmless_han(text: str) -> str:
    """A text without Chinese words that have the sign for a no and deny nothing, conditions among them."""
    left = _BELOW.sub(" ", _HAN_NO_DENIAL.sub(" ", text))
    return _CONDITION.sub(lambda found: " " if _allows_soon(left, found.end()) else found.group(), left)


def _allows_soon(text: str, place: int) -> bool:
    allows = _ALLOWS.search(text, place)
    if allows is None or allows.start() > place + _HAN_REACH:
        return False
    return not any(mark in _HAN_MARK for mark in text[place : allows.start()])
