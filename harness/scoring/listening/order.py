"""In which order a rater hears a page's items: their own, from the page and their name.

The page's script draws the same (``listening_page/order.js``); here it is drawn once more, so that an order,
and the direction in which a pair was heard, is never taken from a file. FNV-1a makes the seed, mulberry32 the
numbers.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_MASK = 0xFFFFFFFF


@dataclass(frozen=True, kw_only=True)
class HeardOrder:
    """Attributes:
    items: Their ids, as they come one after the other.
    swapped: Of these the second sound is heard first, if they have two: half of them.
    """

    items: tuple[str, ...]
    swapped: frozenset[str]


def order_of(items: Sequence[str], *, sheet: str, rater: str) -> HeardOrder:
    """The order in which somebody hears items.

    Args:
        items: Ids as they stand on the page.
        sheet: The page's checksum.
        rater: Their name, as it stands in their file.
    """
    numbers = _mulberry32(_fnv1a(f"{sheet} {rater}"))
    shuffled = _shuffled(items, numbers)
    turned = _shuffled(items, numbers)[: len(items) // 2]
    return HeardOrder(items=tuple(shuffled), swapped=frozenset(turned))


def rater_code(name: str) -> str:
    """Twelve hex digits that stand for a rater: the same for a name however it is spaced and capitalised."""
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return hashlib.sha256(plain.encode("utf-8", errors="replace")).hexdigest()[:12]


def _shuffled(items: Sequence[str], numbers: Iterator[int]) -> list[str]:
    """Fisher and Yates, from the last one down."""
    found = list(items)
    for last in range(len(found) - 1, 0, -1):
        other = next(numbers) * (last + 1) >> 32
        found[last], found[other] = found[other], found[last]
    return found


def _fnv1a(text: str) -> int:
    value = 0x811C9DC5
    for byte in text.encode("utf-8", errors="replace"):
        value = (value ^ byte) * 0x01000193 & _MASK
    return value


def _mulberry32(state: int) -> Iterator[int]:
    while True:
        state = state + 0x6D2B79F5 & _MASK
        mixed = (state ^ state >> 15) * (state | 1) & _MASK
        mixed ^= mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & _MASK) & _MASK
        yield mixed ^ mixed >> 14
