"""How far a negation reaches: what stands in its clause, and what only looks like a no.

A phrase is denied by a negation up to eight English words or eight Chinese characters before it, in the same
clause, unless the clause is a question. A clause ends at a mark, and at "and", "but" or 但是 where a subject
of its own follows. What a speaker does not know or promise goes on beyond the "and" ("I can't promise that
the fee is waived and the refund arrives"), but not where a thing or a time is not known, or what follows is
of another time. A Chinese condition without a comma (不满12岁免费) denies nothing that it allows. Denial by
other means ("a refund is out of the question") is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from metrics.dialogue.evidence import FoundWord
from spoken_language.chinese_numbers import NUMERALS

NEGATORS = frozenset(["not", "no", "never", "cannot", "without", "nor", "neither", "hardly"])
HAN_NEGATORS = re.compile(r"[不没未别勿]|无法|无权")
_REACH, _HAN_REACH = 8, 8

_VERB = (
    "(?:is|are|was|were|will|would|can|could|has|have|had|does|do|did|must|should"
    "|arrives?|comes?|goes?|gets?|begins?|remains?|follows|takes|stays|reaches|starts|ends|applies|stands)"
)
_OF_WHOM = "(?:the|your|our|my)"
# A second subject inside the first is a relative clause: "the interest the bank has charged".
_SUBJECT = "(?:the|an?|your|our|my|his|her|its|their|this|these|those|that|which|who|i|we|you|he|she|it|they)"
_OF_SOMETHING = rf"(?:(?:of|for|from|on|to|with|at)\s+{_OF_WHOM}\s+)?"
_NOUN = rf"{_OF_WHOM}\s+(?:{_OF_SOMETHING}(?!{_SUBJECT}\b)\w+\s+){{1,4}}?"
_CLAUSE_WORD = re.compile(
    r"\b(?:but|because|although)\b"
    r"|\b(?:and|so)(?=\s+(?:then|(?:i|we|you|he|she|it|they|that|there)\b))"
    # "No fee and the refund arrives tomorrow", not "no refund of the fee and the interest".
    rf"|\band(?=\s+{_NOUN}{_VERB}\b)"
    r"|但是|不过|而是|所以|因此|然后",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    rf"[;!?，。；：！？、…\n—]|[,.:](?!\d)|(?<!\d)[,.:]|{_CLAUSE_WORD.pattern}", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[!?。！？\n]|\.(?!\d)")

_DOUBT = re.compile(
    r"\b(?:not|no|never|cannot|nor|neither|nobody|hardly|unable|[a-z]+n['’]t)\s+"
    # "You don't need to confirm it", "not your fault, I know", "not only guarantee": no doubt.
    r"(?!(?:only|just|merely|simply|doubt|problem|worr(?:y|ies)|matter|hesitate|forget)\b)"
    r"(?:(?!(?:need|must|ha(?:ve|s|d|ving)\s+to|i|we|you)\b)\w+\s+){0,4}?"
    r"(?:(?P<vow>promise|guarantee)|(?P<opinion>think|thought|expect|believe)|(?P<sure>sure|certain)"
    r"|confirm|know|knew|say|said)(?:d|ed|n|ing)?\b"
    # What is told afterwards does not hang on "I don't know why that happened".
    r"(?!\s+(?:(?:of|about|exactly|precisely|yet|now|you)\s+)*(?:why|what|who|how|when|where|which)\b)",
    re.IGNORECASE,
)
"""The speaker does not vouch for what follows."""
_AND_A_NOUN = re.compile(rf"and\s+{_OF_WHOM}\b", re.IGNORECASE)
_AND_ANOTHER = re.compile(r"and\s+(?:you|he|she|it|they|that|there)\b", re.IGNORECASE)
_AND_THAT = re.compile(rf"and\s+that\s+(?!{_VERB}\b){_SUBJECT}\b", re.IGNORECASE)
"""A second object of the doubt: "I can't promise that it is free and that you get it"."""
_SAYS_WHAT = re.compile(rf"\b(?:that|whether|if)\s+\w|\b{_VERB}\b", re.IGNORECASE)
"""A clause, and not only a thing: "We didn't know your address and your parcel is here"."""
_SAYS_THAT = re.compile(
    rf"(?:\s+(?:you|yet|now|right|today|for))*\s+that\s+(?:{_OF_WHOM}|an?|you|i|we|it|they)\b", re.IGNORECASE
)
_ONE_THING = re.compile(rf"\s+{_OF_WHOM}(?:\s+\w+){{1,3}}\s*", re.IGNORECASE)
_BOTH = rf"and\s+{_OF_WHOM}(?:\s+\w+){{1,3}}?\s+"
_BOTH_ARE = re.compile(rf"{_BOTH}(?:are|were|have)\b", re.IGNORECASE)
_BOTH_WILL = re.compile(rf"{_BOTH}(?:are|were|have|will|would|can|could)\b", re.IGNORECASE)
"""One sentence about two things: "I'm not certain the fee and the interest are waived"."""

_IN_FUTURE = re.compile(r"\b(?:will|would|can|could|may|might)\b|['’]ll\b", re.IGNORECASE)
_BEGINS_ANEW = re.compile(
    r"and\s+(?:there\b|(?:you|he|she|it|they|that)(?:['’]ll\b|\s+(?:will|can|may|should)\b))", re.IGNORECASE
)
"""Tells what comes instead: "I'm not sure the driver has left and you will get a text"."""
_PAST = re.compile(
    r"\b(?:was|were|had|did|would|could|got|came|left|went|paid|sent|agreed|\w+[^e\W]ed)\b", re.IGNORECASE
)
_PRESENT = re.compile(r"\b(?:is|are|has|have|does|do|will|can)\b|['’](?:s|re|ll|ve)\b", re.IGNORECASE)
_OPENS_A_TOPIC = re.compile(
    r"\s+(?:if|whether)\s+you(?:['’]ve|\s+have)?\s+(?:already\s+)?"
    r"(?:heard?|knew|know|saw|seen|noticed?|remember(?:ed)?|got|received|read|were|are\s+aware)\b",
    re.IGNORECASE,
)
"""Doubts nothing of the matter: "I don't know if you heard"."""

_SAYS_NOTHING = re.compile(
    r"(?:\s+(?:that|this|it|so|yet|now|right|here|today|for|about|you))*\s*", re.IGNORECASE
)
"""After a doubt that is over: "I can't confirm that and the technician will ring you"."""

_NO_DENIAL = frozenset(
    {
        ("no", "problem"),
        ("no", "doubt"),
        ("no", "matter"),
        ("no", "worri"),
        ("no", "later"),
        ("not", "later"),
        ("not", "only"),
        ("not", "just"),
        ("not", "worry"),
        ("not", "forget"),
        ("not", "hesitat"),
    }
)

_HAN_MARK = "，。；：！？、,;!?\n"
# Not 收不到一分钱 or 拿不到两千.
_BELOW_NUMBER = (
    rf"(?:[不未没]满|[未没]到|(?<![收找看听拿领得查买达享退系办做])不到|[不未]足)(?=[\d半{NUMERALS}])"
)
_TELLS = "(?:透露|告知|告诉|泄露|公开|回答|答复|提供|承诺|[说讲](?!话))"
_ACTS = "(?:办|给|退|赔|补|减|免|换|查|处理|安排|受理|为您|帮|替|向|对|再)"
_AT_ONCE = rf"(?:于|马上|立即|立刻|现在|直接|私下|擅自|轻易|在[^{_HAN_MARK}]{{1,4}}?|电话里|过多)?"
# What is not done for us is done by whom we call: 您现在不便接听我稍后再打, but not 跟您说这个不便延期.
_OF_THE_CALLER = (
    "(?<![跟给为对和与向替帮同诉知])(?:[您你](?!的|好(?!像))|家人|老人|孩子|家属|父母|爱人)"
    rf"[^{_HAN_MARK}的我咱师这那此区址单号件司里户卡款额求不没未别勿]{{0,6}}?"
)
_THEIRS = "(?:接|听|说话|讲话|通话|出门|下楼|来|收|签收|到店|到场)"
# A noun, or the end of a sentence: 多有不便请谅解, 交通不便我们上门.
_NO_VERB = (
    "(?:[之的了吗吧呢啊]|敬?请|[敬还]?望|[我您你咱可能才则时也都很]|就(?![此这该])|还(?![款钱给您])|深[表感]|表示[歉抱遗诚]|非常|十分|万分|实在|真"
    rf"|抱歉|改[天日]|回头|多?打扰|久留|$|[\s{_HAN_MARK}])"
)
_INCONVENIENT = (
    rf"不便(?={_NO_VERB})|(?:今天|今日|现在|这会儿?|目前)(?:有点|有些)?不便(?=[明后下稍晚另])"
    rf"|{_OF_THE_CALLER}不便(?!{_AT_ONCE}(?:{_TELLS}|{_ACTS}))"
    rf"|[您你][这那](?:边|里|会儿?|时候)?[^{_HAN_MARK}的我咱师不没未别勿]{{0,4}}?不便(?={_THEIRS})"
)
_BRINGS = "(?:带来|造成|产生|引起|添)[了的您你们大家一些点很多许极其大任何种诸不小]{0,6}?"
_HAN_NO_DENIAL = re.compile(
    r"不好意思|不过|不如|不但|不仅|不光|不只|不管|不论|没问题|没事|没关系|别的|特别|区别|差不多|要不|不错|对不起"
    r"|(.)不\1|有没有|没错"
    # What is unpleasant, soon, or no reason to worry, is told of, not denied.
    r"|不周|不快|不愉快|不舒服|不高兴|不开心|不少|不久|不断|不妨|不瞒|不得不|不客气|未来|别人"
    # 不同意, 不满足 and 不适用 refuse; 不满12岁 is below in :func:`_below_number`.
    rf"|不同(?!意(?!见))|不满(?!足|[\d半{NUMERALS}])|不适(?!用|合|宜)"
    rf"|{_INCONVENIENT}|{_BRINGS}不便|(?:的|有|诸多|任何|种种|给您)的?不便"
    r"|(?:行动|腿脚|手脚|身体|出行|出门|交通|往来|生活|出入|使用|携带|看病|就医|取货|停车|操作|沟通|走路|听力|视力)(?:有些|有点|上|多有)?不便"
    r"|(?:不用|不必|不要|别)(?:太|再)?(?:担心|着急|急|忘|紧)|不会忘"
)
_CONDITION = re.compile(
    rf"[不没](?:方?便(?!{_AT_ONCE}{_TELLS})|满[足意]?|适[用合宜]|合适|符合|够|喜欢|想要?|愿意|需要)|{_BELOW_NUMBER}"
)
"""What may be a condition: 不适用可以退货."""
_ALLOWS = re.compile(
    rf"(?:(?<![不没未])可以|(?<![不没未可功性智技职效])能(?![力源量耗否]))(?!不)"
    # 可以退款的条件 is what is not met.
    rf"(?![^{_HAN_MARK}]{{0,10}}的(?:条件|要求|规定|规则|政策|情形|情况|范围|标准|资格|条款|活动|订单))"
)
_BELOW = re.compile(_BELOW_NUMBER)
_ENTITLED = "(?:优惠|资格|折扣|权益|福利|补贴|补偿|奖励|名额|额度)"
_REFUSES_AFTER = re.compile(
    r"[不没未](?![用必需花限扣难]|收[费钱取票您任手额押违利])|无(?!需|须|论)|勿|禁(?!忌)|谢绝|[违犯非]法|违规|违约(?!金)"
    # Who turns a parcel away (拒收) or cancels an order has the money back.
    rf"|拒(?![收签])|[会被将]拒|(?:被|将|会)(?:自动|直接|全部)?取消|{_ENTITLED}(?:自动|直接|全部|一律)?取消"
    rf"|取消[^{_HAN_MARK}]{{0,4}}?{_ENTITLED}|作废|驳回|除外|免谈|失败"
    r"|(?<![困疑为灾急刁不])难(?![得免忘过题度])"
)
"""Refuses, in what follows 不满18岁; 难 in 理赔难."""

_CONDITIONAL = re.compile(
    r"\s*(?:and\s+|so\s+|even\s+)?(?:if|unless|when|whether|where)\b|\s*(?:如果|要是|若|假如|万一|除非)",
    re.IGNORECASE,
)
_NO_TO = (
    r"(?:\b(?:not|never|cannot)|n['’]t)\s+"
    r"(?:(?:be|been|being|get|going|to|able|yet|currently|actually|simply)\s+)*"
)
_HAN_NO_TO = "(?:[不没未]|无法|无权)(?:能|可以|会|给|予|支持|再|提供|办理|办|您){0,3}"
_HAN_NO_OF = "(?:是|也|都|就|我们)?(?:不(?:行|了|成|能|可以|给|支持)|办不了|做不到|没法|没有)"

_ASKS_INVERTED = re.compile(
    r"\s*(?:(?:and|so|or|well|but|why|then)\s+)*"
    r"(?:(?:ca|could|do|does|did|is|are|was|were|wo|would|have|has|had|should|ai)n't"
    r"|cannot|(?:can|could|will|do|does|did|is|are|was|were|would|have|has|had|should|may|might)"
    r"\s+(?:not|\w+\s+(?:not|no|never))|why not)\b",
    re.IGNORECASE,
)
_ASKS_LEAVE = re.compile(
    r"\b(?:ok|okay|all right|alright)\s*$|(?:好吗|可以吗|行吗|好吧|好不好|行不行|可不可以)\s*$", re.IGNORECASE
)
"""Asks leave for what the clause says, without a comma: "我们不能退款好吗"."""


def is_denied(first: int, after: int, words: Sequence[FoundWord], text: str) -> bool:
    """Whether a phrase in a text is denied there.

    Args:
        first: The number of the phrase's first word.
        after: That of the word after its last one.
        words: The text's words, contractions spelled out.
    """
    start = words[first].start
    ends, held = _clause_ends(text)
    clause_start = max((end for end in ends if end <= start), default=0)
    if _is_question(text, clause_start, start):
        return False
    if any(clause_start <= place <= start for place in held):
        return True
    before = [one.word for one in words[:first] if one.start >= clause_start]
    near_words = pairwise([*before[-_REACH:], words[first].word])
    if any(word in NEGATORS and (word, after) not in _NO_DENIAL for word, after in near_words):
        return True
    return _is_denied_in_chinese(text, clause_start, start, words[after - 1].end)


def _is_denied_in_chinese(text: str, clause_start: int, start: int, phrase_end: int) -> bool:
    # Up to the phrase's first characters, because "没问题" and "是不是" begin before it and end inside it.
    window = text[clause_start : start + 3]
    harmless = [one.span() for one in _HAN_NO_DENIAL.finditer(window)]
    place = start - clause_start
    near = max(0, place - _HAN_REACH)
    clause_end = _CLAUSE_END.search(text, start)
    clause = text[clause_start : clause_end.start() if clause_end else len(text)]
    return any(
        near <= one.start() < place
        and not any(low <= one.start() < high for low, high in harmless)
        and not _is_condition(clause, one.start(), place, phrase_end - clause_start)
        for one in HAN_NEGATORS.finditer(window)
    )


def _is_condition(clause: str, negator: int, place: int, phrase_end: int) -> bool:
    """Whether a negation only says when the phrase at a place of the clause holds."""
    condition = _CONDITION.match(clause, negator)
    if condition is None:
        return False
    allows = _ALLOWS.search(clause, condition.end())
    if allows is not None and allows.start() <= place:
        return True
    below = _BELOW.match(clause, negator)
    # 满12岁 itself is denied by 不满12岁; 不满18岁退款办不了 refuses.
    if below is None or place < below.end():
        return False
    # A phrase that refuses itself (拒绝退款) is what is said.
    left = _HAN_NO_DENIAL.sub(lambda found: " " * len(found.group()), clause)
    refusals = _REFUSES_AFTER.finditer(left, below.end())
    return all(place <= one.start() and one.end() <= phrase_end for one in refusals)


def without_harmless_han(text: str) -> str:
    """A text without Chinese words that have the sign for a no and deny nothing, conditions among them."""
    left = _BELOW.sub(" ", _HAN_NO_DENIAL.sub(" ", text))
    return _CONDITION.sub(lambda found: " " if _allows_soon(left, found.end()) else found.group(), left)


def _allows_soon(text: str, place: int) -> bool:
    allows = _ALLOWS.search(text, place)
    if allows is None or allows.start() > place + _HAN_REACH:
        return False
    return not any(mark in _HAN_MARK for mark in text[place : allows.start()])


def is_refused(word: str, clause: str) -> bool:
    """Whether a clause says of a content word, and of nothing between, that it is not done: "not covered",
    "cannot refund", 退款不行; and not under a condition ("if it is not covered").

    Args:
        word: As :func:`metrics.dialogue.rules.phrases.canonical_words` writes it, or two Chinese characters.
    """
    if _CONDITIONAL.match(clause):
        return False
    if not word.isascii():
        return bool(re.search(rf"{_HAN_NO_TO}{word}|{word}{_HAN_NO_OF}", clause))
    return bool(re.search(rf"{_NO_TO}{re.escape(word)}\w*", clause, re.IGNORECASE))


def own_clauses(text: str) -> list[str]:
    """The parts of a text between words such as "but", or "and" before a subject of its own."""
    parts, start = [], 0
    for found, held in _breaks(_CLAUSE_WORD, text):
        if not held:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


@lru_cache(maxsize=4096)
def _clause_ends(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where the clauses of a whole text end, and where an "and" ends none because a doubt reaches beyond it.

    Of the whole text: an end may be told by a phrase's own first words ("and we will refund").
    """
    found = list(_breaks(_CLAUSE_END, text))
    ends = tuple(one.end() for one, held in found if not held)
    return ends, tuple(one.start() for one, held in found if held)


