"""The error rate by level of noise of a suite that says the same sentences at several: all levels alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.pooling import SEED, missing
from harness.analysis.measures.probes.transcribed import VERSION, transcribed
from harness.records.scores import ProbeHearing
from metrics.intervals import bootstrap_ratio_by_call, wilson
from metrics.score import Score, Status

COUNTED_DB = (10.0, 5.0, 0.0)
"""Table 15: below 15 dB. 15 dB is told, not counted."""
QUIET = "quiet"


@dataclass(frozen=True, kw_only=True)
class Level:
    """What was heard at one level of noise, in one language.

    Attributes:
        snr_db: None: in quiet.
        errors, length: Edits and words (Chinese: characters), summed.
        lines: How many sentences that were.
    """

    language: str
    snr_db: float | None
    errors: int
    length: int
    lines: int

    @property
    def rate(self) -> float:
        return self.errors / self.length

    @property
    def told(self) -> str:
        where = QUIET if self.snr_db is None else f"{self.snr_db:g} dB"
        return f"{where} {self.rate:.3f} ({self.errors} of {self.length})"


def noise_suites(calls: Sequence[ScoredCall]) -> frozenset[str]:
    """Suites whose sentences were said at several levels of noise, of which quiet is one."""
    levels_of: dict[str, set[float | None]] = defaultdict(set)
    for call in calls:
        for one in call.scores.hearings:
            if one.setting and not one.entity and not one.usable:
                levels_of[one.suite].add(one.snr_db)
    return frozenset(suite for suite, found in levels_of.items() if len(found) > 1)


def heard_of(calls: Sequence[ScoredCall]) -> list[ProbeHearing]:
    """The sentences of such suites of which the agent's transcript is known."""
    suites = noise_suites(calls)
    return transcribed([one for call in calls for one in call.scores.hearings if one.suite in suites])


def levels(heard: Sequence[ProbeHearing], language: str) -> list[Level]:
    """By level, quiet first and the loudest noise last; those at which nothing was heard are not there."""
    by_level: dict[float | None, list[ProbeHearing]] = {}
    for one in heard:
        if one.language == language:
            by_level.setdefault(one.snr_db, []).append(one)
    return [
        Level(
            language=language,
            snr_db=snr_db,
            errors=sum(one.errors or 0 for one in by_level[snr_db]),
            length=sum(one.length or 0 for one in by_level[snr_db]),
            lines=len(by_level[snr_db]),
        )
        for snr_db in sorted(by_level, key=_quiet_first)
    ]


def _quiet_first(snr_db: float | None) -> float:
    return float("-inf") if snr_db is None else -snr_db


def noisy_rate(entry: MetricEntry, calls: Sequence[ScoredCall]) -> Score:
    """The error rate over 10, 5 and 0 dB, the mean of the three levels' rates, English by words.

    The interval resamples sentences, each with all its levels, because a sentence that is hard at one level
    is hard at the others.
    """
    heard = heard_of(calls)
    told = {language: "; ".join(one.told for one in levels(heard, language)) for language in ("en", "zh")}
    notes = [told["en"]] if told["en"] else []
    if told["zh"]:
        notes.append(f"Chinese by characters, not counted: {told['zh']}")
    counted = {one.snr_db: one for one in levels(heard, "en") if one.snr_db in COUNTED_DB}
    lacking = [f"{level:g} dB" for level in COUNTED_DB if level not in counted]
    if lacking:
        why = f"no English sentence of the suite was transcribed at {', '.join(lacking)}"
        return missing(entry, [why, *notes], status=Status.INDETERMINATE)
    by_sentence: dict[str, list[tuple[float, float]]] = {}
    for one in heard:
        if one.language == "en" and one.snr_db in counted:
            length = counted[one.snr_db].length
            by_sentence.setdefault(f"{one.suite} {one.item}", []).append(
                ((one.errors or 0) / length, (one.length or 0) / length)
            )
    n = sum(one.length for one in counted.values())
    if any(one.errors for one in counted.values()):
        interval = bootstrap_ratio_by_call(by_sentence, seed=SEED)
    else:
        # What is resampled is shares of a level's words, and no count of words.
        interval = wilson(0, n)
    return Score(
        metric=entry.name,
        unit=entry.unit.name,
        value=sum(one.rate for one in counted.values()) / len(counted),
        n=n,
        status=Status.MEASURED,
        reason="; ".join(notes),
        ci_low=interval.low,
        ci_high=interval.high,
        interval_method=interval.method.replace("by call", "by sentence"),
        version=VERSION,
    )
