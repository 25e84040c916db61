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
_ENDS_ZH = "(?=[！!。，,…]|$|[吗啊呀吧嘛][？?！!。，,…]*$|[？?]|一个|东西|点心)"
_PEOPLE = (
    r"(?:[^，,。！!？?的家里]{0,2}(?:公司|银行|平台|单位|机构|部门|团队|客服|售后|销售|经理|主管|领导|老板|员工"
    r"|师傅|人))"
)
_USELESS = (
    r"(?:"
    # thrown at somebody: 你这个废物, 你们这群废物
    r"你们?(?:(?:这|那)(?:个|种|帮|群|堆|俩)?|个|俩|一[群帮堆])?(?:没用的|老|臭|死|大|小|蠢|笨)*废物"
    r"|[你您]怎么[这那]么废物|你们?这[群帮]废物(?=[还也都就])|(?:你们|您们)这些(?:没用的)?废物|您(?:这个?|这种)废物(?=[！!。]|$)"
    # said of somebody: 你就是个废物
    rf"|[你您](?:们(?:这些)?|俩|这个?人|这种人|这些人|这[帮群]|{_PEOPLE}|他妈的?|真的?|就|简直|完全|根本|纯粹|全|都|不过|才|果然|确实|也|还){{0,5}}"
    r"(?:是不是|是|真)(?:一?[个群帮堆])?(?:没用的|大|老|十足的|彻底的)*废物"
    r"|(?:^|[，,。！!])(?:(?:真他妈|真|简直)是(?:一?[个群帮堆])?|[就都]是(?:一?[个群帮])|一?[群帮]|这[群帮])废物"
    rf"){_ENDS_ZH}"
    r"|(?:^|[，,。！!])(?:没用的|老|臭|死)废物[！!]"
    # a word by itself
    r"|^\W*废物(?:东西|点心)?[！!。…]*$|[，,。！!]废物(?:东西|点心)?[！!]"
    r"|(?:^|[，,。！!])废物[，,！!]?你(?:们)?(?:还|也|就|连|懂|什么|滚|给我|闭嘴|听不|聋|瞎|算|凭|配|到底)"
)
"""废物 is waste, too: an insult only as it is thrown at somebody."""
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
        r"你们?(?:[这那](?:个|种|帮|群|些|俩)?|一[群帮])(?:白痴(?!症)|笨蛋|傻瓜(?!相机|式|机)|傻子)"
        r"|(?:白痴(?!症)|笨蛋|傻瓜(?!相机|式|机)|(?<!当)(?<!当回)(?<!当一回)傻子)(?![都也][会能懂知明看学用])"
        r"|(?<!我真)(?<!我太)(?<!我好)(?<!我)(?<!问得)蠢(?!蠢欲|欲|事)|(?<!我)闭嘴"
        r"|滚(?:蛋|远|出去)|(?<!水)(?<!烧)(?<!煮)滚开(?!水|[的后了])"
        r"|(?:^|[，,。！!])(?:你们?|您|快点?|赶[紧快]|马上|立刻|都|给我){0,4}滚[吧啊呀]?(?:[！!。，,]|$)"
        r"|神经病(?!变|学|理|医|专|痛)|(?<!没)有病吧"
        rf"|{_USELESS}"
        r"|(?<!他)(?<!她)脑子有(?:病|毛病|问题|坑|泡|水)|弱智(?!儿|教)|(?<!失)(?<!过)去死(?!皮|角|神|亡|记|结)"
        r"|混蛋|没教养"
    ),
}
_SPOKEN_TO = ".!?,;，。！"
"""Before an insult that stands by itself: nothing ahead of it denies it ("You're not listening, idiot")."""
_SAYS = r"(?:say|said|think|thought|mean|believ|suggest|impl|claim)\w*"
_GOES_ON = (
    rf"(?:or|to|again|this because|in any way|any of|all of|for a (?:moment|second|minute)|that|{_SAYS})"
)
"""Between that and the insult; behind anything else ("I don't mean to be rude but you are") it is meant."""
_NOT = (
    r"(?:(?:nobody|no one)(?:['’]s)?|none of (?:us|them)|never(?! have (?:believ|thought))|(?<!can )not"
    r"|(?!(?:ca|could)n['’]t(?: \w+){0,2} believ)\w+n['’]t)"
)
"""Not "I can't believe you are so stupid"."""
_DENIED = {
    "en": re.compile(
        rf"\b{_NOT}(?: \w+){{0,3}}? (?:{_SAYS}(?: {_GOES_ON})*|call\w*|mak\w*)\s*$"
        r"|(?:\bnot|n['’]t) (?:that|because|as if|as though)\s*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:没人|没有人|没|不是|不会|并不|谁也没)(?:有|说|觉得|认为|骂|叫|把)[^。！？，]{0,6}$"
        r"|(?:不|没|没有|别|不会)(?:当|拿|把)(?:[您你][们俩]?|谁|大家|客户|人家?)(?:是|当[作成做]?|看[作成])?$"
    ),
}
"""Before an insult that nobody means: "nobody says that you're an idiot"."""
_ADDRESSES = re.compile(
    r"you,? (?!an? |the |are |must |sound |look |(?:lot|people|guys) (?:must|sound|look) )", re.IGNORECASE
)
"""Names the listener, and says nothing of them that could be denied ("Don't call me again you idiot")."""


def insults(sentence: str, language: Literal["en", "zh"]) -> bool:
    """Whether a sentence insults the listener, and means it."""
    found = _INSULT[language].finditer(sentence)
    return any(
        one[0][0] in _SPOKEN_TO or _ADDRESSES.match(one[0]) or not _denied(sentence[: one.start()], language)
        for one in found
    )


def _denied(before: str, language: Literal["en", "zh"]) -> bool:
    return bool(_DENIED[language].search(before))
