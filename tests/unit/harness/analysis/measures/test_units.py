"""How many of a unit are written."""

from __future__ import annotations

import pytest

from harness.analysis.measures.units import MOS, MS, RATIO, Unit, unit_named


@pytest.mark.parametrize(
    ("unit", "value", "shown"),
    [
        (MS, 1234.5, "1234"),
        (MS, -119.6, "-120"),
        (MS, -0.4, "0"),
        (RATIO, 0.0934, "9.3"),
        (RATIO, -0.0001, "0.0"),
        (MOS, 4.125, "4.12"),
        (Unit(name="words", suffix="words", column="w", decimals=2), 7.0, "7.00"),
        (unit_named("dBFS"), -70.6, "-71"),
    ],
)
def test_numbers_have_their_unit_s_scale_and_decimals(unit: Unit, value: float, shown: str) -> None:
    assert unit.number(value) == shown


def test_only_whole_numbers_are_grouped() -> None:
    assert MS.number(1234567.0, separator=",") == "1,234,567"
    assert RATIO.number(12.5, separator=",") == "1250.0"


def test_a_unit_is_found_by_its_name() -> None:
    assert [unit_named(unit.name) for unit in (MS, RATIO, MOS)] == [MS, RATIO, MOS]
    assert unit_named("furlongs").suffix == "furlongs"
