"""What the agent says after a reply that may tell how it took it, English and Chinese."""

from __future__ import annotations

import re

_AFTER = {
    "says it was not answered": re.compile(
        r"\b(?:didn't (?:really )?answer|not what i (?:asked|meant)|i (?:only |just )?(?:meant|asked)"
        r"|what i (?:meant|mean|was asking)"
        r"|as i asked|my question|put (?:it|that) (?:again|another way|differently)|more simply"
        r"|ask (?:more )?(?:simply|straight|again)"
        r"|don't know your|didn't you|once more|in your own words|yes or no)\b"
        r"|没回答|我问的是|我是问|我就问|刚问|不是问|我的意思是|刚才问|换个(?:问|说)法|再问一遍|先答上|有或没有",
        re.IGNORECASE,
    ),
    "soothes": re.compile(
        r"^\W*(?:\w+, )?(?:no (?:worries|problem|bother|need|matter)|that's (?:fine|alright|all right"
        r"|okay|perfectly)|don't (?:worry|stress|you worry)"
        r"|fair enough|fair\b|not to worry|i understand|i completely understand|i hear you|okay\b"
        r"|really\?)|^\W*(?:没关系|没事|不着急|不急|没问题|不知道没|行[。，])",
        re.IGNORECASE,
    ),
    "takes it down": re.compile(
        r"\b(?:noted|got (?:it|that|you)|gotcha|i(?:'ve| have) (?:put|written|noted|marked)|i'll (?:put"
        r"|note|write)|written down|down as|so you|so that's"
        r"|so it's|perfect|brilliant|lovely|great|wonderful|super|excellent|smashing)\b"
        r"|记下|记上|写上|明白|太好了",
        re.IGNORECASE,
    ),
    "answers it": re.compile(
        r"\b(?:good question|fair question|good thinking|as for|i(?:'m afraid| don't have| can't"
        r"| haven't got)|you asked|honestly)\b|您问|没有相关|不敢",
        re.IGNORECASE,
    ),
    "asks once more": re.compile(
        r"\b(?:let's go slow|one more time|to be (?:sure|clear)|just to check|do you mean|i mean\b"
        r"|(?:didn't|did not) (?:put|say|explain) (?:that|it|this) (?:very |too |quite )?(?:clearly|well)"
        r"|say (?:it|that) (?:again|differently)|i'?ll ask|asking again|last try)\b"
        r"|我再问|再问一|说清楚|我是说|我的意思|是指",
        re.IGNORECASE,
    ),
    "goes without": re.compile(
        r"\b(?:leave (?:it|that|this)(?: one)? (?:blank|open|out|empty|there|for now)|no answer"
        r"|not (?:said|given|told)"
        r"|skip (?:it|that|this)|in that case|move on|never mind|your own decision|up to you)\b"
        r"|没说|先空着|跳过|不替您|那就先|先这么|不记了",
        re.IGNORECASE,
    ),
    "says it has said so": re.compile(
        r"\b(?:as i (?:said|mentioned|told)|like i said"
        r"|i(?:'ve)? (?:just|already) (?:said|told|mentioned|explained)"
        r"|exactly what i|we(?:'ve| have) (?:just )?(?:covered|had) that|again, )\b"
        r"|刚(?:才)?(?:说|讲|跟您说)(?:过|了)|说过了|还是那句",
        re.IGNORECASE,
    ),
}


def afterwards(text: str) -> list[str]:
    """The names of what the agent's next turn shows of how it took the reply; none where it said nothing."""
    return [name for name, form in _AFTER.items() if form.search(text)]
