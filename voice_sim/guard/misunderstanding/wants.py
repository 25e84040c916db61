"""What an agent's words want of the caller, by their form: English and Chinese.

Made for the guard and of its own: what the caller itself takes a question for
(:mod:`voice_sim.understanding.question_forms`) would be wrong here where it was wrong there. Several may
hold: "Have you got a minute, or is it a bad time?" is about the moment, and a choice.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, get_args

from voice_sim.guard.words import sentences
from voice_sim.understanding.acts import Language

Want = Literal[
    "identity", "time", "more", "invites", "check", "choice", "opinion", "words", "yes_no", "leave", "nothing"
]
"""What is wanted:

* ``identity``: to know who is speaking; ``time``: whether this is a good moment;
* ``more``: whether there is anything else; ``invites``: the caller's own questions;
* ``check``: whether what was said is right, clear, agreed; ``choice``: one of several that are named;
* ``opinion``: what the caller thinks of it; ``words``: something told; ``yes_no``: any other yes or no;
* ``leave``: goodbye; ``nothing``: it only tells.
"""
WANTS: tuple[Want, ...] = get_args(Want)

_ASKS = {
    "en": re.compile(
        r"\?[\"”’]?$|\b(?:please (?:tell|give|say|confirm|name|spell|repeat|read)|tell me|give me"
        r"|let me know|walk me through"
        r"|i(?:'d| would)? (?:just |only )?(?:need|like|want) (?:to (?:know|hear|ask)|your|the)"
        r"|i (?:only |just )?asked)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[？?]$|告诉我|跟我说|说说|讲讲|报一下|说一下|讲一下|核对一下|麻烦您?[说报讲]|我[是就想]问|(?:吗|呢|不|没)[。]?$"
    ),
}
_FORMS: dict[str, dict[Want, re.Pattern[str]]] = {
    "en": {
        "identity": re.compile(
            r"\b(?:am i (?:speaking|talking|through)|(?:can|could|may|might) i (?:please )?(?:speak"
            r"|talk) (?:to|with)"
            r"|(?:is|it's|that's|this is) (?:that|this|it)?\s*(?:mr|mrs|ms|miss|dr|director|professor)\b"
            r"|(?:is (?:that|this|it)|are you|have i got|do i have) (?-i:[A-Z][a-z]+)"
            r"|(?-i:[A-Z][a-z]+) i've got|speaking with)",
            re.IGNORECASE,
        ),
        "time": re.compile(
            r"\b(?:minutes?|moment|good time|convenient|bad time|able to (?:speak|talk)|can you (?:talk"
            r"|speak)|talk now|got a sec"
            r"|free to (?:talk|speak)|busy|in the middle)\b",
            re.IGNORECASE,
        ),
        "more": re.compile(
            r"\b(?:any|some)thing (?:else|more|you|left|at all|that|on your|i (?:left|forgot)|wanna)"
            r"|\b(?:any|more|another|still (?:got )?an?|open)"
            r"(?: \w+)? questions?\b|\bwhat else\b|\bsomething (?:more|else)\b|\bany (?:trouble|snags?"
            r"|problems?|concerns?)\b",
            re.IGNORECASE,
        ),
        "invites": re.compile(
            r"\bwhat (?:was it|would|did|do) you(?:'d)? (?:still )?(?:like|want|wanted"
            r"|need)? ?(?:to )?(?:know|ask|hear)"
            r"|\bwhat are (?:they|your questions)|\bask away|\bwanted to know|\bgo ahead and ask"
            r"|\bwhat's your question",
            re.IGNORECASE,
        ),
        "check": re.compile(
            r"\b(?:is|are|was|have|did|does|do)\b[^?]{0,60}\b(?:right|correct|clear|accurate|help|helps"
            r"|sense|complete|through|okay|ok|alright|all right"
            r"|good|work for you|suit you)\b[^?]{0,25}\?|\b(?:right|correct|clear(?:er)?|okay|ok"
            r"|alright|all right|yeah|eh|fair|deal|better|any good"
            r"|get that|got it|sound (?:good|right|okay|all right))\?|,? (?:is|isn't|does|doesn't|do"
            r"|don't|did|didn't|are|aren't|has|hasn't|will|won't|can|yes)"
            r" (?:it|that|you|they|he|she|we|so)\?",
            re.IGNORECASE,
        ),
        "choice": re.compile(
            r"\bwhich\b|[,\w] or (?!so\b|no\b|not\?|less\b|more\b|two\b)\w+[^?]*\?", re.IGNORECASE
        ),
        "opinion": re.compile(
            r"\bwhat do you (?:make|think|reckon|say)|\bhow (?:does|do|did|would|'s|is)?\s*(?:that|this"
            r"|it|these|they)\b[^?]{0,24}"
            r"(?:sound|strike|look|suit|feel|work|seem|grab)|\bhow do you (?:feel|like|find)\b"
            r"|\bwhat'?ll it be",
            re.IGNORECASE,
        ),
        "words": re.compile(
            r"\b(?:what|when|where|who|whom|whose|why|how|which|describe)(?:'s|'d|'re"
            r"|'ll)?\b(?! about (?:it|that)\?)"
            r"|\b(?:tell|give|walk|remind|repeat|confirm|name|spell)\b (?:me|us|your|the|it|that"
            r"|to me)\b|\byour (?:date|name|full|last|birth)\b",
            re.IGNORECASE,
        ),
        "leave": re.compile(
            r"\b(?:good[ -]?bye|bye|see you|take care|speak (?:soon|tomorrow)|have a (?:good|nice"
            r"|lovely|great)|all the best|good ?night)\b",
            re.IGNORECASE,
        ),
    },
    "zh": {
        "identity": re.compile(
            r"请?问?您?是.{1,8}(?:先生|女士|小姐|老师|师傅|阿姨|大爷|大妈|本人)|没打错|没找错|本人[吗吧]|[是叫].{2,4}(?:吗|吧|对吧)[？?]"
        ),
        "time": re.compile(
            r"(?:现在|您那?边?|这会儿).{0,4}方便|方便(?:说|聊|接|讲)|有空|得空|几分钟|打扰|碍事|能聊|会儿有|现在.{0,6}(?:说|聊|行)"
        ),
        "more": re.compile(
            r"还有.{0,10}(?:问题|想|需要|要|不清楚|没|吗)|别的|其他.{0,4}(?:问题|需要|要求)|有没有.{0,6}(?:问题|意见|担心|顾虑|疑问)"
            r"|有什么.{0,10}(?:问题|意见|想|担心|顾虑)"
        ),
        "invites": re.compile(r"您?想(?:问|了解|知道)(?:点)?(?:什么|啥|哪)|什么问题|尽管问|您问"),
        "check": re.compile(
            r"(?:对吗|对吧|对不对|没错吧|是吧|是吗|清楚吗|明白吗|清楚了吗|可以吗|行吗|好吗|成吗|行吧|好吧|行不|成不|对不|好不|同意吗|一样不|行不行|没问题吧"
            r"|可以吧)[？?。]?"
        ),
        "choice": re.compile(r"还是|哪个|哪一|哪种|哪天|哪样|哪位|或者"),
        "opinion": re.compile(r"怎么样|咋样|怎么看|觉得|您看呢|您说呢|如何"),
        "words": re.compile(
            r"什么|啥|多少|哪|几(?!乎|分钟)|怎么(?!样)|咋(?!样)|为什么|谁|多久|多大|多长|复述|学给我|告诉我|报一下|说一下|说说|讲讲|聊聊|(?:姓名|生日|号码"
            r"|地址)呢"
        ),
        "leave": re.compile(r"再见|再会|拜拜|回见|回头见|周.见|保重"),
    },
}


_OFFERS = re.compile(
    r"^\W*(?:(?:and|so|but|okay|well|now|then),? )*(?:shall|should|may|want|would you (?:like|rather)"
    r"|do you want|have you|did you|do you)\b",
    re.IGNORECASE,
)
"""English that wants a yes or no, whatever question words come later in it."""
_RATHER: tuple[tuple[Want, frozenset[Want]], ...] = (
    ("invites", frozenset(("words", "check", "more"))),
    ("more", frozenset(("words", "check", "choice"))),
    ("opinion", frozenset(("words", "check"))),
    ("choice", frozenset(("check", "words"))),
    ("check", frozenset(("words",))),
    ("identity", frozenset(("words", "check"))),
    ("time", frozenset(("words", "check"))),
)
"""Where the first is wanted, the others are only how it is put."""


@lru_cache(maxsize=4096)
def asking(text: str, language: Language) -> str:
    """The last sentence that wants something told or answered; "" where there is none."""
    return next((part for part in reversed(sentences(text)) if _ASKS[language].search(part)), "")


@lru_cache(maxsize=4096)
def wants_of(text: str, language: Language) -> frozenset[Want]:
    """What an agent's turn wants."""
    forms = _FORMS[language]
    leaves = bool(forms["leave"].search(text))
    question = asking(text, language)
    if not question:
        alone: Want = "leave" if leaves else "nothing"
        return frozenset((alone,))
    found: set[Want] = {want for want in ("identity", "time") if forms[want].search(question)}
    found |= {
        want for want in forms if want not in ("identity", "time", "leave") and forms[want].search(question)
    }
    if language == "en" and _OFFERS.search(question):
        found.discard("words")
    for strong, weak in _RATHER:
        if strong in found:
            found -= weak
    if leaves:
        found.add("leave")
    if not found:
        found.add("yes_no")
    return frozenset(found)
