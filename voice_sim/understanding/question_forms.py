"""What kind of answer a question wants, whatever it is about: by its form, English and Chinese.

Who has not understood what a question is about still knows whether it can be answered by yes or no, and that
"I don't know" is no answer to "is that all right?".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from voice_sim.understanding.acts import Language
from voice_sim.understanding.questions.choices import NAMED_APART, points_to_what_was_named

QuestionForm = Literal[
    "understood", "check", "invites", "say_back", "opinion", "anything", "which", "yes_no", "open"
]
"""What a question wants:

* ``understood``: whether what was said is clear or a help;
* ``check``: whether what was repeated is right;
* ``invites``: the listener's own questions ("What would you like to know?");
* ``say_back``: what was just explained, in the listener's words; ``opinion``: what they think of it;
* ``anything``: whether there is any trouble, question, wish; no is the courteous answer;
* ``which``: one of several that it names; ``yes_no``; ``open``: anything else.
"""

_UNDERSTOOD = {
    "en": re.compile(
        r"^\W*(?:(?:and|so|but|okay|now),? )*(?:(?:does|do|did|is|was|has|have|are) (?:that|this|it|you|i"
        r"|all that|everything)\b.{0,16}\b(?:help|sense|answer|answered|clear|through|across|get (?:that|it)"
        r"|with me|follow|got (?:that|it|all)|catch (?:that|it))\b.{0,12}"
        r"|(?:all |everything )?clear(?: so far)?|got (?:that|it)(?: okay| ok| all right| so far)?)\?$",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(听明白|听清楚|听懂|记住|记下|清楚了?|明白了?|听见了?|收到了?)[了吧吗没不么]+[？?]?$"),
}
_CHECK = {
    "en": re.compile(
        r"^\W*(?:(?:and|so|but|okay|now),? )*(?:(?:is|are|was|were|have|do|did|would) (?:that|this|it"
        r"|those|these|they|everything|all|i|we|the)\b.{0,40}\b(?:(?<!all )right|correct(?:ly)?|accurate"
        r"|complete|true)\b.{0,40}"
        r"|correct|right|that right|have i got (?:that|it|everything).*)\?$|, (?:right|correct)\?$",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(对吗|对吧|对不对|没错吧|是吧|属实吗|正确吗|准确吗|是这样吗|没记错吧)[？?]?$"),
}
_INVITES = {
    "en": re.compile(
        r"\bwhat was it you wanted|\bwhat (?:would|do|did|can) (?:you|i) (?:still )?"
        r"(?:like|want|need|wish|tell|answer)\b.{0,12}\b(?:know|ask|hear|for you)\b"
        r"|\bwhat(?:'s| is| are|'re) (?:your|they|those|these)\b.{0,24}"
        r"(?:\bquestions?\b|\bpoints?\b|^\W*what are they)|\bwhat are they\W*$"
        r"|\b(?:ask away|go ahead and ask|put (?:it|them) to me|what's (?:your|on your) (?:mind|question))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(您?(?:想|要|还想)(?:问|了解|知道|打听)(?:点)?(?:什么|啥|哪)|有(?:什么|啥)(?:想|要)问"
        r"|(?:什么|啥|哪[几两]?个)问题|您(?:尽管|只管|随便|直接)问|^\W*您问\W*$)"
    ),
}
_SAY_BACK = {
    "en": re.compile(
        r"\b(?:say|tell|read|repeat|give) (?:it|that|them|this|me|the \w+)\b.{0,20}\bback\b"
        r"|\brepeat (?:it|that|this|the \w+|all that)\b.{0,40}\b(?:for|to) me\b|\bin your own words\b"
        r"|\bhow would you (?:put|say) (?:it|that|this)\b|\bonce more for me\b"
        r"|\bso (?:i|we) (?:know|see|can be sure) (?:i|we)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(复述|学给我|[您你](?:再|来)?(?:给我)?(?:说|讲|念)一?遍(?:听听|吧|看看)?\W*$|(?:重复|说|讲)一?遍(?:给我)?[，。？?吗]|(?:说|讲|念|学)(?:给我听|我听听)"
        r"|用(?:您|你)自己的话)"
    ),
}
_OPINION = {
    "en": re.compile(
        r"\bwhat do you (?:make|think|reckon|say)\b"
        r"|\bhow (?:does|do|did|would) (?:that|this|it|these|they|\w+days?|the \w+)\b.{0,24}"
        r"\b(?:sound|strike|look|suit|feel|work|seem|grab)\b"
        r"|\b(?:any|your) (?:thoughts|view|take)\b|\bhow do you feel about\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"((?:觉得|看|感觉|认为)(?:怎么样|怎样|咋样|如何)|怎么看(?![到见出])|(?:怎么样|咋样|如何)[？?]"
        r"|您(?:说|看|觉得)呢|(?:什么|啥)(?:想法|看法))"
    ),
}
_ANYTHING = {
    "en": re.compile(
        r"\b(?:any|some) (?:\w+ )?(?:trouble|problems?|snags?|worr(?:y|ies)|concerns?|objections?"
        r"|questions?|doubts?|issues?|difficult(?:y|ies)|reason|wish(?:es)?|requests?|changes?|allerg\w+)\b"
        r"|\b(?:any|(?<!that )(?<!it )(?<!this )some)thing (?!like that|for you\b)(?:\w+ ){0,4}"
        r"(?:bother|worr|ought|should|else|unclear|missing"
        r"|open|wrong|holding|stopping|needs?|to know|you'?d?\b|we\b|i\b|i'|that\b|the\b|on\b|against)\w*"
        r"|\banything\W*$"
        r"|\b(?:bother|worry|trouble|concern)s? you\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"((?:有没有|有)(?:什么|啥|哪儿|哪里|别的|其他)?.{0,8}(?:担心|问题|顾虑|不方便|不清楚|不明白|困难|意见"
        r"|不舒服|要求|疑问|麻烦|想说|没问)|(?:还有|有)(?:什么|啥).{0,12}[吗么没不][？?]?$"
        r"|有(?:什么|啥)(?:还|需)?[要想](?!问).{1,6}的[？?]?$)"
    ),
}
_WHICH = {
    "en": re.compile(
        r"\bwhich (?:one|of|is|do|would|suits|works|way)\b|\bwhich\W*$"
        r"|,? or (?!so\b|no\b)(?:is|do|does|would|should|shall|are|rather|the|an?|on|at|in|by|later|not"
        r"|another|something|leave)?\b.*\?",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^(?!.*(?:有没有|有无|说说|讲讲|聊聊)).*(还是|哪个|哪一|哪种|哪天|哪样"
        r"|或者(?!.*(?:[吗吧么]|没有?)[？?]?$).*[？?])"
    ),
}
_YES_NO = {
    "en": re.compile(
        r"^\W*(?:(?:and|so|but|or|okay|ok|well|now|then|sorry|right|also|just|first|please),? )*"
        r"(?:do|does|did|is|are|was|were|can|could|may|shall|should|would|will|have|has|had|am|won't|isn't"
        r"|aren't|don't|didn't"
        r"|couldn't|can't|haven't|wouldn't|doesn't|got|want|mind|ready|any (?:good|use|chance|help))\b"
        r"|,? (?:al+ ?right|okay|ok|right|yes|yeah|correct|is that so|agreed|deal|(?:is|isn't|does|doesn't|do"
        r"|don't|did|are|aren't|will|would) (?:it|that|you|he|she|they|we))\s*\?",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(吗|吧|(?<!什)么|嘛|没有?|不|是不是|能不能|可不可以|要不要|对不对)[？?。]?$"
        r"|([\u4e00-\u9fff])不\2|([\u4e00-\u9fff])没\3|有没有|(?:成|行|好|中|可以|对)[不没]|(?:得了|得)不"
    ),
}
_OPEN = {
    "en": re.compile(
        r"\b(?:what|when|where|who|whom|whose|which|why|how|describe"
        r"|(?:tell|give|describe|walk|let) (?:me|us)"
        r"|i need|please (?:name|state|say|spell))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(什么|啥|哪|几(?!乎|句|分)|怎么|咋|为什么|谁|多(?:少|久|大|长|远|高|重|早|晚|快)|说说|讲讲|报一下)"
    ),
}
_NAMED = {
    "en": re.compile(
        r",? please\W*$|^\W*(?:and |so |then )?(?:your|the|his|her|its)(?: \w+){1,5}\?$", re.IGNORECASE
    ),
    "zh": re.compile(r"^.{1,10}呢[？?]$"),
}
"""What is wanted is only named: "Your date of birth, please?"."""
_POLITE = {
    "en": re.compile(
        r"^\W*(?:(?:and|so|but|okay|well|now|then|sorry|first),? )*(?:could|can|would|will|may|might|do|did)"
        r" (?:you|i|we)\b.*?"
        r"\b(?:tell|say|ask|know|give|share|describe|explain|let|remind|name|spell|confirm)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(告诉我|跟我说|[报说讲]一下|说说|核对)"),
}
"""What asks for something told in the form of a question for yes or no."""


_WHICH_IS_SO = re.compile(r"(?:做|干|在|用|住|搞|从|来自|买|办|属于|负责)(?:的|了|的是)?哪")
"""A Chinese "which one" for what is so ("您主要做哪一块？"), and for no wish."""
_REST_OF_A_LIST = re.compile(r",? (?:or )?some(?:thing|body|where) else\W*$", re.IGNORECASE)
"""What ends a list of answers ("Time, money, something else?") asks for no trouble."""
_TWO_BEHIND = re.compile(
    r"\b(?:when|where|which|what|how|who)\b[^,:;–—]*[,:;–—] ?(?!or\b|if\b|so\b)"
    r"(?!(?:should|shall|would|will|do|does|did|is|are|was|were|can|could|has|have|may)\b)"
    r"(?:[\w'’.-]+ ){0,5}[\w'’.-]+"
    r",? or (?!so\b|not\b|when|what|how|who|where|roughly|about|some|any|is\b|did\b|do\b|are\b|was\b)"
    r"(?:[\w'’.-]+ ){0,5}[\w'’.-]+\?$",
    re.IGNORECASE,
)
"""An open question that names two answers: "When shall I call, tomorrow, or Friday morning?"."""
_WH = re.compile(r"\b(?:what|when|where|who|whom|whose|which|why|how)\b", re.IGNORECASE)
SHORT_CLAUSE = 4
"""Characters of a clause that asks for nothing by itself ("您看行吗")."""


@lru_cache(maxsize=4096)
def form_of(question: str, language: Language) -> QuestionForm:
    """The form of one sentence that wants an answer."""
    if _CHECK[language].search(question):
        return "check"
    if _UNDERSTOOD[language].search(question):
        return "understood"
    if _INVITES[language].search(question):
        return "invites"
    if _SAY_BACK[language].search(question):
        return "say_back"
    heart = _heart(question) if language == "zh" else question
    polite = bool(_POLITE[language].search(heart)) and (
        language == "zh" or bool(_OPEN["en"].search(question))
    )
    if _OPINION[language].search(question) and not polite:
        return "opinion"
    if _ANYTHING[language].search(_REST_OF_A_LIST.sub("", question)):
        return "anything"
    yes_no = bool(_YES_NO[language].search(question)) and not polite
    if points_to_what_was_named(question, language) or (language == "en" and _TWO_BEHIND.search(question)):
        return "which"
    apart = bool(NAMED_APART[language].search(question))
    factual = not apart and language == "zh" and bool(_WHICH_IS_SO.search(heart))
    if _WHICH[language].search(question if apart else heart) and not (
        factual or (language == "en" and _asks_openly(question))
    ):
        return "which"
    if yes_no:
        return "yes_no"
    if _OPEN[language].search(heart) or polite:
        return "open"
    return "open" if _NAMED[language].search(question) else "yes_no"


def _asks_openly(question: str) -> bool:
    """ "How old is it, or roughly when did you get it?": no choice of two."""
    return bool(_WH.search(question.partition(" or ")[0]))


def _heart(question: str) -> str:
    """The clause of a Chinese sentence that asks: the last, with the one before it where it only asks for
    leave ("..., 可以吗？"). What is announced before it, in whatever words, is no part of the question."""
    clauses = [clause for clause in re.split(r"[，,；;]", question) if clause.strip()]
    if len(clauses) < 2:
        return question
    short = len(re.sub(r"\W", "", clauses[-1])) <= SHORT_CLAUSE
    return "，".join(clauses[-2:] if short else clauses[-1:])
