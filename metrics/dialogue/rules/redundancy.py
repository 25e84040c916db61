"""Redundancy: is the reply as short as it can be, and does it ask one thing at a time? (Table 23)

Measured, the worse of the two counting:

- **Questions** at once: two are a 1, three and more a 0. Several questions strung together in one sentence
  ("when was that, which card, and what did you buy?") count each; a choice ("today, or is tomorrow better?")
  is one, a tag ("right?", 对吧？) none; asking who has picked up does not count in the first reply.
- **Words that say nothing new**: sentences that repeat an earlier reply or another sentence of this one, and
  sentences of courtesy. More than the rubric's 50 characters (30 English words) are a 0, more than a quarter
  of that a 1.
- **Content words that come again** in the reply, from earlier replies, or straight from the caller.
- **Length** as such: beyond 100 characters (60 words) a 1, beyond 200 (120 words) a 0: nobody on the phone
  keeps that in mind.

Blind to: a repetition in other words, and whether a long answer had to be long. When the caller asks to hear
something again, repeating it is not held against the reply.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from metrics.dialogue.evidence import words
from metrics.dialogue.rules.reply import (
    ENGLISH_WORD_LENGTH,
    Finding,
    Reply,
    pattern,
    sentences,
    spoken_length,
)
from metrics.dialogue.rules.small_words import SMALL_WORDS

SEVERE = 50.0
SLIGHT = 12.5
LONG, TOO_LONG = 100.0, 200.0
SAME_SENTENCE = 0.7
"""Share of a sentence's word pairs that must have been said before for it to be a repetition."""
COURTEOUS_SENTENCE = 2
"""So many courteous words make a sentence of courtesy: all of it counts."""
STALE_SLIGHT, STALE_SEVERE = 3.0, 15.0
"""Content words that come again, in Chinese characters; only a part of what a repetition takes."""
_EARLIER, _HEARD = 0.5, 0.25
_STEM = 6
_ECHO = 12.0
_SHORT = 6.0
"""Sentences below this many characters ("All right.") are not looked at for repetition."""

