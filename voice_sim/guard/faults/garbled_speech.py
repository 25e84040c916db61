"""What was sent is not what was meant: the voice garbled the caller's words.

Compares the meant text of each turn with what a recogniser hears in the audio that was sent, by word error
rate (characters in Chinese), after numbers are brought to one form. A recogniser errs, too, so the bounds
are wide: see ``docs/guard.md`` for what clean speech measures with the voices and the recogniser that come
along.

Sees: words cut off, swallowed, replaced; the wrong clip; silence.
Cannot see: a wrong tone, an odd accent that is still understood; anything in turns shorter than the bounds.
"""

from __future__ import annotations

import re

from spoken_language.chinese_numbers import NUMERALS
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.values.reading import values
from voice_sim.guard.words import CJK, is_chinese, listed, words

# Of 68 turns of live calls (Piper, Whisper base, no noise) the worst had 0.22, all together 0.07.
TURN_BOUND = {"en": 0.6, "zh": 0.75}
"""A turn above this error rate is garbled."""
TURN_WORDS = {"en": 6, "zh": 8}
"""Shorter turns are not judged by themselves."""
CALL_BOUND = {"en": 0.35, "zh": 0.5}
"""All turns together above this error rate: the call is garbled."""
CALL_WORDS = {"en": 25, "zh": 40}
_FILLERS = frozenset(listed("um uh oh er mm hm hmm mhm ah 嗯 呃 啊 哦 诶"))


def garbled_speech(session: Session) -> list[Finding]:
    """Findings for single turns; where there is none, one for the call if all turns together are too bad."""
    language = session.persona.language
    found = []
    errors = total = 0
    for position in session.caller_turns():
        turn = session.turns[position]
        if turn.heard is None:
            continue
        meant = spoken_form(turn.text)
        if not meant:
            continue
        wrong = distance(meant, spoken_form(turn.heard))
        rate = wrong / len(meant)
        errors, total = errors + min(wrong, len(meant)), total + len(meant)
        if len(meant) >= TURN_WORDS[language] and rate > TURN_BOUND[language]:
            detail = f"error rate {rate:.2f} of {len(meant)} words: heard as {turn.heard[:200]!r}"
            found.append(Finding(kind="garbled_speech", turn=position, quote=turn.text, detail=detail))
    if not found and total >= CALL_WORDS[language] and errors / total > CALL_BOUND[language]:
        detail = f"error rate {errors / total:.2f} over {total} words of the call"
        found.append(Finding(kind="garbled_speech", turn=None, quote="", detail=detail))
    return found


def spoken_form(text: str) -> tuple[str, ...]:
    """The words of a text as compared here: numbers as digits behind the words, no fillers."""
    numbers = [min(value.readings) for value in values(text)]
    if is_chinese(text):
        said = [w for w in words(text) if re.match(rf"[{CJK}a-z]", w) and w not in _FILLERS]
        return tuple(w for w in said if w not in NUMERALS + "点号") + tuple(numbers)
    kept = []
    for word in words(text):
        if word in _FILLERS or values(word):
            continue
        kept.append(word)
    return tuple(kept) + tuple(numbers)


def distance(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """The least number of words put in, left out or replaced that makes one of the other."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        left, row[0] = row[0], i
        for j, b in enumerate(second, start=1):
            left, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, left + (a != b))
    return row[-1]
