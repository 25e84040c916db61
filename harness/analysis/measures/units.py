"""Units of metrics, and how many of a unit are written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A unit.

    Attributes:
        name: In files.
        suffix: Behind a number.
        scale: Of the number shown to the value.
        decimals: Of the number shown.
        column: Behind a number in a narrow table.
    """

    name: str
    suffix: str
    scale: float = 1.0
    decimals: int = 0
    column: str

    def number(self, value: float, *, separator: str = "") -> str:
        """A value without its unit; never "-0"."""
        text = f"{value * self.scale:{separator if not self.decimals else ''}.{self.decimals}f}"
        return text if text.strip("-0.,") else text.lstrip("-")


MS = Unit(name="ms", suffix="ms", column="ms")
RATIO = Unit(name="ratio", suffix="%", scale=100, decimals=1, column="%")
MOS = Unit(name="mos", suffix="of 5", decimals=2, column="")
PER_MINUTE = Unit(name="per_minute", suffix="a minute", decimals=2, column="/min")

SEMITONES = Unit(name="semitones", suffix="semitones", decimals=1, column="st")
DB = Unit(name="db", suffix="dB", decimals=1, column="dB")

_KNOWN = {unit.name: unit for unit in (MS, RATIO, MOS, PER_MINUTE, SEMITONES, DB)}


def unit_named(name: str) -> Unit:
    """The unit of that name; one that is not known is written behind whole numbers."""
    return _KNOWN.get(name) or Unit(name=name, suffix=name, column=name)
