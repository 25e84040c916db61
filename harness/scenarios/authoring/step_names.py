"""The seven steps from real calls to personas, in their order, and one of ours behind them."""

from __future__ import annotations

from typing import Literal, get_args

Step = Literal["curate", "extract", "generalise", "deidentify", "enrich", "humanise", "scale", "examples"]
STEPS: tuple[Step, ...] = get_args(Step)
