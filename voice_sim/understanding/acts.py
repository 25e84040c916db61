"""What an utterance does, apart from what it is about: asks, proposes, says goodbye, asks to wait, insults.

Lexical, English and Chinese. Texts come with punctuation where the recogniser gives any, and are understood
without.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from spoken_language.english_number_words import alternatives, spelled
from voice_sim.understanding.farewells import farewell_in, parting_clause
from voice_sim.understanding.insults import insults
from voice_sim.understanding.offers import only_offers
from voice_sim.understanding.proposals import wants_a_yes

Language = Literal["en", "zh"]


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence of an utterance.

    Attributes:
        asks: It wants an answer: a question, or a request to tell something.
        open_question: It cannot be answered by yes or no.
        proposes: It wants consent to something.
        awaits_answer: It asks, and neither ends in a goodbye ("That's all I need, goodbye") nor only says
            that one may call again ("Let me know if you need anything").
    """

    text: str
    asks: bool
    open_question: bool
    proposes: bool
    awaits_answer: bool


@dataclass(frozen=True, kw_only=True)
class Acts:
    """What an utterance does. All flags are False for an empty one.

    Attributes:
        greets: Begins with a greeting.
        asks_identity: Whether it is talking to the right person.
        asks_for_time: Whether this is a good moment.
        asks_for_more: Whether there is anything else.
        farewell: Takes leave; see :mod:`voice_sim.understanding.farewells`.
        says_bye: Takes leave by a goodbye, and not by a wish or thanks alone.
        asks_to_repeat: Did not hear or understand, and wants it said again.
        asks_to_wait: Nothing but "one moment, please".
        insults: Calls the listener names, or tells them to be quiet.
        admits_ignorance: Says that it does not know, or has to find out.
    """

    sentences: tuple[Sentence, ...]
    greets: bool
    asks_identity: bool
    asks_for_time: bool
    asks_for_more: bool
    farewell: bool
    says_bye: bool
    asks_to_repeat: bool
    asks_to_wait: bool
    insults: bool
    admits_ignorance: bool

    @property
    def asks(self) -> bool:
        return any(sentence.asks for sentence in self.sentences)


