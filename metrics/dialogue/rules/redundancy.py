"""Redundancy: is the reply as short as it can be, and does it ask one thing at a time? (Table 23)

Measured, the worse of the two counting:

- **Questions** at once: two are a 1, three and more a 0. Several questions strung together in one sentence
  ("when was that, which card, and what did you buy?") count each; a choice ("today, or is tomorrow better?")
  is one, a tag ("right?", 对吧？) none; asking who has picked up does not count in the first reply.
- **Words that say nothing new**: sentences that repeat an earlier reply or another sentence of this one, and
  sentences of courtesy. More than the rubric's 50 characters (30 English words) are a 0, more than a quarter
  of that a 1.
- **Words beside the matter**: sentences without a figure of which at most half the content words occur in the
  agent's prompt. More than 50 characters are a 0.
- **Content words that come again**: the share of those that the reply, the agent's last three replies or
  the caller had already, times the reply's length; and those that come twice in the reply itself.
- **Length** as such: beyond 110 characters (66 words) a 1, beyond 200 (120 words) a 0: nobody on the phone
  keeps that in mind.

Blind to: a repetition in other words, and whether a long answer had to be long. When the caller asks to hear
something again, repeating it is not held against the reply.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from metrics.dialogue.evidence import words
from metrics.dialogue.rules.figures.facts import SMALL, facts_of
from metrics.dialogue.rules.model_lines import content_of
from metrics.dialogue.rules.questions import questions
from metrics.dialogue.rules.reply import (
    ENGLISH_WORD_LENGTH,
    Finding,
    Reply,
    pattern,
    spoken_length,
)
from metrics.dialogue.rules.small_words import SMALL_WORDS

SEVERE = 50.0
SLIGHT = 12.5
LONG, TOO_LONG = 110.0, 200.0
SAME_SENTENCE = 0.7
"""Share of a sentence's word pairs that must have been said before for it to be a repetition."""
COURTEOUS_SENTENCE = 2
"""So many courteous words make a sentence of courtesy: all of it counts."""
BESIDE = 0.5
"""A sentence is beside the matter where at most this share of its content words is in the prompt."""
STALE_SLIGHT, STALE_SEVERE = 28.0, 40.0
"""Characters; below the rubric's 50, as only content words are compared."""
TWICE_SHARE, TWICE_MIN = 0.1, 3.0
"""Content words said twice: share of all of them, and characters."""
_RECENT = 3
"""Replies back: what was said before those may be summed up."""
_STEM = 6
_ECHO = 12.0
_SHORT = 6.0
"""Sentences below this many characters ("All right.") are not looked at for repetition."""

ASKS_AGAIN = pattern(
    "sorry, what",
    r"(?:^|(?<=[.!?] ))(?:(?:oh|uh|um),? )?(?:sorry|excuse me|what|huh|eh|you what)\s*\?",
    "what did you say",
    "(?:can't|don't|didn't) (?:quite )?(?:follow|understand) you",
    "(?:still )?don't follow",
    "sorry, once more",
    "what was that",
    "say (?:that|it) again",
    "repeat~",
    "pardon",
    "come again",
    "didn't (?:catch|hear|get)",
    "can't hear",
    "couldn't hear",
    "once more",
    "再说一遍",
    "再说一次",
    "没听清",
    "没听见",
    "没听到",
    "听不清",
    "听不见",
    "重复一",
    "什么来着",
    "没[听太]*(?:明白|懂)",
    r"(?:^|[，。！？,.!?\s])(?:啊|啥|什么|嗯)[？?]",
    "刚才?说(?:什么|啥|的是什么)",
    "说啥",
    "你说什么",
    "您说什么",
)

