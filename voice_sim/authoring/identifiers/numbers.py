"""Numbers in a text, in digits or spoken: those that identify (cards, telephones), amounts, and all
others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spoken_language import chinese_numbers as han
from spoken_language.chinese_numbers import DIGIT_VALUES
from spoken_language.english_number_words import CARDINALS, HUNDRED_AND_UP, SCALES, TENS, alternatives
from voice_sim.authoring.identifiers.span import Span
from voice_sim.understanding.approximate import one_or_the_next
from voice_sim.understanding.words import spoken_words

LONG = 4
"""A number of so many digits identifies by itself, unless it is a year, an amount or counts something."""

_WORD = rf"(?:{alternatives(CARDINALS)})"
_FIRST = rf"(?:{_WORD}|oh(?= {_WORD})|(?:double|triple) (?:{_WORD}|oh)|a (?:{alternatives(HUNDRED_AND_UP)}))"
_NEXT = rf"(?:{_WORD}|(?:double|triple) (?:{_WORD}|oh)|oh)"
_SPOKEN = re.compile(
    rf"(?<![\w-]){_FIRST}(?:(?:[ -]|, ?|\.{{3}} ?)(?:and )?(?:an? )?{_NEXT})*(?![\w-])", re.IGNORECASE
)
_HAN_DIGITS = "".join(sign for sign in DIGIT_VALUES if sign != "两")
_HAN_SCALES = "".join(han.SCALES) + "万"
_HAN = re.compile(
    rf"[{_HAN_DIGITS}](?:[，、, ][{_HAN_DIGITS}])+(?![{_HAN_SCALES}])|"
    rf"[{_HAN_DIGITS}两{_HAN_SCALES}]+"
)
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9])(?<![0-9][.,:])(?:"
    r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d{1,2}(?!\d))?|"  # 1,200.50
    r"(?=(?:\D{0,2}\d){7})(?:\+\d{1,3}[ -]?)?(?:\(\d{2,5}\) ?)?\d+(?:[ .-]\d{2,})+|"  # 139 1234 5678
    r"\+?\d+(?:\.\d{1,2}(?!\d))?)"
)
_CODE = re.compile(
    r"(?<![^\W_])(?=[A-Z-]*\d)(?=[\d-]*[A-Z])(?:[A-Z]{1,5}-?\d{3,}(?:-?[A-Z\d]{1,8})*|\d{2,}[A-Z]{1,3}\d*|"
    r"\d{17}X)"
    r"(?![^\W_])"
)
_DOUBLED = re.compile(r"\b(double|triple)[ -](\w+)", re.IGNORECASE)
_AND = re.compile(rf" and (?=(?:{alternatives(TENS)})\b)(?!.* and )", re.IGNORECASE)
_AND_A = re.compile(r",? and an? ", re.IGNORECASE)
_QUANTITY = re.compile(rf"{alternatives(HUNDRED_AND_UP)}|[{_HAN_SCALES}]", re.IGNORECASE)
_OH = re.compile(r"\b(?:oh|nought)\b", re.IGNORECASE)

_MONEY_BEFORE = re.compile(r"(?:US\$|[$€£¥￥]|\b(?:USD|RMB|CNY|EUR|GBP))\s?$")
_SCALE = re.compile(rf"\s?((?:k|{alternatives(SCALES)})\b|万|亿|千|百)", re.IGNORECASE)
_SCALES = {"k": 1000} | SCALES | han.MYRIADS | {"千": 1000, "百": 100}
_MONEY_AFTER = re.compile(
    r"[\s-]?(?:yuan|dollars?|bucks|pounds?|quid|euros?|cents|rmb\b|usd\b|元|块(?!儿|地)|人民币|美元|英镑|"
    r"欧元)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    # Words of their own: not the "id" of "paid", nor the "member" of "remember".
    r"(?:(?<![a-z])(?:ending|ends|finishing|last (?:four|4|three|3|six|6)(?: digits| numbers)?|(?:pre)?order|"
    r"ref|case|staff|badge|loan|member(?:ship)?|plate|cell|pin|zip|(?:user)?id)|"
    # Also the ends of others: bank cards, zip codes, cell phones.
    r"(?<!dis)card|account|acct|policy|reference|ticket|employee|booking|confirmation|tracking|invoice|"
    r"contract|passport|licen[cs]e|phone|mobile|code)"
    r"(?:[ -](?:number|no\.?|id|digits|code|ending|ends|reference))*"
    r"(?:[ ,:#]*(?:in|with|is|are|was|of|at|as|it's|that's|on|the|my))*[ ,:#]*$",
    re.IGNORECASE,
)
_LABEL_ZH = re.compile(
    r"(?:尾号|末四位|后四位|卡号|账号|帐号|订单号?|单号|工号|编号|号码|电话|手机号?|身份证号?|保单号?|"
    r"合同号?|车牌号?|会员号|学号|验证码|邮编)"
    r"(?:码|是|为|尾号|后四位|[:：，, ])*$"
)
_COUNTED = re.compile(
    r"\s?(?:-|~)?\s?(?:%|percent|per cent|days?|weeks?|months?|years?|hours?|minutes?|seconds?|times|"
    r"people|points?|"
    r"kilomet|km\b|metres?|meters?|miles?|km|kg|words|steps|calories|mah|mbps|gb\b|mb\b|"
    r"天|周|个月|年|小时|分钟|秒|次|人|名|米|公里|平米|平方|字|步|兆|岁|%|％|分|度)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d{2}")
_TIME = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?!\d)")
_LOOK = 60


def number_spans(text: str) -> Iterator[Span]:
    """Every number of a text; ``sure`` where it identifies by itself or by the words beside it."""
    for found in _CODE.finditer(text):
        yield _span(found.start(), found.end(), "number", re.sub(r"-", "", found[0]).upper(), "code")
    for found in _DIGITS.finditer(text):
        if _CODE.match(text, found.start()) or _TIME.match(text, found.start()):
            continue
        yield from _of_digits(text, found.start(), found.end())
    for found in (*_SPOKEN.finditer(text), *_HAN.finditer(text)):
        yield from _of_words(text, found.start(), found.end())


def digits_of(spoken: str) -> str:
    """The digits of a spoken number ("double three oh" is 330); empty where it is none, or one
    or the next (三四十)."""
    if one_or_the_next(spoken) != spoken:
        return ""

    def repeated(found: re.Match[str]) -> str:
        return " ".join([found[2]] * (2 if found[1].lower() == "double" else 3))

    plain = _OH.sub("zero", _DOUBLED.sub(repeated, _AND_A.sub(" ", spoken)))
    words = spoken_words(plain)
    return "".join(words) if all(word.isdigit() for word in words) else ""


def _of_digits(text: str, start: int, end: int) -> Iterator[Span]:
    written = text[start:end].rstrip(",")
    end = start + len(written)
    digits = re.sub(r"\D", "", written)
    if "." in written and re.fullmatch(r"[\d,]+\.\d{1,2}", written):
        value = f"{float(written.replace(',', '')):.2f}".rstrip("0").rstrip(".")
    else:
        value = digits
    yield from _placed(text, start, end, value, style=written, digits=digits)


def _of_words(text: str, start: int, end: int) -> Iterator[Span]:
    written = text[start:end]
    if len(spoken_words(written)) > 1 and (joint := _AND.search(written)):
        # "three hundred and forty and twenty-six": two numbers.
        yield from _of_words(text, start, start + joint.start())
        yield from _of_words(text, start + joint.end(), end)
    elif digits := digits_of(written):
        yield from _placed(text, start, end, digits, style="words", digits=digits)


def _placed(text: str, start: int, end: int, value: str, *, style: str, digits: str) -> Iterator[Span]:
    before = text[max(0, start - _LOOK) : start]
    scale = _SCALE.match(text, end)
    money_end = end
    if scale:
        number = float(value) * _SCALES[scale[1].lower()]
        scaled = f"{number:.2f}".rstrip("0").rstrip(".")
        money_end = scale.end()
    else:
        scaled = value
    if _MONEY_BEFORE.search(before) or _MONEY_AFTER.match(text, money_end):
        style_of_scale = f"{style}|{scale[1]}" if scale else style
        yield _span(start, money_end, "amount", scaled.lstrip("0") or "0", style_of_scale)
        return
    if _MONEY_AFTER.match(text, end):
        yield _span(start, end, "amount", value.lstrip("0") or "0", style)
        return
    labelled = len(digits) >= 3 and (_LABEL.search(before) or _LABEL_ZH.search(before))
    alone = (
        len(digits) >= LONG
        and "." not in style
        and not _YEAR.fullmatch(digits)
        and not _COUNTED.match(text, end)
        and not (style == "words" and _QUANTITY.search(text[start:end]))
        and not re.fullmatch(r"\d{1,3}(?:,\d{3})+", style)
    )
    yield _span(start, end, "number", digits, style, sure=bool(labelled or alone))
    # "5 thousand" without a currency: the same money may be meant.
    if scale and not labelled:
        yield _span(start, money_end, "amount", scaled, f"{style}|{scale[1]}", sure=False)


def _span(start: int, end: int, kind: str, key: str, style: str, *, sure: bool = True) -> Span:
    return Span(
        start=start, end=end, kind="amount" if kind == "amount" else "number", key=key, style=style, sure=sure
    )
