"""Rules for any text: nobody real in it, nothing unfilled, dates that exist, lines that can be spoken."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping

CUSTOMER_NAMES: dict[str, tuple[str, ...]] = {
    "en": (
        "Zhang Qiang", "Wang Fang", "Liu Yang", "Chen Jing", "Zhao Lei", "Sun Li", "Zhou Min", "Wu Gang",
        "Xu Ping", "Zhu Hong", "Gao Feng", "Lin Xia", "He Jun", "Guo Ying", "Ma Chao", "Luo Dan",
    ),
    "zh": (
        "张强", "王芳", "刘洋", "陈静", "赵磊", "孙丽", "周敏", "吴刚",
        "徐萍", "朱红", "高峰", "林霞", "何军", "郭颖", "马超", "罗丹",
    ),
}  # fmt: skip
"""Placeholder names for people who are called. Callers are Li Ming / 李明 and Wang Hong / 王红."""

_REAL_NAMES = re.compile(
    r"huawei|tencent|alibaba|alipay|taobao|tmall|jd\.com|jingdong|meituan|didi\b|bytedance|douyin|tiktok|"
    r"wechat|weibo|baidu|xiaomi|oppo\b|vivo\b|haier|midea|gree electric|lenovo|unicom|china mobile|"
    r"china telecom|icbc|bank of china|ccb\b|sf express|google|microsoft|facebook|whatsapp|amazon(?!ian)|"
    r"iphone|apple (?:pay|watch)|samsung|netflix|zoom (?:call|meeting)|linkedin|uber\b|paypal|visa card|"
    r"mastercard|华为|腾讯|阿里|支付宝|淘宝|天猫|京东|美团|滴滴|字节|抖音|快手|微信|微博|百度|小米|海尔|美的电器|"
    r"格力|联想|联通|中国移动|中国电信|工商银行|建设银行|农业银行|中国银行|招商银行|顺丰|圆通|中通|韵达|拼多多|"
    r"苹果手机|携程",
    re.IGNORECASE,
)
_LONG_NUMBER = re.compile(r"(?<![\d.,])\+?\d(?:[\d -]{5,}\d)(?![\d,]*\.\d)")
_ISO_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_EMAIL_OR_URL = re.compile(r"[\w.+-]+@([\w.-]+)|https?://([\w.-]+)|\bwww\.([\w.-]+)", re.IGNORECASE)
_UNFILLED = re.compile(
    r"\[[^\]]*\]|【[^】]*】|<[a-z_ ]+>|\bX{2,}\b|\bx{3,}\b|\bTBD\b|\bTODO\b|_{3,}|\*\*|某某|XX", re.ASCII
)

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTH = "|".join(_MONTHS)
_ENGLISH_DAY = re.compile(
    rf"\b({'|'.join(_DAYS)}),?(?: the| on)? "
    rf"(?:({_MONTH}) (\d{{1,2}})|(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({_MONTH}))(?:st|nd|rd|th)?\b"
)
_CHINESE_DAY = re.compile(r"(\d{1,2})月(\d{1,2})[日号](?:[，,（( ]{0,2})(?:星期|周|礼拜)([一二三四五六日天])")


def text_problems(
    content: object,
    spoken: Mapping[str, str],
    *,
    longest: int,
    reference: datetime.date | None,
    benchmark: bool,
) -> Iterator[tuple[str, str]]:
    """Every rule that a part's text breaks, with its field path.

    Args:
        content: The part as plain data; all its strings are looked at.
        spoken: Field path -> line that is spoken aloud.
        longest: Words that a spoken line may have.
        reference: The day that all dates refer to, where it is known.
        benchmark: Also refuse what could be a real company, number or address.
    """
    for place, text in strings(content):
        for message in real_things(text) if benchmark else ():
            yield place, message
        for message in wrong_dates(text, reference) if reference else ():
            yield place, message
    for place, line in spoken.items():
        for message in (*unfilled(line), *too_long(line, longest)):
            yield place, message


def strings(content: object, place: str = "") -> Iterator[tuple[str, str]]:
    """All strings in plain data, with their field paths."""
    if isinstance(content, str):
        yield place, content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from strings(value, f"{place}.{key}".lstrip("."))
    elif isinstance(content, list):
        for number, value in enumerate(content):
            yield from strings(value, f"{place}.{number}".lstrip("."))


def real_things(text: str) -> Iterator[str]:
    """What in a text looks like a real company, number or address."""
    if found := _REAL_NAMES.search(text):
        yield f"'{found.group()}' is a real company or product; use a placeholder"
    for found in _LONG_NUMBER.finditer(_ISO_DATE.sub("", text)):
        digits = re.sub(r"\D", "", found.group())
        if len(digits) >= 7 and "1234" not in digits:
            yield f"the number '{found.group()}' could be real; one of seven digits or more contains 1234"
    for found in _EMAIL_OR_URL.finditer(text):
        host = next(filter(None, found.groups())).rstrip(".").lower()
        if not re.search(r"(?:^|\.)example(?:\.(?:com|org|net))?$", host):
            yield f"'{found.group()}' could be real; addresses end in .example"


def unfilled(text: str) -> Iterator[str]:
    """Gaps and markup that nobody could say aloud."""
    if found := _UNFILLED.search(text):
        yield f"'{found.group()}' cannot be spoken: fill the gap, drop the markup"


def wrong_dates(text: str, reference: datetime.date) -> Iterator[str]:
    """Weekdays that do not fit their date, taken in the year nearest to the reference date."""
    for found in _ENGLISH_DAY.finditer(text):
        month = _MONTHS.index(found[2] or found[5]) + 1
        yield from _wrong_day(
            found.group(), month, int(found[3] or found[4]), _DAYS.index(found[1]), reference
        )
    for found in _CHINESE_DAY.finditer(text):
        weekday = "一二三四五六日".index(found[3].replace("天", "日"))
        yield from _wrong_day(found.group(), int(found[1]), int(found[2]), weekday, reference)
    for found in _ISO_DATE.finditer(text):
        try:
            datetime.date.fromisoformat(found.group())
        except ValueError:
            yield f"'{found.group()}' is no date"


def too_long(text: str, limit: int) -> Iterator[str]:
    """A line that is longer than people listen."""
    if (length := spoken_length(text)) > limit:
        yield f"{length} words in one line; the most that is spoken at once is {limit}"


def spoken_length(text: str) -> int:
    """Words; two Chinese characters count as one."""
    han = len(re.findall(r"[一-鿿]", text))
    return len(re.findall(r"[^\W_一-鿿]+(?:['’][a-z]+)?", text)) + (han + 1) // 2


def _wrong_day(written: str, month: int, day: int, weekday: int, reference: datetime.date) -> Iterator[str]:
    candidates = []
    for year in (reference.year - 1, reference.year, reference.year + 1):
        try:
            candidates.append(datetime.date(year, month, day))
        except ValueError:
            continue
    if not candidates:
        yield f"'{written}' is no date"
        return
    nearest = min(candidates, key=lambda date: abs((date - reference).days))
    if nearest.weekday() != weekday:
        yield f"'{written}': {nearest.isoformat()} is a {_DAYS[nearest.weekday()]}"
