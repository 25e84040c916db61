"""What a speaker does not vouch for, in English, and whether that goes on beyond an "and".

It goes on in "I can't promise that the fee is waived and the refund arrives"; not where a thing or a time is
not known ("I don't know when he comes and you will get a text"), nor where what follows is of another time.
Where both make sense ("I'm not sure the claim is through and you will get the refund"), it ends.
"""

from __future__ import annotations

import re

from metrics.dialogue.rules.denying.clauses import CLAUSE_END, OF_WHOM, SUBJECT, VERB

_DOUBT = re.compile(
    r"\b(?:not|no|never|cannot|nor|neither|nobody|hardly|unable|[a-z]+n['’]t)\s+"
    # "You don't need to confirm it", "not your fault, I know", "not only guarantee": no doubt.
    r"(?!(?:only|just|merely|simply|doubt|problem|worr(?:y|ies)|matter|hesitate|forget)\b)"
    r"(?:(?!(?:need|must|ha(?:ve|s|d|ving)\s+to|i|we|you)\b)\w+\s+){0,4}?"
    r"(?:(?P<vow>promise|guarantee)|(?P<opinion>think|thought|expect|believe)|(?P<sure>sure|certain)"
    r"|confirm|know|knew|say|said)(?:d|ed|n|ing)?\b"
    # What is told afterwards does not hang on "I don't know why that happened".
    r"(?!\s+(?:(?:of|about|exactly|precisely|yet|now|you)\s+)*(?:why|what|who|how|when|where|which)\b)",
    re.IGNORECASE,
)
"""The speaker does not vouch for what follows."""
_AND_A_NOUN = re.compile(rf"and\s+{OF_WHOM}\b", re.IGNORECASE)
_AND_ANOTHER = re.compile(r"and\s+(?:you|he|she|it|they|that|there)\b", re.IGNORECASE)
_AND_THAT = re.compile(rf"and\s+that\s+(?!{VERB}\b){SUBJECT}\b", re.IGNORECASE)
"""A second object of the doubt: "I can't promise that it is free and that you get it"."""
_SAYS_WHAT = re.compile(rf"\b(?:that|whether|if)\s+\w|\b{VERB}\b", re.IGNORECASE)
"""A clause, and not only a thing: "We didn't know your address and your parcel is here"."""
_SAYS_THAT = re.compile(
    rf"(?:\s+(?:you|yet|now|right|today|for))*\s+that\s+(?:{OF_WHOM}|an?|you|i|we|it|they)\b", re.IGNORECASE
)
_ONE_THING = re.compile(rf"\s+{OF_WHOM}(?:\s+\w+){{1,3}}\s*", re.IGNORECASE)
_BOTH = rf"and\s+{OF_WHOM}(?:\s+\w+){{1,3}}?\s+"
_BOTH_ARE = re.compile(rf"{_BOTH}(?:are|were|have)\b", re.IGNORECASE)
_BOTH_WILL = re.compile(rf"{_BOTH}(?:are|were|have|will|would|can|could)\b", re.IGNORECASE)
"""One sentence about two things: "I'm not certain the fee and the interest are waived"."""

_IN_FUTURE = re.compile(r"\b(?:will|would|can|could|may|might)\b|['’]ll\b", re.IGNORECASE)
_BEGINS_ANEW = re.compile(
    r"and\s+(?:there\b|(?:you|he|she|it|they|that)(?:['’]ll\b|\s+(?:will|can|may|should)\b))", re.IGNORECASE
)
"""Tells what comes instead: "I'm not sure the driver has left and you will get a text"."""
_PAST = re.compile(
    r"\b(?:was|were|had|did|would|could|got|came|left|went|paid|sent|agreed|\w+[^e\W]ed)\b", re.IGNORECASE
)
_PRESENT = re.compile(r"\b(?:is|are|has|have|does|do|will|can)\b|['’](?:s|re|ll|ve)\b", re.IGNORECASE)
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
    if not _AND_A_NOUN.match(text, place) and not _AND_ANOTHER.match(text, place):
        return False
    doubt = _DOUBT.search(text, start, place)
    if doubt is None or _SAYS_NOTHING.fullmatch(text, doubt.end(), place):
        return False
    if _AND_THAT.match(text, place):
        return True
    told = text[doubt.end() : place]
    if not _SAYS_WHAT.search(told):
        both = _BOTH_WILL if doubt["vow"] or doubt["opinion"] or doubt["sure"] else _BOTH_ARE
        return bool(_ONE_THING.fullmatch(told) and both.match(text, place))
    says_that = _SAYS_THAT.match(told)
    if says_that and doubt["vow"]:
        return True
    # "I don't think there is a fee" says that there is none.
    return not (doubt["opinion"] and not says_that) and not _is_told_anew(told, text, place)


def _is_told_anew(told: str, text: str, place: int) -> bool:
    """Whether the clause after an "and" is of another time than what is in doubt, or of something else."""
    if _OPENS_A_TOPIC.match(told) or (_BEGINS_ANEW.match(text, place) and not _IN_FUTURE.search(told)):
        return True
    end = CLAUSE_END.search(text, place + len("and"))
    after = text[place : end.start() if end else len(text)]
    verb = _PRESENT.search(after)
    past = _PAST.search(after)
    is_present = verb is not None and (past is None or verb.start() < past.start())
    return is_present and bool(_PAST.search(told)) and not _PRESENT.search(told)
