"""The parts of the test whether a simulated person is taken for a real one."""

from __future__ import annotations

from typing import Literal

Part = Literal["score", "detect", "compare"]
"""A score of how human it is, human or not, and which of two is the human."""
PARTS: tuple[Part, ...] = ("score", "detect", "compare")
