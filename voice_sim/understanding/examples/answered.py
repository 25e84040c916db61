"""What an utterance means to a person, where somebody else works it out: the answers so far."""

from __future__ import annotations

from voice_sim.understanding.examples.understander import Odds
from voice_sim.understanding.examples.weights import Weights


class Answered:
    """An :class:`~voice_sim.understanding.examples.understander.Understander` that knows what it was told.

    Args:
        weights: With the thresholds of the one who answers.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._known: dict[str, Odds] = {}

    @property
    def weights(self) -> Weights:
        return self._weights

    def odds(self, text: str) -> Odds | None:
        """None until :meth:`take_in` has told it."""
        return self._known.get(text)

    def take_in(self, text: str, odds: Odds) -> None:
        """What ``text`` means."""
        self._known[text] = odds
