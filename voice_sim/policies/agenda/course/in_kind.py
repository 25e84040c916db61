"""Whether words are of the kind that a question wants, whatever they are about: yes, a number, a reason.

Who has just asked "How many minutes?" and hears "Within thirty" has been answered, in words that no example
foresees. Only what follows the question at once is taken so, and only its first statements: a script that
goes on is full of numbers.
"""

from __future__ import annotations

import re

from voice_sim.policies.agenda.perception import Perception
from voice_sim.understanding.acts import Language
from voice_sim.understanding.numbers import with_digits
from voice_sim.understanding.question_forms import form_of
from voice_sim.understanding.topic import content_words
from voice_sim.understanding.words import spoken_words

FIRST = 2
"""Statements at the beginning of a turn in which an answer stands."""
TERSE = 6
"""Words of a short answer; of Chinese characters."""
_SAYS_YES_OR_NO = {
    "en": re.compile(
        r"^\W*(?:(?:oh|well|ha|ah|right|sorry|so|okay),? )*(?:yes|yeah|yep|no|nope|not|never|nobody"
        r"|nothing|none|of course|certainly|absolutely|sure|it (?:is|does|will|can|isn't|doesn't|won't)"
        r"|you (?:do|don't|can|can't|will|won't) )\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^\W*(?:哎|哦|嗯|那|您放心)?[，,]?(?:没|不(?!好意思)|会|能|可以|是的|有|行|对|当然|放心|肯定|一定)"
    ),
}
_AMOUNT = {
    "en": re.compile(
        r"\b(?:how (?:many|much|long|old|often|soon|far)|when(?:'s|'d)?"
        r"(?: (?:is|was|were|are|did|do|does|would|will|can|could|shall|should|exactly)\b|\W*$)"
        r"|what (?:time|day|date)|which day)\b",
        re.I,
    ),
    "zh": re.compile(r"多少|几(?!乎)|多久|多大|多长|什么时候|哪天|何时"),
}
_REASON = {
    "en": (
        re.compile(r"\bwhy\b", re.I),
        re.compile(r"\b(?:because|since|so that|due to|the reason)\b", re.I),
    ),
    "zh": (re.compile(r"为什么|为啥|怎么会"), re.compile(r"因为|由于|是为了|所以")),
}
_DAY = {
    "en": re.compile(
        r"\b(?:today|tonight|tomorrow|now|\w+day|january|february|march|april|may|june|july|august|september"
        r"|october|november|december|morning|afternoon|evening|once|twice|never)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"今天|今晚|明天|后天|现在|马上|周[一二三四五六日天]|星期|上午|下午|晚上|月底|一次"),
}


def answers_in_kind(seen: Perception, question: str) -> bool:
    """Whether what was heard begins with what would answer ``question`` by its kind.

    Args:
        question: As it was put just before.
    """
    language: Language = seen.language
    if seen.acts.admits_ignorance or seen.empty:
        return False
    said = [sentence.text for sentence in seen.acts.sentences[: FIRST + 1] if not sentence.asks][:FIRST]
    if not said:
        return False
    beginning = " ".join(said)
    if _AMOUNT[language].search(question):
        has_one = _has_a_number(beginning) or bool(_DAY[language].search(beginning))
        return has_one and _to_the_point(said[0], beginning, question)
    why, because = _REASON[language]
    if why.search(question):
        return bool(because.search(beginning))
    form = form_of(question, language)
    if form == "which":
        return bool(content_words(question) & content_words(beginning))
    return form in ("yes_no", "check", "anything", "understood") and bool(
        any(_SAYS_YES_OR_NO[language].search(one) for one in said)
    )


def _to_the_point(first: str, beginning: str, question: str) -> bool:
    """Whether a number goes with a question: it comes at once, in few words, or with a word of the question.
    A script that goes on is full of numbers."""
    return len(spoken_words(first)) <= TERSE or bool(content_words(question) & content_words(beginning))


def of_the_kind(answer: str, question: str, language: Language) -> bool:
    """Whether an answer has a number or a day in it where the question wants one."""
    return (
        not wants_a_number(question, language) or _has_a_number(answer) or bool(_DAY[language].search(answer))
    )


def wants_a_number(question: str, language: Language) -> bool:
    """Whether a question asks how much, how long or when."""
    return bool(_AMOUNT[language].search(question))


def _has_a_number(text: str) -> bool:
    """ "One" alone is none: "no one", "one moment"."""
    words = with_digits(spoken_words(text))
    return any(word != "1" and any(map(str.isdigit, word)) for word in words)