_SPLIT = {
    "en": re.compile(r"(?<!\bmr\.)(?<!\bms\.)(?<!\bdr\.)(?<!\bmrs\.)(?<=[.!?])[\"”’]?\s+", re.IGNORECASE),
    "zh": re.compile(r"(?<=[。！？!?；;])\s*"),
}
_REQUEST = {
    "en": re.compile(
        r"\b(tell me|let me know"
        r"|i (?:just |only )need(?! (?:[\w-]+ ){0,2}(?:minute|moment|second))"
        r"|i(?:'d| would)? (?:need|like to (?:know|hear|ask))|may i (?:ask|have)"
        r"|(?:could|can|would|will) you|please (?:give|tell|confirm|say|name|describe|repeat|read|spell)"
        r"|give me|walk me through|describe|i(?:'m| am) (?:asking|wondering)"
        r"|say it in your own words|just say)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(请问|告诉我(?![了过])|[跟和]我说(?![了过])|说说|讲讲|聊聊|报(?:给)?我?一下|说一下|讲一下|核对一下|确认一下|麻烦您?[说报讲]|我[是就想]问|给我(?:一?个|[说讲报]))"
    ),
}
_ASKS_UNMARKED = {
    "en": re.compile(
        r"^(?:(?:and|so|but|okay|well|now|then|sorry|right),? )*(?:what|when|where|who|whom|whose"
        r"|which|why|how|do"
        r"|does|did|is|are|was|were|can|could|may|shall|should|would|will|have|has|am)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(吗|呢|么|没有|是不是|能不能|有没有|行不行|好不好|什么|多少|哪|几[点号个天次]|怎么|为什么|谁)[。.]?$"
    ),
}
_INVERTED = re.compile(
    r"^(?:(?:and|so|but|okay|well|now|then|sorry|right),? )*(?:(?:what|when|where|who|which|why|how)"
    r" (?:has|have|is|are|was|were|do|does|did|would|will|can|could|should) (?:you|it|that|this|be)\b"
    r"|(?:do|did|are|were|have|can|could|would|will) you\b|is (?:now|this|that) (?:a|the) good)",
    re.IGNORECASE,
)
"""English that asks by its order of words: recognisers set a full stop behind it all the same."""
_CLEFT = re.compile(
    r"^(?:(?:and|so|but|okay|well|now|then),? )*(?:what|when|where|who|why|how) (?:i|we|you|he|she|they)\b",
    re.IGNORECASE,
)
"""English that only begins like a question: "what I can see is this"."""
_OPEN = {
    "en": re.compile(r"\b(what|when|where|who|whom|whose|which|why|how)\b", re.IGNORECASE),
    "zh": re.compile(r"(什么|多少|哪|几|怎么|为什么|谁|多久|多大|多长)"),
}
_YES_NO = {
    "en": re.compile(
        r"^(?:(?:and|so|but|okay|well|now|then|sorry|right),? )*(?:do|does|did|is|are|was|were|can"
        r"|could|may|shall"
        r"|should|would|will|have|has|am|had|won't|isn't|aren't|don't|didn't|couldn't)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(吗|吧|是不是|能不能|有没有|行不行|好不好|可不可以|要不要|对不对|行吗|可以吗)"),
}
_GREETING = {
    "en": re.compile(r"\W*(?:hello|hi|hey|good (?:morning|afternoon|evening|day))\b", re.IGNORECASE),
    "zh": re.compile(r"\W*(?:喂|您好|你好|早上好|上午好|下午好|晚上好)"),
}
_NO_NAME = (
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april(?! [A-Z])"
    r"|may(?! [A-Z])|june(?! [A-Z])|july|august|september|october|november|december|christmas|easter"
    r"|new year|today|tomorrow|tonight|okay|ok|right|correct|fine|clear|true|yes|english|chinese|mandarin"
    r"|cantonese|beijing|shanghai|visa|mastercard|alipay|wechat|monthly|weekly|yearly|new|old|urgent|a|an|the"
    r"|your|his|her|our|my|in|on|at|for|about|from|because|only|still|also|possible|enough"
)
"""What "is that …?" asks about that is nobody's name."""
_NO_NAME_ZH = (
    r"说|指|想|要|打算|觉得|认为|不是(?!.{1,6}(?:先生|女士|小姐|老师|本人))|否|需要|用|在|从|通过|因为|怎|什"
    r"|哪(?!一?位)|几|多|今|昨|明天|后天|周[一二三四五六日末几](?![先女小老同师])|星期|礼拜|上[周个午次]|下[周个午次]"
    r"|早上|中午|晚上|第|\d|[一二三四五六七八九十两]+[点号天个月年次块]|已经|还|每|为|自己|一个人|独自|本地|会员|学生(?!家)"
    r"|第|首次|初次|经常|平时|主要|全部|都|只|先|再|怎么|对|按|给|把|被|和|跟|住|做|有|没|喜欢|希望|满意|退|换|直接"
)
"""The same behind 您是 and 请问是."""
_IDENTITY = {
    "en": re.compile(
        r"\b(am i (?:speaking|talking|through) (?:to|with)"
        r"|(?:can|could|might) i (?:please )?(?:speak|talk) (?:to|with)"
        r"|(?:is|am i through to)\b.{0,12}\b(?:that|this"
        r"|it) (?:mr|mrs|ms|dr|miss|uncle"
        rf"|auntie)\b|is (?:that|this|it) (?!(?:{_NO_NAME})\b)(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
        r"(?: i'm (?:speaking|talking) (?:to|with))?\?|may i speak (?:to"
        r"|with)|do i have"
        r" (?-i:[A-Z])|have i (?:got|reached) (?-i:[A-Z])|am i right with|are you (?:mr|mrs|ms|dr"
        r"|(?-i:[A-Z][a-z]+ [A-Z]))"
        r"|speaking (?:to|with) (?:mr|mrs|ms|dr|the right))",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        rf"(没[记找打认]错|找对人|请问是(?!{_NO_NAME_ZH})"
        rf"|您是(?!{_NO_NAME_ZH}).{{1,8}}(?:吗|吧|(?<![怎什那这多])么)"
        r"|是.{1,8}(?:先生|女士|小姐|同学|老师|师傅|阿姨|叔叔|大爷|大妈)[吗吧]|本人[吗吧]|是本人|是您[吗吧么])"
    ),
}
_TIME = {
    "en": re.compile(
        r"\b((?:good|bad|convenient|right) (?:time|moment)|(?:have|got|spare|give me|for) (?:about "
        r"|maybe |just |me )*"
        rf"(?:a|an|{alternatives(map(spelled, range(2, 11)))}|\d+|a few|a couple of) (?:minutes?|moment"
        r"|seconds?)"
        rf"|(?:{alternatives(map(spelled, range(2, 11)))}|\d+|a few) (?:minutes?|seconds?) (?:be|now|okay)\b"
        r"|in the middle of|in the thick of|is now (?:all right|okay|a good|good|fine|convenient)"
        r"|can you talk|free to (?:talk|speak)|time to talk|caught you at|disturbing you)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(现在.{0,6}方便|方便(?:说话|接电话|聊|听)|(?:说话|接电话|听电话|聊)方便|占用您|耽误您|有空"
        r"|几分钟.{0,6}(?:吗|行|方便)|能不?能?[说聊讲](?:上)?[几两]句)"
    ),
}
_MORE = {
    "en": re.compile(
        r"\b((?:any|some)(?:thing)? (?:else|more\b|other (?:question|point)s?|(?:more )?questions?(?: left)?)"
        r"|any question left|(?:any|a|one) (?:more )?questions? (?:left|still)"
        r"|still (?:got|have) (?:a|any|some|another) (?:\w+ )?questions?|(?:something"
        r"|anything) (?:that )?i(?:'ve)? forg[eo]t"
        r"|anything (?:at all )?(?:left )?(?:open|unclear|missing)|anything you(?:'d"
        r"| would)? (?:still )?(?:like|want|need)"
        r"|anything (?:on your mind|you'?d (?:still )?like|missing|left|unclear|i can)"
        r"|something (?:missing|else)"
        r"|what else can i)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(还有(?:什么|别的|其他|没有)|别的(?:问题|要)|其他问题|还需要|还有要)"),
}
_GET_WHAT_WAS_SAID = (
    r"get (?:that|this|you\b|what you|it all|all of (?:that|it)"
    r"|your (?:(?:full |first |last |phone )?(?:name|number)|answer|question|point|words"
    r"|last (?:word|bit|part|question|answer|sentence|point))\b"
    r"|the (?:last|first|name|number|date|end|word|bit|part|question|answer)\b|any of (?:that|it)|a word)"
)
"""Not "get the letter": what was missed is what was said."""
_REPEAT = {
    "en": re.compile(
        r"\b(?:say|tell me|read|spell) (?:that|it|this|yours?|your \w+) (?:back |out )?"
        r"(?:again|once more|one more time)"
        r"|\b(?:could|can|would|will) you (?:please )?(?:repeat|say again|spell)\b|\bplease repeat\b"
        r"|(?:\b(?:i|we)(?:'m| am|'re)?(?: afraid| sorry| just| still| really)*(?: i)? |^\W*"
        r"|[.,!?;…]\s*(?:(?:sorry|um|uh|but|and|well)[, ]+)?)"
        r"(?:(?:didn't|did not|couldn't|could not|can't|cannot) (?:quite |really |fully |even )?"
        r"(?:catch\b|hear\b|understand\b(?! (?:why|that|how)\b)"
        rf"|{_GET_WHAT_WAS_SAID}))"
        r"|\b(?:pardon|come again|what was that|breaking up|bad line|speak up|lost you)\b"
        r"|^\W*(?:sorry|what|excuse me)\s*\?",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"((?:(?<!我)|(?<=[给跟和为替帮]我))(?<!我就)(?<!我给您)(?<!我跟您)(?<!我来)再(?:说|讲|报|念|重复)一|麻烦您?重复"
        r"|(?<![您你他她])(?<!您是)(?<!你是)(?<!您刚才)(?<!您刚刚)(?<!是不是)(?<!有没有)"
        r"(?:没听[清见到懂]|听不[清见])|信号不好|(?<!我)大声(?:点|一点)|您?刚才说什么)"
    ),
}
_WAIT_EN = (
    r"(?:just )?(?:one|a|1) (?:moment|second|minute|sec)|hold on|hang on|bear with me"
    r"|please hold|wait|let me (?:check|see|look)(?: that| this| it)?(?: up)?"
    r"|i'?m (?:checking|looking)(?: that| this| it)?(?: up)?"
)
_AROUND_EN = (
    r"(?:okay|ok|sure|right|yes|um|uh|please|so|all right|for me|for you|now|still|thank you|thanks"
    r"|with me|\W)*"
)
_WAIT_ZH = r"(?:稍等|等一下|等等|等会儿|稍候|请等(?!一下|等|会儿)|我查一下|我看一下)"
_AROUND_ZH = r"(?:好的?|嗯|那个|请|您|麻烦|一下|片刻|哈|啊|谢谢|\W)*"
_WAIT = {
    "en": re.compile(rf"^{_AROUND_EN}(?:(?:{_WAIT_EN}){_AROUND_EN})+$", re.IGNORECASE),
    "zh": re.compile(rf"^{_AROUND_ZH}(?:{_WAIT_ZH}{_AROUND_ZH})+$"),
}
_IGNORANCE = {
    "en": re.compile(
        r"\b(i (?:really |honestly )?(?:don't|do not) (?:know|have (?:that|it|any|a|the))"
        r"|can't (?:tell you|say|promise|see)"
        r"|not sure|find out|rather not guess|won't (?:guess|invent|make)|not at hand|no idea"
        r"|have to ask)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(不知道|不清楚|说不好|说不准|没有这个信息|手头没有|不敢乱|问完|问清楚|问了.{0,8}告诉|答不了|(?:[帮给替]您|[去再]|回头|找|[跟向](?![您你]).{1,4})(?:再|去)?问一下"
        r"|问一下(?:仓库|同事|主管|领导|经理|店里|财务|技术|师傅|后台|部门|那边|他们|医生|老师|总部)"
        r"|问一下[，,]?(?:再|然后|回头)?(?:告诉|回复|答复|给您回)|确认不了|保证不了)"
    ),
}


