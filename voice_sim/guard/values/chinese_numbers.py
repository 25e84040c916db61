"""Numbers in Chinese speech, by value: 二十五 and 25, 六六零四 and 6604, 两千四 and 2400."""

from __future__ import annotations

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")}
_DIGITS |= {"〇": 0, "两": 2, "幺": 1}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}

NUMBER = (
    r"(?:[0-9]+(?:\.[0-9]+)?[百千万亿]?"
    r"|[零〇一二三四五六七八九两幺十][零〇一二三四五六七八九两幺十百千万亿]*)"
)
"""A run of characters that may be a number."""


def chinese_readings(written: str) -> frozenset[str]:
    """What a run of number characters means, in digits; empty for a vague one (三四十, 七八)."""
    if written[0].isascii():
        return frozenset({_arabic(written)})
    if not any(character in _UNITS or character in _MYRIADS for character in written):
        if len(written) == 2:
            return frozenset()
        digits = "".join(str(_DIGITS[character]) for character in written)
        return frozenset({digits})
    value = _value(written)
    return frozenset() if value is None else frozenset({str(value)})


def _arabic(written: str) -> str:
    scale = {"百": 100, "千": 1000, "万": 10**4, "亿": 10**8}.get(written[-1], 1)
    digits = written if scale == 1 else written[:-1]
    if scale == 1:
        return digits
    return f"{float(digits) * scale:.10g}"


def _value(written: str) -> int | None:
    total = section = 0
    last_unit, pending, zero = 10**12, None, False
    for character in written:
        if character in _UNITS:
            unit = _UNITS[character]
            if unit >= last_unit or (pending is None and unit != 10):
                return None
            section += (1 if pending is None else pending) * unit
            pending, last_unit, zero = None, unit, False
        elif character in _MYRIADS:
            section += pending or 0
            if section == 0:
                return None
            total = (total + section) * _MYRIADS[character]
            section, pending, last_unit, zero = 0, None, _MYRIADS[character], False
        elif character in "零〇":
            zero = True
        elif pending is not None:
            return None
        else:
            pending = _DIGITS[character]
    if pending is not None:
        # 两千四 is 2400 and 一百五 is 150, but 一百零五 is 105.
        short = not zero and 10 < last_unit < 10**12
        section += pending * (last_unit // 10 if short else 1)
    return total + section
