"""Whether somebody calls the listener names, or tells them to be quiet or to go, English and Chinese.

Meant for the listener: the same words about a mistake, a waste bin or the speaker are none, nor are those
that nobody means ("nobody calls you an idiot").
"""

from __future__ import annotations

import re
from typing import Literal

_NAMES = r"(?:idiots?|morons?|imbeciles?|dimwits?|fools?|losers?|half-?wits?|jerks?|brain ?dead)"
_RUDE = r"(?:stupid|dumb|pathetic|brain ?dead|useless|worthless|dense)"
_VERY = (
    r"(?:(?:so|such|really|just|plain|too|as|an?|the|absolute(?:ly)?|complete(?:ly)?|total(?:ly)?|utter(?:ly)?|bloody|damn(?:ed)?"
    r"|fucking|all|either|both|deaf|blind|illiterate|hard of hearing|or|and|pack of"
    r"|bunch of|lot of|little|old|cheap|crook),? ){0,5}"
)
_WASTE = r"(?:(?:piece|pile|heap|sack) of (?:trash|garbage|rubbish|filth|crap|shit|dirt)|waste of space)"
_INSULT = {
    "en": re.compile(
        r"\b(?:you(?:'re| are|'ve been)|are you(?: lot| people| guys)?|how can you be|don't be|stop being)"
        rf" {_VERY}(?:{_NAMES}|{_RUDE}|a liar|an ass|a piece of work|(?:{_RUDE} )?{_WASTE})\b"
        rf"(?! (?:question|mistake)s?\b)"
        rf"|(?<!call )(?<!calls )(?<!called )(?<!calling )(?<!thank )\byou,? {_VERY}(?:{_NAMES}\b"
        rf"|(?:stupid|dumb|pathetic|useless|worthless|brain ?dead)(?: \w+)?\W*$)"
        rf"|\byou,? (?!(?:an?|the|such) ){_VERY}(?:{_RUDE},? )?{_WASTE}\b"
        rf"|\byou(?: lot| people| guys)? (?:must be|sound|look) {_VERY}(?:{_NAMES}|stupid|dumb)\b"
        r"|(?:^|[.!?,;]\s*)(?:what an? |oh,? |now,? |come on,? |bloody |stupid |dumb ){0,3}"
        rf"{_NAMES}(?=\W*$|[.!,])"
        r"|\bhow (?:stupid|dumb) (?:are|can) you\b"
        r"|\b(?:your|you and your|what an?) (?:bloody |damned? )?(?:stupid|dumb|idiotic|pathetic)"
        r" (?!mistakes?\b)\w+"
        r"|(?:^|[.!?,;]\s*|\b(?:just|now|please|and|will you|can you) )shut up\b(?! shop)|\bgo to hell\b"
        r"|\bscrew you\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"白痴(?!症)|笨蛋|傻瓜(?!相机|式|机)|(?<!当)(?<!当回)(?<!当一回)傻子"
        r"|(?<!我真)(?<!我太)(?<!我好)(?<!我)(?<!问得)蠢(?!蠢欲|欲|事)|(?<!我)闭嘴"
        r"|滚(?:蛋|远|出去)|(?<!水)(?<!烧)(?<!煮)滚开(?!水|[的后了])"
        r"|(?:^|[，,。！!])(?:你们?|您|快点?|赶[紧快]|马上|立刻|都|给我){0,4}滚[吧啊呀]?(?:[！!。，,]|$)"
        r"|神经病(?!变|学|理|医|专|痛)|(?<!没)有病吧"
        r"|(?:你|您)(?!家|那)[^，。？！的家]{0,8}(?<![扔倒收有运理要些解类])(?<![这那算]是)废物(?=[！!。，,…]|$|东西|点心)"
        r"|(?:你|您)(?!家|那)[^，。？！的家]{0,6}(?:[是真]个?|[群帮])废物(?=[吗啊呀吧？?]|一个)"
        r"|(?:^|[，,。！!])废物[，,]?你|^\W*废物[！!。]?$|[，,]废物[！!]"
        r"|(?<!他)(?<!她)脑子有(?:病|毛病|问题|坑|泡|水)|弱智(?!儿|教)|(?<!失)(?<!过)去死(?!皮|角|神|亡|记|结)"
        r"|混蛋|没教养"
    ),
}
_SPOKEN_TO = ".!?,;，。！"
"""Before an insult that stands by itself: nothing ahead of it denies it ("You're not listening, idiot")."""
_SAYS = r"(?:call|say|said|think|thought|mean|believ|suggest|impl|claim|mak)\w*"
_DENIED = {
    "en": re.compile(
        rf"\b(?:nobody|no one|never|not|\w+n['’]t)(?: \w+){{0,3}}? {_SAYS}\b[^.!?,;]*$"
        r"|(?:\bnot|n['’]t) (?:that|because|as if|as though)\s*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:没人|没有人|没|不是|不会|并不|谁也没)(?:有|说|觉得|认为|骂|叫|把)[^。！？，]{0,6}$"
    ),
}
"""Before an insult that nobody means: "nobody calls you an idiot"."""


def insults(sentence: str, language: Literal["en", "zh"]) -> bool:
    """Whether a sentence insults the listener, and means it."""
    found = _INSULT[language].finditer(sentence)
    return any(one[0][0] in _SPOKEN_TO or not _denied(sentence[: one.start()], language) for one in found)


def _denied(before: str, language: Literal["en", "zh"]) -> bool:
    return bool(_DENIED[language].search(before))
