"""What can be measured of a transcript's quality without a language model. Every measure is 0-1.

Completeness
    ``opening``: greeting and who calls, half each, in the first three turns. ``closing``: a farewell or
    thanks in the last three. ``both_sides``: 4 p (1 - p), p being the person's share of the words: 1 where
    both say as much. ``length``: turns / 12, at most 1.
Consistency
    ``answered``: questions that the other side's next turn takes up: it says something that is not only
    "what?" and not only a question back. ``figures_agree``: of the labelled figures that are named more than
    once (card, order, telephone, amount due …), those that never change without a correction.
    ``not_repeated``: turns of four words or more that are no copy of an earlier one.
Informativeness
    ``vocabulary``: different content words of the person / 60. ``facts``: different numbers, dates and names
    / 10. ``reasons``: turns of the person that say why, want, fear or doubt something / 4.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

from voice_sim.authoring.identifiers.dates import find_dates
from voice_sim.authoring.identifiers.names import find_names
from voice_sim.authoring.identifiers.numbers import number_spans
from voice_sim.talk import Talk
from voice_sim.understanding.words import spoken_words

Quality = Literal["completeness", "consistency", "informativeness"]

MEASURES: Mapping[Quality, tuple[str, ...]] = {
    "completeness": ("opening", "closing", "both_sides", "length"),
    "consistency": ("answered", "figures_agree", "not_repeated"),
    "informativeness": ("vocabulary", "facts", "reasons"),
}

FULL_TURNS = 12
FULL_WORDS = 60
FULL_FACTS = 10
FULL_REASONS = 4
_EDGE_TURNS = 3
_COPY_WORDS = 4

_GREETING = re.compile(
    r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening))\b|你好|您好|喂|早上好|下午好|晚上好",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\b(?:this is|my name is|calling from|i'm calling|i am calling|on behalf of|speaking (?:to|with)|"
    r"here from)\b"
    r"|我是|这里是|请问是|打电话|来电|致电",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"\b(?:bye|goodbye|good day|nice day|take care|thank you|thanks|talk (?:to you )?(?:later|soon)|"
    r"have a good)\b"
    r"|再见|拜拜|谢谢|祝您|先这样|打扰了",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]|[吗么呢](?:[。！,，]|$)")
_ONLY_WHAT = re.compile(
    r"^\W*(?:sorry|pardon|what|huh|hello|excuse me|say again|come again|什么|啊|喂|你说什么|没听清)?"
    r"\W*(?:what|sorry)?\W*$",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|so that|worried|afraid|concern\w*|need|want|would like|prefer|hope|can't|cannot|"
    r"don't (?:want|trust|understand|know)|last time|reason|expensive|busy|why)\b|"
    r"因为|所以|担心|怕|想|需要|希望|不想|不信|不知道|不明白|上次|太贵|没空|为什么",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\b(card|account|order|policy|phone|mobile|ticket|reference|employee|booking)\b[^.?!]{0,30}?$|"
    r"(卡号|尾号|账号|订单|单号|工号|电话|手机|保单)[^。？！]{0,8}$",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"\b(?:no|not|sorry|actually|wrong|mistake|correct(?:ion)?|i mean|rather|other|another|second|new)\b|"
    r"不是|不对|错|说错|应该是|另外|另一",
    re.IGNORECASE,
)
_SMALL_WORDS = """
a an the and or but if so to of in on at for with from by as is are was were be been am do does did have has
had i you he she it we they me him her us them my your his its our their this that these those there here what
when where who how why which not no yes okay oh well just can could will would shall should may might must up
out about then than too very really also
的 了 是 我 你 他 她 不 在 有 就 这 那 也 都 要 会 到 说 个 一 吗 呢 吧 啊 们 着 过 和 没 还 什 么 您 好
"""
_COMMON = frozenset(_SMALL_WORDS.split())


def measure(talk: Talk) -> dict[str, float | None]:
    """All measures by name; None where one has nothing to look at (no question, no figure named twice)."""
    texts = [turn.text for turn in talk.turns]
    persons = talk.of("caller")
    return {
        "opening": _opening(texts),
        "closing": float(any(_FAREWELL.search(text) for text in texts[-_EDGE_TURNS:])),
        "both_sides": _both_sides(talk),
        "length": min(1.0, len(texts) / FULL_TURNS),
        "answered": _answered(talk),
        "figures_agree": _figures_agree(talk),
        "not_repeated": _not_repeated(talk),
        "vocabulary": min(1.0, len(_content_words(persons)) / FULL_WORDS),
        "facts": min(1.0, len(_facts(texts)) / FULL_FACTS),
        "reasons": min(1.0, sum(bool(_REASON.search(text)) for text in persons) / FULL_REASONS),
    }


def _opening(texts: Sequence[str]) -> float:
    first = texts[:_EDGE_TURNS]
    greeted = any(_GREETING.search(text) for text in first)
    named = any(_WHO.search(text) for text in first)
    return (greeted + named) / 2


def _both_sides(talk: Talk) -> float:
    said = {side: sum(len(spoken_words(text)) for text in talk.of(side)) for side in ("agent", "caller")}
    total = sum(said.values())
    share = said["caller"] / total if total else 0.0
    return 4 * share * (1 - share)


def _answered(talk: Talk) -> float | None:
    asked = taken_up = 0
    for place, turn in enumerate(talk.turns[:-1]):
        if not _QUESTION.search(turn.text) or _ONLY_WHAT.match(turn.text):
            continue
        reply = talk.turns[place + 1]
        if reply.speaker == turn.speaker:
            continue
        asked += 1
        sentences = [
            part for part in re.findall(r"[^,，.?!。？！]+[,，.?!。？！]*", reply.text) if part.strip()
        ]
        told = any(not _QUESTION.search(part) for part in sentences)
        taken_up += told and not _ONLY_WHAT.match(reply.text)
    return taken_up / asked if asked else None


def _figures_agree(talk: Talk) -> float | None:
    """A figure is known by its label and its length: "card ending in 3333" and the card's sixteen digits
    differ."""
    named: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    for turn in talk.turns:
        for span in number_spans(turn.text):
            label = _LABEL.search(turn.text[: span.start])
            if label and span.kind == "number" and len(span.key) >= _COPY_WORDS:
                named[((label[1] or label[2]).lower(), len(span.key))].append((span.key, turn.text))
    repeated = {label: found for label, found in named.items() if len(found) > 1}
    if not repeated:
        return None
    agree = 0
    for found in repeated.values():
        changes = [text for (key, _), (later, text) in pairwise(found) if key != later]
        agree += all(_CORRECTION.search(text) for text in changes)
    return agree / len(repeated)


def _not_repeated(talk: Talk) -> float | None:
    seen: set[tuple[str, tuple[str, ...]]] = set()
    long = copies = 0
    for turn in talk.turns:
        words = spoken_words(turn.text)
        if len(words) < _COPY_WORDS:
            continue
        long += 1
        copies += (turn.speaker, words) in seen
        seen.add((turn.speaker, words))
    return 1 - copies / long if long else None


def _content_words(texts: Sequence[str]) -> set[str]:
    return {
        word for text in texts for word in spoken_words(text) if word not in _COMMON and not word.isdigit()
    }


def _facts(texts: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for text in texts:
        found.update(f"number {span.key}" for span in number_spans(text) if len(span.key) > 1)
        found.update(f"date {date.month}-{date.day}" for date in find_dates(text))
        found.update(f"name {name.given} {name.family}" for name in find_names(text))
    return found
