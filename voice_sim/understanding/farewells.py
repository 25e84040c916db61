"""Whether an utterance takes leave, English and Chinese.

Courtesy that only sounds like it ("thank you for your patience", "I have a good offer for you", 打扰您了) is
none, and so is a goodbye behind which something new is said. A goodbye by name ("bye", 再见) is one wherever
it stands at the end; a wish or thanks is one as the last statement of a turn only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from voice_sim.understanding.offers import only_offers, without_offers

BEHIND = 10
"""Words behind a goodbye that are still part of it ("on Wednesday at half past twelve"); of Chinese 16
characters."""
_BEHIND_ZH = 16


@dataclass(frozen=True, kw_only=True)
class Farewell:
    """What kind of leave an utterance takes.

    Attributes:
        takes_leave: It does, in any words.
        by_name: It says goodbye in so many words: no courtesy of an opening or of a wait.
    """

    takes_leave: bool = False
    by_name: bool = False


_BYE = r"(?>good[ -]?bye|bye[ -]?bye|bye)"
_TO_THE_HEARER = (
    r"(?=\W*$|,? (?:to you|(?:for )?(?:now|today)|then|here|thanks?|thank you|have|take care|sir|madam"
    r"|ma['’]am|mrs?|ms|miss|dr|everyone|dear|until|but|so|because|as|my|i|we|all the best|see|speak|talk"
    r"|and (?:thank|have|wish|take|hang|end|let|see|good))\b|,? (?-i:[A-Z])\w+\W*$)"
)
"""What may follow where it is "time to say" goodbye: no "old windows"."""
_NAMED = {
    "en": re.compile(
        r"(?:(?<!say )(?<!said )(?<!saying )(?<!kiss )(?<!wave )(?<!say bye[ -])(?<!say good[ -])"
        r"|(?:\b(?:i|we)(?:['’]ll|['’]d better| will| must| should| have to|(?:['’]d| would) like to"
        r"|(?:['’]m| am|['’]re| are) going to)|\blet (?:me|us)|\blet['’]s) (?:just |now |then )?say "
        rf"|\btime to (?:just |now |then )?say (?={_BYE}{_TO_THE_HEARER}))"
        rf"\b{_BYE}\b(?! to (?!you\b))(?!-)",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"再见(?![面到过])|再会|拜拜|拜了|(?<!来)回见|回头见"),
}
_HEARER_ZH = r"(?:[您你](?!们?的)|大家|各位)"
_SAID_TO_ANOTHER = re.compile(
    rf"(?:(?<![跟向给对][您你])[跟和向给对](?:(?!{_HEARER_ZH}|不起|的说)[^，,。！!？?；;了]){{1,12}}"
    r"|没有?(?:来得及)?|来不及)[说道](?:一?[声句])?$"
)
"""Before a Chinese goodbye that is said to a thing or to somebody else (跟高息说再见), or was not said."""
_START = (
    r"(?:^|[.,!;:–—-]\s*"
    r"|\b(?:and|so|then|okay|ok|well|right|now|anyway|please|just|thanks|thank you|do|again|a)\s+)"
)
_GOOD = (
    r"(?:nice|good|lovely|pleasant|quiet|great|wonderful|fine|calm|restful|safe|happy|beautiful|fantastic"
    r"|relaxing|peaceful|blessed|very|really)"
)
_SPAN = (
    r"(?:day|evening|night|weekend|afternoon|morning|week|one|time|trip|journey|holidays?|rest|break|flight"
    r"|shift|year|sunday|saturday|friday|thursday|wednesday|tuesday|monday|lunch|dinner|start|stay|drive)"
)
_SUBJECTS = "i we they he she to will would can could may might must should not did had who 'll 've"
_NO_SUBJECT = "".join(rf"(?<!\b{word} )" for word in _SUBJECTS.split())
_OPEN_END = (
    r"(?=\W*$|[,.!;]|\s+(?:for|with|to|until|at|and|then|from|in|on|again|now|my|mr|mrs|ms|dr|miss)\b)"
)
_WISHES = {
    "en": re.compile(
        rf"{_START}(?:i(?:'ll| will| shall) |we(?:'ll| will| shall) )?(?:talk|speak) (?:to|with) you"
        r" (?:tomorrow|soon|then|later|again|next|on(?! (?:the |your )?(?:tele)?(?:phone|line)))\b"
        rf"|{_START}(?:i(?:'ll| will| shall) |we(?:'ll| will| shall) )?see you"
        r" (?:tomorrow|soon|then|later|on|at|next)\b"
        rf"|{_NO_SUBJECT}\b(?:have|enjoy) (?:a|an) (?:{_GOOD},? )+(?:\w+ )?{_SPAN}\b"
        rf"(?! (?:to|for) (?!you\b))"
        rf"|{_NO_SUBJECT}(?<!\byou )\b(?:have|enjoy) (?:a |the |your )(?:{_GOOD} )?(?:rest of|{_SPAN}\b)"
        r"(?! (?:to|off)\b)"
        rf"|{_START}(?:you )?take care\b(?! (?:of|that|to|with|not|when|if)\b)"
        r"|\b(?:night|day|evening|afternoon|weekend) to you\b"
        rf"|(?:{_START}|\bwish (?:you|her|him|them|your \w+) )all the best\b{_OPEN_END}"
        rf"|{_START}(?:have a )?good night\b(?!['’])(?! (?:of|in|for|out)\b)|{_START}sleep well\b"
        rf"|{_START}good luck\b(?! (?:is|was|has)\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:咱们?|我们|那)[^，,先]{0,6}(?<![意常多少罕听看瞧碰遇撞望梦预可偏成主远浅不得])见[。！]?$"
        r"|(?<!一般)(?<!平时)(?<!通常)(?:咱们?|我们|那|(?:^|[，,])(?:[下这本]*周|下?个?星期|下?个?礼拜|[明后][天早晚]))"
        r"(?:(?!一般|通常|平[时常]|[经往]常|每|总|都|昨|上次|刚|说好|本来)[^，,先]){0,16}"
        r"(?:[点分刻半号天末店]|点[钟整]|左右|周.|星期.|礼拜.|早上|[上中下]午|晚上|时候|门口|楼下|公司|现场)见[。！]?$"
        r"|(?<!会)不打扰您|(?:您|你)?(?:多|请)?保重(?!单)|祝(?:您|你)"
        r"|(?:咱们?|我们)[^，,先]{0,6}(?:再聊|再联系|电话里[说聊谈]|见面[说聊谈])[。！]?$"
        r"|(?:^|[，,]|[那好行])(?:咱们?|我们)[^，,先这个]{1,6}再[说谈][。！]?$"
    ),
}
"""Wishes, and until when one parts."""
_THANKS = {
    "en": re.compile(
        r"\bthank(?:s| you)(?: so much| very much| again| once more)? for (?:your time|talking(?! about)"
        r"|hearing me out|taking the time)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"谢谢(?:您|你)的(?:宝贵)?(?:时间|配合|接听)"),
}
_THANKS_AT_THE_END = {
    "en": re.compile(
        r"\bthank(?:s| you)(?: so much| very much| again| once more)? for (?:your patience|bearing|taking"
        r"|listening)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"感谢(?:您|你)(?:的)?(?:宝贵|耐心|大力)?(?:时间|配合|接听|支持|参与|关注|来电|收听|抽|百忙)"
        r"|打扰(?:您|你)了"
    ),
}
"""Said as often in an opening, or after a wait: a farewell only behind something else that was said."""
_TO_YOU = re.compile(r"\W*good (?:day|evening|afternoon) to you\b[\w\s,.!]{0,20}$", re.IGNORECASE)
_AFTER_A_WAIT = {
    "en": re.compile(
        r"\b(?:check(?:ed|ing)?|look(?:ed|ing)|found|hold|holding|wait(?:ed|ing)?|moment|back"
        r"|this is|my name|calling)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"查[了到好]|查询|稍等|等[了一]|久等|我是|这里是|我叫"),
}
_NEW = {
    "en": re.compile(
        r"\b(?:but|because|is|are|was|were|costs?|must|needs?|bring|i'?ve|you'?ll|it's|there's|before|first)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"是|我[记查先给帮]|需要|可以|(?<![消浪免])费(?!心)|请您|另外|还有|不过|但|价"),
}
"""Of what follows a goodbye: something is said that has nothing to do with it."""
_GOES_ON = re.compile(
    r"\b(?:before|but|costs?|the fee|is (?:the|a|an)|you must)\b|之前|但是|不过|另外"
    r"|(?<![消浪免])费(?!心)",
    re.IGNORECASE,
)
"""Behind a goodbye by name, too, where a last remark may follow ("Goodbye, I hope it was some use")."""
_COURTESY = {
    "en": re.compile(
        r"^(?:thanks?|you|so much|very much|many|again|a lot|okay|ok|right|all right|alright|fine|good"
        r"|great|perfect|sure|cheers|too|same to you|i see|well|lovely|then|now|very good|very well"
        r"|understood|got it|(?:mr|mrs|ms|miss|dr)\.? (?-i:[A-Z])\w*+|[\W_])*+$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^(?:好[的嘞]?|嗯|谢谢|多谢|感谢|辛苦|您忙?|你|了|啊|哈|呢|吧|哦|行|可以|明白|知道|收到|对|是的?|慢走"
        r"|[\W_])*+$"
    ),
}
_THANKED = {
    "en": re.compile(
        r"\b(?:thanks|thank you|no problem|no worries|never mind|(?:all right|okay|ok|fine),? then)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"谢|打扰|没关系|没事|那好"),
}
"""Before a wish: then a turn that begins with a greeting closes ("Hey, thanks for your time, have a great
day")."""


def only_courtesy(text: str, language: Literal["en", "zh"]) -> bool:
    """Whether a text is nothing but "thanks" or "okay", however often and to whomever."""
    return _has_words(text) and bool(_COURTESY[language].match(text))


def farewell_in(statements: Sequence[str], language: Literal["en", "zh"], *, greets: bool) -> Farewell:
    """The leave that is taken at the end of an utterance.

    Args:
        statements: Its sentences that ask nothing, in order.
        greets: It begins with a greeting: then a goodbye by name is one, a wish behind thanks, and "Good day
            to you." alone.
    """
    said = list(statements)
    for number in range(len(said) - 1, -1, -1):
        named = _named(said[number], language)
        if named and _short(" ".join((said[number][named[-1].end() :], *said[number + 1 :])), language):
            return Farewell(takes_leave=True, by_name=True)
    while said and (only_courtesy(said[-1], language) or only_offers(said[-1], language)):
        said.pop()
    if not said:
        return Farewell()
    last, before = said[-1], " ".join(said[:-1])
    if greets and not (len(said) == 1 and _TO_YOU.match(last)):
        return Farewell(takes_leave=_closes_with_a_wish(last, before, language))
    found = _last(last, _WISHES[language], _THANKS[language])
    if found is not None and _nothing_new(last[found.end() :], language):
        return Farewell(takes_leave=True)
    found = _last(last, _THANKS_AT_THE_END[language])
    waited = _AFTER_A_WAIT[language].search(" ".join((before, last)))
    if found is None or waited or not _nothing_new(last[found.end() :], language):
        return Farewell()
    lead = last[: found.start()]
    said_before = before + lead
    courtesy = only_courtesy(said_before, language)
    return Farewell(takes_leave=_has_words(said_before) and not courtesy)


def _closes_with_a_wish(last: str, before: str, language: Literal["en", "zh"]) -> bool:
    wish = _last(last, _WISHES[language])
    if wish is None or not _THANKED[language].search(" ".join((before, last[: wish.start()]))):
        return False
    return _nothing_new(last[wish.end() :], language)


def _last(text: str, *patterns: re.Pattern[str]) -> re.Match[str] | None:
    found = [match for pattern in patterns for match in pattern.finditer(text)]
    return max(found, key=lambda match: match.end(), default=None)


def parting_clause(sentence: str, language: Literal["en", "zh"]) -> str:
    """The goodbye that a sentence which asks for something ends in ("谢谢您告诉我，再见"); "" for none."""
    clause = re.split(r"[,，;；]", sentence)[-1].strip()
    named = not sentence.endswith(("?", "？")) and clause != sentence and _named(clause, language)
    return clause if named else ""


def _named(text: str, language: Literal["en", "zh"]) -> list[re.Match[str]]:
    found = _NAMED[language].finditer(text)
    return [one for one in found if not _SAID_TO_ANOTHER.search(text[: one.start()])]


def _nothing_new(behind: str, language: Literal["en", "zh"]) -> bool:
    return not _NEW[language].search(without_offers(behind, language)) and _short(behind, language)


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _short(behind: str, language: Literal["en", "zh"]) -> bool:
    behind = without_offers(behind, language)
    if _GOES_ON.search(behind):
        return False
    if language == "zh":
        return sum(map(str.isalnum, behind)) <= _BEHIND_ZH
    return len(behind.split()) <= BEHIND
