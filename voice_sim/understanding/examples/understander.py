"""What a person takes an utterance of the agent to mean."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from voice_sim.person.examples import Item, ItemKind, items_of
from voice_sim.person.persona import Persona
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.cues import find_any
from voice_sim.understanding.encoders.base import SentenceEncoder, Vectors
from voice_sim.understanding.examples.evidence import evidence_of
from voice_sim.understanding.examples.pieces import pieces_of
from voice_sim.understanding.examples.shared_words import ExampleWords
from voice_sim.understanding.examples.weights import Weights, weights_for
from voice_sim.understanding.process_talk.lines import ProcessAct
from voice_sim.understanding.process_talk.nearest import NearestActs
from voice_sim.understanding.process_talk.vectors import process_vectors

EXPECTED: dict[ItemKind, float] = {"must_ask": 0.7, "overcome": 2.6}
"""Log odds that are added to what the course of the call makes likely: the answer to a question that was just
asked, what meets an objection that was just made. Set on the words of four strangers for forty people: of
what they say to an objection 0.90 is heard with it (0.58 without), of whatever else they say 0.10 (0.02)."""
_ASKED_FOR = ("fact", "must_ask")
ANSWERS = ("must_ask", "overcome")
"""What an agent that then goes on with something else says first: each sentence is looked at by itself."""
HANG_UP_FROM = 0.8
"""Probability from which something drives a person away: taken wrongly, it costs the whole call. On the
development set 0.88 are found, and one of 960 lines is taken wrongly; from 0.4 on 0.98, and four."""
PARTS_KEPT = 256
POSSIBLE = float(np.log(0.2 / 0.8))
"""Log odds from which an act is not ruled out."""
PERHAPS = float(np.log(0.15 / 0.85))
"""Log odds from which a question may be about a fact though it is not taken for it: of the development set's
missed questions three quarters are above, of its questions that mean nothing three quarters below."""

Odds = Mapping[Item, float]
"""Log odds of each item for one utterance."""


class Understander(Protocol):
    """Tells how likely each item of one person is meant; the same text always has the same odds.

    Attributes:
        weights: With the thresholds from which an item is taken to be meant.
    """

    @property
    def weights(self) -> Weights: ...

    def odds(self, text: str) -> Odds | None:
        """None where it is not known (yet): then cues alone tell."""
        ...


@dataclass(frozen=True, kw_only=True)
class Meant:
    """An item that an utterance is taken to mean, and the probability of it."""

    item: Item
    probability: float


class UnderstandsByExamples:
    """Understands for one person, by the nearest of their example lines.

    Args:
        persona: With examples.
        encoder: Of their language.
        vectors: Of the persona's lines, as :func:`lines_of` gives them; None: encoded now.
        weights: None: those that come along.
    """

    def __init__(
        self,
        persona: Persona,
        encoder: SentenceEncoder,
        *,
        vectors: Mapping[str, Vectors] | None = None,
        weights: Weights | None = None,
    ) -> None:
        self._language = persona.language
        self._encoder = encoder
        self.weights = weights or weights_for(persona.language)
        self._items = [one for one in items_of(persona) if one.lines]
        self._may_stand_anywhere = np.array([one.item.kind in ANSWERS for one in self._items])
        self._kinds = [cast(ItemKind, one.item.kind) for one in self._items]
        of = vectors if vectors is not None else _vectors(lines_of(persona), encoder)
        meaningful = _stacked([of[line] for one in self._items for line in _lines(one.lines)])
        process = process_vectors(persona.language, encoder.name, dimension=meaningful.shape[1])
        self._acts = NearestActs(persona.language, process, meaningful) if process else None
        self._examples = [_stacked([of[line] for line in _lines(one.lines)]) for one in self._items]
        self._nothing = _stacked([of[line] for line in _lines(persona.nothing)])
        self._words = ExampleWords([_lines(one.lines) for one in self._items], _lines(persona.nothing))
        self._known: dict[str, Odds] = {}
        self._parts: dict[str, Vectors] = {}

    def odds(self, text: str) -> Odds:
        if text not in self._known:
            self._known[text] = self._odds(text)
        return self._known[text]

    def _encoded(self, parts: list[str]) -> Vectors:
        """The last sentence of a turn is asked for by itself after the whole."""
        new = [part for part in parts if part not in self._parts]
        if len(self._parts) + len(new) > PARTS_KEPT:
            self._parts.clear()
            new = parts
        self._parts.update(zip(new, self._encoder.encode(new), strict=True))
        return np.stack([self._parts[part] for part in parts])

    def _odds(self, text: str) -> Odds:
        if not self._items or not any(character.isalnum() for character in text):
            return {}
        texts = pieces_of(text, self._language)
        parts = self._encoded(texts)
        sentences = parts[1:] if len(parts) > 1 else parts
        log_odds = self._log_odds(text, parts)
        for sentence, vector in zip(texts[1:], parts[1:], strict=True):
            alone = self._log_odds(sentence, vector[None])
            log_odds = np.where(self._may_stand_anywhere, np.maximum(log_odds, alone), log_odds)
        items = {one.item: float(value) for one, value in zip(self._items, log_odds, strict=True)}
        if self._acts is None:
            return items
        shares = [self._acts.shares(sentence) for sentence in sentences]
        for one in shares:
            for act, share in one.items():
                key = Item("act", act)
                items[key] = max(items.get(key, _log_odds(0)), _log_odds(share))
        return items | {Item("does", act): _log_odds(share) for act, share in shares[-1].items()}

    def _log_odds(self, text: str, parts: Vectors) -> NDArray[np.float64]:
        """Of each item for a text, with the vectors of its parts."""
        return self.weights.log_odds(
            evidence_of(
                parts,
                examples=self._examples,
                nothing=self._nothing,
                kinds=self._kinds,
                asks=acts_of(text, self._language).asks,
                cues=[find_any(one.cues, text) for one in self._items],
                shared=self._words.shared_with(text),
            )
        )


def meant(odds: Odds, weights: Weights, *, expected: Collection[Item] = ()) -> tuple[Meant, ...]:
    """The items that are taken to be meant, the likeliest first; often none.

    Args:
        expected: Items that the course of the call makes more likely.
    """
    likely = {
        item: probability(value + (_more(item) if item in expected else 0.0))
        for item, value in odds.items()
        if item.kind not in ("act", "does")
    }
    ranked = sorted(likely, key=lambda item: (-likely[item], item))
    if not ranked or likely[ranked[0]] < weights.taken_from:
        return ()
    ranked = [item for item in ranked if item.kind != "hang_up" or likely[item] >= HANG_UP_FROM]
    if not ranked or likely[ranked[0]] < weights.taken_from:
        return ()
    first = ranked[0]
    taken = [first]
    for item in ranked[1:]:
        goes_with = (item.kind in _ASKED_FOR) != (first.kind in _ASKED_FOR)
        if likely[item] >= (weights.beside_from if goes_with else weights.also_from):
            taken.append(item)
    return tuple(Meant(item=item, probability=likely[item]) for item in taken)


def perhaps_a_fact(odds: Odds) -> bool:
    """Whether it may well ask for something that the person knows, and is hardly process talk."""
    process = sum(probability(value) for item, value in odds.items() if item.kind == "does")
    return process < 0.5 and any(item.kind == "fact" and value >= PERHAPS for item, value in odds.items())


def _more(item: Item) -> float:
    return next((more for kind, more in EXPECTED.items() if kind == item.kind), 0.0)


def last_act(odds: Odds) -> ProcessAct | None:
    """What the last sentence does, where most of the nearest lines agree on it."""
    acts = {item: value for item, value in odds.items() if item.kind == "does" and value > 0}
    return cast(ProcessAct, max(acts, key=lambda item: (acts[item], item)).ref) if acts else None


def possible_acts(odds: Odds) -> frozenset[ProcessAct]:
    """What any of its sentences may do: those that a fifth of the nearest lines speak for."""
    return frozenset(
        cast(ProcessAct, item.ref) for item, value in odds.items() if item.kind == "act" and value >= POSSIBLE
    )


def lines_of(persona: Persona) -> list[str]:
    """Every example line of a person, each once: what has to be encoded to understand for them."""
    lines = [line for one in items_of(persona) for line in _lines(one.lines)]
    return list(dict.fromkeys([*lines, *_lines(persona.nothing)]))


def _lines(by_author: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [line for lines in by_author.values() for line in lines]


def _vectors(lines: list[str], encoder: SentenceEncoder) -> dict[str, Vectors]:
    return dict(zip(lines, encoder.encode(lines), strict=True))


def _stacked(rows: list[Vectors]) -> Vectors:
    return np.stack(rows) if rows else np.zeros((0, 1), np.float32)


def _log_odds(share: float) -> float:
    """Of a share of votes, with a hundredth of a vote for either side so that it is finite."""
    return float(np.log((share + 0.01) / (1.01 - share)))


def probability(log_odds: float) -> float:
    """Of log odds."""
    return float(1 / (1 + np.exp(-log_odds)))