@lru_cache(maxsize=8192)
def acts_of(text: str, language: Language) -> Acts:
    """What an utterance in ``language`` does."""
    sentences = tuple(_sentence(part, language) for part in split_sentences(text, language))
    asking = " ".join(sentence.text for sentence in sentences if sentence.asks)
    greets = bool(_GREETING[language].match(text))
    stated = [parting_clause(one.text, language) if one.asks else one.text for one in sentences]
    leave = farewell_in([text for text in stated if text], language, greets=greets)
    return Acts(
        sentences=sentences,
        greets=greets,
        asks_identity=bool(_IDENTITY[language].search(asking)),
        asks_for_time=bool(_TIME[language].search(asking)),
        asks_for_more=bool(_MORE[language].search(asking)),
        farewell=leave.takes_leave,
        says_bye=leave.by_name,
        asks_to_repeat=bool(_REPEAT[language].search(text)),
        asks_to_wait=bool(_WAIT[language].match(text)),
        insults=any(insults(sentence.text, language) for sentence in sentences),
        admits_ignorance=bool(_IGNORANCE[language].search(text)),
    )


def split_sentences(text: str, language: Language) -> list[str]:
    """The sentences of a text, punctuation kept; "Mr. Zhang" stays in one piece."""
    return [part.strip() for part in _SPLIT[language].split(text) if part and part.strip()]


def _sentence(text: str, language: Language) -> Sentence:
    marked = text.rstrip('"”’ ').endswith(("?", "？"))
    stopped = text.rstrip()[-1:] in ".。!！?？"
    unmarked = not stopped and bool(_ASKS_UNMARKED[language].search(text))
    if language == "en":
        unmarked = not _CLEFT.search(text) and (unmarked or bool(_INVERTED.search(text)))
    asks = marked or unmarked or bool(_REQUEST[language].search(text))
    yes_no = bool(_YES_NO[language].search(text))
    open_question = asks and not yes_no and (bool(_OPEN[language].search(text)) or not marked)
    proposes = asks and wants_a_yes(text, language, open_question=open_question)
    return Sentence(
        text=text,
        asks=asks,
        open_question=open_question,
        proposes=proposes,
        awaits_answer=asks and not parting_clause(text, language) and not only_offers(text, language),
    )
