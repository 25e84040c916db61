"""Ranges of amounts, times and money in English writing, "10-12" as "10 to 12", as they are said."""

from __future__ import annotations

import re

# Telephone numbers and codes have hyphens, too: only what can hardly be anything else is a range. A dash with
# spaces parts sentences.
_DASH = r"[-\u2013\u2014]"
_SPACED = r"\s{1,2}[-\u2013]\s{1,2}"
_HALF_SPACED = r"(?:\s{1,2}[-\u2013]\s{0,2}|[-\u2013]\s{1,2})"
_YEAR = "(?:1[89]|20)[0-9]{2}"
_HALF_OF_DAY = r"\s?[ap]\.?m\b"
_CLOCK = "[0-9]{1,2}(?::[0-9]{2})?"
_AMOUNT = r"(?:[0-9]{1,2}:[0-9]{2}|[0-9]{1,3}(?:\.[0-9]{1,2})?)"
_PRICE = r"[0-9]{1,7}(?:\.[0-9]{2}|\.[0-9](?=\s?(?:k|mn|bn|m)\b))?(?![0-9])"
_COUNTED = (
    rf"(?:{_HALF_OF_DAY}|\s?[%°]|\so'?clock\b|\sseconds\b|[\s-]?(?:(?:business|working|calendar)\s)?"
    r"(?:min|minute|sec|hr|hour|day|night|week|month|year|people|person|guest|time|degree|mile|km|kg"
    r"|kilomet(?:er|re)|kilogram|percent|dollar|euro|pound|cent)s?\b)"
)
_IN_SCALE = r"(?:\s?(?:k|mn|bn|m)\b)"
_THOUSANDFOLD = {"k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9}
_TO_MONEY = re.compile(
    rf"(?<![\w.-])(?P<sign>[$£€¥₹])(?P<low>{_PRICE})(?P<scale>{_IN_SCALE}?)(?:{_DASH}[$£€¥₹]?(?={_PRICE})"
    rf"|(?P<spaced>{_SPACED})(?:[$£€¥₹]|(?={_PRICE}(?!{_COUNTED}))))(?P<high>{_PRICE})"
    rf"(?=(?P<high_scale>{_IN_SCALE}?))"
)
_BETWEEN = re.compile(
    rf"(?<=\bbetween )({_CLOCK}|{_YEAR})(?:{_DASH}|{_HALF_SPACED})(?=(?:{_CLOCK}|{_YEAR})(?![\w:-]))"
)
# What a telephone number ("call 555-1234 day or night") has behind it in no sentence.
_MUCH = (
    r"\s(?:miles|kilomet(?:er|re)s|met(?:er|re)s|km|kg|kilograms|dollars|euros|pounds|rupees|yuan|people|guests"
    r"|words|calories|steps|points|units|users|customers|employees|square)\b"
)
_LONG = r"[1-9][0-9]{2,6}(?:\.[0-9]{1,2})?"
_OF_LONG = re.compile(
    rf"(?<![\w.:$£€¥₹-])(?P<low>{_LONG})(?:{_DASH}|{_HALF_SPACED})(?=(?P<high>{_LONG}){_MUCH})"
)
_MOST_TIMES = 20
_BELOW_ZERO = re.compile(
    rf"(?<![\w.,)%°-])(?<![0-9%°]\s)([-\u2212\u2013]{_AMOUNT}(?:\s?°\s?[cf]?)?)(?:{_DASH}|{_HALF_SPACED})"
    rf"(?=[-\u2212\u2013]?{_AMOUNT}\s?(?:°|degrees?\b|%|percent\b))"
)
_TO = re.compile(
    rf"(?<=\bfrom )(?:({_CLOCK})(?:{_DASH}|{_SPACED})(?={_CLOCK}\b(?!-))"
    rf"|({_YEAR})(?:{_DASH}|{_SPACED})(?={_YEAR}\b(?!-)))"
    rf"|(?<![\w.:-])({_CLOCK}{_HALF_OF_DAY}\.?)(?:{_DASH}|\s{{0,2}}[-\u2013]\s{{0,2}})"
    rf"(?={_CLOCK}{_HALF_OF_DAY})"
)
_RANGES = (
    re.compile(
        rf"(?<![\w.:$£€¥₹-])(?P<low>{_AMOUNT})(?:{_DASH}|(?P<spaced>{_HALF_SPACED}))(?=(?P<high>{_AMOUNT}){_COUNTED})"
    ),
    # Two times by the clock can hardly be anything else.
    re.compile(
        rf"(?<![\w.:-])(?P<low>[0-9]{{1,2}}:[0-9]{{2}})(?:{_DASH}|(?P<spaced>{_HALF_SPACED}))"
        r"(?=(?P<high>[0-9]{1,2}:[0-9]{2})(?![\w:-]))"
    ),
    re.compile(
        rf"(?<![\w.:-])(?P<low>{_AMOUNT})(?P<unit>\s?(?:%|°(?:\s?[cf]\b)?))"
        rf"(?:{_DASH}|(?P<spaced>{_HALF_SPACED}))(?=(?P<high>{_AMOUNT})\s?(?:%|°))"
    ),
)


def spell_ranges(text: str) -> str:
    """Lower-case text with "to" for the dash of each range; dashes of anything else are left as they are."""
    text = _BELOW_ZERO.sub(r"\1 to ", text)
    text = _BETWEEN.sub(r"\1 and ", text)
    text = _OF_LONG.sub(_range_of_long, text)
    text = _TO_MONEY.sub(_range_of_money, text)
    text = _TO.sub(lambda match: f"{next(filter(None, match.groups()))} to ", text)
    for ranges in _RANGES:
        text = ranges.sub(_range_of_amounts, text)
    return text


def _range_of_money(match: re.Match[str]) -> str:
    """$5-10 as "5 to $10"; with spaces, where the second may be of another sentence, and of thousands, only
    what rises ("$5k - 2 payments left")."""
    sign, low, high, scale = match["sign"], match["low"], match["high"], match["scale"].strip()
    times = _THOUSANDFOLD.get(scale, 1)
    high_times = _THOUSANDFOLD.get(match["high_scale"].strip(), 1) if scale else 1
    if (match["spaced"] or scale) and float(low) * times >= float(high) * high_times:
        return match.group()
    return f"{float(low) * times:.0f} to {sign}{high}" if scale else f"{low} to {sign}{high}"


def _range_of_long(match: re.Match[str]) -> str:
    """1000-1500 miles; left to others where both are short, and alone where it does not rise, or too much,
    and where it may be a telephone number (555-1234)."""
    low, high = float(match["low"]), float(match["high"])
    local = len(match["low"]) == 3 and len(match["high"]) == 4 and (low % 50 or high % 50)
    rises = low < high <= _MOST_TIMES * low and high >= 1000
    return f"{match['low']} to " if rises and not local else match.group()


def _range_of_amounts(match: re.Match[str]) -> str:
    """5-10 minutes, 9:30-10 am, 5%-10%; with spaces, or of three digits, which groups of a telephone number
    have, too, only what rises."""
    low, high = (float(match[side].replace(":", ".")) for side in ("low", "high"))
    if low >= high and (match["spaced"] or max(low, high) >= 100):
        return match.group()
    return f"{match['low']} to "
