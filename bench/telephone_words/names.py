"""Names that are said wrong, and whether hot words make the right ones of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from bench.telephone_words.lines import heard
from harness.scenarios.folders import load_library

LIKE = {
    "Li Ming": "Li Ning",
    "Wang Hong": "Wang Hung",
    "Gao Feng": "Cao Feng",
    "Guo Ying": "Guo Ling",
    "Sun Li": "Sun Ni",
    "Zhu Hong": "Chu Hong",
    "He Jun": "He Yun",
    "Liu Yang": "Lu Yang",
    "Wu Gang": "Hu Gang",
    "Zhao Lei": "Zhao Wei",
    "Zhou Min": "Zhou Ming",
    "Xu Ping": "Su Ping",
    "Zhang Qiang": "Zhang Jiang",
    "Lin Xia": "Lin Jia",
    "Luo Dan": "Luo Tan",
    "Wang Fang": "Wang Fan",
    "Taishan Bank": "Tashan Bank",
    "Huanghe Bank": "Huangpu Bank",
    "Kunlun Bank": "Kunming Bank",
    "Dongting Bank": "Dongping Bank",
    "Changjiang Bank": "Zhenjiang Bank",
    "Huangshan Telecom": "Hengshan Telecom",
}
"""A name of the scenarios -> one that sounds like it."""
COMPANY = re.compile(
    r"Bank|Telecom|Service|Mall|Systems|Hospital|Fitness|Academy|Freight|Stores|Robotics|Foods"
)
TO_A_PERSON = "Good afternoon, am I speaking with {}?"
FROM_A_COMPANY = "Hello, this is the service team calling from {}."


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A wrong name.

    Attributes:
        right: The scenario's own, in whose place it is said.
        hot_words: All names of the scenario.
        kind: ``like-sounding``, or ``another customer's``.
    """

    right: str
    said: str
    hot_words: tuple[str, ...]
    kind: str


def planted(*, seed: int = 1) -> list[Planted]:
    """Each name of the table once with the one that sounds like it, and once with another scenario's."""
    of_scenarios = [
        next(iter(scenario.entries())).proper_nouns
        for scenario in load_library()
        if scenario.language == "en"
    ]
    random = Random(seed)
    found: list[Planted] = []
    for right, like in LIKE.items():
        hot_words = next(names for names in of_scenarios if right in names)
        others = [
            name
            for name in LIKE
            if name not in hot_words and bool(COMPANY.search(name)) == bool(COMPANY.search(right))
        ]
        for said, kind in ((like, "like-sounding"), (random.choice(others), "another customer's")):
            found.append(Planted(right=right, said=said, hot_words=hot_words, kind=kind))
    return found


def hears(name: str, text: str) -> bool:
    """Whether a transcript has a name, however it is set."""
    return _bare(name) in _bare(text)


def line_with(name: str) -> str:
    return (FROM_A_COMPANY if COMPANY.search(name) else TO_A_PERSON).format(name)


def print_planted(codecs: Sequence[str]) -> None:
    """For each line and codec: how often the right name is written where a wrong one was said."""
    wrong = planted()
    print(f"{len(wrong)} wrong names, each said once; written as the right one:")
    for codec in codecs:
        for hot in (False, True):
            turned = {
                one: hears(
                    one.right, heard(line_with(one.said), codec, hot_words=one.hot_words if hot else ())
                )
                for one in wrong
            }
            told = ", ".join(
                f"{kind} {sum(turned[one] for one in wrong if one.kind == kind)} of "
                f"{sum(one.kind == kind for one in wrong)}"
                for kind in ("like-sounding", "another customer's")
            )
            share = sum(turned.values()) / len(wrong)
            print(f"  {codec}, {'names as hot words' if hot else 'no hot words'}: {told}: {share:.0%}")
        right = sorted({one.right for one in wrong})
        words = {one.right: one.hot_words for one in wrong}
        plain = sum(hears(name, heard(line_with(name), codec)) for name in right)
        told_of = sum(hears(name, heard(line_with(name), codec, hot_words=words[name])) for name in right)
        print(f"  {codec}, right names written right: {plain} of {len(right)}, with hot words {told_of}")


def _bare(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())
