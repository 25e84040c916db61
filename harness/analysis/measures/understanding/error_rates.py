"""Error rates: what was said is aligned with what was heard, and the edits counted over all calls."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Literal, cast

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count, reasons_of, scores_of, version_of, worst
from harness.analysis.measures.pooling import error_rate, missing
from harness.records.scores import WordCounts
from metrics.recognition.error_rate import (
    ErrorRate,
    TextTooLong,
    Utterance,
    cer_score,
    character_error_rate,
    pool,
    wer_score,
    word_error_rate,
)
from metrics.recognition.normalize import NORMALIZATION_VERSION
from metrics.score import Score, Status, not_measured

Language = Literal["en", "zh"]
DROPPED_MARK = " dropped ("
"""In the reason of a score whose words may be incomplete; see :attr:`AnalysedCall.dropped_messages`."""


class ErrorRateMeasure(Measure):
    """An error rate over pairs of what was said and what was heard."""

    by_character = False
    version = NORMALIZATION_VERSION

    @abstractmethod
    def pairs(self, call: AnalysedCall) -> list[Utterance]:
        """What is compared in a call."""

    def of_call(self, call: AnalysedCall) -> Found:
        name, seed = self.entry.name, call.material.seed
        pairs, language = self.pairs(call), cast(Language, call.material.language)
        of_the_agent = {Need.AGENT_TRANSCRIPT, Need.AGENT_TEXT}.intersection(self.entry.needs)
        try:
            if self.by_character:
                score = cer_score(pairs, language=language, seed=seed, metric=name)
                rates = [character_error_rate(p.reference, p.hypothesis, language=language) for p in pairs]
            elif language == "zh":
                return Found(score=self._marked(wer_score(pairs, language=language, seed=seed, metric=name)))
            else:
                score = wer_score(pairs, language=language, seed=seed, metric=name)
                rates = [word_error_rate(p.reference, p.hypothesis, language=language) for p in pairs]
        except TextTooLong as error:
            failed = not_measured(name, "ratio", str(error), status=Status.FAILED)
            return Found(score=self._marked(failed))
        if of_the_agent and call.dropped_messages:
            # What it recognised or said may be in what did not reach us.
            score = score.model_copy(
                update={"reason": "; ".join(filter(None, [score.reason, call.dropped_messages]))}
            )
        return Found(
            score=self._marked(score),
            counts=_counts(pool(rates, unit="character" if self.by_character else "word")),
        )

    def _marked(self, score: Score) -> Score:
        return score.model_copy(update={"version": self.version})

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        return pooled_errors(self.entry, calls, counted_as=self.entry.name)


def pooled_errors(entry: MetricEntry, calls: Sequence[ScoredCall], *, counted_as: str) -> Score:
    """An error rate over calls.

    Args:
        counted_as: The metric under whose name the calls keep the edit counts.
    """
    counts = {
        call.scores.call_id: call.scores.word_counts[counted_as]
        for call in calls
        if counted_as in call.scores.word_counts
    }
    lacking = [call for call in calls if counted_as not in call.scores.word_counts]
    reasons = reasons_of(counted_as, lacking)
    if not sum(one.reference for one in counts.values()):
        return missing(entry, reasons, status=worst(score.status for score in scores_of(counted_as, calls)))
    notes = []
    if lacking:
        notes.append(
            f"{count(len(lacking), 'call')} left out" + (f": {'; '.join(reasons)}" if reasons else "")
        )
    if incomplete := sum(
        DROPPED_MARK in score.reason for score in scores_of(counted_as, calls) if score.value is not None
    ):
        notes.append(f"in {count(incomplete, 'call')} messages of the agent were dropped")
    return error_rate(entry, counts, notes=notes, version=version_of(counted_as, calls))


def _counts(rate: ErrorRate) -> WordCounts:
    return WordCounts(
        substitutions=rate.substitutions,
        deletions=rate.deletions,
        insertions=rate.insertions,
        reference=rate.reference_length,
    )
