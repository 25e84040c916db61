"""What the caller said, sentence by sentence, by the lines that the person has.

Which line a sentence is tells what the caller meant by it, whatever made it say so: a fact, a question
of its own, an objection, a yes. Sentences that are no line of the person's (small words that every
person says, a language model's) are told by their form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from voice_sim.guard.words import alike, sentences, words
from voice_sim.person.persona import Persona

Role = Literal[
    "planted", "asks", "fact", "objects", "refuses", "offers", "mood", "leaves", "identity", "murmur", "yes",
    "no", "unsure", "not_heard", "asks_back", "either", "nothing_more", "as_said", "goes_ahead", "hello",
    "other",
]  # fmt: skip
"""What a sentence of the caller's is.

* ``planted``: of a planted place; ``asks``: a question of its own; ``offers``: a line of consent, once its
  conditions hold; ``mood``: of good or bad temper; ``leaves``: an end of the call;
* ``hello``: whether anybody is there; ``as_said``: that it has said so; ``other``: none of all these.
"""
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, kw_only=True)
class Said:
    """One sentence of the caller's.

    Attributes:
        fact: Key of the fact that it tells.
    """

    text: str
    role: Role
    fact: str = ""


_ALIKE = 0.75
_COVERED = 0.8
_MIN_WORDS = 3
_FORMS: dict[str, tuple[tuple[Role, re.Pattern[str]], ...]] = {
    "en": (
        ("hello", re.compile(r"^\W*hello\?|\bstill connected\b|\banybody there\b|\bare you there\b", re.I)),
        ("as_said", re.compile(r"^\W*(?:as|like) i(?: just)? said\b|\bi(?:'ve)? just (?:said|told)", re.I)),
        (
            "unsure",
            re.compile(
                r"\b(?:(?:don't|do not|couldn't|can't|cannot) (?:really |honestly )?(?:know|remember"
                r"|recall|say|tell|judge|check)"
                r"|no idea|no clue|not sure|hard to say|dunno|beats me|how should i know|(?:haven't"
                r"|never|not) (?:really )?thought about"
                r"|(?:i'd|would) have to (?:check|look|ask|dig|see)|not known|no data|no figure"
                r"|would know|(?:don't|won't) guess|couldn't care less)\b",
                re.I,
            ),
        ),
        (
            "asks_back",
            re.compile(
                r"\b(?:how do you mean|what do you mean|what exactly|what are you after"
                r"|supposed to mean|meaning what|be specific"
                r"|what is it you)\b|^\W*meaning\?",
                re.I,
            ),
        ),
        (
            "not_heard",
            re.compile(
                r"\b(?:what was that|once more|didn't (?:quite )?(?:catch|hear|get)|say (?:that"
                r"|it) again|come again|can't follow|don't follow"
                r"|slower)\b|^\W*(?:sorry|pardon|what)\W*$",
                re.I,
            ),
        ),
        (
            "nothing_more",
            re.compile(
                r"\b(?:that's all|that's it|nothing else|covers it|got what i need|that was everything"
                r"|nothing more|no more questions)\b"
                r"|^\W*(?:no|nope|um|well|i mean)?\W*(?:nothing|none|not really|not that i know of"
                r"|nothing i know of|not a thing|i don't think so)\W*$",
                re.I,
            ),
        ),
        (
            "either",
            re.compile(
                r"\b(?:either|whichever|you (?:choose|pick)|no preference"
                r"|don't care which)\b",
                re.I,
            ),
        ),
        (
            "goes_ahead",
            re.compile(
                r"^\W*(?:sure,? )?(?:go ahead|go on|go|ask away|make it short|if it has to be)\W*$", re.I
            ),
        ),
        ("leaves", re.compile(r"\b(?:good ?bye|bye|hanging up)\b", re.I)),
        ("no", re.compile(r"^\W*(?:(?:um|well|oh|hm),? )*(?:no|nope)\b", re.I)),
        (
            "yes",
            re.compile(
                r"^\W*(?:(?:mm|oh|um|well|hm|okay|ok|all right),? )*(?:yes|yeah|yep|sure|okay|ok|fine"
                r"|of course|all right|good|gladly|right|suppose so"
                r"|sounds (?:fine|all right|good)|that (?:works|sounds|suits)|that's (?:right|fine|okay"
                r"|so)|works so far|i've nothing against)\b",
                re.I,
            ),
        ),
        (
            "murmur",
            re.compile(
                r"^\W*(?:mm|hm|oh|ah|i see|got that|clear|next|understood|so|let me think"
                r"|mm,? okay)\W*\w*\W*$",
                re.I,
            ),
        ),
    ),
    "zh": (
        ("hello", re.compile(r"^喂[？?]|还在吗|听得到吗|没人挂了")),
        ("as_said", re.compile(r"说过了|刚才说|刚说|我说三遍")),
        (
            "unsure",
            re.compile(
                r"不知道|不清楚|说不好|不好说|说不上|不记得|记不|没印象|不晓得|没想过|哪知道|谁知道|答不了|说不准|不懂|问住|还没定"
            ),
        ),
        (
            "asks_back",
            re.compile(r"是指什么|的意思是|具体想问|什么意思|想问啥|您是说|是问什么|没太明白|说清楚点"),
        ),
        ("not_heard", re.compile(r"没听清|再说一|说什么？|听不清|^啥[？?]|没听明白")),
        (
            "nothing_more",
            re.compile(r"没别的|没有了|^没了|都问到|没有什么|应该没有|^没有。?$|这个没有|没啥|哪有什么"),
        ),
        ("either", re.compile(r"都行|都可以|看着办|随你|你定|您觉得呢")),
        ("goes_ahead", re.compile(r"^(?:行，|好，)?您?[说问]吧?。?$|有话快说|问吧|您说。")),
        ("leaves", re.compile(r"再见|拜拜|挂了")),
        ("no", re.compile(r"^\W*(?:不|没|别)")),
        ("yes", re.compile(r"^\W*(?:对|是|好|行|可以|嗯|成|中|满意|算是|听着|没意见)")),
        ("murmur", re.compile(r"^\W*(?:哦|嗯|这样|知道|明白|然后|随便)")),
    ),
}


class LineBook:
    """The lines of one person, to look sentences up in."""

    def __init__(self, persona: Persona) -> None:
        self._forms = _FORMS[persona.language]
        self._known: dict[tuple[str, ...], tuple[Role, str]] = {}
        self._long: list[tuple[str, frozenset[str], Role, str]] = []
        for line, role, fact in _lines(persona):
            for part in dict.fromkeys((line, *sentences(line))):
                spoken = words(part)
                if spoken not in self._known:
                    self._known[spoken] = (role, fact)
                    if len(spoken) >= _MIN_WORDS:
                        self._long.append((part, frozenset(spoken), role, fact))

    def said(self, text: str) -> tuple[Said, ...]:
        """The sentences of a turn, each with what it is."""
        return tuple(self._said(part) for part in sentences(text) if words(part))

    def _said(self, part: str) -> Said:
        spoken = words(part)
        if spoken in self._known:
            role, fact = self._known[spoken]
            return Said(text=part, role=role, fact=fact)
        if len(spoken) >= _MIN_WORDS:
            have = frozenset(spoken)
            for line, own, role, fact in self._long:
                shared = len(have & own)
                close = 2 * shared >= _ALIKE * (len(have) + len(own)) and alike(part, line) >= _ALIKE
                if shared >= _COVERED * len(have) or close:
                    return Said(text=part, role=role, fact=fact)
        for role, form in self._forms:
            if form.search(part):
                return Said(text=part, role=role)
        return Said(text=part, role="asks" if part.rstrip().endswith(("?", "？")) else "other")


def _lines(persona: Persona) -> Iterator[tuple[str, Role, str]]:
    """Every line of the person with what it is; what a line can be first comes first."""
    phrases = persona.phrases
    small: tuple[tuple[Role, tuple[str, ...]], ...] = (
        ("identity", phrases.confirm_identity),
        ("unsure", phrases.unsure),
        ("not_heard", phrases.repeat_please),
        ("yes", phrases.agree),
        ("refuses", (*phrases.decline, *persona.willingness.say)),
        ("leaves", phrases.goodbye),
        ("murmur", phrases.acknowledge),
        ("identity", phrases.pick_up),
    )
    for fact in persona.facts:
        yield from ((line, "fact", fact.key) for line in fact.say)
    for stimulus in persona.stimuli:
        yield from ((line, "planted", "") for line in stimulus.say)
    for must in persona.must_ask:
        yield from ((line, "asks", "") for line in must.ask)
    for obstacle in persona.obstacles:
        yield from ((line, "objects", "") for line in obstacle.say)
    for cooperation in persona.cooperation:
        yield from ((line, "offers", "") for line in cooperation.say)
    for trigger in (*persona.triggers.positive, *persona.triggers.negative):
        yield from ((line, "mood", "") for line in trigger.say)
    for ending in (*persona.hang_up, *persona.termination):
        yield from ((line, "leaves", "") for line in ending.say)
    for role, lines in small:
        yield from ((line, role, "") for line in lines)
