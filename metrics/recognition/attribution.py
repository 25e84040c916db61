"""Which of the caller's utterances the words of an agent's transcripts are of.

An agent writes down what it takes for a turn, when it takes it to be over: two utterances in one text, one in
two, or one when the caller speaks again already. Each text compared with the utterance that it came after
would count the same words as missing here and as inserted there. So the words are shared out such that all
texts, in their order, differ least from all utterances in theirs: the alignment of the whole call, which is
what an error rate over a call means, cut between the utterances.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.int64]

VERSION = "2"
"""Part of the version of every figure of an agent's transcripts. 1 counted a text as that of the utterance
that it came after."""
MOST_CELLS = 2_000_000
"""Words said times words told, beyond which nothing is shared out: 1,400 of each, in 32 MB and 0.15 s."""
_ERROR = 2
_PART = 3
"""What it costs to take a part of a text for an earlier utterance: a text is of the utterance that it came
after unless that saves two errors. For one, the end of an utterance that was not heard would borrow words."""
_NEVER = 1_000_000
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:['’][^\W\u3400-\u9fff]+)*")


@dataclass(frozen=True, kw_only=True)
class ToldText:
    """A text of the agent's, or a part of one.

    Attributes:
        utterance: The position of the utterance that it is of; before words are shared out, of the latest
            one that had begun when it came.
    """

    text: str
    utterance: int


@dataclass(frozen=True)
class _Layer:
    """Costs within an utterance, (its words + 1, words told + 1)."""

    before: Costs
    """No word was taken for it yet."""
    within: Costs
    """Some were."""


def attributed(said: Sequence[str], told: Sequence[ToldText]) -> list[ToldText]:
    """The texts, where needed in parts, each with the utterance that its words are of.

    Args:
        said: What the caller said, an utterance each, in order. Empty where it is not known.
        told: In the order in which they came, so that their utterances do not decrease.

    Raises:
        ValueError: A text is of an utterance that there is not, or they are not in order.
    """
    places = [one.utterance for one in told]
    if places != sorted(places) or any(not 0 <= place < len(said) for place in places):
        raise ValueError(f"texts came after utterances {places} of {len(said)}")
    words = [list(_WORD.finditer(one.text)) for one in told]
    keys = [match[0].casefold() for text in words for match in text]
    spoken = [[match[0].casefold() for match in _WORD.finditer(text)] for text in said]
    if not keys or sum(map(len, spoken)) * len(keys) > MOST_CELLS:
        return list(told)
    latest = np.array([one.utterance for one, text in zip(told, words, strict=True) for _ in text])
    first = np.array([number == 0 for text in words for number in range(len(text))])
    taken = iter(_shared_out(spoken, keys, latest, first))
    found = []
    for one, text in zip(told, words, strict=True):
        of = [next(taken) for _ in text]
        cuts = [place for place in range(1, len(of)) if of[place] != of[place - 1]]
        begins = [0, *(text[place].start() for place in cuts)]
        ends = [*begins[1:], len(one.text)]
        utterances = [of[place] for place in (0, *cuts)] if of else [one.utterance]
        found += [
            ToldText(text=one.text[begin:end].strip(), utterance=utterance)
            for begin, end, utterance in zip(begins, ends, utterances, strict=True)
        ]
    return found


def _shared_out(
    spoken: Sequence[Sequence[str]], keys: Sequence[str], latest: Costs, first: NDArray[np.bool_]
) -> list[int]:
    """For each word told, the position of its utterance."""
    codes = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    heard = np.array([codes[key] for key in keys])
    entered = np.full(len(keys) + 1, _NEVER * len(keys), dtype=np.int64)
    entered[0] = 0
    wanted = [np.array([codes.get(key, -1) for key in one], dtype=np.int64) for one in spoken]
    layers = []
    for place, utterance in enumerate(wanted):
        layer = _layer(entered, utterance, heard, *_parts(place, latest, first))
        layers.append(layer)
        entered = np.minimum(layer.before[-1], layer.within[-1])
    found = [0] * len(keys)
    at = len(keys)
    for place in reversed(range(len(spoken))):
        begun = _begun(layers[place], at, wanted[place], heard, *_parts(place, latest, first))
        found[begun:at] = [place] * (at - begun)
        at = begun
    return found


def _parts(place: int, latest: Costs, first: NDArray[np.bool_]) -> tuple[Costs, Costs]:
    """What each word costs beside its errors, as the first that is taken for an utterance and as a further
    one."""
    never = np.where(latest < place, _NEVER, 0)
    moved = np.where(latest > place, _PART, 0)
    return never + moved, never + moved * first


def _layer(entered: Costs, utterance: Costs, heard: Costs, opening: Costs, further: Costs) -> _Layer:
    """Levenshtein's rows, once for "no word of it yet" and once for "some"."""
    rows, columns = len(utterance) + 1, len(heard) + 1
    before = entered[None, :] + _ERROR * np.arange(rows)[:, None]
    within = np.empty((rows, columns), dtype=np.int64)
    inserted = np.concatenate([[0], np.cumsum(_ERROR + further)])
    for row in range(rows):
        best = np.full(columns, np.iinfo(np.int64).max // 4)
        best[1:] = before[row, :-1] + _ERROR + opening
        if row:
            differs = np.where(heard == utterance[row - 1], 0, _ERROR)
            best[1:] = np.minimum(best[1:], before[row - 1, :-1] + differs + opening)
            best[1:] = np.minimum(best[1:], within[row - 1, :-1] + differs + further)
            best = np.minimum(best, within[row - 1] + _ERROR)
        # One word after the other inserted: the least over where that began.
        within[row] = inserted + np.minimum.accumulate(best - inserted)
    return _Layer(before, within)


def _begun(layer: _Layer, at: int, utterance: Costs, heard: Costs, opening: Costs, further: Costs) -> int:
    """How many words were told before those of an utterance that ends behind word ``at``."""
    if layer.before[-1, at] <= layer.within[-1, at]:
        return at
    row = len(utterance)
    while True:
        cost = layer.within[row, at]
        if row:
            error = 0 if heard[at - 1] == utterance[row - 1] else _ERROR
            if layer.within[row - 1, at - 1] + error + further[at - 1] == cost:
                row, at = row - 1, at - 1
                continue
            if layer.before[row - 1, at - 1] + error + opening[at - 1] == cost:
                return at - 1
            if layer.within[row - 1, at] + _ERROR == cost:
                row -= 1
                continue
        if layer.within[row, at - 1] + _ERROR + further[at - 1] != cost:
            return at - 1
        at -= 1
