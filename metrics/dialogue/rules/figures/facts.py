"""The checkable facts of a text: numbers with their units, dates, addresses on the net, names of people.

Numbers come out the same however they were said ("eighty-eight", 88, 八十八), through the same normal form as
error rates; so do spans of time ("a fortnight", two weeks, 14 days) and times of day (half past ten, 10:30).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from metrics.dialogue.evidence import words
from metrics.dialogue.rules.figures.clock_times import Clock, clocks_of
from metrics.recognition.normalize import normalize
from spoken_language.chinese_numbers import DIGITS, TEN, one_by_one
from spoken_language.english_number_words import HUNDRED_AND_UP, alternatives, spelled

SMALL = 12
"""Up to here a number alone ("two things") says little: only with its unit is it a fact."""

_CLAUSE = re.compile(r"[;:!?。，；：！？、\n]|[,.](?=\s|$)|\s[-–—]\s")
_JOINED = re.compile(
    # What would run into one number: "ending in 5518 one day later", 760二十次, 周五五点, 四百一到.
    rf"(?<=\d{{3}})\s+(?=(?:{alternatives(map(spelled, range(1, 13)))})\b"
    rf"(?! (?:{alternatives(HUNDRED_AND_UP)})))"
    rf"|(?<=\d)(?=[{DIGITS}{TEN}两])"
    r"|(?<![一二两三每几])(?:周|星期|礼拜)[一二三四五六日天]"
    r"|(?<=[百千万])(?=一[到来过交还付个次天块])",
    re.IGNORECASE,
)
_SPOKEN_SPANS = (
    (re.compile(r"\bhalf an hour\b", re.IGNORECASE), "30 minutes"),
    (re.compile(r"\ba quarter of an hour\b", re.IGNORECASE), "15 minutes"),
    (re.compile(r"\bhalf a year\b", re.IGNORECASE), "6 months"),
    (re.compile(r"\ba fortnight\b", re.IGNORECASE), "14 days"),
    (re.compile(r"\ba dozen\b", re.IGNORECASE), "12"),
    (re.compile(r"(?<![\d一二两三四五六七八九十])半(?:个)?(?:小时|钟头)"), "30分钟"),
    (re.compile(r"(?<![\d一二两三四五六七八九十个])半年"), "6个月"),
    (re.compile(rf"百分之([{DIGITS}十百]+)点([{DIGITS}]+)"), r"百分之\1.\2"),
)
_HAN_PERCENT_POINT = re.compile(rf"百分之[{DIGITS}]\.[{DIGITS}]+")
_ITEM = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)
_ISO_DATE = re.compile(r"(\d{4})[-年](\d{1,2})[-月](\d{1,2})")
_NET = re.compile(
    r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s，。；]+"
    r"|(?<![\w-])[\w-]++\.(?:com|cn|org|net)\b",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

_MONTH_NAMES = "january february march april may june july august september october november december"
_WEEKDAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAY_NAMES.split())}
_MONTH = "|".join(_MONTHS)
_EN_DATE = re.compile(rf"\b({_MONTH}) (\d{{1,2}})\b|\b(\d{{1,2}}) (?:of )?({_MONTH})\b")
_ZH_DATE = re.compile(r"(\d{1,2})月(\d{1,2})(?:号|日)")
# A number is tried from its first digit only, and whole: a text of nothing but digits is one long number.
_EN_UNIT = re.compile(
    r"(?<!\d)(\d++(?:\.\d++)?) (?:or \d+ |to \d+ )?"
    r"(?:working |business |calendar |full |more |extra |whole )?"
    r"(day|hour|week|month|year|minute|percent|yuan|dollar|euro|pound|rmb|session|star|mile|kilometer"
    r"|meter|employee|class|lesson|coupon|voucher|gift|bottle|instal+ment|degree|gram|kilo|kilogram|lit(?:er|re)|metre|floor|page"
    r"|seat|customer|household|colleague|technician)s?\b"
)
_ZH_UNIT = re.compile(
    r"(?<!\d)(\d++(?:\.\d++)?)(?:多)?(?:个)?"
    r"(工作日|天|小时|钟头|周|星期|月(?!\d)|年|分钟|元|块|折|倍|成|期|公里|度|克|公斤|升|米|层|楼|页|名)"
)
_EN_UNIT_WORD = re.compile(r"\b(day|hour|week|month|year|minute|percent|yuan|dollar)s?\b")
_ZH_UNIT_WORD = re.compile(r"工作日|天|小时|钟头|星期|周|月|年|分钟|元|块|折|成|期")
_ZH_PERCENT = re.compile(r"百分之(\d+)(?:[.点](\d+))?")
_SAME_UNIT = {
    **{"rmb": "yuan", "元": "yuan", "块": "yuan", "instalment": "installment", "工作日": "day", "天": "day"},
    **{"小时": "hour", "钟头": "hour", "周": "week", "星期": "week", "月": "month", "年": "year"},
    **{"分钟": "minute"},
}
_IN_SMALLER = {"week": (7, "day"), "year": (12, "month"), "成": (10, "percent")}
_WEEKDAY_HAN = re.compile(r"(?<![一二两三每几])(?:星期|周|礼拜)([一二三四五六日天])")
_COUNTED = re.compile(r"\b(\d{1,2}) (?:[a-z]+ )?([a-z]{3,}s)\b")

_NAME = re.compile(r"(?<=[a-z0-9,;] )[A-Z][a-z]+(?:[-'][A-Z]?[a-z]+)*")
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+([A-Z][a-z]+)")
_SURNAMES = (
    "赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕施张孔曹严金魏陶姜谢邹苏潘葛范彭马苗方俞任袁柳唐罗薛贺汤毕郝"
    "傅康余顾孟黄萧尹姚邵汪毛宋庞熊纪项董杜江郭梅林徐邱高夏蔡田胡霍卢莫丁邓洪崔龚程邢裴陆段侯武刘龙叶"
)
_HAN_TITLED = re.compile(
    rf"([{_SURNAMES}])(?:先生|女士|小姐|经理|主任|主管|总监|老师|医生|大夫|律师|队长|科长|处长|师傅|工程师)"
)
_NOT_NAMES = frozenset(
    {*_MONTHS, *_WEEKDAYS}
    | {"i'm", "i'll", "i've", "i'd", "ok", "okay", "mr", "mrs", "ms", "miss", "dr", "prof", "sir", "madam"}
    | {"english", "chinese", "mandarin", "internet", "wi-fi", "wifi", "god", "lord", "spring", "festival"}
    | {"new", "year", "christmas", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "yes", "no"}
)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a text states, in forms that compare.

    Attributes:
        numbers: All numbers, digits only.
        amounts: (number, unit) of those with a unit.
        near: (number, unit) wherever both stand in one clause: "nine hours where we'd said four" knows four
            hours too.
        dates: (month, day).
        clocks: Times of day.
        counted: (number, what it counts) of English plurals: "four degrees".
        weekdays: 0 (Monday) to 6, also those of the dates where a year is known.
        addresses: E-mail and web addresses, in lower case.
        names: Names of people and companies as written, in lower case (English: capitals inside a sentence;
            Chinese: a family name before a title).
        words: Every word.
        today: The last full date of the text: a prompt ends with the day of the call.
    """

    numbers: frozenset[str] = field(default_factory=frozenset)
    amounts: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    near: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    dates: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    clocks: frozenset[Clock] = field(default_factory=frozenset)
    counted: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    weekdays: frozenset[int] = field(default_factory=frozenset)
    addresses: frozenset[str] = field(default_factory=frozenset)
    names: frozenset[str] = field(default_factory=frozenset)
    words: frozenset[str] = field(default_factory=frozenset)
    today: datetime.date | None = None


