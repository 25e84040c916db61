"""From the text scores of dialogues to the figures of a run: means with intervals, by competitor and group.

Each dialogue counts once. Intervals resample entries (Davison & Hinkley, section 3.8): several trials of one
entry are alike, and it is other entries that one wants to speak about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from harness.judging.defaults import RULES
from harness.judging.judges import why_not_comparable
from harness.records.scores import CompetitorScores, DialogueScores, JudgingUse, TextSummary
from harness.records.scores.judging import summed_judging
from harness.scoring.figures_over_calls import mean, missing
from metrics.dialogue.verdicts import Dimension
from metrics.score import Score, Status

TEXT_METRICS = (
    "key_node_completion",
    "node_completion",
    "coverage",
    "process",
    "tfc",
    "gic",
    *(f"gic_{dimension}" for dimension in Dimension),
    "final",
)

_MAX_REASONS = 3


def summarize_texts(dialogues: Iterable[DialogueScores]) -> TextSummary | None:
    """The text scores of a run; None where no dialogue was up for judging."""
    everything = list(dialogues)
    if not everything:
        return None
    judged = [one for one in everything if one.text is not None]
    texts = [one.text for one in judged if one.text is not None]
    judges = sorted({text.judge for text in texts})
    versions = sorted({text.judge_version for text in texts})
    return TextSummary(
        judge=" + ".join(judges),
        judge_version=" + ".join(versions),
        comparable="; ".join(why for name in judges if (why := why_not_comparable(name))),
        dialogues=len(judged),
        not_judged=dict(Counter(one.not_judged for one in everything if one.text is None)),
        judgements=sum(len(text.nodes) + len(text.replies) for text in texts),
        failed=sum(text.failed for text in texts),
        judging=judging_of(everything),
        metrics=pooled_texts(judged),
        competitors=[_competitor(name, members) for name, members in _groups(judged, _competitor_of).items()],
    )


def judging_of(dialogues: Iterable[DialogueScores]) -> JudgingUse:
    """What judging dialogues took together."""
    return summed_judging(filter(None, map(_judging, dialogues)))


def _judging(one: DialogueScores) -> JudgingUse | None:
    if one.judging is None and one.text is not None and one.text.judge != RULES:
        return JudgingUse(uncounted=1)
    return one.judging


def pooled_texts(dialogues: Sequence[DialogueScores]) -> dict[str, Score]:
    """Every text metric over dialogues."""
    return {name: pooled_text(name, dialogues) for name in TEXT_METRICS}


def _competitor(name: str, dialogues: Sequence[DialogueScores]) -> CompetitorScores:
    def by(key: Callable[[DialogueScores], str]) -> dict[str, dict[str, Score]]:
        return {group: pooled_texts(members) for group, members in _groups(dialogues, key).items() if group}

    return CompetitorScores(
        name=name,
        dialogues=len(dialogues),
        metrics=pooled_texts(dialogues),
        by_domain=by(lambda one: one.domain),
        by_archetype=by(lambda one: one.archetype),
    )


def _competitor_of(one: DialogueScores) -> str:
    return one.competitor


def _groups(
    dialogues: Iterable[DialogueScores], key: Callable[[DialogueScores], str]
) -> dict[str, list[DialogueScores]]:
    groups: dict[str, list[DialogueScores]] = {}
    for one in dialogues:
        groups.setdefault(key(one), []).append(one)
    return groups


def pooled_text(name: str, dialogues: Sequence[DialogueScores]) -> Score:
    """One text metric over dialogues; those that were not judged are left out."""
    found = [(one, one.text.score(name)) for one in dialogues if one.text is not None]
    by_entry: dict[str, list[float]] = {}
    lacking: list[Score] = []
    for one, score in found:
        if score.value is None:
            lacking.append(score)
        else:
            by_entry.setdefault(one.entry or one.id, []).append(score.value)
    notes = _notes(name, [score for _, score in found], lacking)
    if not by_entry:
        reasons = [reason for reason, _ in Counter(one.reason for one in lacking).most_common(_MAX_REASONS)]
        return missing(name, reasons, status=_worst(lacking))
    versions = " + ".join(sorted({score.version for _, score in found}))
    pooled = mean(name, by_entry, notes=notes, version=versions)
    values = {value for values in by_entry.values() for value in values}
    if pooled.n > 1 and len(values) == 1:
        # Resampling equal values would claim certainty.
        same = "no interval: all dialogues have the same value"
        return pooled.model_copy(update={"ci_low": None, "ci_high": None, "interval_method": same})
    # Few entries make an interval wider than the figure can be.
    return pooled.model_copy(update={"ci_low": _within(pooled.ci_low), "ci_high": _within(pooled.ci_high)})


def _notes(name: str, scores: Sequence[Score], lacking: Sequence[Score]) -> list[str]:
    notes = []
    left_out = Counter(score.status for score in lacking)
    for status, why in (
        (Status.FAILED, "left out: the judgement failed"),
        (Status.INDETERMINATE, "left out: failed judgements leave it open"),
        (Status.NOT_APPLICABLE, "without it"),
    ):
        if left_out[status]:
            notes.append(f"{left_out[status]} of {len(scores)} dialogues {why}")
    if name in ("gic", "final"):
        partial = Counter(
            part for score in scores for part in score.reason.split("; ") if part.startswith("partial")
        )
        notes += [
            f"{reason} ({times} of {len(scores)})" for reason, times in partial.most_common(_MAX_REASONS)
        ]
    return notes


def _worst(scores: Sequence[Score]) -> Status:
    statuses = {score.status for score in scores}
    worst = (Status.FAILED, Status.INDETERMINATE)
    return next((status for status in worst if status in statuses), Status.NOT_APPLICABLE)


def _within(end: float | None) -> float | None:
    return None if end is None else min(max(end, 0.0), 1.0)