def _breaks(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], bool]]:
    start = 0
    for found in pattern.finditer(text):
        held = _doubt_goes_on(text, start, found.start())
        yield found, held
        if not held:
            start = found.end()


def _doubt_goes_on(text: str, start: int, place: int) -> bool:
    """Whether an "and" at a place joins two things that the speaker does not vouch for."""
    if not _AND_A_NOUN.match(text, place) and not _AND_ANOTHER.match(text, place):
        return False
    doubt = _DOUBT.search(text, start, place)
    if doubt is None or _SAYS_NOTHING.fullmatch(text, doubt.end(), place):
        return False
    if _AND_THAT.match(text, place):
        return True
    told = text[doubt.end() : place]
    if not _SAYS_WHAT.search(told):
        both = _BOTH_WILL if doubt["vow"] or doubt["opinion"] or doubt["sure"] else _BOTH_ARE
        return bool(_ONE_THING.fullmatch(told) and both.match(text, place))
    says_that = _SAYS_THAT.match(told)
    if says_that and doubt["vow"]:
        return True
    # "I don't think there is a fee" says that there is none.
    return not (doubt["opinion"] and not says_that) and not _is_told_anew(told, text, place)


def _is_told_anew(told: str, text: str, place: int) -> bool:
    """Whether the clause after an "and" is of another time than what is in doubt, or of something else."""
    if _OPENS_A_TOPIC.match(told) or (_BEGINS_ANEW.match(text, place) and not _IN_FUTURE.search(told)):
        return True
    end = _CLAUSE_END.search(text, place + len("and"))
    after = text[place : end.start() if end else len(text)]
    verb = _PRESENT.search(after)
    past = _PAST.search(after)
    is_present = verb is not None and (past is None or verb.start() < past.start())
    return is_present and bool(_PAST.search(told)) and not _PRESENT.search(told)


def _is_question(text: str, clause_start: int, place: int) -> bool:
    """Whether the clause of a place asks something, so that its negation denies nothing.

    It has the word order of a question, or ends in a question mark and asks no leave. What is asked after a
    refusal ("I can't refund that, all right?") does not count.
    """
    end = _SENTENCE_END.search(text, place)
    if end is None or end.group() not in "?？":
        return False
    if _ASKS_INVERTED.match(text, clause_start):
        return True
    after = _CLAUSE_END.search(text, place)
    own = after is not None and after.start() >= end.start()
    return own and not _ASKS_LEAVE.search(text[clause_start : end.start()])