@lru_cache(maxsize=16384)
def facts_of(text: str, language: str) -> Facts:
    """The facts of a text."""
    text = _ITEM.sub("", text)
    clauses = [_normal(part, language) for part in _CLAUSE.split(_apart(text)) if part.strip()]
    line = " | ".join(clauses)
    dates = {(int(month), int(day)) for _, month, day in _ISO_DATE.findall(text)}
    for month, day, day_first, month_last in _EN_DATE.findall(line):
        dates.add((_MONTHS[month or month_last], int(day or day_first)))
    dates |= {(int(month), int(day)) for month, day in _ZH_DATE.findall(line)}
    amounts = {_amount(number, unit) for number, unit in _EN_UNIT.findall(line)}
    amounts |= {_amount(number, unit) for number, unit in _ZH_UNIT.findall(line)}
    amounts |= {
        (plain_number(f"{whole}.{part or 0}"), "percent") for whole, part in _ZH_PERCENT.findall(line)
    }
    names = {name.casefold().removesuffix("'s") for name in _NAME.findall(text)}
    names |= {name.casefold() for name in _TITLED.findall(text)} | set(_HAN_TITLED.findall(text))
    return Facts(
        numbers=frozenset(plain_number(one) for one in _NUMBER.findall(line)),
        amounts=frozenset(amounts),
        near=frozenset(amounts | _near(clauses)),
        dates=frozenset(dates),
        clocks=clocks_of(text),
        counted=frozenset((number, noun.rstrip("s")) for number, noun in _COUNTED.findall(line)),
        weekdays=frozenset(_weekdays(text) | _weekdays_of(dates, text)),
        addresses=frozenset(one.casefold() for one in _NET.findall(text)),
        names=frozenset(name for name in names if not {name, name.removesuffix("s")} & _NOT_NAMES),
        words=frozenset(words(text)),
        today=_last_full_date(text),
    )


