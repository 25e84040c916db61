"""Whether an agent that was asked to say something back did so at all, right or wrong.

What it did not say is not wrong: not "one moment, please", not "first I need to check", not the bank that it
answers for. A number is said back where the reply has about as many digits, besides those of times and
ordinals; a date where it has a month or a weekday, an amount where it has a number with a currency. Of names
and the like somebody who says another cannot be told from somebody who says none, but for words that are
written as names.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name

from metrics.recognition.normalize import Language, normalize
from spoken_language.asking_again.reply import asks_again
from spoken_language.entity_kinds import EntityKind

_NAME_INSIDE = re.compile(r"(?<=[a-z,'’] )[A-Z][a-z]+")
_OWN_NAME = re.compile(r"\b(?:calling|[Ww]elcome to)(?: (?:the )?[A-Z][\w'’&-]*)+")
_NOT_NAMES = frozenset(
    ["I", "Mr", "Mrs", "Ms", "Miss", "Dr", "Sir", "Madam", "Okay", "Ok", "Yes", "No", *day_name, *month_name]
)
_WEEKDAYS = "|".join(one.casefold() for one in day_name)
_MONTHS = "|".join(one.casefold() for one in month_name if one and one not in ("March", "May"))
_VERBS_TOO = "march|may"
_DATE = {
    "en": re.compile(
        rf"\b(?:(?:{_WEEKDAYS})s?|{_MONTHS}|(?:{_VERBS_TOO}) [0-9]+"
        rf"|[0-9]+(?:st|nd|rd|th)? (?:of )?(?:{_VERBS_TOO}))\b"
    ),
    "zh": re.compile("[0-9]月|[0-9]号|(?:星期|周|礼拜)[0-9日天]"),
}
_AMOUNT = {
    "en": re.compile(r"[0-9] (?:dollar|pound|euro|rupee|cent|yuan|rmb|buck)s?\b"),
    "zh": re.compile("[0-9][百千万亿]?(?:美元|欧元|英镑|元|块|角|毛)"),
}
_NO_DIGITS_OF_IT = {
    # Ordinals, how long it takes, and the "one" of "this one" and "one moment"; a code's stands by letters.
    "en": re.compile(
        r"\b[0-9]+(?:st|nd|rd|th)\b|\b[0-9]+ (?:second|minute|hour|day|week|month|year|time)s?\b|\b247\b"
        r"|(?<!\b[a-z] )\b1\b(?! [a-z]\b)"
    ),
    "zh": re.compile(
        "第[0-9]+|[0-9]+(?:分钟|秒|小时|天|周|个月|年|遍|次)|10分(?![0-9])|(?<![0-9a-z])1(?![0-9a-z])"
    ),
}


def said_back(reply: str, entity: str, kind: EntityKind, language: Language, *, greeting: str = "") -> bool:
    """Whether a reply that does not have the entity says something of its kind.

    Args:
        reply: What the agent said.
        entity: What was to be said back.
        greeting: What the agent said before anything was said to it: names in it are its own.
    """
    if asks_again(reply, language):
        return False
    heard = normalize(reply, language)
    if kind == "date":
        return _DATE[language].search(heard) is not None
    if kind == "amount":
        return _AMOUNT[language].search(heard) is not None
    if kind in ("code", "digits"):
        wanted = sum(map(str.isdigit, normalize(entity, language)))
        said = sum(map(str.isdigit, _NO_DIGITS_OF_IT[language].sub(" ", heard)))
        return said >= max(1, min(2, wanted), (wanted + 1) // 2)
    if language == "zh":
        characters = set(normalize(entity, "zh"))
        return sum(character in heard for character in characters) * 2 >= len(characters)
    its_own = set(re.findall(r"\w+", greeting))
    names = _NAME_INSIDE.findall(_OWN_NAME.sub("", reply))
    return any(name not in _NOT_NAMES and name not in its_own for name in names)
