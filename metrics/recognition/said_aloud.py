"""Whether somebody who was to read a sentence aloud read that one: by its words, in their order.

How the judged part of it was said (:attr:`key`) has no say: that it was said wrongly is no reason to take it
for another sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics.recognition.normalize import Language, normalize

SAID_SHARE = 0.5
"""Of the words beside the key, so many have to be there, in order."""
MAX_WORDS = 400


def share_said(text: str, heard: str, *, key: str, language: Language) -> float:
    """The share of a sentence's words beside ``key`` that stand in what was said, in their order.

    Args:
        text: The sentence as it is written.
        heard: What was said, as somebody wrote it down; more may stand before and behind.
        key: Part of ``text`` that has no say; where it is all of it, every word has.

    Returns:
        0.0 to 1.0; words of English, characters of Chinese, after normalisation.
    """
    before, _, after = text.partition(key) if key else (text, "", "")
    wanted = [*_units(before, language), *_units(after, language)] or _units(text, language)
    said = _units(heard, language)[:MAX_WORDS]
    return _longest_in_order(wanted, said) / len(wanted) if wanted else 0.0


def _units(text: str, language: Language) -> list[str]:
    plain = normalize(text, language)
    return [one for one in plain if not one.isspace()] if language == "zh" else plain.split()


def _longest_in_order(wanted: Sequence[str], said: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(said) + 1)
    for one in wanted:
        diagonal = 0
        for place, other in enumerate(said, start=1):
            diagonal, row[place] = (
                row[place],
                (diagonal + 1 if one == other else max(row[place], row[place - 1])),
            )
    return row[-1]
