"""Names in what is said: the speaker's own, those of other people, of employers, streets and places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voice_sim.guard.claims import states
from voice_sim.guard.known import own_sentences, persona_texts
from voice_sim.guard.session import Session
from voice_sim.guard.words import listed, sentences, words

_NAME = r"[A-Z][a-z]+(?:[ -][A-Z][a-z]+)?"
_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Professor|Officer|Director|Uncle|Aunt|Auntie|Lao|Xiao|Old|Nurse)"
_INTRODUCED = (
    re.compile(rf"\b[Mm]y (?:full )?name(?:'s| is) ({_NAME})"),
    re.compile(rf"\bI'm called ({_NAME})"),
    re.compile(
        rf"\b(?:[Tt]his is|[Ii]t's|I'm|I am) (?:{_TITLE}\.? )?([A-Z][a-z]+ [A-Z][a-z]+)(?=[,.!?]|$|"
        rf" speaking| here| from| at| of)"
    ),
    re.compile(rf"\b(?:[Tt]his is|I'm|I am) {_TITLE}\.? ([A-Z][a-z]+)"),
    re.compile(r"(?:^|[,.!?] )([A-Z][a-z]+ [A-Z][a-z]+)(?: speaking| here)\b"),
)
_NO_NAMES = frozenset(
    listed(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june"
        " july august"
        " september october november december chinese english i new year years eve god jesus mister sir"
        " madam lord"
        " not sorry just still very fine good happy old young happy spring festival"
    )
)
_THINGS = frozenset(
    listed(
        "bank insurance telecom mobile energy power hotel hospital clinic pharmacy university college school"
        " dairy stores store shop hardware company group road street lane avenue village station gardens"
        " court square tower district city"
    )
)
"""Last words of names that are no person's, as in "It's Kunlun Bank" for an answer."""
_RELATIONS = (
    "husband wife son daughter boss colleague neighbour neighbor friend doctor lawyer brother sister manager"
    " accountant assistant partner mother father cousin uncle aunt boyfriend girlfriend supervisor"
    " nephew niece"
    " foreman secretary dog cat"
)
_OTHERS = (
    re.compile(
        rf"\b(?:[Mm]y|[Oo]ur) (?:\w+ )?(?:{'|'.join(_RELATIONS.split())})(?:'s name)?(?: is)?(?:"
        rf" called| named)?,? ({_NAME})"
    ),
    re.compile(rf"\b{_TITLE}\.? ({_NAME})"),
    re.compile(rf"\b(?:called|named) ({_NAME})"),
    re.compile(
        rf"\bI(?:'m| am|'ve been)? (?:work|works|working|worked) (?:at|for|with) (?:the"
        rf" )?({_NAME}(?: [A-Z][a-z]+)*)"
    ),
    re.compile(
        r"(?<![.!?] )(?<!^)\b((?:[A-Z][a-z]+ )+)(?:Road|Street|Lane|Avenue|Village|Hospital"
        r"|University|College|School|Square|Station|Gardens|Court)\b"
    ),
)
_SURNAMES = (
    "刘曾谭廖叶龙温申尚欧涂聂文向"
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方"
    "俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧"
    "计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫"
    "房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔吉龚程邢裴陆荣翁荀羊惠甄曲家封芮储靳汲邴糜松井段富巫乌焦巴弓牧隗山谷车侯"
)
_ZH_INTRODUCED = re.compile(
    rf"我(?:的名字)?(?:叫|是|名叫)([{_SURNAMES}][一-鿿]{{1,2}})(?=[，。！？,.!?、；]|$|本人)"
)
_ZH_TITLES = "先生|女士|小姐|医生|大夫|经理|主任|老师|师傅|总监|店长|律师|警官|教授|科长|处长"
_ZH_OTHERS = (
    re.compile(rf"([{_SURNAMES}])(?:{_ZH_TITLES})"),
    re.compile(rf"(?:叫|名叫)([{_SURNAMES}][一-鿿]{{1,2}})(?=[，。！？,.!?、；的]|$)"),
    re.compile(r"(?:住在|住|家在|地址是|地址)([一-鿿]{2,4}(?:路|街|巷|小区|花园|大厦|新村|苑))"),
)
_NOT_SURNAMES = re.compile(
    "^(时候|应该|平时|明白|任何|常常|安全|家里|高兴|方便|干什|管事|单位|应聘|成天|万一|和他)"
)


def names_given(text: str, language: str) -> Iterator[tuple[str, str]]:
    """(name, sentence) wherever the speaker introduces themselves."""
    for sentence in sentences(text):
        patterns = (_ZH_INTRODUCED,) if language == "zh" else _INTRODUCED
        for pattern in patterns:
            for match in pattern.finditer(sentence):
                if _is_persons(match[1]) and not re.search(r"[?？]\W*$", sentence):
                    yield match[1], sentence


def particulars(session: Session) -> Iterator[tuple[int, str, str]]:
    """(turn, name, sentence) of names of other people, employers, places that nobody has given the caller."""
    known = "\n".join([*persona_texts(session.persona), *session.also_known])
    by_heart = own_sentences(session.persona)
    chinese = session.persona.language == "zh"
    for position, turn in enumerate(session.turns):
        if turn.speaker == "agent":
            known += "\n" + turn.text
            continue
        for sentence in sentences(turn.text):
            if words(sentence) in by_heart or not states(sentence):
                continue
            for pattern in _ZH_OTHERS if chinese else _OTHERS:
                for match in pattern.finditer(sentence):
                    name = match[1].strip()
                    if _is_name(name) and not _known(name, known):
                        yield position, match[0].strip(), sentence


def agent_names(session: Session, position: int) -> set[str]:
    """Words of the name that the agent has given itself so far: that one is for the check of the roles."""
    said = " ".join(turn.text for turn in session.turns[:position] if turn.speaker == "agent")
    names: set[str] = set()
    for pattern in (
        re.compile(rf"\b(?:[Tt]his is|I'm|[Mm]y name(?:'s| is)|[Ii]t's) ({_NAME})"),
        re.compile(rf"({_NAME})(?: here| speaking)\b"),
        re.compile(rf"({_NAME}),? (?:from|of|with|at)\b"),
        re.compile(
            rf"(?:我是|我叫)(?:[一-鿿]{{2,10}}的)?([{_SURNAMES}][一-鿿]{{1,2}})(?=[，。！？,.!?、；]|$)"
        ),
        re.compile(rf"的([{_SURNAMES}][一-鿿]{{1,2}})(?=[，。！？,.!?、；]|$)"),
    ):
        for match in pattern.finditer(said):
            names |= set(words(match[1]))
    return names


def _is_persons(name: str) -> bool:
    return _is_name(name) and not set(words(name)[-1:]) & _THINGS


def _is_name(name: str) -> bool:
    return not (set(words(name)) & _NO_NAMES) and not _NOT_SURNAMES.search(name)


def _known(name: str, known: str) -> bool:
    if re.fullmatch(r"[一-鿿]", name):
        # One character alone is in any text: it has to stand as a surname somewhere.
        given = rf"[老小]{name}|{name}(?:{_ZH_TITLES}|工|总|姐|哥|叔|婶|姨)|(?:是|叫|姓|的|找){name}"
        return bool(re.search(given, known)) or any(line.startswith(name) for line in known.splitlines())
    folded = known.casefold()
    return all(word in folded for word in name.casefold().split())
