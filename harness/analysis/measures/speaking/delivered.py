"""What the measures of this folder have in common: deliveries of a run, and which are not counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count
from harness.analysis.measures.pooling import mean, missing
from harness.records.scores import ProbeReading, ReadingDelivery
from metrics.score import Score, Status

MOST_REASONS = 3
Wanted = Callable[[ProbeReading], bool]
Value = Callable[[ProbeReading, ReadingDelivery], float | None]


class OfSentences(Measure):
    """The mean of something over the sentences of a run.

    Args:
        entry: Of the figure.
        wanted: The sentences that it is about.
        value: Of one of them; None where it was not measured.
        version: Of the measure.
        least: Fewer sentences make no figure; one at least is needed.
        own_error: The instrument's own, for the reason.
    """

    scores_calls = False  # A call keeps how each sentence was said.

    def __init__(
        self,
        entry: MetricEntry,
        *,
        wanted: Wanted,
        value: Value,
        version: str,
        least: int = 1,
        own_error: str = "",
    ) -> None:
        super().__init__(entry)
        self._wanted, self._value, self._version = wanted, value, version
        self._least, self._own_error = least, own_error

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        """Not applicable where no such sentence was read, indeterminate where none was measured."""
        found = deliveries(calls, self._wanted)
        if not found:
            return nothing_delivered(self.entry, calls, self._wanted)
        by_call: dict[str, list[float]] = {}
        for call_id, one, delivery in found:
            measured = self._value(one, delivery)
            if measured is not None:
                by_call.setdefault(call_id, []).append(measured)
        notes = [*filter(None, [self._own_error]), *left_out(found, self._value)]
        measured_n = sum(map(len, by_call.values()))
        if measured_n < self._least:
            if by_call:
                few = f"{count(measured_n, 'sentence')} measured, and fewer than {self._least} make no figure"
                return missing(self.entry, [few, *notes], status=Status.INDETERMINATE)
            said = any(one.said for _, one, _ in found)
            return missing(self.entry, notes, status=Status.INDETERMINATE if said else Status.NOT_APPLICABLE)
        by_kind = _by_kind(found, self._value)
        score = mean(self.entry, by_call, notes=[*by_kind, *notes], version=self._version)
        if measured_n < 2 or len({value for values in by_call.values() for value in values}) > 1:
            return score
        # Resampling what is all the same would claim certainty.
        same = "no interval: all sentences have the same value"
        return score.model_copy(update={"ci_low": None, "ci_high": None, "interval_method": same})


def deliveries(
    calls: Sequence[ScoredCall], wanted: Wanted
) -> list[tuple[str, ProbeReading, ReadingDelivery]]:
    """The sentences of that sort that have a control, each with its call."""
    return [
        (call.scores.call_id, one, one.delivery)
        for call in calls
        for one in call.scores.readings
        if one.delivery is not None and wanted(one)
    ]


def nothing_delivered(entry: MetricEntry, calls: Sequence[ScoredCall], wanted: Wanted) -> Score:
    """Of a run without deliveries: nothing was asked for, or nobody listened."""
    read = [one for call in calls for one in call.scores.readings if one.control and wanted(one)]
    why = f"{count(len(read), 'sentence')} with a control, and neither words nor sound were measured"
    return missing(entry, [why] if read else [])


def left_out(found: Sequence[tuple[str, ProbeReading, ReadingDelivery]], value: Value) -> list[str]:
    """Why some are not counted, the commonest reasons first."""
    reasons = Counter(
        delivery.reason or "too little of it is voiced"
        for _, one, delivery in found
        if value(one, delivery) is None
    )
    return [f"{count(n, 'sentence')} not counted: {why}" for why, n in reasons.most_common(MOST_REASONS)]


def _by_kind(found: Sequence[tuple[str, ProbeReading, ReadingDelivery]], value: Value) -> list[str]:
    kinds: Mapping[str, list[float]] = {one.kind: [] for _, one, _ in found}
    for _, one, delivery in found:
        measured = value(one, delivery)
        if measured is not None:
            kinds[one.kind].append(measured)
    told = [
        f"{kind.replace('_', ' ')} {sum(own) / len(own):.2f} ({len(own)})"
        for kind, own in kinds.items()
        if own
    ]
    return [", ".join(told)] if len(told) > 1 else []
