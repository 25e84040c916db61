"""How different the people are: text similarity between personas, and lines that more than one of them says.

Two measures, neither of which depends on what else is in the collection, so that a threshold means the same
for ten personas as for a thousand:

- **copied**: Jaccard index of the sets of four-word runs (MinHash is not needed at this size). A text with a
  few words changed keeps most of its runs; two texts by different hands share next to none.
- **alike**: cosine of the square roots of the word counts, without the words that every text has. It catches
  sentences that were turned round or whose order was changed.

In Chinese the runs are of six characters, and what is counted for **alike** are pairs of characters.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.dialogue.evidence import words
from voice_sim.person.examples import without_examples
from voice_sim.person.persona import Persona

COPIED_MAX = 0.05
ALIKE_MAX = {"en": 0.65, "zh": 0.30}
"""Set between what independent texts reach and what a copy reaches. English: 150 people of our own, copied
0.011, alike 0.44; the five people of the bank complaint with every tenth word replaced at random: at least
0.50 and 0.95, with four words in ten: 0.09 and 0.85. Chinese: 48 people of the official files 0.011 and
0.22, 45 of our own 0.006 and 0.15; 25 of these with every tenth character replaced: at least 0.32 and 0.79,
with four in ten: 0.011 and 0.34."""

SAME_LINE_WORDS = 6
"""A spoken line of this many words or more belongs to one person only (Chinese: characters, doubled)."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two personas and how similar their texts are, both 0-1."""

    first: str
    second: str
    language: str
    copied: float
    alike: float

    @property
    def too_similar(self) -> bool:
        """Whether a measure is at or above its threshold."""
        return self.copied >= COPIED_MAX or self.alike >= ALIKE_MAX[self.language]

    @property
    def group(self) -> str:
        """``scenario`` for two people of one scenario, ``archetype`` for one user type, else ``other``."""
        (scenario, _, kind), (other, _, other_kind) = self.first.rpartition("/"), self.second.rpartition("/")
        return "scenario" if scenario == other else "archetype" if kind == other_kind else "other"


@dataclass(frozen=True, kw_only=True)
class SharedLine:
    """A spoken line that several people say."""

    line: str
    places: tuple[tuple[str, str], ...]
    """Entry id and field path."""


def compare(personas: Sequence[tuple[str, Persona]]) -> list[Pair]:
    """Every pair of personas of the same language, each named by its entry id."""
    profiles = [(name, persona.language, _runs(persona), _direction(persona)) for name, persona in personas]
    return [
        Pair(
            first=one[0],
            second=other[0],
            language=one[1],
            copied=_jaccard(one[2], other[2]),
            alike=_cosine(one[3], other[3]),
        )
        for place, other in enumerate(profiles)
        for one in profiles[:place]
        if one[1] == other[1]
    ]


def shared_lines(personas: Sequence[tuple[str, Persona]]) -> list[SharedLine]:
    """Spoken lines of six words or more that more than one persona has."""
    places: dict[tuple[str, ...], list[tuple[str, str, str]]] = defaultdict(list)
    for name, persona in personas:
        least = SAME_LINE_WORDS * (2 if persona.language == "zh" else 1)
        for place, line in persona.spoken_lines():
            if len(said := words(line)) >= least:
                places[said].append((name, place, line))
    return [
        SharedLine(line=found[0][2], places=tuple((name, place) for name, place, _ in found))
        for found in places.values()
        if len({name for name, _, _ in found}) > 1
    ]


def persona_text(persona: Persona) -> str:
    """All text that is this person's own: everything but ids, cues and settings."""
    content = without_examples(persona).model_dump(
        mode="json", exclude={"archetype", "language", "scenario", "manner"}
    )
    return "\n".join(_strings(content))


_NOT_PROSE = {
    *("id", "key", "cues", "answered_by", "overcome_cues", "needs"),
    *("share", "gender", "wins", "kind", "dimension"),
}


def _strings(content: Any) -> Iterable[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for key, value in content.items():
            if key not in _NOT_PROSE:
                yield from _strings(value)
    elif isinstance(content, list):
        for value in content:
            yield from _strings(value)


def _runs(persona: Persona) -> frozenset[tuple[str, ...]]:
    length = 6 if persona.language == "zh" else 4
    runs: set[tuple[str, ...]] = set()
    for line in persona_text(persona).splitlines():
        said = words(line)
        runs.update(said[start : start + length] for start in range(len(said) - length + 1))
    return frozenset(runs)


_COMMON = """
a an and are as at be been but by can do does for from get gets go had has have he her him his how i i'd i'll
i'm i've if in is it it's its just me my no not now of off on one or out she so than that that's the their
them then there they this to too up was we were what when where who will with would yes you you're your
的 了 是 我 你 他 她 不 在 有 就 这 那 也 都 要 会 到 说 个 一 上 下 吗 呢 吧 啊 们 着 过 和 没 还 什 么
"""
_EVERYWHERE = frozenset(_COMMON.split())


def _direction(persona: Persona) -> dict[str, float]:
    """Square roots of the counts of words (Chinese: pairs of characters), scaled to length 1."""
    counts: Counter[str] = Counter()
    for line in persona_text(persona).splitlines():
        said = [word for word in words(line) if word not in _EVERYWHERE]
        counts.update(map("".join, itertools.pairwise(said)) if persona.language == "zh" else said)
    length = math.sqrt(counts.total()) or 1.0
    return {feature: math.sqrt(count) / length for feature, count in counts.items()}


def _jaccard(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    small, large = (one, other) if len(one) < len(other) else (other, one)
    return sum(weight * large.get(feature, 0.0) for feature, weight in small.items())
