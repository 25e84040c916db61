"""Versions that measures state of code that they do not load."""

from harness.analysis.measures.conversation import turns
from metrics.interaction.turns import VERSION


def test_what_becomes_of_a_turn_has_one_version() -> None:
    assert turns.VERSION == VERSION
