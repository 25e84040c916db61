"""Measures that a judge of words makes possible: each dialogue counts once, in text or spoken.

Intervals resample entries (Davison & Hinkley, section 3.8): several trials of one entry are alike, and it is
other entries that one wants to speak about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import MAX_REASONS, worst
from harness.analysis.measures.pooling import mean, missing
from harness.records.scores import DialogueScores
from metrics.dialogue.text_scores import TextScores
from metrics.score import Score, Status, not_measured

NO_TASK = "no dialogue about a scenario was judged"
NO_OCCASION = "no reply of a judged dialogue gave occasion for it"


class TextMeasure(Measure):
    """A figure of the judged words of dialogues.

    Args:
        part_of: Tables set it under this: task flow, interaction, or nothing.
        partial: Can lack some of its parts, and tells which.
    """

    scores_calls = False  # A dialogue's own stands with its verdicts.

    def __init__(
        self, entry: MetricEntry, *, part_of: Literal["tfc", "gic", ""] = "", partial: bool = False
    ) -> None:
        super().__init__(entry)
        self.part_of = part_of
        self.partial = partial

    def of_dialogue(self, judged: TextScores) -> Score:
        """Its score for a dialogue."""
        try:
            return judged.score(self.entry.name)
        except KeyError:
            return not_measured(self.entry.name, self.entry.unit.name, "it was judged without this metric")

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        return self.pool_dialogues([call.scores.text for call in calls if call.scores.text is not None])

    def pool_dialogues(self, dialogues: Sequence[DialogueScores]) -> Score:
        """The figure over dialogues; those that were not judged are left out."""
        found = [(one, self.of_dialogue(one.text)) for one in dialogues if one.text is not None]
        by_entry: dict[str, list[float]] = {}
        lacking: list[Score] = []
        for one, score in found:
            if score.value is None:
                lacking.append(score)
            else:
                by_entry.setdefault(one.entry or one.id, []).append(score.value)
        if not by_entry:
            reasons = [
                reason for reason, _ in Counter(one.reason for one in lacking).most_common(MAX_REASONS)
            ]
            return missing(self.entry, reasons, status=worst(one.status for one in lacking))
        versions = " + ".join(sorted({score.version for _, score in found}))
        notes = self._notes([score for _, score in found], lacking)
        pooled = mean(self.entry, by_entry, notes=notes, version=versions)
        values = {value for values in by_entry.values() for value in values}
        if pooled.n > 1 and len(values) == 1:
            # Resampling equal values would claim certainty.
            same = "no interval: all dialogues have the same value"
            return pooled.model_copy(update={"ci_low": None, "ci_high": None, "interval_method": same})
        # Few entries make an interval wider than the figure can be.
        ends = {"ci_low": _within(pooled.ci_low), "ci_high": _within(pooled.ci_high)}
        return pooled.model_copy(update=ends)

    def _notes(self, scores: Sequence[Score], lacking: Sequence[Score]) -> list[str]:
        notes = []
        left_out = Counter(score.status for score in lacking)
        for status, why in (
            (Status.FAILED, "left out: the judgement failed"),
            (Status.INDETERMINATE, "left out: failed judgements leave it open"),
            (Status.NOT_APPLICABLE, "without it"),
        ):
            if left_out[status]:
                notes.append(f"{left_out[status]} of {len(scores)} dialogues {why}")
        if self.partial:
            parts = Counter(
                part for score in scores for part in score.reason.split("; ") if part.startswith("partial")
            )
            notes += [
                f"{reason} ({times} of {len(scores)})" for reason, times in parts.most_common(MAX_REASONS)
            ]
        return notes


def _within(end: float | None) -> float | None:
    return None if end is None else min(max(end, 0.0), 1.0)
