"""Whether somebody says no to what is wanted of them, English and Chinese."""

from __future__ import annotations

import re
from typing import Literal

_SAYS_NO = {
    "en": re.compile(
        r"^\W*(?:(?:oh|ah|um|uh|er|well|so|okay|look|sorry|i['’]m sorry),? )*(?:no|nope|nah)\b"
        r"(?! (?:problem|worries|doubt|idea|wonder)\b)"
        r"|\bnot (?:interested|now|today|for me|a good (?:time|moment))\b|\bbad (?:time|moment)\b"
        r"|\b(?:don['’]t|do not) (?:want|need|call|ring|have (?:the )?time)\b|\b(?:can['’]t|cannot) talk\b"
        r"|\bno,? thank|\b(?:i['’]m|i am) (?:too |very |quite |really )?busy\b|\brather not\b"
        r"|\bi['’]ll pass\b|\bstop calling\b|\bleave me\b|\bforget it\b|\bwrong number\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^(?:哦|嗯|啊|呃|哎|那个|不好意思|抱歉|对不起|\W)*+"
        r"(?:不(?!好意思|过|错|客气|知道|清楚|太|明白|懂|会吧|是[吗吧])|别)"
        r"|不(?:太|大|怎么)?(?:需要|感兴趣|方便)|不(?:想[要听聊说买办谈]|用了|要了)|没有?(?:兴趣|空|时间|需要)"
        r"|[在正很挺]忙|打错|算了|拒绝"
    ),
}


def says_no(text: str, language: Literal["en", "zh"]) -> bool:
    """Whether it does, in words that are usual for it."""
    return bool(_SAYS_NO[language].search(text))
