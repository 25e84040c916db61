"""English text as it sounds: the form in which reference and hypothesis are compared word by word.

Writing that nobody can hear is removed: case, punctuation, accents, "don't" for "do not", "Mr." for
"mister", "$5" for "five dollars", "3:30 p.m." for "three thirty p m", "-5" for "minus five", "2/3" for "two
thirds", "from 10-12" for "from ten to twelve", 3:30 for "half past three", the signs of an e-mail address for
what is said for them, A T M for ATM, fillers (um, uh). The rules are ours, made for telephone talk; they are
applied to both sides alike, so a rule that reads a text wrongly ("second" becomes "2nd", also in "wait a
second") reads it wrongly on both and costs nothing.
British and American spellings stay apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from metrics.recognition.english_numbers import (
    is_whole_number,
    join_whole_numbers,
    numbers_to_digits,
    token_at,
)
from metrics.recognition.ranges.english import spell_ranges
from spoken_language.english_number_words import (
    DECADES,
    HUNDRED_AND_UP,
    SCALES,
    alternatives,
    spelled_ordinal,
)
from spoken_language.english_quantities import is_quantity_word

_FRACTIONS = {"½": "a half", "¼": "a quarter", "¾": "three quarters", "⅓": "1/3", "⅔": "2/3"}
_CURRENCIES = {"$": "dollars", "£": "pounds", "€": "euros", "¥": "yuan", "₹": "rupees"}
_SINGULAR = {"dollar": "dollars", "pound": "pounds", "euro": "euros", "rupee": "rupees", "cent": "cents"}
_SYMBOLS = {"%": " percent ", "&": " and ", "@": " at ", "+": " plus ", "=": " equals ", "¢": " cents "}
_DEGREES = {"°c": " degrees celsius ", "°f": " degrees fahrenheit ", "°": " degrees "}
_IN_ADDRESS = {"@": " at ", ".": " dot ", "_": " underscore ", "-": " dash "}
_SCALE_NAMES = {value: word for word, value in SCALES.items()}
_SHORT_SCALES = {"k": _SCALE_NAMES[10**3], "bn": _SCALE_NAMES[10**9]} | dict.fromkeys(
    ("m", "mn"), _SCALE_NAMES[10**6]
)

_MONEY = re.compile(
    r"(?:\bus)?([$£€¥₹])\s?([0-9]+(?:\.[0-9]+)?)"
    rf"(?:\s?(k|mn|bn|m|{alternatives(HUNDRED_AND_UP)})\b)?"
)
_MONEY_BEHIND = re.compile(r"(?<=[0-9])\s?([$£€¥₹])")
_FRACTION = re.compile(r"((?<=[0-9])\s?)?([½¼¾⅓⅔])")
# 24/7, 9/11 and most dates are none. A whole number before it is its own.
_SLASHED = re.compile(
    r"(?P<day>\b(?:on|(?:birthday|date|appointment|booking|reservation) (?:is|was)) )?"
    r"(?<![0-9/.])(?:(?P<whole>[0-9]+)(?:\s| and ))?"
    r"(?P<above>[1-9])/(?P<below>[23458]|10)(?![0-9/]|\.[0-9])(?=(?P<of>\sof\b)?)"
)
# In digits it may be a number and a place in a row ("suite 1, 4th floor"); "one third" before a noun, too.
_ONE_PART = re.compile(
    r"(?<!ty[\s-])(?<!the )(?<!number )(?<!option )(?<!press )(?<!room )(?<!suite )"
    r"\bone[\s-](?:(half|quarter)\b|(third|fourth)\b(?=\s(?:of|an?|the)\b|\W*$))"
    r"|(?<=\band )one[\s-](third|fourth)\b"
)
_DEGREE = re.compile(r"°\s?[cf]\b|°")
_BELOW_ZERO = re.compile(r"(?<![\w.,)%°-])(?<![0-9%°]\s)[-\u2212\u2013](?=[$£€¥₹]?\.?[0-9])")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]+@\w(?:[\w.-]*\w)?")
# "Oh no. 2 o'clock is too early."
_NUMERO = re.compile(
    r"(?<=[a-z]\s)no\.(?=[0-9])|\b(room|flight|order|gate|platform|bus|house)\sno\.\s(?=[0-9])"
)
_TAG = re.compile(r"\[[^\]]{0,40}\]")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_FULL_HOUR = re.compile(r"\b([0-9]{1,2}):00\b(?!:)")
_DOTTED_TIME = re.compile(
    r"\b(at|by|until|till|before|after|around|from)\s([0-9]{1,2})\.([0-5][0-9])(?![0-9])"
    r"(?=\s?[ap]\.?m|[.,;?!]*$|[.,;?!]\s|\s(?:today|tonight|tomorrow|in|on|this|next|sharp)\b)"
)
_BARE_POINT = re.compile(r"(?<![\w.])\.(?=[0-9])")
_INITIALS = re.compile(r"\b(?:[a-z]\.){2,}")
_DOMAIN = re.compile(r"(?<=[a-z0-9])\.(?=(?:com|org|net|edu|gov|io|ai|info|biz|uk|cn|de|fr)\b)")
_HASH = re.compile(r"#\s?(?=[0-9])")
_TOKEN = re.compile(
    r"[0-9]+(?:\.[0-9]+)*(?:st|nd|rd|th)\b|\b(?:1[0-9]|20)?[1-9]0'?s\b|[0-9]+(?:\.[0-9]+)*"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*",
    re.UNICODE,
)


def _words(text: str) -> list[str]:
    return text.split()


_FILLERS = frozenset(_words("um umm uh uhh uhm erm hm hmm mm mmm mhm"))
_SAME = {
    "okay": "ok",
    "mister": "mr",
    "missus": "mrs",
    "doctor": "dr",
    "versus": "vs",
    "cannot": "can not",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "got to",
    "lemme": "let me",
    "gimme": "give me",
    "hyphen": "dash",
    "fourths": "quarters",
}
_PAIRS = {
    ("all", "right"): "alright",
    ("per", "cent"): "percent",
    ("e", "mail"): "email",
    ("uh", "huh"): "",
    ("i", "d"): "id",
    ("a", "i"): "ai",
    ("wi", "fi"): "wifi",
    ("degrees", "c"): "degrees celsius",
    ("degrees", "f"): "degrees fahrenheit",
}
_MEASURES = {
    "kg": "kilogram",
    "km": "kilometer",
    "cm": "centimeter",
    "mm": "millimeter",
    "ml": "milliliter",
    "hr": "hour",
    "min": "minute",
    "sec": "second",
}
_MEASURES |= {f"{short}s": word for short, word in _MEASURES.items() if short in ("hr", "min", "sec")}
_COUNTED = frozenset(
    _words(
        "minute minutes seconds hours days weeks months years people persons guests nights mile miles percent"
        " degrees kilometers kilograms meters items orders points"
    )
)
"""What counts the number before it, which is no cents then: "20 dollars, 25 minutes away"."""
_NEGATED = {"won't": "will not", "can't": "can not", "shan't": "shall not"}
_ENDINGS = {"n't": "not", "'re": "are", "'ll": "will", "'ve": "have", "'m": "am"}
_BARE_CONTRACTIONS = {
    **{
        f"{verb}nt": f"{verb} not"
        for verb in _words("do did does is was are were have has had could would should")
    },
    "im": "i am",
    "ive": "i have",
    "youre": "you are",
    "theyre": "they are",
    "thats": "that is",
    "whats": "what is",
}
_IS_AFTER = frozenset(
    _words("it he she that there here what where who how when why everything something nothing everyone")
)
_PARTICIPLES = frozenset(_words("been got had gone done become taken"))
_MONTHS = frozenset(
    _words("january february march april may june july august september october november december")
)
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_HOUR = re.compile(r"[1-9]|1[0-2]")


def normalize_english(text: str) -> str:
    """The words of ``text`` as they sound, lower case, separated by single spaces; may be empty."""
    tokens = _TOKEN.findall(_spell_symbols(_plain_characters(text)))
    tokens = [part for token in tokens for part in _without_grouping_points(token)]
    tokens = _replace_pairs(_without_contractions(tokens))
    tokens = [
        part
        for before, token in zip(["", *tokens], tokens, strict=False)
        if token not in _FILLERS or (token in _MEASURES and _is_number(before))
        for part in _SAME.get(token, token).split()
    ]
    tokens = _spoken_times(_decades(_small_words(numbers_to_digits(_halves(tokens)))))
    tokens = join_whole_numbers(_undated(tokens))
    return " ".join(_join_letters(_times_and_money(tokens)))


def _plain_characters(text: str) -> str:
    """Lower case, compatibility forms and accents folded, one kind of apostrophe, ASCII digits."""
    text = _FRACTION.sub(
        lambda match: f" {'and ' if match[1] is not None else ''}{_FRACTIONS[match[2]]} ", text
    )
    text = unicodedata.normalize("NFKD", text).casefold()
    text = "".join(character for character in text if not unicodedata.combining(character))
    text = unicodedata.normalize("NFKC", text)
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    for apostrophe in "’‘ʼ`´":
        text = text.replace(apostrophe, "'")
    return _TAG.sub(" ", text)


def _spell_symbols(text: str) -> str:
    """Symbols as the words that are spoken for them."""
    text = _ADDRESS.sub(_address, text)
    text = _INITIALS.sub(lambda match: match.group().replace(".", "") + " ", text)
    text = _THOUSANDS.sub("", text)
    text = _DOTTED_TIME.sub(r"\1 \2:\3", text)
    text = _BARE_POINT.sub("0.", text)
    text = _NUMERO.sub(lambda match: f"{match[1]} number " if match[1] else "number ", text)
    text = _SLASHED.sub(_slashed, text)
    text = _ONE_PART.sub(
        lambda match: f"a {(match[1] or match[2] or match[3]).replace('fourth', 'quarter')}", text
    )
    text = spell_ranges(text)
    text = _BELOW_ZERO.sub(" minus ", text)
    text = _FULL_HOUR.sub(r"\1 oclock", text)
    text = _MONEY.sub(_money, text)
    text = _MONEY_BEHIND.sub(lambda match: f" {_CURRENCIES[match[1]]} ", text)
    text = _DOMAIN.sub(" dot ", text)
    text = _HASH.sub(" number ", text)
    text = _DEGREE.sub(lambda match: _DEGREES["".join(match.group().split())], text)
    for symbol, words in _SYMBOLS.items():
        text = text.replace(symbol, words)
    return text


def _address(match: re.Match[str]) -> str:
    """An e-mail address as it is said."""
    return "".join(_IN_ADDRESS.get(sign, sign) for sign in match.group())


def _money(match: re.Match[str]) -> str:
    scale = match[3] or ""
    return f"{match[2].removesuffix('.00')} {_SHORT_SCALES.get(scale, scale)} {_CURRENCIES[match[1]]} "


def _slashed(match: re.Match[str]) -> str:
    """2/3 as "2 thirds"; left alone where it is more than one, or less of parts that nobody counts so, and
    where it may be a day ("on 3/4", 5/8) or marks (9/10)."""
    above, below, day = int(match["above"]), int(match["below"]), match["day"] or ""
    if above >= below or (below % 2 == 0 and above % 2 == 0):
        return match.group()
    if not (match["whole"] or match["of"]) and (below > 4 or day):
        return match.group()
    part = {2: "half", 4: "quarter"}.get(below) or spelled_ordinal(below)
    whole = f"{match['whole']} and " if match["whole"] else ""
    return f"{day}{whole}{above if above > 1 else 'one'} {part}{'s' if above > 1 else ''}"


def _without_grouping_points(token: str) -> list[str]:
    """555.123.4567 is three groups of digits; 3.14 is one number."""
    return token.split(".") if token.count(".") > 1 else [token]


def _without_contractions(tokens: Sequence[str]) -> list[str]:
    written: list[str] = []
    for token, following in zip(tokens, [*tokens[1:], ""], strict=False):
        written.extend(_expanded(token, following).split())
    return written


def _expanded(token: str, following: str) -> str:
    if token in _NEGATED:
        return _NEGATED[token]
    if token == "let's":
        return "let us"
    for ending, word in _ENDINGS.items():
        if token.endswith(ending) and token != "ain't":
            return f"{_expanded(token.removesuffix(ending), word)} {word}"
    if token.endswith("'d"):
        who = token.removesuffix("'d").replace("'", "")
        return f"{who} {'had' if following in ('better', 'been') else 'would'}"
    what = token.removesuffix("'s")
    if what != token and what in _IS_AFTER:
        return f"{what} {'has' if following in _PARTICIPLES else 'is'}"
    bare = token.replace("'", "")
    return _BARE_CONTRACTIONS.get(bare, bare)


def _replace_pairs(tokens: Sequence[str]) -> list[str]:
    written: list[str] = []
    position = 0
    while position < len(tokens):
        replaced = _PAIRS.get((tokens[position], tokens[position + 1] if position + 1 < len(tokens) else ""))
        if replaced is None:
            written.append(tokens[position])
            position += 1
        else:
            written.extend(replaced.split())
            position += 2
    return written


def _halves(tokens: Sequence[str]) -> list[str]:
    """ "one and a half million" as "one point 5 million", which is how 1.5 million is read."""
    written = list(tokens)
    for place in range(len(tokens) - 4, 0, -1):
        halved = written[place : place + 3] == ["and", "a", "half"] and written[place + 3] in SCALES
        number = written[place - 1]
        if halved and (is_whole_number(number) or is_quantity_word(number)):
            written[place : place + 3] = ["point", "5"]
    return written


def _small_words(tokens: Sequence[str]) -> list[str]:
    """What stands for "one" and "minus" beside a number, and units in short."""
    written: list[str] = []
    for token, following in zip(tokens, [*tokens[1:], ""], strict=False):
        before = written[-1] if written else ""
        written.append(_small_word(token, before=before, following=following))
    return written


def _small_word(token: str, *, before: str, following: str) -> str:
    if token == "negative" and following[:1].isdigit():
        return "minus"
    if token == "a" and following in ("dollar", "euro"):
        return "1"
    if token == "sec" and before == "1":
        return "2nd"  # As "one second" comes out.
    if token in _MEASURES and _is_number(before):
        return _MEASURES[token] + ("" if before == "1" else "s")
    return token


def _decades(tokens: Sequence[str]) -> list[str]:
    """ "nineteen nineties" and "the nineties" as 1990s and 90s."""
    written: list[str] = []
    for token in tokens:
        decade = token in DECADES
        century = written.pop() if decade and written and re.fullmatch("1[0-9]|20", written[-1]) else ""
        written.append(f"{century}{DECADES[token]}s" if decade else token)
    return written


def _spoken_times(tokens: Sequence[str]) -> list[str]:
    """ "half past 3", "a quarter past 3" and "a quarter to 3" as 330, 315 and 245."""
    written: list[str] = []
    position = 0
    while position < len(tokens):
        article = token_at(tokens, position) == "a" and token_at(tokens, position + 1) == "quarter"
        part, side, hour = (token_at(tokens, position + article + ahead) for ahead in range(3))
        minutes = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): 45}.get((part, side))
        if minutes is None or _HOUR.fullmatch(hour) is None:
            written.append(tokens[position])
            position += 1
            continue
        before = side == "to"
        written.append(f"{(int(hour) - 2) % 12 + 1 if before else int(hour)}{minutes}")
        position += 3 + article
    return written


def _undated(tokens: Sequence[str]) -> list[str]:
    """ "May 5th" as "May 5", which is how it is written and not how it is spoken."""
    return [
        match[1] if previous in _MONTHS and (match := _ORDINAL.fullmatch(token)) else token
        for previous, token in zip(["", *tokens], tokens, strict=False)
    ]


def _times_and_money(tokens: Sequence[str]) -> list[str]:
    """Units that change with the number before them, once numbers are digits."""
    written: list[str] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        after_number = bool(written) and _is_number(written[-1])
        if after_number and token in ("a", "p") and token_at(tokens, position + 1) == "m":
            written.append(f"{token}m")
            position += 2
            continue
        if after_number and token == "oclock":
            position += 1
            continue
        if after_number:
            token = _SINGULAR.get(token, token)
        written.append(token)
        position += 1
        if after_number and token in ("dollars", "pounds", "euros"):
            used, amount = _with_cents(written[-2], tokens, position)
            written[-2] = amount
            position += used
            if amount.startswith("0.") and len(amount) == 4:
                written[-2:] = [amount[2:].lstrip("0") or "0", "cents"]
    return written


def _with_cents(amount: str, tokens: Sequence[str], position: int) -> tuple[int, str]:
    """The amount with the cents behind it ("5 dollars [and] 50 [cents]"), and how many tokens they took."""
    skip = int(token_at(tokens, position) == "and")
    cents, behind = (token_at(tokens, position + skip + ahead) for ahead in range(2))
    named = behind in ("cents", "cent")
    if not (is_whole_number(amount) and is_whole_number(cents) and len(cents) <= 2):
        return 0, amount
    if behind in ("business", "working"):
        behind = token_at(tokens, position + 2)
    if not named and (skip or len(cents) != 2 or behind in _COUNTED):
        return 0, amount
    return skip + 1 + named, f"{amount}.{cents.zfill(2)}"


def _is_number(token: str) -> bool:
    return token.replace(".", "").isdigit()


def _join_letters(tokens: Sequence[str]) -> list[str]:
    """Letters spelled one by one as one word, as they are written: A T M, L I M I N G.

    In a run of two, "a" and "i" are words of their own.
    """
    written: list[str] = []
    run: list[str] = []
    for token in [*tokens, ""]:
        if len(token) == 1 and token.isalpha():
            run.append(token)
            continue
        apart = len(run) == 2 and ("a" in run or "i" in run)
        written.extend(run if apart else ["".join(run)] * bool(run))
        run = []
        if token:
            written.append(token)
    return written
