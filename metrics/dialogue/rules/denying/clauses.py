"""Where a clause begins that has a subject of its own, and where one ends."""

from __future__ import annotations

import re

VERB = (
    "(?:is|are|was|were|will|would|can|could|has|have|had|does|do|did|must|should"
    "|arrives?|comes?|goes?|gets?|begins?|remains?|follows|takes|stays|reaches|starts|ends|applies|stands)"
)
OF_WHOM = "(?:the|your|our|my)"
# A second subject inside the first is a relative clause: "the interest the bank has charged".
SUBJECT = "(?:the|an?|your|our|my|his|her|its|their|this|these|those|that|which|who|i|we|you|he|she|it|they)"
_OF_SOMETHING = rf"(?:(?:of|for|from|on|to|with|at)\s+{OF_WHOM}\s+)?"
_NOUN = rf"{OF_WHOM}\s+(?:{_OF_SOMETHING}(?!{SUBJECT}\b)\w+\s+){{1,4}}?"
CLAUSE_WORD = re.compile(
    r"\b(?:but|because|although)\b"
    r"|\b(?:and|so)(?=\s+(?:then|(?:i|we|you|he|she|it|they|that|there)\b))"
    # "No fee and the refund arrives tomorrow", not "no refund of the fee and the interest".
    rf"|\band(?=\s+{_NOUN}{VERB}\b)"
    r"|但是|不过|而是|所以|因此|然后",
    re.IGNORECASE,
)
CLAUSE_END = re.compile(
    rf"[;!?，。；：！？、…\n—]|[,.:](?!\d)|(?<!\d)[,.:]|{CLAUSE_WORD.pattern}", re.IGNORECASE
)
HAN_MARK = "，。；：！？、,;!?\n"
"""In a set of characters."""
SENTENCE_END = re.compile(r"[!?。！？\n]|\.(?!\d)")
