"""What a speaker does not vouch for, in English, and whether that goes on beyond an "and".

It goes on in "I can't promise that the fee is waived and the refund arrives"; not where a thing or a time is
not known ("I don't know when he comes and you will get a text"), nor after what was not known or expected
("I didn't know your line was down and we will reconnect it") or is not thought to be so ("I don't think it is
faulty and your refund is on its way"). Where both make sense ("I'm not sure the claim is through and you will
get the refund"), it goes on: a refusal that counts as a promise is the worse error.
"""

from __future__ import annotations

import re

from metrics.dialogue.rules.denying.clauses import OF_WHOM, SUBJECT, VERB

_DOUBT = re.compile(
    r"\b(?:not|no|never|cannot|nor|neither|nobody|hardly|unable|[a-z]+n['’]t)\s+"
    # "You don't need to confirm it", "not your fault, I know", "not only guarantee": no doubt.
    r"(?!(?:only|just|merely|simply|doubt|problem|worr(?:y|ies)|matter|hesitate|forget)\b)"
    r"(?:(?!(?:need|must|ha(?:ve|s|d|ving)\s+to|i|we|you)\b)\w+\s+){0,4}?"
    r"(?:(?P<know>know|knew)|(?P<say>say|said)|(?P<opinion>think|thought|expect|(?P<belief>believe))"
    r"|promise|guarantee|sure|certain|confirm)(?:d|ed|n|ing)?\b"
    # What is told afterwards does not hang on "I don't know why that happened".
    r"(?!\s+(?:(?:of|about|exactly|precisely|yet|now|you|right|today|for|sure|certain)\s+)*"
    r"(?:why|what|who|how|when|where|which)\b)",
    re.IGNORECASE,
)
"""The speaker does not vouch for what follows."""
_AND_A_NOUN = re.compile(rf"and\s+{OF_WHOM}\b", re.IGNORECASE)
_AND_ANOTHER = re.compile(r"and\s+(?:you|he|she|it|they|that|there)\b", re.IGNORECASE)
_AND_THAT = re.compile(rf"and\s+that\s+(?!{VERB}\b){SUBJECT}\b", re.IGNORECASE)
"""A second object of the doubt: "I can't promise that it is free and that you get it"."""
_SAYS_WHAT = re.compile(rf"\b(?:that|whether|if)\s+\w|\b{VERB}\b", re.IGNORECASE)
"""A clause, and not only a thing: "We didn't know your address and your parcel is here"."""
_ONE_THING = re.compile(
    rf"(?:\s+you)?\s+{OF_WHOM}(?:\s+(?!right\b|now\b|yet\b|today\b)\w+){{1,3}}\s*", re.IGNORECASE
)
_BOTH = rf"and\s+{OF_WHOM}(?:\s+\w+){{1,3}}?\s+"
_BOTH_ARE = re.compile(rf"{_BOTH}(?:are|were|have)\b", re.IGNORECASE)
_BOTH_WILL = re.compile(rf"{_BOTH}(?:are|were|have|will|would|can|could)\b", re.IGNORECASE)
"""One sentence about two things: "I never said the fee and the interest are waived"."""

_SAYS_THAT = re.compile(
    rf"(?:\s+(?:you|yet|now|right|today|for))*\s+that\s+(?:{OF_WHOM}|an?|you|i|we|it|they)\b", re.IGNORECASE
)
_NO_TROUBLE = re.compile(
    r"(?:\b(?:be|is|are|takes?)|['’]s)\s+(?:(?:an?|any|much|so|too|very|that|really|big|great)\s+){0,3}"
    r"(?:problems?|trouble|issues?|hurdles?|hassle|delays?|fees?|charges?|costs?|need"
    r"|long|slow|hard|difficult|complicated|expensive|necessary)"
    # Not "any fee we can refund".
    r"(?=\s*$|\s+(?:for|with|about|on|at|in|to|then|there|here|now)\b)"
    r"|\s+(?:that\s+)?you(?:['’]ll|\s+will)?\s+(?:have|need)\s+to\b",
    re.IGNORECASE,
)
"""What a speaker is glad not to think: "I don't think there is any fee and you can cancel"."""
_NOT_KNOWN_THEN = re.compile(
    r"\b(?:did|was|were)(?:n['’]t|\s+not)\s+(?:\w+\s+){0,2}?(?:know|sure|certain|expect|think)$",
    re.IGNORECASE,
)
_THEN = re.compile(r"\b(?:was|were|had|did|would)\b", re.IGNORECASE)
_NOW = re.compile(
    r"and\s+(?:\w+\s+){1,4}?(?:is|are|has|have|will|can)\b|and\s+\w+['’](?:ll|s|re|ve)\b", re.IGNORECASE
)
"""Told now: "I didn't know your line was down and the service will be reconnected"."""
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


def doubt_goes_on(text: str, start: int, place: int) -> bool:
    """Whether an "and" at a place joins two things that the speaker does not vouch for."""
    a_noun = _AND_A_NOUN.match(text, place)
    if not a_noun and not _AND_ANOTHER.match(text, place):
        return False
    doubt = _DOUBT.search(text, start, place)
    if doubt is None or _SAYS_NOTHING.fullmatch(text, doubt.end(), place):
        return False
    if _AND_THAT.match(text, place):
        return True
    told = text[doubt.end() : place]
    if _SAYS_WHAT.search(told):
        return not (
            _OPENS_A_TOPIC.match(told)
            or (doubt["opinion"] and _thinks_otherwise(doubt, told))
            or _is_known_now(text[start : doubt.end()], told, text[place:])
        )
    if not a_noun or not _ONE_THING.fullmatch(told):
        return False
    if doubt["know"]:
        return bool(_BOTH_ARE.match(text, place))
    return not (doubt["say"] or doubt["opinion"]) or bool(_BOTH_WILL.match(text, place))


def _thinks_otherwise(doubt: re.Match[str], told: str) -> bool:
    """Whether what is told is thought to be not so: then what follows stands by itself."""
    return not (doubt["belief"] or _SAYS_THAT.match(told)) or bool(_NO_TROUBLE.search(told))


def _is_known_now(doubted: str, told: str, after: str) -> bool:
    """Whether what was not known is past, and what follows is not."""
    return bool(_NOT_KNOWN_THEN.search(doubted) and _THEN.search(told) and _NOW.match(after))
