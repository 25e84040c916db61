"""A figure that the prompt has otherwise: "in the first six months you can stop" where it says three.

A clause of the reply is set beside the prompt's clause that shares most of its words (weighed by how few of
the prompt's clauses have them). Where the two are close and differ in the figure of a unit, it is a mistake,
even if the prompt has that figure elsewhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from metrics.dialogue.rules.figures.facts import Facts, facts_of
from metrics.dialogue.rules.model_lines import content_of
from metrics.dialogue.rules.reply import Reply, sentences

CLOSE = 0.6
"""Share of a clause's weight that the prompt's clause must have."""
CLEARLY = 4.0
"""By so much more must it weigh than any clause of the prompt that has the reply's figure."""
_COMMON_MIN = 3
_UNSEEN = 3.0
"""Weight of a word that the prompt has not."""

_CLAUSES = re.compile(r"(?<!\d)[,;:]|[,;:](?!\d)|[，；：]|\b(?:and|but)\b")


@dataclass(frozen=True, kw_only=True)
class _Clause:
    content: frozenset[str]
    facts: Facts


def contradicted_amounts(reply: Reply) -> Iterator[tuple[str, str]]:
    """(what, clause) for each amount of the reply that the closest clause of the prompt has otherwise."""
    clauses, weights = _prompt(reply.prompt, reply.language)
    said = [facts_of(text, reply.language) for text in reply.caller_before]
    by_caller = {number for facts in said for number in facts.numbers}
    for sentence in reply.sentences:
        if sentence.rstrip().endswith(("?", "？")):
            continue
        for clause in _CLAUSES.split(sentence):
            content = content_of(clause)
            for number, unit in sorted(facts_of(clause, reply.language).amounts):
                if number in ("0", "1") or number in by_caller:
                    continue
                if _otherwise(number, unit, content, clauses, weights):
                    yield f"“{number} {unit}”", clause.strip()


def _otherwise(
    number: str, unit: str, content: frozenset[str], clauses: list[_Clause], weights: Mapping[str, float]
) -> bool:
    def shared(one: _Clause) -> float:
        return sum(weights.get(word, 0.0) for word in content & one.content)

    with_unit = [one for one in clauses if any(other == unit for _, other in one.facts.near)]
    if not with_unit:
        return False
    closest = max(with_unit, key=shared)
    if (number, unit) in closest.facts.near or len(content & closest.content) < _COMMON_MIN:
        return False
    whole = sum(weights.get(word, _UNSEEN) for word in content)
    with_figure = max((shared(one) for one in clauses if (number, unit) in one.facts.near), default=0.0)
    return shared(closest) > with_figure + CLEARLY and shared(closest) >= CLOSE * whole


@lru_cache(maxsize=256)
def _prompt(prompt: str, language: str) -> tuple[list[_Clause], Mapping[str, float]]:
    parts = [
        part
        for line in prompt.splitlines()
        for sentence in sentences(line)
        for part in _CLAUSES.split(sentence)
    ]
    clauses = [_Clause(content=content_of(part), facts=facts_of(part, language)) for part in parts]
    having = Counter(word for clause in clauses for word in clause.content)
    weights = {word: math.log((len(clauses) + 1) / (count + 0.5)) for word, count in having.items()}
    return clauses, weights
