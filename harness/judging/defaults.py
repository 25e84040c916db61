"""Who judges, and how long it may take, where nobody says otherwise."""

from __future__ import annotations

RULES = "rules"
"""The judge that needs no network."""
ATTEMPT_S = 180.0
"""A model on one's own machine may read a briefing of 5000 tokens for a minute or two."""
QUESTION_S = 360.0
"""Two such attempts."""
