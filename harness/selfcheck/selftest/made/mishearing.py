"""Plants words that were not said into what an agent writes, and counts them itself."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from harness.plans.probes.suite import Language

NOBODY_SAID: dict[Language, str] = {"en": "blorp", "zh": "囧"}


@dataclass(kw_only=True)
class Mishearing:
    """Replaces words (Chinese: characters), and counts how many of how many.

    Attributes:
        own_share: Of the words an agent gets wrong in any case: what is measured must stand out against it.
        replaced, words: So far.
    """

    language: Language
    own_share: float = 0.03
    replaced: int = 0
    words: int = 0

    def heard(self, said: str, share: float, *, own: Random, defect: Random) -> str:
        """A line as the agent writes it.

        Args:
            share: Of its words that the defect replaces, spread evenly over lines.
            own: Draws the errors that the agent makes in any case.
            defect: Draws those of the defect: others than the agent's own, so that it has them besides.
        """
        words = said.split() if self.language == "en" else list(said)
        places = [place for place, word in enumerate(words) if any(one.isalnum() for one in word)]
        # Stochastic rounding, so that short lines have their share on the whole.
        wrong = set(own.sample(places, int(len(places) * self.own_share + own.random())))
        wanted = int(len(places) * share + defect.random())
        left = [place for place in places if place not in wrong]
        wrong |= set(defect.sample(left, min(wanted, len(left))))
        self.replaced += len(wrong)
        self.words += len(places)
        said_otherwise = [
            NOBODY_SAID[self.language] if at in wrong else word for at, word in enumerate(words)
        ]
        return (" " if self.language == "en" else "").join(said_otherwise)

    @property
    def share(self) -> float:
        return self.replaced / self.words