_COURTESY = pattern(
    "thank you (?:so much |very much )?for your (?:patience|understanding|cooperation|support|trust|time)",
    "we (?:really |truly |greatly |sincerely )?(?:appreciate|value) (?:your|you)",
    "(?:sincerely |deeply |truly )?apologi[sz]e for (?:any|the) inconvenience",
    "sorry for (?:any|the) inconvenience",
    "please (?:do not|don't) hesitate to",
    "please feel free to",
    "feel free to (?:contact|reach|call|ask)",
    "rest assured",
    "your (?:satisfaction|experience) is (?:very |extremely |so )?(?:important|our)",
    "(?:it is|it's) (?:my|our) (?:pleasure|honou?r) to",
    "wish you (?:a |all )",
    "have a (?:nice|great|good|wonderful|lovely|pleasant) (?:day|evening|weekend|week|afternoon)",
    "valued customer",
    "as always",
    "感谢您的(?:理解|支持|配合|耐心|信任|来电|接听)",
    "感谢您(?:一直以来|长期)",
    "给您(?:带来|造成)(?:的|了)?(?:不便|困扰|麻烦)",
    "请您(?:放心|谅解|理解|见谅)",
    "敬请(?:谅解|理解|期待)",
    "祝您",
    "竭诚为您",
    "很高兴为您",
    "欢迎随时",
    "如有(?:任何)?(?:问题|疑问|需要)",
    "我们非常重视",
    "深表歉意",
    "万分抱歉",
    "衷心",
)

_COURTEOUS = pattern(
    "thank(?:s| you)",
    "appreciate",
    "grateful",
    "valu(?:e|able|ed)",
    "helpful",
    "kind~",
    "honou?r~",
    "patience",
    "sorry",
    "apolog~",
    "worry",
    "assur~",
    "谢谢",
    "感谢",
    "抱歉",
    "理解",
    "放心",
    "担心",
    "宝贵",
    "支持",
    "配合",
    "荣幸",
    "辛苦",
    "麻烦",
    "正常",
    "负担",
)

_DECIMAL = re.compile(r"(\d)\.(\d)")
_FIGURE = re.compile(r"\d")
_CLAUSE = re.compile(r"[,.;:!?，。！？；：、…\n]")
_LITTLE = """
    yuan percent year years month months day days week weeks hour hours minute minutes number only every
    really just one two well here's that'll you'll we'll he's she's it'll there's won't isn't let's get got
    say said know like want make come go going take see tell ask good thank thanks right please
"""
_TELLS_LITTLE = frozenset(word[:_STEM] for word in _LITTLE.split())
"""Units and words of every sentence: that they come again says nothing."""
_WHO_IS_THERE = pattern(
    "is (?:this|that|it) (?:mr|mrs|ms|miss|dr)",
    "(?:am i|may i|can i|could i) (?:speak|talk)~",
    "(?:am i) (?:speaking|talking)",
    "请问(?:您)?是",
    "您(?:是|就是).{1,6}(?:先生|女士|本人|师傅|老师|小姐)",
    "是.{1,5}(?:先生|女士|本人|师傅|老师|小姐)吗",
)
"""Asking who has picked up belongs to the greeting and asks nothing of substance."""


def judge(reply: Reply) -> Finding:
    """0, 1 or 2; the reason names what weighed most."""
    asked = [one for one in questions(reply.text) if not _is_aside(one, reply)]
    empty, repeated = _says_nothing_new(reply)
    again, twice, of_all = _said_again(reply)
    stale = again / of_all * reply.length if of_all else 0.0
    beside = _beside_the_matter(reply)
    length = reply.length
    if len(asked) >= 3:
        return Finding(score=0, reason=f"{len(asked)} questions at once", quote=asked[-1])
    if empty > SEVERE:
        return Finding(score=0, reason=f"{_told(empty)} say nothing new", quote=repeated)
    if stale >= STALE_SEVERE:
        return Finding(score=0, reason=f"{_told(stale)} had been said")
    if beside > SEVERE:
        return Finding(score=0, reason=f"{_told(beside)} are beside the matter")
    if length > TOO_LONG:
        return Finding(score=0, reason=f"{_told(length)}: too long to follow on the phone")
    if len(asked) == 2:
        return Finding(score=1, reason="two questions at once", quote=asked[-1])
    if empty > SLIGHT:
        return Finding(score=1, reason=f"{_told(empty)} say nothing new", quote=repeated)
    if stale >= STALE_SLIGHT:
        return Finding(score=1, reason=f"{_told(stale)} had been said")
    if twice >= TWICE_MIN and twice >= TWICE_SHARE * of_all:
        return Finding(score=1, reason=f"{_told(twice)} of content words come twice")
    if length > LONG:
        return Finding(score=1, reason=f"{_told(length)}: rather long")
    return Finding(score=2, reason="short, nothing repeated, at most one question")