def all_of(several: Iterable[Facts]) -> Facts:
    """The facts of several texts."""
    everything = list(several)
    return Facts(
        numbers=frozenset().union(*(one.numbers for one in everything)),
        amounts=frozenset().union(*(one.amounts for one in everything)),
        near=frozenset().union(*(one.near for one in everything)),
        dates=frozenset().union(*(one.dates for one in everything)),
        clocks=frozenset().union(*(one.clocks for one in everything)),
        counted=frozenset().union(*(one.counted for one in everything)),
        weekdays=frozenset().union(*(one.weekdays for one in everything)),
        addresses=frozenset().union(*(one.addresses for one in everything)),
        names=frozenset().union(*(one.names for one in everything)),
        words=frozenset().union(*(one.words for one in everything)),
        today=next((one.today for one in everything if one.today), None),
    )


def _last_full_date(text: str) -> datetime.date | None:
    for year, month, day in reversed(_ISO_DATE.findall(text)):
        try:
            return datetime.date(int(year), int(month), int(day))
        except ValueError:
            continue
    return None


def _near(clauses: list[str]) -> set[tuple[str, str]]:
    found = set()
    for clause in clauses:
        units = {_unit(unit) for unit in (*_EN_UNIT_WORD.findall(clause), *_ZH_UNIT_WORD.findall(clause))}
        found |= {_amount(number, unit) for number in _NUMBER.findall(clause) for unit in units}
    return found


def plain_number(written: str) -> str:
    """Without leading zeros (of short numbers) and trailing ones of a fraction."""
    whole, _, fraction = written.partition(".")
    fraction = fraction.rstrip("0")
    kept = (whole.lstrip("0") or "0") if len(whole) < 4 else whole
    return f"{kept}.{fraction}" if fraction else kept


def _amount(number: str, unit: str) -> tuple[str, str]:
    """A number with its unit; weeks in days and years in months, so that they compare."""
    factor, smaller = _IN_SMALLER.get(_unit(unit), (1, _unit(unit)))
    if factor == 1:
        return plain_number(number), smaller
    return plain_number(f"{float(number) * factor:.2f}"), smaller


def _apart(text: str) -> str:
    """The text with a break wherever two numbers would run into one, and spans of time in figures."""
    for spoken, written in _SPOKEN_SPANS:
        text = spoken.sub(written, text)
    text = _HAN_PERCENT_POINT.sub(lambda found: one_by_one(found.group()), text)
    return _JOINED.sub("；", text)


def _normal(clause: str, language: str) -> str:
    # Normalising drops the addresses' points and joins their digits with others: they are compared apart.
    return normalize(_NET.sub(" ", clause), "zh" if language == "zh" else "en")


def _unit(unit: str) -> str:
    return _SAME_UNIT.get(unit, unit)


def _weekdays(text: str) -> set[int]:
    said = {word.removesuffix("'s").removesuffix("s") for word in words(text)}
    found = {number for name, number in _WEEKDAYS.items() if name in said}
    return found | {"一二三四五六日".index(day.replace("天", "日")) for day in _WEEKDAY_HAN.findall(text)}


def _weekdays_of(dates: set[tuple[int, int]], text: str) -> set[int]:
    """Weekdays of the dates in the year that the text names, and of the day after that full date."""
    found: set[int] = set()
    for year, month, day in _ISO_DATE.findall(text):
        for one in {*dates, (int(month), int(day) + 1)}:
            try:
                found.add(datetime.date(int(year), *one).weekday())
            except ValueError:
                continue
    return found
