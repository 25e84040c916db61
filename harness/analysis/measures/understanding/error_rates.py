"""Error rates: what was said is aligned with what was heard, and the edits counted over all calls."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
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
FIGURE_OF: Language = "zh"
"""Of several languages the one whose rate is the figure."""
LANGUAGE_NAMES = {"en": "English", "zh": "Chinese"}
DROPPED_MARK = " dropped ("
"""In the reason of a score whose words may be incomplete; see :attr:`AnalysedCall.dropped_messages`."""
ENDED_MARK = "left out, because the call ended within"
"""In the reason of a score without the caller's last words."""


class ErrorRateMeasure(Measure):
    """An error rate over pairs of what was said and what was heard."""

    by_character = False
    version = NORMALIZATION_VERSION

    @abstractmethod
    def pairs(self, call: AnalysedCall) -> list[Utterance]:
        """What is compared in a call."""

    def of_call(self, call: AnalysedCall) -> Found:
        name, seed = self.entry.name, call.material.seed
        pairs, language = self.pairs(call), _language_of(call)
        of_the_agent = {Need.AGENT_TRANSCRIPT, Need.AGENT_TEXT}.intersection(self.entry.needs)
        try:
            if self.by_character:
                score = cer_score(pairs, language=language, seed=seed, metric=name)
            elif language == "zh":
                return Found(score=self._marked(wer_score(pairs, language=language, seed=seed, metric=name)))
            else:
                score = wer_score(pairs, language=language, seed=seed, metric=name)
            counts = self.counted(call)
        except TextTooLong as error:
            failed = not_measured(name, "ratio", str(error), status=Status.FAILED)
            return Found(score=self._marked(failed))
        if of_the_agent and call.dropped_messages:
            # What it recognised or said may be in what did not reach us.
            score = score.model_copy(
                update={"reason": "; ".join(filter(None, [score.reason, call.dropped_messages]))}
            )
        return Found(score=self._marked(score), counts=counts)

    def counted(self, call: AnalysedCall) -> WordCounts | None:
        """The edits of a call's pairs; None where its language has no such unit.

        Raises:
            TextTooLong: A text cannot be aligned as one utterance.
        """
        language = _language_of(call)
        if language == "zh" and not self.by_character:
            return None
        rate_of = character_error_rate if self.by_character else word_error_rate
        rates = [rate_of(one.reference, one.hypothesis, language=language) for one in self.pairs(call)]
        return _counts(pool(rates, unit="character" if self.by_character else "word"))

    def _marked(self, score: Score) -> Score:
        return score.model_copy(update={"version": self.version})

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        return pooled_errors(self.entry, calls, counted_as=self.entry.name)


def pooled_errors(
    entry: MetricEntry,
    calls: Sequence[ScoredCall],
    *,
    counted_as: str,
    of_run: Sequence[ScoredCall] | None = None,
) -> Score:
    """An error rate over calls.

    In a call in which the agent wrote nothing, and does in others of the run, every word is missing. Calls in
    several languages make no common rate, because a letter is no Chinese character: the figure is that of
    Chinese then, which has no other, and the rest is told.

    Args:
        counted_as: The metric under whose name the calls keep the edit counts.
        of_run: All calls of the run, where ``calls`` are some of them.
    """
    counts, unheard = _counted(calls, counted_as, calls if of_run is None else of_run)
    by_id = {call.scores.call_id: call for call in calls}
    lacking = [call for call in calls if call.scores.call_id not in counts]
    reasons = reasons_of(counted_as, lacking)
    if not sum(one.reference for one in counts.values()):
        return missing(entry, reasons, status=worst(score.status for score in scores_of(counted_as, calls)))
    notes = []
    if unheard:
        notes.append(
            f"in {count(len(unheard), 'call')} the agent wrote nothing, and does in others: all missing"
        )
    if lacking:
        notes.append(
            f"{count(len(lacking), 'call')} left out" + (f": {'; '.join(reasons)}" if reasons else "")
        )
    if incomplete := sum(
        DROPPED_MARK in score.reason for score in scores_of(counted_as, calls) if score.value is not None
    ):
        notes.append(f"in {count(incomplete, 'call')} messages of the agent were dropped")
    if ended := sum(ENDED_MARK in score.reason for score in scores_of(counted_as, calls)):
        notes.append(
            f"in {count(ended, 'call')} the caller's last words are left out: it ended right after them"
        )
    version = version_of(counted_as, [by_id[one] for one in counts if one not in unheard] or calls)
    by_language: dict[str, dict[str, WordCounts]] = {}
    for call_id, one in counts.items():
        by_language.setdefault(_placed_in(by_id[call_id]), {})[call_id] = one
    spoken = {name: own for name, own in by_language.items() if sum(one.reference for one in own.values())}
    if len(spoken) > 1:
        chosen = max(spoken, key=lambda name: (name == FIGURE_OF, name))
        notes = [_beside(name, own, entry) for name, own in sorted(spoken.items()) if name != chosen] + notes
        counts = by_language[chosen]
    return error_rate(entry, counts, notes=notes, version=version)


def _counted(
    calls: Sequence[ScoredCall], counted_as: str, of_run: Sequence[ScoredCall]
) -> tuple[dict[str, WordCounts], frozenset[str]]:
    """The edit counts by call, and in which calls the agent heard nothing: it wrote nothing in them, and does
    in others of the run."""
    counts, unheard = {}, set()
    tells = any(counted_as in call.scores.word_counts for call in of_run)
    for call in calls:
        scores = call.scores
        if counted_as in scores.word_counts:
            counts[scores.call_id] = scores.word_counts[counted_as]
        elif tells and counted_as in scores.unheard:
            counts[scores.call_id] = scores.unheard[counted_as]
            unheard.add(scores.call_id)
    return counts, frozenset(unheard)


def _placed_in(call: ScoredCall) -> str:
    """In which a call was placed; empty for a recording from elsewhere."""
    return "" if call.plan is None else call.plan.language


def _beside(language: str, own: Mapping[str, WordCounts], entry: MetricEntry) -> str:
    errors, reference = sum(one.errors for one in own.values()), sum(one.reference for one in own.values())
    name = LANGUAGE_NAMES.get(language, language or "of no known language")
    return f"{name}, not counted: {errors / reference:.3f} of {count(reference, entry.counted)}"


def _language_of(call: AnalysedCall) -> Language:
    return cast(Language, call.material.language)


def _counts(rate: ErrorRate) -> WordCounts:
    return WordCounts(
        substitutions=rate.substitutions,
        deletions=rate.deletions,
        insertions=rate.insertions,
        reference=rate.reference_length,
    )