def _is_aside(question: str, reply: Reply) -> bool:
    """Whether a question only asks who is there, or gives the caller's own words back."""
    if not reply.own_before and _WHO_IS_THERE.search(question):
        return True
    content = set(words(question)) - SMALL_WORDS
    return bool(content) and spoken_length(question) < _ECHO and content <= set(words(reply.caller))


def _says_nothing_new(reply: Reply) -> tuple[float, str]:
    """How much of the reply (in Chinese characters) is repetition or courtesy, and the longest such piece."""
    may_repeat = bool(ASKS_AGAIN.search(reply.caller))
    said: set[tuple[str, str]] = set()
    if not may_repeat:
        said.update(*(pairs(text) for text in reply.own_before))
    total, longest = 0.0, ""
    for sentence in reply.sentences:
        length = spoken_length(sentence)
        mine = pairs(sentence)
        repeats = length >= _SHORT and mine and len(mine & said) >= SAME_SENTENCE * len(mine)
        formulas = len(_COURTESY.findall(sentence)) + len(_COURTEOUS.findall(sentence))
        if repeats or formulas >= COURTEOUS_SENTENCE:
            total += length
            longest = max(longest, sentence, key=len)
    return total, longest


def _said_again(reply: Reply) -> tuple[float, float, float]:
    """Characters of the content words that the reply, the last replies or the caller had already; of those
    that the reply itself had; of all."""
    may_repeat = bool(ASKS_AGAIN.search(reply.caller))
    earlier = set() if may_repeat else set(_content(" ".join(reply.own_before[-_RECENT:])))
    heard = set(_content(reply.caller))
    seen: set[str] = set()
    again = twice = of_all = 0.0
    for word in _content(reply.text):
        if word in _TELLS_LITTLE:
            continue
        length = ENGLISH_WORD_LENGTH if word.isascii() else float(len(word))
        of_all += length
        twice += length if word in seen else 0.0
        again += length if word in seen or word in earlier or word in heard else 0.0
        seen.add(word)
    return again, twice, of_all


def _beside_the_matter(reply: Reply) -> float:
    """Characters of the sentences without a figure that have hardly a word of the prompt."""
    if not reply.prompt.strip() or ASKS_AGAIN.search(reply.caller):
        return 0.0
    known = content_of(reply.prompt)
    total = 0.0
    for sentence in reply.sentences:
        if sentence.rstrip().endswith(("?", "？")) or _has_figure(sentence):
            continue
        content = {word for word in content_of(sentence) if word[:_STEM] not in _TELLS_LITTLE}
        if len(content & known) <= BESIDE * len(content):
            total += spoken_length(sentence)
    return total


def _has_figure(sentence: str) -> bool:
    # Han numerals are in too many words that count nothing (一次, 一定).
    return bool(_FIGURE.search(sentence)) or any(
        float(number) > SMALL for number in facts_of(sentence, "en").numbers
    )


@lru_cache(maxsize=2048)
def _content(text: str) -> tuple[str, ...]:
    """Content words in order: English ones without their endings, Chinese ones as neighbouring characters."""
    found = []
    for clause in _CLAUSE.split(_DECIMAL.sub(r"\1\2", text)):
        said = words(clause)
        for place, word in enumerate(said):
            following = said[place + 1] if place + 1 < len(said) else ""
            if word.isascii():
                if word not in SMALL_WORDS:
                    found.append(word[:_STEM])
            elif following and not following.isascii() and not {word, following} & SMALL_WORDS:
                found.append(word + following)
    return tuple(found)


@lru_cache(maxsize=8192)
def pairs(text: str) -> frozenset[tuple[str, str]]:
    """Neighbouring words of a text."""
    said = words(text)
    return frozenset(pairwise(said))


def _told(length: float) -> str:
    return f"{length:.0f} characters' worth"
