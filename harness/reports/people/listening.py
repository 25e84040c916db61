"""What people said of the voice: each listening page with its figures, and every clip with where to listen.

Names of raters stand in the result's file alone: the page has how many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.records.scores import Summary
from harness.reports.parts.formats import clock, count
from harness.runs.reader import Problem
from harness.scoring.listening.key import FOLDER
from harness.scoring.listening.ratings.result import ListeningResult, OpinionFigure
from metrics.score import Evidence
from spoken_language.outside_text import one_line

MAX_PAGES, MAX_BYTES, MAX_CLIPS = 20, 8_000_000, 100


@dataclass(frozen=True, kw_only=True)
class OpinionRow:
    """A figure in words; ``interval`` says why there is none."""

    of: str
    mean: str
    interval: str
    n: int


@dataclass(frozen=True, kw_only=True)
class ListeningPageTold:
    """One page. ``set_aside``: why and how many raters, a sentence each."""

    about: str
    set_aside: tuple[str, ...]
    rows: tuple[OpinionRow, ...]


@dataclass(frozen=True, kw_only=True)
class RatedPlace:
    """A clip and its mean."""

    call_id: str
    time: str
    mean: str


@dataclass(frozen=True, kw_only=True)
class ListeningSection:
    """``clips``: those that were liked least first."""

    pages: tuple[ListeningPageTold, ...]
    clips: tuple[RatedPlace, ...]


def listening_section(folder: Path, summary: Summary, problems: list[Problem]) -> ListeningSection | None:
    """The section of a run; None where nobody rated it.

    Args:
        problems: Gets the results that cannot be read.
    """
    pages = tuple(_pages(folder, problems))
    if not pages:
        return None
    mos = summary.metrics.get("mos")
    places = sorted((one for one in (mos.evidence if mos else ()) if one.value is not None), key=_value)
    return ListeningSection(
        pages=pages,
        clips=tuple(
            RatedPlace(call_id=one.call_id or "", time=clock(one.start_s or 0.0), mean=f"{one.value:.2f}")
            for one in places[:MAX_CLIPS]
        ),
    )


def _value(one: Evidence) -> float:
    return one.value or 0.0


def _pages(folder: Path, problems: list[Problem]) -> Iterator[ListeningPageTold]:
    for path in sorted((folder / FOLDER).glob("result-*.json"))[:MAX_PAGES]:
        try:
            result = read_model(path, ListeningResult, max_bytes=MAX_BYTES, within=folder)
        except UserError as error:
            what = one_line(str(error), most=400).removeprefix(f"{path}: ")
            problems.append(Problem(file=f"{FOLDER}/{one_line(path.name, most=60)}", what=what))
            continue
        method = "single clips (ACR)" if result.method == "acr" else "pairs (CCR), −3 to 3"
        many = count(len(result.raters), "rater")
        reasons = Counter(reason for one in result.raters for reason in one.set_aside)
        yield ListeningPageTold(
            about=f"Page {result.sheet}: {method}; {result.counted} of {many} count.",
            set_aside=tuple(f"{count(n, 'rater')}: {reason}" for reason, n in reasons.most_common(20)),
            rows=tuple(_row(one) for one in result.figures),
        )


def _row(one: OpinionFigure) -> OpinionRow:
    has = one.ci_low is not None and one.ci_high is not None
    return OpinionRow(
        of=f"Anchor, {one.of}" if one.kind == "anchor" else one.of,
        mean=f"{one.mean:.2f}",
        interval=f"{one.ci_low:.2f} to {one.ci_high:.2f}" if has else one.method,
        n=one.n,
    )
