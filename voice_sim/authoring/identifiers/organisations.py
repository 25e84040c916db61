"""Companies, places, addresses, e-mail addresses and links in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from voice_sim.authoring.identifiers.word_lists import (
    BRANDS,
    CITIES,
    CITIES_ZH,
    COMPANY_KINDS,
    COMPANY_KINDS_ZH,
    FUNCTION_ZH,
    GENERIC_ZH,
    NOT_NAMES,
    STREET_KINDS,
)

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
SPOKEN_EMAIL = re.compile(
    r"\b[a-z0-9]+(?: (?:dot|underscore|dash) [a-z0-9]+)* at [a-z0-9]+ dot (?:com|net|org|cn|co|edu|"
    r"io)(?: dot [a-z]{2})?\b",
    re.IGNORECASE,
)
LINK = re.compile(
    r"(?<![@\w.-])(?:https?://[^\s，。、<>\"']+|www\.[\w.-]+|(?:[a-z0-9-]+\.)+(?:com|net|org|cn|io|"
    r"co\.uk)\b(?:/[\w/-]*)?)",
    re.IGNORECASE | re.ASCII,
)
_STREET_KIND = "|".join(STREET_KINDS)
HOUSE = re.compile(
    r"\b(?P<number>\d{1,5}[A-Za-z]?),? (?P<street>(?:[A-Z][\w']+ ){1,3})"
    rf"(?P<kind>{_STREET_KIND})\b"
)
STREET = re.compile(
    r"\b(?P<street>(?:[A-Z][\w']+ ){1,2})"
    rf"(?P<kind>{'|'.join(kind for kind in STREET_KINDS if kind not in ('Place', 'St', 'Close', 'Court'))})\b"
)
UNIT = re.compile(r"\b(?i:apartment|apt\.?|flat|unit|suite) #?(?P<number>\d+[A-Za-z]?)\b")
_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|IA|IL|IN|KS|KY|LA|MA|MD|ME|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|OH|OK|OR|PA|RI|"
    "SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY|DC"
)
POSTCODE = re.compile(rf"\b[A-Z]{{1,2}}\d[A-Z\d]? \d[A-Z]{{2}}\b|\b(?:{_STATES}) \d{{5}}(?:-\d{{4}})?\b")
STREET_ZH = re.compile(
    r"(?P<street>[一-鿿]{2,4}?)(?P<kind>大街|大道|路|街|巷|胡同)(?:(?P<number>\d{1,5}|"
    r"[零一二三四五六七八九十百]{1,6})(?P<tail>号|弄))"
)
UNIT_ZH = re.compile(r"(?P<number>\d{1,4})(?=号楼|栋|幢|单元|室)")
ESTATE_ZH = re.compile(r"(?P<street>[一-鿿]{2,5}?)(?P<kind>小区|花园|公寓|大厦|家园|新村|名苑)")

_KINDS = "|".join(re.escape(kind) for kind in sorted(COMPANY_KINDS, key=len, reverse=True))
_WORD = r"(?:[A-Z][\w'&-]*|&|of)"
_NAMED = re.compile(rf"(?<![^\W_])(?P<core>[A-Z][\w'&-]*(?: {_WORD}){{0,3}}) (?P<kind>{_KINDS})\b")
_FROM = re.compile(
    r"(?i:\bcalling (?:you )?(?:from|for|on behalf of)|\bcall from|\bon behalf of|\bhere (?:from|at|with)|"
    r"\bwork(?:s|ing|ed)? (?:at|for|with)|\bemployed (?:at|by)|"
    r"\bthis is [\w']+(?: [\w']+)?,? (?:calling )?(?:from|at|with)|"
    r"\bcustomer of|\baccount with|\bjob at)"
    r" (?:the )?(?P<core>[A-Z][\w'&-]*(?: [A-Z][\w'&-]*){0,3})"
)
_BRAND = re.compile(
    r"(?<![^\W_])(?:"
    + "|".join(re.escape(brand) for brand in sorted(BRANDS, key=len, reverse=True) if brand.isascii())
    + r")(?![^\W_])"
)
_BRAND_ZH = re.compile(
    "|".join(sorted((brand for brand in BRANDS if not brand.isascii()), key=len, reverse=True))
)
_KINDS_ZH = "|".join(sorted(COMPANY_KINDS_ZH, key=len, reverse=True))
_NAMED_ZH = re.compile(rf"(?P<before>[一-鿿A-Za-z]{{1,8}}?)(?P<kind>{_KINDS_ZH})")
_CITY = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, CITIES))})(?![^\W_])")
_CITY_ZH = re.compile("|".join(CITIES_ZH))
_DISTRICT_ZH = re.compile(
    rf"(?:{'|'.join(CITIES_ZH)})市?(?P<core>[一-鿿]{{2,3}}?)[区县](?!域)|"
    rf"(?P<other>[一-鿿]{{2,3}}?)[区县](?=[一-鿿]{{1,4}}?[路街巷])"
)


@dataclass(frozen=True, kw_only=True)
class FoundThing:
    """A company, place or street that is named.

    Attributes:
        core: The name without the kind of thing that it is.
        kind_word: ``Bank``, ``银行``; empty where it stands alone.
    """

    kind: Literal["company", "place", "address"]
    core: str
    kind_word: str = ""


def find_things(text: str) -> Iterator[FoundThing]:
    """Everything that is named in a text and is no person."""
    for found in _CITY.finditer(text):
        yield FoundThing(kind="place", core=found[0])
    for found in _CITY_ZH.finditer(text):
        yield FoundThing(kind="place", core=found[0])
    for found in _DISTRICT_ZH.finditer(text):
        if core_zh := _core_zh(found["core"] or found["other"]):
            yield FoundThing(kind="place", core=core_zh)
    for pattern in (HOUSE, STREET):
        for found in pattern.finditer(text):
            core = _without_small_words(found["street"].split())
            if core:
                yield FoundThing(kind="address", core=" ".join(core), kind_word=found["kind"])
    for pattern in (STREET_ZH, ESTATE_ZH):
        for found in pattern.finditer(text):
            if core_zh := _core_zh(found["street"]):
                yield FoundThing(kind="address", core=core_zh, kind_word=found["kind"])
    for found in (*_BRAND.finditer(text), *_BRAND_ZH.finditer(text)):
        yield FoundThing(kind="company", core=found[0])
    for found in _NAMED.finditer(text):
        core = _without_small_words(found["core"].split())
        if core:
            yield FoundThing(kind="company", core=" ".join(core), kind_word=found["kind"])
    for found in _FROM.finditer(text):
        words = found["core"].removesuffix("'s").split()
        core = [word for word in _without_small_words(words) if word not in COMPANY_KINDS]
        if core and " ".join(core) not in CITIES:
            yield FoundThing(kind="company", core=" ".join(core))
    for found in _NAMED_ZH.finditer(text):
        if core_zh := _core_zh(found["before"]):
            yield FoundThing(kind="company", core=core_zh, kind_word=found["kind"])


def _without_small_words(words: list[str]) -> list[str]:
    """Without what begins a sentence or is no name: "The", "Your", "Our"."""
    while words and (words[0].casefold() in NOT_NAMES or words[0] in ("of", "&")):
        words = words[1:]
    return words


def _core_zh(before: str) -> str:
    """The name at the end of some characters: what stands behind the last word that is part of none."""
    before = re.split(r"[省市区县镇乡]", before)[-1]
    start = max((place for place, sign in enumerate(before) if sign in FUNCTION_ZH), default=-1)
    core = before[start + 1 :]
    if (
        len(core) < 2
        or re.search(r"[年月日号]", core)
        or core in GENERIC_ZH
        or any(core.endswith(word) for word in GENERIC_ZH if len(word) > 1)
    ):
        return ""
    return core
