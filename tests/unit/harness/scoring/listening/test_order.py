"""Each rater's own order: every item once, the same again, by chance over raters."""

from __future__ import annotations

from collections import Counter

from harness.scoring.listening import order
from harness.scoring.listening.order import order_of, rater_code

ITEMS = [f"q{number:03d}" for number in range(1, 11)]


def test_every_item_once_and_the_same_again() -> None:
    found = order_of(ITEMS, sheet="a" * 16, rater="Zoë 王")
    assert sorted(found.items) == ITEMS
    assert len(found.swapped) == 5
    assert found == order_of(ITEMS, sheet="a" * 16, rater="Zoë 王")
    assert found.items != order_of(ITEMS, sheet="b" * 16, rater="Zoë 王").items


def test_over_raters_every_place_is_as_likely() -> None:
    raters = 4000
    drawn = [order_of(ITEMS, sheet="0" * 16, rater=f"rater {number}") for number in range(raters)]
    for places in zip(*(one.items for one in drawn), strict=True):
        counts = Counter(places)
        # 400 each; chi-square with 9 degrees of freedom stays below 33.7 in 9999 of 10000 draws.
        assert sum((counts[item] - raters / 10) ** 2 / (raters / 10) for item in ITEMS) < 33.7
    turned = Counter(item for one in drawn for item in one.swapped)
    assert all(abs(turned[item] - raters / 2) < 4 * (raters / 4) ** 0.5 for item in ITEMS)
    # Whether an item is turned does not go with where it comes.
    first = sum(one.items[0] in one.swapped for one in drawn)
    assert abs(first - raters / 2) < 4 * (raters / 4) ** 0.5


def test_numbers_as_the_published_generators_give_them() -> None:
    # FNV-1a of "a" is e40c292c (Noll's table).
    assert order._fnv1a("a") == 0xE40C292C
    assert order._fnv1a("foobar") == 0xBF9CF968


def test_a_code_is_the_names_however_it_is_written() -> None:
    assert rater_code(" Anna  B. ") == rater_code("anna b.") == rater_code("ANNA B.")
    assert rater_code("Anna B.") != rater_code("Anna C.")
    assert len(rater_code("x")) == 12
