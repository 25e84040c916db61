"""Who counts: rules that were fixed before anybody rated, and that look at no clip of the run."""

from __future__ import annotations

from dataclasses import dataclass

from harness.scoring.listening.key import ListeningKey
from harness.scoring.listening.order import order_of
from harness.scoring.listening.ratings.answers import RaterFile
from metrics.listening.headphone_tones import RIGHT

GOLD_WRONG, NULL_WRONG = 2, 2
"""So many wrong ones set a rater aside."""


@dataclass(frozen=True, kw_only=True)
class Screened:
    """What a rater said of each item, and why it does not count.

    Attributes:
        values: Item -> the value, of pairs as the sheet has their sounds: the second against the first.
        tones_right: Of the headphone test; None where the page has none.
        reasons: Empty where it counts.
    """

    file: RaterFile
    values: dict[str, int]
    tones_right: int | None
    reasons: tuple[str, ...]

    @property
    def counts(self) -> bool:
        return not self.reasons


def screened(file: RaterFile, key: ListeningKey) -> Screened:
    """Holds a rater, whose file fits the page, to the rules."""
    swapped = order_of([one.id for one in key.sheet.items], sheet=key.sheet.id, rater=file.rater).swapped
    turned = swapped if key.sheet.method == "ccr" else frozenset()
    values = {item: -one.value if item in turned else one.value for item, one in file.answers.items()}
    reasons = []
    tones_right = None
    if key.softer:
        tones_right = sum(given == right for given, right in zip(file.tones, key.softer, strict=False))
        if tones_right < RIGHT:
            reasons.append(f"{tones_right} of {len(key.softer)} tones right, fewer than {RIGHT}")

    def wrong(kind: str) -> tuple[int, int, int]:
        """Wrong, left out, of how many."""
        ids = [item for item, is_ in key.items.items() if is_.kind == kind]
        given = [item for item in ids if item in values]
        bad = sum(values[item] not in key.items[item].right for item in given)
        return bad, len(ids) - len(given), len(ids)

    bad, open_, many = wrong("trap")
    if bad + open_:
        reasons.append(_told(bad, open_, many, "traps"))
    bad, open_, many = wrong("gold")
    if bad + open_ >= GOLD_WRONG:
        reasons.append(_told(bad, open_, many, "gold clips"))
    bad, _, many = wrong("null")
    if bad >= NULL_WRONG:
        reasons.append(f"{bad} of {many} null pairs beyond 1")
    clips = key.of_kind("clip")
    rated = sum(item in values for item in clips)
    if 2 * rated < len(clips):
        reasons.append(f"{rated} of {len(clips)} clips rated, less than half")
    if len(file.answers) > 1 and len({one.value for one in file.answers.values()}) == 1:
        reasons.append("the same answer to everything")
    return Screened(file=file, values=values, tones_right=tones_right, reasons=tuple(reasons))


def _told(bad: int, open_: int, many: int, what: str) -> str:
    if bad and open_:
        return f"{bad} of {many} {what} wrong, {open_} left out"
    return f"{bad or open_} of {many} {what} {'wrong' if bad else 'left out'}"
