"""What a turn of the agent is taken to mean: the whole of it, and by itself the last sentence that asks.

"Twenty-two seats are left. And who decides at your place?" answers one thing and asks another, and in the
evidence for the whole each stands in the other's way: of facts asked for behind an answer, 0.47 are found in
the whole alone, and 0.89 with the last sentence by itself (development set, each behind an example line).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from voice_sim.person.examples import Item
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.examples.understander import (
    Odds,
    Understander,
    last_act,
    meant,
    perhaps_a_fact,
    possible_acts,
    probability,
)
from voice_sim.understanding.process_talk.lines import ProcessAct

SURE = 0.8
NEAREST_FACTS = 5
TURN_VERSION = "4"
"""Of what is made of a turn's parts; it goes into the version that stands in plans."""
LESS_FOR_A_QUESTION = 0.05
"""Of the probability from which something is taken: a question of which nothing else is made, and that is no
process talk, is about something. On the development set 0.923 as meant and 0.043 false with it, 0.919 and
0.036 without (English)."""


@dataclass(frozen=True, kw_only=True)
class Taken:
    """Of one turn.

    Attributes:
        items: What it is taken to mean, what speaks from the whole first.
        does: What its last sentence does, whatever it is about; None where that is not known.
        possible: What any of its sentences may do.
        perhaps_a_fact: No fact is taken to be asked for, but one may be.
        surely: Of the items, those of which there is hardly a doubt.
        nearest_facts: Those that the last question may ask for, with the probability, the likeliest first.
    """

    items: tuple[Item, ...]
    does: ProcessAct | None
    possible: frozenset[ProcessAct]
    perhaps_a_fact: bool
    surely: frozenset[Item]
    nearest_facts: tuple[tuple[str, float], ...] = ()


def texts_of(text: str, language: Literal["en", "zh"]) -> tuple[str, ...]:
    """What has to be understood of a turn: all of it, its last sentence where there are more, and the last
    that wants an answer where that is another one."""
    sentences = acts_of(text, language).sentences
    if len(sentences) < 2:
        return (text,)
    asks = [one.text for one in sentences if one.asks][-1:]
    return tuple(dict.fromkeys((text, sentences[-1].text, *asks)))


def taken(
    understander: Understander, text: str, language: Literal["en", "zh"], *, expected: Collection[Item] = ()
) -> Taken | None:
    """What is made of a turn; None where it is not known (yet).

    Args:
        expected: Items that the course of the call makes more likely.
    """
    weights = understander.weights
    texts = texts_of(text, language)
    known = [understander.odds(one) for one in texts]
    every = [odds for odds in known if odds is not None]
    if len(every) < len(texts):
        return None
    last, asking = every[:2][-1], every[-1]
    items = dict.fromkeys(one.item for odds in every for one in meant(odds, weights, expected=expected))
    does = last_act(last)
    if not any(item.kind in ("fact", "obstacle") for item in items) and does is None:
        asked = _asked(asking, weights.taken_from - LESS_FOR_A_QUESTION)
        if asked is not None and acts_of(texts[-1], language).asks:
            items[asked] = None
    return Taken(
        items=tuple(items),
        does=does,
        possible=possible_acts(every[0]),
        perhaps_a_fact=not any(item.kind == "fact" for item in items) and perhaps_a_fact(asking),
        surely=frozenset(
            item for item in items if probability(max(o.get(item, -9.0) for o in every)) >= SURE
        ),
        nearest_facts=_nearest_facts(asking),
    )


def _nearest_facts(odds: Odds) -> tuple[tuple[str, float], ...]:
    ranked = sorted((-value, item.ref) for item, value in odds.items() if item.kind == "fact")
    return tuple((ref, probability(-value)) for value, ref in ranked[:NEAREST_FACTS])


def _asked(odds: Odds, least: float) -> Item | None:
    """The likeliest fact, where it is likely enough."""
    facts = [item for item in odds if item.kind == "fact"]
    likeliest = max(facts, key=lambda item: (odds[item], item), default=None)
    return likeliest if likeliest is not None and probability(odds[likeliest]) >= least else None
