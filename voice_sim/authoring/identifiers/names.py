"""Names of people in a text, English and Chinese, and how each part of a name is replaced.

Found by what stands beside them (titles, "my name is", "am I speaking with", 我叫, 先生), by common given
names and by Chinese surnames in pinyin. A name that nothing marks is not found: give it in a list of your
own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from voice_sim.authoring.identifiers.word_lists import (
    DOUBLE_SURNAMES_ZH,
    FEMALE,
    GIVEN,
    MALE,
    NOT_NAMES,
    ORDINARY,
    PINYIN_SURNAMES,
    SURNAMES_ZH,
)

Gender = Literal["female", "male"]


@dataclass(frozen=True, kw_only=True)
class FoundName:
    """A person who is named.

    Attributes:
        family, given: As written; empty where that part is not named.
        gender: Where a title or a common given name tells.
    """

    family: str
    given: str
    gender: Gender | None = None


_CAP = r"[A-Z](?:[a-z]+|'[A-Z][a-z]+|c[A-Z][a-z]+)(?:-[A-Z][a-z]+)?"
_NAME = rf"({_CAP}(?: {_CAP}){{0,2}})"
_TITLE = r"(Mr|Mrs|Ms|Miss|Dr|Doctor|Professor|Prof|Officer|Aunt|Auntie|Uncle)\.?"
_TITLED = re.compile(rf"\b{_TITLE} {_NAME}")
_TITLED_LOWER = re.compile(r"\b(mr|mrs|ms|dr)\.? ([a-z]{2,})\b")
_INTRODUCED = re.compile(
    r"(?i:\bmy (?:full |last |first |sur)?name(?:'s| is)|\bi(?:'m| am) called|\bthis is|"
    r"\bspeak(?:ing)? (?:to|with)|"
    r"\btalk(?:ing)? (?:to|with)|\bask(?:ing)? for|\bnamed|\bcalled|\bis this|\bi(?:'m| am)|\bhi,?|"
    r"\bhello,?|\bhey,?|"
    r"\bdear|\bthanks,?|\bthank you,?|\bgood (?:morning|afternoon|evening),?|\bbye,?|\bhere is|\bit's|"
    r"\bname:)"
    rf" {_NAME}"
)
_NAME_IS_LOWER = re.compile(r"\bmy (?:full )?name(?:'s| is) ([a-z]{2,})(?: ([a-z]{2,}))?\b")
_RELATION = re.compile(
    r"(?i:\b(?:my|your|his|her|our) (?:husband|wife|son|daughter|boss|colleague|neighbou?r|friend|doctor|"
    r"brother|"
    r"sister|manager|assistant|partner|mother|father|cousin|uncle|aunt|supervisor),?(?: is)?(?: called|"
    r" named)?)"
    rf" {_NAME}"
)
_ANY = re.compile(rf"(?<![^\W_]){_CAP}(?: {_CAP})?")
_LOWER_STOP = frozenset(
    [
        "and",
        "i",
        "it's",
        "its",
        "it",
        "from",
        "so",
        "the",
        "a",
        "an",
        "not",
        "is",
        "but",
        "calling",
        "speaking",
        "on",
        "with",
        "at",
        "or",
        "for",
        "in",
        "to",
    ]
)

_SURNAME = f"(?:{'|'.join(DOUBLE_SURNAMES_ZH)}|[{SURNAMES_ZH}])"
_TITLE_ZH = (
    r"(先生|女士|小姐|太太|老师|经理|主任|总(?!是|共|之|部|计|体|数|额|得|要|会|算|不)|医生|师傅|"
    r"阿姨|叔叔|大哥|大姐)"
)
_BEFORE_ZH = r"(?:^|(?<=[^一-鿿])|(?<=[是叫找位您你的和跟给请问姓]))"
_END_ZH = r"(?=先生|女士|小姐|太太|吗|吧|呢|啊|本人|的|[^一-鿿]|$)"
_NAMED_ZH = re.compile(
    rf"(?:我叫|名字叫|名叫|叫做|姓名[是为:：]?|我是|您是|你是|找一下|请问是|这里是|本人|联系人[是:：]?|"
    rf"不是|就是|客服|专员|坐席|顾问|助理|客户经理|是)"
    rf"({_SURNAME})([一-鿿]{{1,2}}){_END_ZH}"
)
_TITLED_ZH = re.compile(rf"{_BEFORE_ZH}({_SURNAME})([一-鿿]{{0,2}}?){_TITLE_ZH}")
_NICK_ZH = re.compile(rf"(?<![一-鿿])[小老阿]({_SURNAME})(?=[会来去说给在跟和帮已刚把有的]|[^一-鿿]|$)")
_SURNAMED_ZH = re.compile(rf"(?:我姓|免贵姓|姓)({_SURNAME})(?![一-鿿]{{3}})")
_ALONE_ZH = re.compile(rf"(?:^|(?<=[。！？\n“「]))({_SURNAME})([一-鿿]{{1,2}})(?=[，,])")
_WORDS_ZH = """
马上 方便 方式 方案 高兴 高中 高级 高峰期 金额 金融 万一 万元
严重 严格 白天 白费 白跑 毛病 何必 何况 何时
任何 任务 许多 许可 程度 程序 黄金 黄色 周末
周一 周二 周三 周四 周五 周六 周日 钱包 余额 余下 雷同 夏天 石头 石油
温度 文件 史上 江边 汤药 康复 常见
戴上 谢谢 谢谢你 谢谢您 孔子 胡说 胡闹 陆续 田地 董事 杜绝 龙头 付款 付钱 付费 孟子 顾客 顾虑 路上 宋体 罗列
"""
_NO_NAMES_ZH = frozenset(_WORDS_ZH.split())
"""Words that look like a name because they begin with what may be a surname."""
_NO_GIVEN_ZH = frozenset(
    "是的吗吧呢啊了在有不会要能说看听想去来给跟和先生女士小姐这那我你他她您们个什么怎"
    "行银客服机器方面常年时候间题问工作公司程度"
)
_FEMALE_TITLES = frozenset(["Mrs", "Ms", "Miss", "Aunt", "Auntie", "女士", "小姐", "太太", "阿姨", "大姐"])
_MALE_TITLES = frozenset(["Mr", "Uncle", "先生", "叔叔", "大哥"])


def find_names(text: str) -> Iterator[FoundName]:
    """Everybody whom the text names."""
    yield from _english(text)
    yield from _chinese(text)


def is_ordinary(part: str) -> bool:
    """Whether a part of a name is also an ordinary word, so that only its capital makes it a name."""
    return part.casefold() in ORDINARY or part.casefold() in NOT_NAMES


def name_of(words: str, *, title: str = "") -> FoundName | None:
    """A name from its words: which is the family name, and which the given one."""
    gender: Gender | None = "female" if title in _FEMALE_TITLES else "male" if title in _MALE_TITLES else None
    if not words.isascii():
        length = 2 if words.startswith(DOUBLE_SURNAMES_ZH) else 1
        return FoundName(family=words[:length], given=words[length:], gender=gender)
    parts = [part.removesuffix("'s") for part in words.split()]
    while parts and parts[-1].casefold() in NOT_NAMES:
        parts.pop()
    pronoun = len(parts) == 2 and parts[0] == "He"  # He Jun
    if not parts or (parts[0].casefold() in NOT_NAMES and not pronoun):
        return None
    first = parts[0].casefold()
    if gender is None:
        gender = "male" if first in MALE else "female" if first in FEMALE else None
    if len(parts) == 1:
        if title and title not in ("Aunt", "Auntie", "Uncle"):
            return FoundName(family=parts[0], given="", gender=gender)
        return FoundName(family="", given=parts[0], gender=gender)
    if pronoun or (first in PINYIN_SURNAMES and first not in GIVEN):
        return FoundName(family=parts[0], given=" ".join(parts[1:]), gender=gender)
    return FoundName(family=parts[-1], given=" ".join(parts[:-1]), gender=gender)


def _english(text: str) -> Iterator[FoundName]:
    found: list[FoundName | None] = []
    found += [name_of(match[2], title=match[1]) for match in _TITLED.finditer(text)]
    found += [
        name_of(match[2].title(), title=match[1].title())
        for match in _TITLED_LOWER.finditer(text)
        if match[2] not in _LOWER_STOP
    ]
    for match in (*_INTRODUCED.finditer(text), *_RELATION.finditer(text)):
        if not _continues(text, match.end()):
            found.append(name_of(match[1]))
    for match in _NAME_IS_LOWER.finditer(text):
        said = [word for word in (match[1], match[2] or "") if word and word not in _LOWER_STOP]
        found.append(name_of(" ".join(said).title()))
    for match in _ANY.finditer(text):
        words = match[0].split()
        first = words[0].casefold()
        second = words[1].casefold() if len(words) > 1 else ""
        whole = bool(second) and second not in NOT_NAMES and not _continues(text, match.end())
        if first in PINYIN_SURNAMES and whole and first not in ORDINARY:
            found.append(name_of(match[0]))
        elif first in GIVEN and (whole or first not in ORDINARY):
            found.append(name_of(match[0] if whole else words[0]))
    yield from (name for name in found if name is not None)


def _continues(text: str, end: int) -> bool:
    """Whether "Lin Bank" goes on: then it is no person but part of a longer name of something."""
    return bool(
        re.match(
            r" (?:Bank|Road|Street|Avenue|Insurance|Telecom|Hotel|City|Hospital|University)\b", text[end:]
        )
    )


def _chinese(text: str) -> Iterator[FoundName]:
    for match in _TITLED_ZH.finditer(text):
        if not _NO_GIVEN_ZH & set(match[2]):
            yield FoundName(family=match[1], given=match[2], gender=_gender_of(match[3]))
    for match in _NAMED_ZH.finditer(text):
        if not _NO_GIVEN_ZH & set(match[2]):
            yield FoundName(family=match[1], given=match[2])
    for match in _ALONE_ZH.finditer(text):
        if match[0] not in _NO_NAMES_ZH and not _NO_GIVEN_ZH & set(match[2]):
            yield FoundName(family=match[1], given=match[2])
    for match in (*_NICK_ZH.finditer(text), *_SURNAMED_ZH.finditer(text)):
        yield FoundName(family=match[1], given="")


def _gender_of(title: str) -> Gender | None:
    return "female" if title in _FEMALE_TITLES else "male" if title in _MALE_TITLES else None
