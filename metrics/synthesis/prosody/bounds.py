"""Bounds of ``code_switch_fluency``: what at a seam is no longer fluent."""

from __future__ import annotations

LONGEST_PAUSE_S = 0.15
"""Beyond the voice's own gaps between words."""
LARGEST_STEP_DB = 3.0
"""Of the phrase's level against its sentence, beyond that of a native word in the same place."""
STEP_ERROR_DB = 2.0
"""How far off a step is measured: only beyond both is it known to be too large."""
