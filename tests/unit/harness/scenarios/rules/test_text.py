"""Weekdays that do not fit their date, however the date is written."""

from __future__ import annotations

import datetime

import pytest

from harness.scenarios.rules.text import wrong_dates

TODAY = datetime.date(2025, 1, 8)
"""A Wednesday."""


@pytest.mark.parametrize(
    "date", ["Friday, January {}", "Friday the {}th of January", "Friday {} January", "Friday, {}th January"]
)
def test_a_weekday_is_held_against_its_date(date: str) -> None:
    right, wrong = date.format(10), date.format(11)
    assert list(wrong_dates(f"See you on {right}.", TODAY)) == []
    assert list(wrong_dates(f"See you on {wrong}.", TODAY)) == [f"'{wrong}': 2025-01-11 is a Saturday"]
