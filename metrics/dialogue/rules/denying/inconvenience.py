"""Whether 不便 refuses (师傅今天不便上门), or is a condition or a hardship (如不便到店我们上门)."""

from __future__ import annotations

import re

from metrics.dialogue.rules.denying.clauses import HAN_MARK

TELLS = "(?:透露|告知|告诉|泄露|公开|回答|答复|提供|承诺|[说讲](?!电?话))"
AT_ONCE = rf"(?:于|马上|立即|立刻|现在|直接|私下|擅自|轻易|在[^{HAN_MARK}]{{1,4}}?|电话里|过多)?"
INCONVENIENT = re.compile("不便")
_ACTS = "(?:办|给|退|赔|补|减|免|换|查|处理|安排|受理|为您|帮|替|向|对|再)"
_IS_OUR_ACT = re.compile(rf"不便{AT_ONCE}(?:{TELLS}|{_ACTS})")
_AT_ONCE = re.compile(AT_ONCE)
# A noun, or the end of a sentence: 多有不便请谅解, 交通不便我们上门.
_NO_VERB = re.compile(
    "不便(?:[之的了吗吧呢啊]|敬?请|[敬还]?望|[我您你咱可能才则时也都很真]|就(?![此这该])|还(?![款钱给您])"
    "|深[表感]|表示[歉抱遗诚]|非常|十分|万分|实在|抱歉|改[天日]|回头|多?打扰|久留"
    rf"|$|[\s{HAN_MARK}])"
)
_IS_THEIR_ACT = re.compile(
    "不便(?:接(?![受待单])|听|[说讲]电?话|通话|出门|下楼|来|收(?![款费取钱您])|签收|自取|外出|到店|到场|到现场)"
)
_WHEN = "(?:今天|今日|现在|这会儿?|目前|暂时|明天|周末)(?:有点|有些)?"
_ANOTHER_TIME = re.compile("不便(?:明|后天|下[午周次个]|稍|晚)")
_OPENING = re.compile(rf"\s*(?:不好意思|抱歉|对不起)?(?:{_WHEN})?")
_ENDS_IN_TIME = re.compile(rf"{_WHEN}$")
_IF = re.compile("(?:如果?|若|要是|假如|倘若|万一)(?:[您你]这[边里会]儿?|[^我咱这此该师本需要想不没]){0,6}$")
_OURS = re.compile(
    "(?P<us>[我咱](?!知道|理解|明白|听|看)|师傅|专员|同事|公司|本[店司行])|这(?![么样位])|那|此|该|[区域址里]"
    # What is done for us is not done by us: 跟您说实话这个不便延期.
    "|(?P<theirs>(?<![跟给为对和与向替帮同诉知])(?:[您你](?!的|好(?!像))"
    "|家人|老人|老年人|孩子|家属|父母|爱人|客户|顾客|用户))"
)
_BEGINS_ANEW = re.compile(
    "(?<![给跟向对和与同替帮为让])[我咱](?!们?[的司])|师傅|同事|专员|[您你](?=可|能|直接|自己|明|改|先|再|就|要|需)"
    "|可以|稍|晚[点些上]|明[天早日]|后天|下[午周次个]|改[天日]|回头|再|请|就(?![此这该])|由|先"
)
"""Tells what comes instead: 师傅今天不便上门我们明天联系您."""


def refuses(text: str, place: int) -> bool:
    """Whether the 不便 at a place of a text refuses, going by who finds it inconvenient: us or a thing."""
    if _tells_of_a_hardship(text, place):
        return False
    if _IS_OUR_ACT.match(text, place):
        return True
    before, subject = _subject(text, place)
    if subject is not None and subject["us"]:
        return True
    named = subject is not None or _OPENING.fullmatch(before) is not None
    return named and not _IS_THEIR_ACT.match(text, place)


def refuses_phrase(text: str, place: int, start: int) -> bool:
    """Whether the 不便 at a place refuses the phrase that starts behind it: 今天不便上门, whoever it is."""
    if refuses(text, place):
        # 不便 itself has one verb at least: 师傅不便明天上门.
        anew = None if _IS_OUR_ACT.match(text, place) else _BEGINS_ANEW.search(text, place + 3, start)
        return anew is None
    is_next = _AT_ONCE.fullmatch(text, place + len("不便"), start) is not None
    return is_next and not _tells_of_a_hardship(text, place) and not _IS_THEIR_ACT.match(text, place)


def _tells_of_a_hardship(text: str, place: int) -> bool:
    """Whether something is inconvenient for somebody else, under a condition, or only at this time."""
    before, subject = _subject(text, place)
    if _NO_VERB.match(text, place) or _IF.search(before):
        return True
    if _ANOTHER_TIME.match(text, place) and _ENDS_IN_TIME.search(before):
        return True
    is_theirs = subject is not None and subject["theirs"] is not None
    return is_theirs and not _IS_OUR_ACT.match(text, place)


def _subject(text: str, place: int) -> tuple[str, re.Match[str] | None]:
    """What stands before a place in its clause, and the last one named there."""
    before = re.split(f"[{HAN_MARK}]", text[:place])[-1]
    return before, max(_OURS.finditer(before), key=re.Match.start, default=None)
