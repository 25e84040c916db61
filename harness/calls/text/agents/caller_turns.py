"""What a person on the phone wants with a turn, apart from what it is about: by words, in two languages."""

from __future__ import annotations

import re

from harness.scenarios.agent_card import Language
from spoken_language.english_number_words import TEENS, UNITS, alternatives

_SHORT = {"en": 90, "zh": 30}
"""Characters up to which a turn is nothing but a plea to hear it again."""


def wants_it_again(said: str, language: Language) -> bool:
    """Asks to repeat, to speak slower or up, or did not understand."""
    return len(said) < _SHORT[language] and bool(_AGAIN[language].search(said))


def is_busy(said: str, language: Language) -> bool:
    """Cannot talk now."""
    return bool(_BUSY[language].search(said))


def refuses(said: str, language: Language) -> bool:
    """Wants no more of it."""
    return bool(_REFUSES[language].search(said))


def hesitates(said: str, language: Language) -> bool:
    """Is not sure, wants to think or to ask somebody first, or objects."""
    return bool(_HESITATES[language].search(said))


def is_somebody_else(said: str, language: Language) -> bool:
    """Is not the person that was asked for."""
    return bool(_SOMEBODY_ELSE[language].search(said))


def hands_over(said: str, language: Language) -> bool:
    """Fetches the right person, or is that person now."""
    return bool(_HANDS_OVER[language].search(said))


def names_a_time(said: str, language: Language) -> bool:
    """Says when to call instead."""
    return bool(_TIME[language].search(said))


_AGAIN = {
    "en": re.compile(
        r"\b(say (?:that|it|this|the \w+) (?:again|once more)|what was (?:that|the)|(?:didn't|did not"
        r"|couldn't|can't) (?:quite )?(?:get|catch|hear|understand|follow)|repeat|slow(?:er|ly)|slow down"
        r"|pardon|come again|once more|again,? (?:but|please)|say it again|what did you say|speak up|louder"
        r"|breaking up|lost (?:you|the thread)|(?:sorry|pardon),? (?:what|again))\b|^\W*(?:sorry|what)\?",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(再说一|没听清|没听见|没听懂|听不清|刚才说什么|说慢点|慢一点|慢点说|重复一|再讲一|您说什么"
        r"|大声点)"
    ),
}
_BUSY = {
    "en": re.compile(
        r"\b(i'm busy|no time (?:now|right now|today)|(?:i'm|am) in a meeting|i'm driving"
        r"|bad (?:time|moment)|can't talk|(?:call|ring) (?:me )?(?:back )?later|not now)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(正忙|在开会|在开车|没空|不方便|晚点[再打]|回头再打)"),
}
_REFUSES = {
    "en": re.compile(
        r"\b(not interested|don't want (?:to talk|any|this|it)|leave me (?:alone|be|in peace)|stop calling"
        r"|don't (?:call|ring)|no thanks|forget it|not happening|i'm done|no, thank you|strike me off)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(没兴趣|不感兴趣|不需要|别[再]?打|不想[听说聊]|不用了|算了吧|免谈)"),
}
_HESITATES = {
    "en": re.compile(
        r"\b(not (?:so |quite |really |at all )?(?:sure|certain|convinced)|think (?:it|about|this) over"
        r"|think about (?:it|that)|sleep on it|can't decide|cannot decide|let me think"
        r"|(?:ought to|should|have to|need to|must|want to|rather|better|let me) (?:first )?"
        r"(?:ask|talk to|speak to|speak with|check with)"
        r"|too (?:expensive|dear|much|long|late|risky|complicated|soon)|i'd rather not|i don't trust"
        r"|don't believe|why should i|worr(?:y|ied|ies)|afraid (?:of|that)|scared"
        r"|sounds like a (?:scam|trick)|what's the catch|no need|don't need)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(不太?确定|拿不定|考虑考虑|再考虑|想一想|想想再|商量|问问我?(?:家|老|儿|女|爱)|得问|先问"
        r"|太贵|太久|太麻烦"
        r"|不放心|不太?相信|信不过|担心|害怕|骗子|诈骗|凭什么|没必要|再说吧|犹豫)"
    ),
}
_SOMEBODY_ELSE = {
    "en": re.compile(
        r"\b(wrong (?:number|person)|(?:he|she)(?:'s| is) (?:not (?:here|in|home|available)|out\b)"
        r"|(?:he|she) isn't (?:here|in|home)|(?:this is|i'm) (?:his|her) (?:wife|husband|son|daughter|mother"
        r"|father|brother|sister|colleague|neighbou?r|assistant|boss|flatmate)"
        r"|(?:nobody|no one) (?:of|by|with) that name)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(打错|不是本人|[他她](?:现在)?(?:不在|出去了)|没这个人"
        r"|我是[他她]的?(?:爱人|老婆|老公|儿子|女儿|妈|爸|同事|邻居))"
    ),
}
_HANDS_OVER = {
    "en": re.compile(
        r"\b(speaking|that's me|this is (?:he|she|him|her)|it's me|here (?:he|she) (?:is|comes)"
        r"|i'll (?:get|fetch|pass)|hold on|one moment|hang on|yes, hello)\b|^\W*hello\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(我就是|我是本人|是我|稍等|等一下|我叫(?:他|她)|(?:他|她)来了)|^\W*喂"),
}
_TIME = {
    "en": re.compile(
        r"\b(tomorrow|tonight|this (?:afternoon|evening)|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
        r"|next week|o'clock|half past"
        rf"|(?:after|before|around|at) (?:\d+|{alternatives(UNITS | TEENS)}|noon|lunch|work)"
        r"|in the (?:morning|afternoon|evening)|in an hour)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(明天|后天|今晚|下午|上午|晚上|早上|周[一二三四五六日末]|星期|点(?:以?后|钟|半)?|下周)"
    ),
}
