"""How often our own verdict on a symbol is right, of voices that were made to read it right and wrong.

By ``python -m bench.symbols``: each item of the suite ``symbols`` said in words by voices of ours, once as it
may be said and once as it may not, then judged. A class below :data:`ENOUGH` makes no figure.
"""

from __future__ import annotations

from collections.abc import Mapping

ENOUGH = 0.95
MEASURED: Mapping[tuple[str, str], tuple[int, int]] = {
    ("en", "abbreviation"): (17, 20),
    ("en", "address"): (9, 10),
    ("en", "code"): (20, 20),
    ("en", "currency"): (20, 20),
    ("en", "date"): (20, 20),
    ("en", "decimal"): (10, 10),
    ("en", "email"): (13, 20),
    ("en", "fraction"): (20, 20),
    ("en", "hashtag"): (20, 20),
    ("en", "large_number"): (10, 10),
    ("en", "math"): (20, 20),
    ("en", "negative"): (10, 10),
    ("en", "ordinal"): (18, 20),
    ("en", "percent"): (20, 20),
    ("en", "phone"): (20, 20),
    ("en", "range"): (20, 20),
    ("en", "ratio"): (10, 10),
    ("en", "roman"): (15, 20),
    ("en", "slash_ampersand"): (8, 10),
    ("en", "temperature"): (11, 11),
    ("en", "time"): (20, 20),
    ("en", "unit"): (20, 20),
    ("en", "url"): (19, 20),
    ("en", "version"): (9, 10),
    ("en", "year"): (10, 10),
    ("zh", "code"): (3, 8),
    ("zh", "currency"): (5, 8),
    ("zh", "date"): (6, 8),
    ("zh", "fraction"): (5, 5),
    ("zh", "percent"): (8, 8),
    ("zh", "phone"): (4, 8),
    ("zh", "time"): (6, 8),
    ("zh", "unit"): (6, 8),
}
"""By language and class: how many verdicts were right, and of how many; an indeterminate one is not."""


def verdicts_are_right(kind: str, language: str) -> bool:
    """Whether a verdict on such a symbol says how it was read."""
    right, n = MEASURED.get((language, kind), (0, 0))
    return n > 0 and right / n >= ENOUGH


def verdict_error_told(kind: str, language: str) -> str:
    """The error in words."""
    right, n = MEASURED.get((language, kind), (0, 0))
    if not n:
        return "how often our verdict on such is right was not measured"
    return f"our verdict is right on {right} of {n} that were read as planted"
