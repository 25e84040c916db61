"""Ranges of amounts, times, days and money in Chinese writing, 5-10天 as 5到10天, as they are said."""

from __future__ import annotations

import math
import re

from spoken_language.chinese_numbers import MYRIADS, SCALES

# Telephone numbers have hyphens, too: only what is counted behind it tells a range.
# Many of these also begin other words: 登记在3-502名下, 我住3-502期待您的光临.
_COUNTED_LONG = "[万个人位件次米斤吨]|名(?![字称单叫]|下(?!属))|克(?![服制])|毫[升米克]"
_COUNTED = (
    f"(?:{_COUNTED_LONG}|[点月日天岁元块度年分小周秒种倍折盒瓶亿]|期(?![待间望盼许])|份(?![子额])|页(?!面)"
    "|升(?![级值降]))"
)
_UNIT = f"(?:小时|分钟|秒钟|公里|公斤|美元|欧元|英镑|星期|个月|{_COUNTED})"
_AMOUNT = r"[0-9]{1,4}(?:\.[0-9]{1,2})?"
_LARGE = r"[0-9]{1,9}(?:\.[0-9]{1,2})?"
_CLOCK = "[0-9]{1,2}:[0-9]{2}"
_RANGE = re.compile(
    rf"(?<![0-9a-z.:$¥€£-])(?P<low>(?:{_CLOCK}|{_AMOUNT})万?(?:%|{_UNIT}半?|°[cf]?)?)"
    rf"(?:[-\u2013\u2014]|(?P<spaced>\s{{1,2}}[-\u2013]\s{{0,2}}|[-\u2013]\s{{1,2}}))"
    rf"(?=(?P<high>{_AMOUNT})(?:(?P<percent>%)|\s?{_UNIT}|°))"
)
_MOST_TIMES = 100
_LONG = r"[1-9][0-9]{0,8}(?:\.[0-9]{1,2})?"
_MONEY_UNIT = "(?:元|块|美元|欧元|英镑|港币|日元)"
# Of two numbers with a telephone number's length it takes what no telephone number has behind it.
_RANGE_OF_LONG = re.compile(
    rf"(?<![0-9a-z.:-])(?P<low>{_LONG}){_MONEY_UNIT}?(?:\s{{0,2}}[-\u2013\u2014]\s{{0,2}})"
    rf"(?=(?P<high>{_LONG})\s?(?:{_MONEY_UNIT}|{_COUNTED_LONG}|[步字]|公[里斤]|小时))"
)
_RANGE_OF_MONEY = re.compile(
    rf"(?<![0-9a-z.:-])(?P<sign>[$¥€£])(?P<low>{_LONG})(?P<scale>万?){_MONEY_UNIT}?"
    rf"\s{{0,2}}[-\u2013\u2014~〜]\s{{0,2}}(?P<again>[$¥€£]?)(?={_LONG})"
    rf"(?P<high>{_LONG})(?![0-9.:-]|\s?(?!{_MONEY_UNIT}|[百千万亿]){_UNIT})(?=(?P<high_scale>[百千万亿]*))"
)
_VALUES = SCALES | MYRIADS
_LEADING = re.compile(_AMOUNT)
_CLOCK_RANGE = re.compile(
    rf"(?<![0-9a-z.:-])({_CLOCK})\s{{0,2}}[-\u2013\u2014~〜]\s{{0,2}}(?={_CLOCK}(?![0-9:-]))"
)
_WAVED = re.compile(
    rf"(?<![0-9a-z.:~])(?P<low>(?:{_CLOCK}|{_LARGE})万?(?:%|{_UNIT}半?|[^\W0-9a-z]半?|°[cf]?)?)\s?[~〜]\s?"
    rf"(?=(?:{_CLOCK}|{_LARGE})(?P<percent>%)?)"
)
_RANGE_OF_NUMBERS = re.compile(
    r"(?<![0-9a-z.:-])([0-9]{1,2})(号?)[-\u2013\u2014]([0-9]{1,2})(?=号(?![房室门]))"
)


def spell_ranges(text: str) -> str:
    """``text`` with 到 for the line of each range; lines of anything else are left as they are."""
    text = _CLOCK_RANGE.sub(r"\1到", text)
    text = _RANGE_OF_MONEY.sub(_range_of_money, text)
    text = _RANGE_OF_LONG.sub(_range_of_long, text)
    text = _RANGE.sub(_range, text)
    text = _WAVED.sub(_waved, text)
    return _RANGE_OF_NUMBERS.sub(_range_of_numbers, text)


def _range_of_money(match: re.Match[str]) -> str:
    """¥100-¥200, ¥100-200 and ¥5-10万 are ranges; what does not rise is two amounts (原价¥200-¥50)."""
    sign, scale, high_scale = match["sign"], match["scale"], match["high_scale"]
    if high_scale and not (scale or match["again"]):
        high_scale = ""
    if float(match["low"]) * _times(scale) >= float(match["high"]) * _times(high_scale):
        return match.group()
    return f"{match['low']}{scale}到{sign}{match['high']}"


def _times(scale: str) -> int:
    return math.prod(_VALUES[one] for one in scale)


def _range_of_long(match: re.Match[str]) -> str:
    """5000-10000元; left to the others where both are short, and alone where it does not rise, or too much,
    as the two parts of 400-8001234 would."""
    low, high = float(match["low"]), float(match["high"])
    long = len(match["high"].partition(".")[0]) > 4
    rises = low < high <= _MOST_TIMES * low
    return f"{match.group()[: match.end('low') - match.start()]}到" if long and rises else match.group()


def _range(match: re.Match[str]) -> str:
    """5-10% is 5% to 10%, which is how it is said; with spaces, which part clauses, too, only what rises."""
    low = _LEADING.match(match["low"])
    if match["spaced"] and low is not None and float(low.group()) >= float(match["high"]):
        return match.group()
    return _waved(match)


def _waved(match: re.Match[str]) -> str:
    low = match["low"]
    return f"{low}%到" if match["percent"] and low[-1].isdigit() else f"{low}到"


def _range_of_numbers(match: re.Match[str]) -> str:
    """Days and houses; in 3-502 it is a house and a flat."""
    low, sign, high = match.groups()
    return f"{low}{sign}到{high}" if int(low) < int(high) else match.group()
