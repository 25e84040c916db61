"""Emotional richness: is a caller's anger, worry or disappointment heard and answered? (Table 22)

Measured: whether the caller's last words carry clear signs of a negative feeling. If they do, an answer in
own words (naming the feeling, taking the caller's side, an apology for this very thing) is a 2, a formula
that would fit any feeling a 1, no answer, a cheerful or a defensive one a 0. A caller without such signs
needs no comfort: 2, or 1 where the agent is defensive all the same.

Blind to: feelings without the words for them, irony, whether comfort is overdone, and the tone of voice.
"""

from __future__ import annotations

from metrics.dialogue.evidence import words
from metrics.dialogue.rules.emotion import ABUSE, CHEERFUL, DEFENSIVE, FORMULA, NEGATIVE, OWN_WORDS
from metrics.dialogue.rules.reply import Finding, Reply
from metrics.dialogue.rules.small_words import SMALL_WORDS


def judge(reply: Reply) -> Finding:
    """0, 1 or 2."""
    felt = NEGATIVE.search(reply.caller) or ABUSE.search(reply.caller)
    defensive = reply.find(DEFENSIVE)
    if felt is None:
        if defensive:
            return Finding(score=1, reason="defensive towards a calm caller", quote=defensive)
        return Finding(score=2, reason="the caller shows no clear negative feeling")
    shown = f"the caller is upset (“{felt.group().strip()}”)"
    own, formula = reply.find(OWN_WORDS), reply.find(FORMULA)
    if defensive:
        return Finding(score=0, reason=f"{shown}, the answer is defensive", quote=defensive)
    if own:
        return Finding(score=2, reason=f"{shown} and is answered in own words", quote=own)
    if formula:
        if taken_up := _taken_up(reply):
            reason = f"{shown} and gets an answer about this very thing ({', '.join(taken_up)})"
            return Finding(score=2, reason=reason, quote=formula)
        return Finding(score=1, reason=f"{shown} and gets a formula", quote=formula)
    cheerful = reply.find(CHEERFUL)
    how = "is answered cheerfully" if cheerful else "gets no answer to that"
    return Finding(score=0, reason=f"{shown} and {how}", quote=cheerful)


def _taken_up(reply: Reply) -> list[str]:
    """The caller's own words in the sentence of the formula; two of them make it an answer to this caller."""
    said = set(words(reply.caller)) - SMALL_WORDS
    for sentence in reply.sentences:
        if FORMULA.search(sentence):
            shared = [word for word in dict.fromkeys(words(sentence)) if word in said]
            if len(shared) >= (4 if reply.mostly_han else 2):
                return shared[:4]
    return []
