"""``RUN/listening/result-SHEET.json``: who rated, who counts, and the figures of one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.records.base import FileModel
from harness.scoring.listening.key import FOLDER, KeyItem, ListeningKey, read_key
from harness.scoring.listening.ratings.answers import Strict
from harness.scoring.listening.ratings.screening import Screened
from harness.scoring.listening.sheet import SCALES, ItemId, Method, SheetId
from metrics.listening.opinion import Rating, mean_opinion

MAX_RESULT_BYTES = 64_000_000
IMPORTED_AT = r"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00)?$"
"""One way of writing it, so that texts are in the order of their times."""


class RaterOutcome(FileModel):
    """One rater. Names stand here and nowhere else.

    Attributes:
        tones_right: Of the headphone test; None where the page has none.
        rated: Items that were rated.
        set_aside: Why it does not count; empty where it does.
        values: Item -> value, pairs as the key has their sounds.
    """

    name: str
    code: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
    tones_right: int | None = None
    rated: int
    set_aside: tuple[str, ...] = ()
    values: dict[ItemId, Strict] = Field(default_factory=dict)


class OpinionFigure(FileModel):
    """A mean over the ratings of those who count.

    Attributes:
        of: The name of a run, or ``Q = 15 dB`` of an anchor; of a comparison both runs.
        raters_sd, clips_sd, rest_sd: How far raters, clips and the rest spread; None without an interval.
    """

    of: str
    kind: Literal["run", "anchor", "comparison"]
    mean: float
    n: int
    raters: int
    clips: int
    ci_low: float | None
    ci_high: float | None
    method: str
    raters_sd: float | None = None
    clips_sd: float | None = None
    rest_sd: float | None = None


class ListeningResult(FileModel):
    """The whole file.

    Attributes:
        imported_at: When the raters were taken in (UTC, ISO 8601, to the microsecond); empty in older files.
    """

    version: Literal[1] = 1
    sheet: SheetId
    method: Method
    imported_at: Annotated[str, Field(pattern=IMPORTED_AT)] = ""
    raters: tuple[RaterOutcome, ...]
    figures: tuple[OpinionFigure, ...] = ()

    @model_validator(mode="after")
    def _is_on_the_scale(self) -> Self:
        scale = SCALES[self.method]
        for number, rater in enumerate(self.raters):
            for item, value in rater.values.items():
                if value not in scale:
                    off = f"{value} is not on the scale of {min(scale)} to {max(scale)}"
                    raise ValueError(f"raters.{number}.values.{item}: {off}")
        return self

    @property
    def counted(self) -> int:
        return sum(not one.set_aside for one in self.raters)


def read_results(folder: Path) -> list[tuple[ListeningResult, ListeningKey]]:
    """What every page of a folder gave, with the page's key; what was imported last comes last.

    Raises:
        UserError: One cannot be read, has no key, or is of another method than its page.
    """
    found = []
    for path in sorted((folder / FOLDER).glob("result-*.json")):
        result = read_model(path, ListeningResult, max_bytes=MAX_RESULT_BYTES, within=folder)
        key = read_key(folder, result.sheet)
        if result.method != key.sheet.method:
            raise UserError(f"{path}: method: {result.method}, and its page is {key.sheet.method}")
        found.append((result, key))
    return sorted(found, key=lambda one: (one[0].imported_at, one[0].sheet))


def result_of(key: ListeningKey, raters: Sequence[Screened], *, imported_at: str = "") -> ListeningResult:
    """What one page gave: figures of each run, or of the comparison, and of each anchor."""
    counted = [one for one in raters if one.counts]
    return ListeningResult(
        sheet=key.sheet.id,
        method=key.sheet.method,
        imported_at=imported_at,
        raters=tuple(
            RaterOutcome(
                name=one.file.rater,
                code=one.file.code,
                tones_right=one.tones_right,
                rated=len(one.values),
                set_aside=one.reasons,
                values=one.values,
            )
            for one in raters
        ),
        figures=tuple(_figures(key, counted)),
    )


def better_of(is_: KeyItem, value: int) -> int:
    """A pair's value as the second run against the first, whichever stands first in the key."""
    return value if is_.places[0].run == 0 else -value


def _figures(key: ListeningKey, counted: Sequence[Screened]) -> Iterable[OpinionFigure]:
    clips = [item for item in key.sheet.items if key.items[item.id].kind == "clip"]
    if key.sheet.method == "ccr":
        of = f"{key.runs[1]} against {key.runs[0]}"
        values = {item.id: key.items[item.id] for item in clips}
        yield from _figure(key, counted, of, "comparison", values)
        return
    for run, name in enumerate(key.runs):
        mine = {one.id: key.items[one.id] for one in clips if key.items[one.id].places[0].run == run}
        yield from _figure(key, counted, name, "run", mine)
    anchors = {name: is_ for name, is_ in key.items.items() if is_.kind == "anchor"}
    for q_db in sorted({is_.q_db or 0.0 for is_ in anchors.values()}, reverse=True):
        at = {name: is_ for name, is_ in anchors.items() if is_.q_db == q_db}
        yield from _figure(key, counted, f"Q = {q_db:g} dB", "anchor", at)


def _figure(
    key: ListeningKey,
    counted: Sequence[Screened],
    of: str,
    kind: Literal["run", "anchor", "comparison"],
    items: Mapping[str, KeyItem],
) -> Iterable[OpinionFigure]:
    """One, or none where nobody who counts rated any of it."""
    ratings = [
        Rating(
            rater=one.file.code,
            clip=item,
            value=better_of(is_, one.values[item]) if kind == "comparison" else one.values[item],
        )
        for one in counted
        for item, is_ in items.items()
        if item in one.values
    ]
    if not ratings:
        return
    scale = SCALES[key.sheet.method]
    found = mean_opinion(ratings, scale=(float(min(scale)), float(max(scale))))
    yield OpinionFigure(
        of=of,
        kind=kind,
        mean=found.mean,
        n=found.n,
        raters=found.raters,
        clips=found.clips,
        ci_low=found.interval.low,
        ci_high=found.interval.high,
        method=found.interval.method,
        raters_sd=found.raters_sd,
        clips_sd=found.clips_sd,
        rest_sd=found.rest_sd,
    )