ASKS_AGAIN = pattern(
    "sorry, what",
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

_WH = (
    # "when it does, …" and "in your own words, where you're coming" are no questions of their own.
    r"(?:when|what|which|who|whom|whose|where|why|how)\b"
    r"(?!\s+(?:i|you|he|she|it|we|they|this|that|the|your|my)\b(?!\s*$))"
)
_AUX = (
    r"(?:do|does|did|is|are|was|were|can|could|would|will|have|has|may|shall|should)\s+"
    r"(?:you|your|i|we|it|that|this|there|they|he|she|anybody|anyone|someone)\b"
)
_ASKS = re.compile(rf"^(?:and|also|so|then|but)?\s*(?:{_WH}|{_AUX})", re.IGNORECASE)
# Not at "or": "today, or would tomorrow be better?" is one question.
_PIECES = re.compile(r"[,;，；]|(?:,\s*)?\band\b(?=\s+(?:" + _WH + "|" + _AUX + "))", re.IGNORECASE)
_AND_ASKS = re.compile(rf"\b(?:and|also)\b\s+(?:{_WH}|{_AUX})|还有|另外|再就是", re.IGNORECASE)
_CLAUSE = re.compile(r"[,.;:!?，。！？；：、…\n]")
_WHO_IS_THERE = pattern(
    "is (?:this|that|it) (?:mr|mrs|ms|miss|dr)",
    "(?:am i|may i|can i|could i) (?:speak|talk)~",
    "(?:am i) (?:speaking|talking)",
    "请问(?:您)?是",
    "您(?:是|就是).{1,6}(?:先生|女士|本人|师傅|老师|小姐)",
    "是.{1,5}(?:先生|女士|本人|师傅|老师|小姐)吗",
)
"""Asking who has picked up belongs to the greeting and asks nothing of substance."""

_HAN_ASKS = re.compile(
    r"什么|哪|谁|怎么|怎样|为何|几[点号个次天月年岁口]|多少|多久|多大|多长|吗|呢(?=$)|(.)不\1|有没有|是否|能否|可否|方便不"
)
_TAG = pattern(
    "(?:is that )?(?:right|okay|ok|correct|yes|no|alright|all right|yeah)",
    "(?:is|would) (?:that|it|this) (?:be )?(?:ok|okay|all right|alright|fine|right|"
    "correct)(?: with you| for you)?",
    "isn't it",
    "aren't you",
    "don't you",
    "doesn't it",
    "好吗",
    "行吗",
    "对吗",
    "对吧",
    "是吧",
    "可以吗",
    "好不好",
    "行不行",
    "对不对",
    "是吗",
)


def judge(reply: Reply) -> Finding:
    """0, 1 or 2; the reason names what weighed most."""
    asked = [one for one in questions(reply.text) if not _is_aside(one, reply)]
    empty, repeated = _says_nothing_new(reply)
    stale = _stale(reply)
    length = reply.length
    if len(asked) >= 3:
        return Finding(score=0, reason=f"{len(asked)} questions at once", quote=asked[-1])
    if empty > SEVERE:
        return Finding(score=0, reason=f"{_told(empty)} say nothing new", quote=repeated)
    if stale > STALE_SEVERE:
        return Finding(score=0, reason=f"{_told(stale)} of content words are said again")
    if length > TOO_LONG:
        return Finding(score=0, reason=f"{_told(length)}: too long to follow on the phone")
    if len(asked) == 2:
        return Finding(score=1, reason="two questions at once", quote=asked[-1])
    if empty > SLIGHT:
        return Finding(score=1, reason=f"{_told(empty)} say nothing new", quote=repeated)
    if stale > STALE_SLIGHT:
        return Finding(score=1, reason=f"{_told(stale)} of content words are said again")
    if length > LONG:
        return Finding(score=1, reason=f"{_told(length)}: rather long")
    return Finding(score=2, reason="short, nothing repeated, at most one question")


def _is_aside(question: str, reply: Reply) -> bool:
    """Whether a question only asks who is there, or gives the caller's own words back."""
    if not reply.own_before and _WHO_IS_THERE.search(question):
        return True
    content = set(words(question)) - SMALL_WORDS
    return bool(content) and spoken_length(question) < _ECHO and content <= set(words(reply.caller))


@lru_cache(maxsize=2048)
def questions(text: str) -> tuple[str, ...]:
    """The questions of a reply, as they stand there, without tags and the halves of a choice."""
    found: list[str] = []
    for sentence in sentences(text):
        if not sentence.rstrip().endswith(("?", "？")):
            continue
        body = sentence.rstrip("?？ ").strip()
        pieces = [piece.strip() for piece in _PIECES.split(body) if words(piece)]
        if _TAG.fullmatch(pieces[-1]) and (found or len(pieces) > 1 or text.index(sentence) > 0):
            # A tag asks about what was just said: a question of its own only where there is no other.
            found += [] if found else [pieces[-1]]
            continue
        asking = [piece for piece in pieces if _asks(piece)]
        if len(asking) == 2 and not _AND_ASKS.search(body):
            # "How did you work together, who reported to whom?" puts one question in two ways.
            asking = asking[:1]
        found += asking or [body]
    return tuple(found)


def _asks(piece: str) -> bool:
    return bool(_HAN_ASKS.search(piece)) or (bool(_ASKS.match(piece)) and len(words(piece)) > 2)


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


def _stale(reply: Reply) -> float:
    """Length of the content words that are nothing new: said before in this reply, half of what an earlier
    reply had, and a quarter of what the caller has just said (some of that shows that one listened)."""
    earlier = set() if ASKS_AGAIN.search(reply.caller) else set(_content(" ".join(reply.own_before)))
    heard = set(_content(reply.caller))
    seen: set[str] = set()
    total = 0.0
    for word in _content(reply.text):
        weight = 1.0 if word in seen else _EARLIER if word in earlier else _HEARD if word in heard else 0.0
        total += weight * (ENGLISH_WORD_LENGTH if word.isascii() else len(word))
        seen.add(word)
    return total


@lru_cache(maxsize=2048)
def _content(text: str) -> tuple[str, ...]:
    """Content words in order: English ones without their endings, Chinese ones as neighbouring characters."""
    found = []
    for clause in _CLAUSE.split(text):
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
