"""How an ``agenda`` caller understands questions."""

from __future__ import annotations

from typing import Literal

Understanding = Literal["words", "meaning"]
"""How an ``agenda`` caller finds out what a question is about: by the words of the persona's cues alone, or,
where no cue is found, by a small model of sentence meaning (extra ``understanding``)."""
