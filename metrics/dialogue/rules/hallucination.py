"""Hallucination: does everything in the reply come from the prompt, or from the caller? (Table 22)

Measured, each against the agent's prompt and what the caller has said so far:

- **Figures**: numbers above twelve (amounts, telephone numbers, codes), smaller ones with a unit ("three
  working days"), dates, weekdays, e-mail and web addresses;
- **names** of people and companies: English capitals inside a sentence, Chinese family names before a title;
- **promises and measures** of a kind that the prompt does not know at all: refunds, vouchers, discounts,
  lawyers, supervisors, text messages and the like, unless denied or asked about.

Any of these that is in neither is a 0. A stiff "I don't know about this" that leads nowhere is a 1.

Blind to: invented statements without such a word or figure, a right word used for a wrong thing, what lower
case transcripts do to names. A day or an hour that is only proposed in a question is not held against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from metrics.dialogue.evidence import matches
from metrics.dialogue.rules.facts import SMALL, Facts, facts_of
from metrics.dialogue.rules.phrases import find_phrase
from metrics.dialogue.rules.reply import Finding, Reply, pattern

_DIGITS_COMPARED = 3
"""A number of so many digits or more may be part of a longer one that is known (the last four digits)."""

_MEASURES: dict[str, str] = {
    "a refund": "refund* | money back | pay you back | paid back | reimburs* | 退款 | 退钱 | 退还 | 退回 | "
    "返还 | 全退 | 连息退",
    "compensation": "compensat* | 赔偿 | 补偿 | 赔付",
    "a voucher": "voucher* | coupon* | gift card | 优惠券 | 代金券 | 抵用券 | 礼品卡 | 红包",
    "a discount": "discount* | percent off | half price | special price | special offer | 打折 | 折扣 | "
    "优惠 | 特价 | 折",
    "something for free": "gift* | free of charge | for free | complimentary | free | 赠送 | 礼物 | 礼品 | "
    "免费 | 送您 | 送你",
    "a waiver": "waive* | waiving | 免除 | 免收 | 减免 | 免了 | 免掉 | 全免",
    "a bonus": "bonus* | cashback | cash back | reward* | loyalty points | double points | 积分 | 返现 | "
    "奖金 | 奖励",
    "a guarantee": "guarantee* | warranty | 担保 | 质保 | 保修 | 包您 | 百分之百",
    "an upgrade": "upgrade* | 升级",
    "legal steps": "lawyer* | attorney | legal action | court | sue | lawsuit | police | 律师 | 起诉 | "
    "法院 | 报警 | 法律",
    "the credit record": "credit record* | credit score* | credit report* | credit rating | "
    "blacklist* | 征信 | 黑名单",
    "a penalty": "penalt* | late fee* | fined | 罚款 | 滞纳金 | 违约金 | 罚息",
    "instalments or an extension": "installment* | instalment* | extension | grace period | 分期 | "
    "延期 | 宽限 | 展期",
    "insurance": "insur* | 保险",
    "a superior": "manager* | supervisor* | team leader | my boss | director | 经理 | 主管 | 领导 | 负责人 | "
    "主任 | 上级",
    "somebody coming": "technician* | engineer* | repairman | come to your | visit you | "
    "home visit | 上门 | 工程师 | 师傅",
    "a website or app": "app | website* | online | link | portal | 网站 | 官网 | 链接 | 小程序 | 网上",
    "an e-mail": "email* | e-mail* | 邮件 | 邮箱",
    "a text message": "text you | texting you | text message* | text it | texted | sms | "
    "短信 | 信息发 | 发到您手机",
    "WeChat": "wechat | 微信",
    "a delivery": "courier | deliver* | ship* | by mail | by post | 快递 | 寄 | 配送",
    "an interest rate": "interest rate | annual return | yield | 利率 | 收益率 | 年化",
    "a hotline": "hotline | call center | call centre | 热线",
    "medical advice": "medicine | medication | prescri* | diagnos* | dose | 药 | 诊断 | 剂量",
    "a trial": "trial | 试用 | 体验",
    "a pay rise": "pay rise | pay raise | salary increase | 加薪 | 涨薪 | 涨工资",
    "a certificate": "certificate* | 证书",
    "an investigation team": "task force | special team | investigation team | 专项小组 | 调查组",
}
"""What an agent may make up, with the words for it. One that the prompt has in any of its words is known;
when it is promised rightly is not checked."""

_STIFF = pattern(
    "i (?:do not|don't) know(?: about (?:this|that|it))?",
    "i (?:am|'m) not (?:sure|aware)(?: (?:about|of) (?:this|that|it))?",
    "i have no (?:information|idea|knowledge|data|record)~",
    "(?:there is|there's) no information",
    "i (?:cannot|can't|can not|am unable to|'m unable to|am not able to|'m not able to) "
    "(?:answer|provide|comment"
    "|help|say anything|give (?:you )?(?:any )?information)~",
    "(?:that|this|it) (?:is|'s) (?:outside|beyond|not (?:in|within|part of)) (?:my|our|the|of my)",
    "no information (?:on|about|regarding)",
    "not (?:in|included in|part of) (?:my|the) (?:information|script|system|records?|scope|knowledge)",
    "(?:这个|这|那个|那)?(?:我|我们|我这边)?(?:也)?不(?:太)?(?:知道|清楚|了解|太清楚)",
    "无法(?:回答|告知|提供|答复|确认)",
    "没有(?:相关|这方面|这个|该)(?:的)?(?:信息|资料|内容|记录)",
    "不在(?:我)?(?:的)?(?:职责|服务|业务|了解)?范围",
    "回答不了",
    "不方便(?:透露|回答|告知)",
)
_LEADS_ON = pattern(
    "but",
    "let me",
    "i'll",
    "i will",
    "i can",
    "what i can",
    "we can",
    "you can",
    "you could",
    "i'd (?:rather|have to|need to)",
    "i won't guess",
    "find out",
    "check~",
    "look into",
    "get back",
    "ask (?:my|our|the|a)",
    "colleague~",
    "make a note",
    "note (?:it|that) down",
    "put (?:it|that|you)",
    "in the meantime",
    "yet",
    "at hand",
    "in front of me",
    "off the top",
    "不过",
    "但",
    "我(?:帮|给|替|去|先|再|让|请|记|会|可以|能|回头|马上)",
    "帮您",
    "查一下",
    "问一下",
    "问清楚",
    "确认(?:一下|好|清楚)",
    "回头",
    "稍后",
    "手头",
    "手边",
    "一时",
    "不敢乱说",
    "不瞎说",
    "您可以",
    "记下",
)

_HEDGES = pattern(
    "(?:ask|check|find out|look into|see) (?:about|whether|if|with|on)~",
    "whether",
    "not (?:allowed|able|up to me|something i|for me)",
    "can't (?:promise|say|tell|decide)",
    "couldn't (?:promise|say|tell|decide)",
    "问一下",
    "问问",
    "不敢(?:说|答应|保证)",
    "没权限",
    "做不了主",
    "不好说",
    "能不能",
)
_GRANTS = pattern(
    "i'll",
    "i will",
    "we'll",
    "we will",
    "you'll",
    "you will",
    "we can (?:offer|give|arrange|do|provide)",
    "i can (?:offer|give|arrange|do|provide|promise|get)",
    "you(?:'re| are) entitled",
    "of course",
    "absolutely",
    "certainly",
    "yes",
    "we're (?:offering|giving)",
    "给您",
    "给你",
    "送您",
    "可以",
    "会有",
    "能给",
    "肯定",
    "一定",
    "保证",
    "没问题",
)


def judge(reply: Reply) -> Finding:
    """0, 1 or 2; None where it is not known what the agent was told."""
    if not reply.prompt.strip():
        return Finding(score=None, reason="what the agent was told is not known")
    known = facts_of(reply.prompt, reply.language)
    said = [facts_of(text, reply.language) for text in reply.caller_before]
    invented = next(_invented(reply, _all(known, said)), None)
    if invented is not None:
        what, quote = invented
        return Finding(score=0, reason=f"{what} is neither in the prompt nor said by the caller", quote=quote)
    measure = _unknown_measure(reply)
    if measure is not None:
        what, quote = measure
        reason = f"{what}: nothing of the kind is in the prompt or was said by the caller"
        return Finding(score=0, reason=reason, quote=quote)
    if (stiff := reply.find(_STIFF)) and not _LEADS_ON.search(_without(reply.text, stiff)):
        return Finding(score=1, reason="says stiffly that it does not know, and leaves it there", quote=stiff)
    return Finding(score=2, reason="no figure, name or measure that is not in the prompt")


def _invented(reply: Reply, known: Facts) -> Iterator[tuple[str, str]]:
    """Facts of the reply that are not known, with the sentence they stand in."""
    digits = [one for one in known.numbers if len(one) >= _DIGITS_COMPARED]
    hours = {one for one in known.numbers if "." not in one}
    for sentence in reply.sentences:
        mine = facts_of(sentence, reply.language)
        asks = sentence.rstrip().endswith(("?", "？"))
        for address in sorted(mine.addresses - known.addresses):
            yield f"the address {address}", address
        dates = mine.dates - known.dates
        for month, day in sorted(dates):
            if not asks:
                yield f"the date {month}/{day}", sentence
        if not asks and mine.weekdays - known.weekdays:
            yield "the weekday", sentence
        in_dates = {str(part) for date in mine.dates for part in date}
        for number, unit in sorted(mine.amounts - known.near):
            if number in ("0", "1") and unit != "percent":
                continue
            if float(number) > SMALL and _is_known(number, known, digits):
                continue
            yield f"“{number} {unit}”", sentence
        for number in sorted(mine.numbers - in_dates):
            if float(number) <= SMALL or _is_known(number, known, digits) or (asks and number in hours):
                continue
            if len(number) in (3, 4) and not asks and _is_clock(number, known):
                continue
            yield f"the number {number}", sentence
        if _mostly_capitals(sentence):
            continue
        for name in sorted(mine.names):
            if not _name_known(name, known):
                yield f"the name “{name}”", sentence


def _is_known(number: str, known: Facts, digits: list[str]) -> bool:
    if number in known.numbers:
        return True
    return len(number) >= _DIGITS_COMPARED and any(number in one for one in digits)


def _is_clock(number: str, known: Facts) -> bool:
    """Half past three is 330 in normal form; where the prompt has the hour, the minutes are let pass."""
    return number[-2:] in ("00", "15", "30", "45") and number[:-2] in known.numbers


def _name_known(name: str, known: Facts) -> bool:
    if name in known.names or name in known.words:
        return True
    parts = re.split(r"[-']", name)
    return all(part in known.words for part in parts)


def _mostly_capitals(sentence: str) -> bool:
    said = re.findall(r"[A-Za-z]+", sentence)
    return len(said) > 3 and sum(word[0].isupper() for word in said) > 0.6 * len(said)


def _unknown_measure(reply: Reply) -> tuple[str, str] | None:
    """The first measure that the prompt does not know, and its words.

    Where the caller brought it up, talking about it is no invention; granting it is.
    """
    asked_for = "\n".join(reply.caller_before)
    for what, phrase in _MEASURES.items():
        if not matches(phrase, reply.text) or matches(phrase, reply.prompt):
            continue
        brought_up = matches(phrase, asked_for)
        for sentence in reply.sentences:
            if sentence.rstrip().endswith(("?", "？")) or _HEDGES.search(sentence):
                continue
            found = find_phrase((phrase,), sentence)
            if found and (not brought_up or _GRANTS.search(sentence)):
                return what, found.quote
    return None


def _all(known: Facts, more: list[Facts]) -> Facts:
    everything = [known, *more]
    return Facts(
        numbers=frozenset().union(*(one.numbers for one in everything)),
        amounts=frozenset().union(*(one.amounts for one in everything)),
        near=frozenset().union(*(one.near for one in everything)),
        dates=frozenset().union(*(one.dates for one in everything)),
        weekdays=frozenset().union(*(one.weekdays for one in everything)),
        addresses=frozenset().union(*(one.addresses for one in everything)),
        names=frozenset().union(*(one.names for one in everything)),
        words=frozenset().union(*(one.words for one in everything)),
    )


def _without(text: str, piece: str) -> str:
    return text.replace(piece, " ", 1)
