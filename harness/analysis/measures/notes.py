"""What is told with a figure over calls: why some have no value, by which version, with which error bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.pooling import NOT_MEASURED
from metrics.score import Score, Status
from spoken_language.plurals import plural

MAX_REASONS = 3


def scores_of(name: str, calls: Iterable[ScoredCall]) -> list[Score]:
    """The scores of single calls for a metric."""
    return [score for call in calls for score in call.scores.scores if score.metric == name]


def reasons_of(name: str, calls: Iterable[ScoredCall]) -> list[str]:
    """Why the calls have no value for a metric, the commonest reason first, with how often each was given."""
    given = Counter(
        score.reason.removeprefix(NOT_MEASURED)
        for score in scores_of(name, calls)
        if score.status is not Status.MEASURED
    )
    return [f"{reason} ({count(times, 'call')})" for reason, times in given.most_common(MAX_REASONS)]


def worst(statuses: Iterable[Status]) -> Status:
    """One status for a metric without a value: a failure is never hidden behind "not applicable"."""
    found = set(statuses)
    return next((one for one in (Status.FAILED, Status.INDETERMINATE) if one in found), Status.NOT_APPLICABLE)


def version_of(name: str, calls: Iterable[ScoredCall]) -> str:
    """The metric's version; several where calls of one run were scored by different ones."""
    return " + ".join(sorted({score.version for score in scores_of(name, calls)})) or "1"


def widest(resolutions: Sequence[float | None]) -> float | None:
    """The error bar that holds for every observation; None when one of them has none."""
    known = [resolution for resolution in resolutions if resolution is not None]
    return max(known) if known and len(known) == len(resolutions) else None


def tally(reasons: Counter[str]) -> str:
    """The commonest reasons, each with its number."""
    return ", ".join(f"{times} × {reason}" for reason, times in reasons.most_common(MAX_REASONS))


def count(n: int, noun: str) -> str:
    """``1 call``, ``2 calls``."""
    return f"{n} {noun if n == 1 else plural(noun)}"
