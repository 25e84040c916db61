"""How often our own recogniser has an entity right that it hears read back: the error of a read-back.

Measured by ``python -m bench.read_backs``: every entity of the suite ``entities`` is read back in sentences
by voices of ours, in quiet, and heard by Whisper base. A kind below :data:`ENOUGH` makes no figure by
read-back.
"""

from __future__ import annotations

from collections.abc import Mapping

from spoken_language.entity_kinds import EntityKind

ENOUGH = 0.95
MEASURED: Mapping[tuple[str, EntityKind], tuple[int, int]] = {
    ("en", "name"): (10, 32),
    ("en", "place"): (13, 32),
    ("en", "company"): (19, 32),
    ("en", "date"): (31, 32),
    ("en", "code"): (19, 32),
    ("en", "digits"): (29, 32),
    ("en", "amount"): (32, 32),
    ("en", "address"): (21, 32),
    ("zh", "name"): (9, 27),
    ("zh", "place"): (5, 27),
    ("zh", "company"): (7, 27),
    ("zh", "date"): (18, 27),
    ("zh", "code"): (11, 27),
    ("zh", "digits"): (11, 27),
    ("zh", "amount"): (17, 27),
    ("zh", "address"): (14, 27),
}
"""By language and kind: how many it had right, and of how many."""


def is_enough(kind: EntityKind, language: str) -> bool:
    """Whether what we hear of such an entity says what was said."""
    right, n = MEASURED.get((language, kind), (0, 0))
    return n > 0 and right / n >= ENOUGH


def own_error_told(kind: EntityKind, language: str) -> str:
    """The error in words."""
    right, n = MEASURED.get((language, kind), (0, 0))
    if not n:
        return "what our own recogniser has right of them was not measured"
    return f"our own recogniser has {right} of {n} right that are read back plainly"
