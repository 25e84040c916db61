"""The table of families. A new one is a module here and a line."""

from __future__ import annotations

from collections.abc import Sequence

from harness.selfcheck.selftest.entries import Defect, Family
from harness.selfcheck.selftest.families import (
    attention,
    restraint,
    sound,
    speaking,
    suites,
    symbols,
    timing,
    words,
)

FAMILIES: tuple[Family, ...] = (
    *words.FAMILIES,
    *suites.FAMILIES,
    *attention.FAMILIES,
    *sound.FAMILIES,
    *symbols.FAMILIES,
    *speaking.FAMILIES,
    *timing.FAMILIES,
    *restraint.FAMILIES,
)


def defects_of(families: Sequence[Family]) -> list[tuple[Family, Defect]]:
    """Every defect with its family, in order."""
    return [(family, defect) for family in families for defect in family.defects]
