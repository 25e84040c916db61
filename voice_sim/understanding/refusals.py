"""Whether somebody says no to what is wanted of them, English and Chinese.

A no to a question of fact or courtesy ("Are you busy?") refuses nothing, nor does one that is followed by an
invitation to go on ("No, go ahead").
"""

from __future__ import annotations

import re
from typing import Literal

from voice_sim.understanding.acts import acts_of

_LEAD_ZH = r"(?:哦|嗯|啊|呃|哎|那个|不好意思|抱歉|对不起|不是(?=[，,])|\W)*+"
_REFUSES = {
    "en": re.compile(
        r"\bnot (?:interested|now|today|for me|a good (?:time|moment))\b"
        r"|(?<!\bnot )(?<!\bnot a )(?<!\bnot the )(?<!n['’]t a )(?<!n['’]t the )\b"
        r"(?:bad (?:time|moment)|wrong number)\b"
        r"|(?<!\byou )\b(?:don['’]t|do not) (?:"
        r"(?:want|need)\b(?! (?:you )?to (?:miss|lose)\b)"
        r"|(?:call|ring)\b|have (?:the )?time\b)"
        r"|\b(?:can['’]t|cannot) talk\b"
        r"|\bno,? thank|\b(?:i['’]m|i am) (?:too |very |quite |really )?busy\b|\brather not\b"
        r"|\bi['’]ll pass\b|\bstop calling\b|\bleave me\b(?! (?:a|the|your)\b)|\bforget it\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?<!没什么)(?<!没有)(?<!没啥)不(?:太|大|怎么)?(?:需要(?!担心|客气)|感兴趣|方便)"
        r"|不(?:太|大|怎么)?想[要听聊说买办谈]|不(?:用|要)了|(?<!有)没有?(?:兴趣|空|时间|需要|钱)"
        r"|(?<!不是)(?<!没有)(?<!没)[在正很挺]忙|(?<!没)打错|算了(?!一|算|下)"
        r"|别再?(?:打(?:了|电话|来)|烦我)|没门"
        r"|(?:^|我|本人)(?:就|要|想|选择|还是|先|只能|直接|们|坚决|明确){0,2}拒绝(?!过)"
        rf"|^{_LEAD_ZH}(?:(?:那|我们?)\W*)?"
        r"(?:不(?:用|要)(?!客气|谢|着?急|担心|紧|怕)"
        r"|不(?:行|可以|买|办|续|考虑|接受|参加|愿意?|同意|换|做|聊|听|谈|必|打算|了|谢谢|能"
        r"|(?:投保|贷款|还[钱款]|升级|报名|划算|麻烦[您你]了)(?=\W|$))"
        r"|不[卖去来签装答还给交转扫填退改约订试赔干整信玩借存捐投升理成](?=\W|$)"
        r"|别(?:[再打说烦推来给跟骚]|浪费))"
    ),
}
_BARE_NO = {
    "en": re.compile(
        r"^\W*(?:(?:oh|ah|um|uh|er|well|so|okay|look|sorry|i['’]m sorry),? )*(?:no|nope|nah)\b"
        r"(?! (?:problem|worries|doubt|idea|wonder|rush|hurry|kidding|bother)\b)"
        r"(?!,? (?:not at all(?=\W*$|[,.;!])|of course not\b|speaking\b|way,? really\b))",
        re.IGNORECASE,
    ),
    "zh": re.compile(rf"^{_LEAD_ZH}不+(?:会的?)?(?=\W|$)"),
}
"""Whether it refuses depends on what was asked."""
_GO_ON = {
    "en": re.compile(
        r"(?:^|[,.;:!?…—–-]|\b(?:no|nope|nah|but|so))\s*"
        r"(?:(?:but|so|and|please|yes|yeah|okay|ok|well|sure|just|do|you can|you may)\b,? ?)*"
        r"(?:go (?:ahead|on)|carry on|continue|keep (?:going|talking)|fire away|(?:tell me|say) more"
        r"|tell me(?: about (?:it|that|this|your|the)\b[^.,;!?]*)?|what is it"
        r"|i['’]m (?:listening|all ears)|i['’]d love to(?: hear (?:it|that|more))?"
        r"|(?:tell me )?what(?:['’]s| is) (?:it|this|that)(?: all)? about"
        r"|tell me what (?:it|this|that)(?:['’]s| is)(?: all)? about)"
        r"(?: about (?:it|that|this))?"
        r"(?:,? (?:then|please|now|thanks|thank you|and (?:tell|ask|say|explain|start)\b.*))*\W*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:^|[，,。！!；;…])(?:不过|但是?|那|嗯|好的?|可以|有话|没事)*"
        r"(?:[您你](?:先|就|请|快|可以|接着|继续|尽管|直接|慢慢)*|请(?:继续)?|慢慢|继续|接着|往下)"
        r"(?:(?:说|讲|聊|问|介绍)(?:说|讲|看|吧|呗|啊|嘛|一下|下去|就是了?|就行)*)\W*$"
        r"|[您你]请(?:继续)?\W*$|(?:^|[，,。！!；;…])我(?:正|正在|在)?听(?:着呢?|您说|你说)?\W*$"
    ),
}
"""An invitation to go on as the last that is said: "tell me how to unsubscribe" is none."""
_HAS_TIME = re.compile(
    r"\bnot (?:at all |too |very |really |that )?(?:busy|driving|a bad (?:time|moment))\b"
    r"|\bi['’]m free\b(?! to)|\bi can talk\b(?! to)"
    r"|\bi(?:['’]ve got| have|['’]ve) (?:a (?:few |couple of )?(?:minutes?|moments?|seconds?)|time)\b(?! for)"
    r"|\bnow(?:['’]s| is) (?:fine|good|ok|okay|all right|perfect)\b"
    r"|\b(?:it|this|now)(?:['’]s| is) a good (?:time|moment)\b"
    r"|\byou(?:['’]re| are) not (?:disturb|bother|interrupt|catch)ing\b",
    re.IGNORECASE,
)
"""A mere no beside it refuses nothing, whatever was asked."""
_COURTESY = {
    "en": re.compile(
        r"\bbusy\b|\bbad (?:time|moment)\b|\b(?:disturb|interrupt|bother)|\bmind\b"
        r"|\bin the (?:middle|thick) of\b|\bcaught you\b|\btoo (?:early|late)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"忙|打扰|不方便|耽误|介意|占用"),
}
"""Of a question whose no is the welcome answer."""
_OFFERED = {
    "en": re.compile(
        r"\b(?:want|wish|need|like|require|interest(?:ed)?|considered|thought (?:of|about)|offer|money|time"
        r"|ok|okay|fine|convenient|suit|possible(?! that)|(?<!been )able to|(?:happy|willing) to|work for you"
        r"|can you (?:make|pay))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"需要|想|要|兴趣|考虑|了解|能(?![听看找记])|可以|[好行]吗|愿|意向|打算|时间|空|同意|还款吗"
    ),
}
"""Of a question for a fact whose no refuses all the same ("Do you have any interest in a loan?")."""
_OF_FACT = {
    "en": re.compile(
        r"^\W*(?:(?:and|so|but|okay|well|now|then|sorry|right|hello|hi),? )*"
        r"(?:do|does|did|is|are|was|were|have|has|had|am|can)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"[吗吧么没]\W*$|是不是|有没有|是否"),
}


def says_no(text: str, language: Literal["en", "zh"], *, asked: str = "") -> bool:
    """Whether it does, in words that are usual for it.

    Args:
        asked: What it answers, as far as it is known: a mere no to a question of fact or courtesy is none.
    """
    found = [*_REFUSES[language].finditer(text)]
    if not found and not _HAS_TIME.search(text) and not _asks_no_consent(asked, language):
        found = [*_BARE_NO[language].finditer(text)]
    return bool(found) and not _GO_ON[language].search(text, found[0].start())


def _asks_no_consent(asked: str, language: Literal["en", "zh"]) -> bool:
    """Whether the last question in it is about a fact, or asks out of courtesy."""
    questions = [one for one in acts_of(asked, language).sentences if one.asks]
    if not questions:
        return False
    last = questions[-1]
    if _COURTESY[language].search(last.text):
        return True
    about = acts_of(last.text, language)
    if about.asks_identity:
        return True
    if about.asks_for_time or about.asks_for_more or last.proposes or last.open_question:
        return False
    return bool(_OF_FACT[language].search(last.text)) and not _OFFERED[language].search(last.text)
