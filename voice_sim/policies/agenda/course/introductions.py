"""Whether an agent has said who it is: by its words for that, or by two names one after the other."""

from __future__ import annotations

import re

_INTRODUCES = re.compile(
    r"\b(?:this is|it's|i'm|i am|my name(?:'s| is)) (?:\w+ )?(?-i:[A-Z])"
    r"|\b(?-i:[A-Z])\w+ here\b|\b(?:calling|ringing|speaking) (?:from|for|on behalf of)\b|\bfrom (?-i:[A-Z])"
    r"|(?:^|[,.!?] )(?-i:[A-Z]\w+ [A-Z]\w+), (?-i:[A-Z]\w+ [A-Z])"
    r"|这里是|我是|我姓|我叫|这边是",
    re.IGNORECASE,
)


def introduces(text: str) -> bool:
    """Whether a turn says who is speaking ("This is Wang Hong", "Hello, Wang Hong, Taishan Home Service")."""
    return bool(_INTRODUCES.search(text))
