"""How an agent came into a turn of the caller's, in a word; :mod:`metrics.interaction.conduct` decides it.

What measures and files need of it without the detectors of speech.
"""

from __future__ import annotations

from enum import StrEnum

VERSION = "4"
"""3 took a comma of the recogniser's for the middle of a sentence; 2 took loud ends of sentences for cuts; 1
counted double talk beyond the turn, and rested on version 1 of :mod:`metrics.interaction.turns`."""
LONG_SILENCE_S = 4.0
"""A silence as long as this in which the agent is due to speak is a long one (our bound)."""
FEWEST_WORDS = 4
"""Shorter replies ("Okay, thank you.") are said again without any fault."""


class Entry(StrEnum):
    """See the module's docstring."""

    NONE = "none"
    SPLIT = "split"
    FALSE_START = "false_start"
    OVERLAP = "overlap"
    NOT_COUNTED = "not_counted"
