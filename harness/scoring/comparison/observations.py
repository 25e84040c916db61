"""What calls hold of a figure, by group, in the form in which two sides are compared.

The figures are those of the measures: percentiles over all observations with what never came censored, sums
over sums for shares and error rates, means. A measure of another package that is no share is compared by the
mean over calls of each call's own value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from harness.analysis.measures.base import Measure, ScoredCall
from harness.analysis.measures.conduct.double_talk import DoubleTalk
from harness.analysis.measures.conversation.interruption_delay import gone_on
from harness.analysis.measures.conversation.turns import waited_for
from harness.analysis.measures.probes.transcribed import as_in_the_run, tells_transcripts
from harness.analysis.measures.table import measures
from harness.analysis.measures.task.text_measure import TextMeasure
from harness.analysis.measures.understanding.error_rates import FIGURE_OF
from harness.analysis.measures.voice.by_duration import ByDuration
from harness.records.call import CallStatus
from harness.records.scores import WordCounts
from harness.scoring.comparison.pairs import Pair
from harness.scoring.gates.held_to import HeldCall
from metrics.comparison.rates import Pairs
from metrics.comparison.weighted import Observed, Percentile, Sums
from metrics.score import Status
from metrics.survival import Waited

_LEVELS = {"": 50.0, "p50": 50.0, "p90": 90.0, "p95": 95.0}
_ACROSS_CALLS = ("selective_attention_success_rate",)
"""Shares of which a call by itself has none: what counts in one is seen in another."""
_SAME_DECIMALS = 12

T = TypeVar("T")
Times = Callable[[HeldCall], Sequence[Waited]]
Parts = Callable[[HeldCall], Sequence[tuple[float, float]]]
"""Of a call: observations of (numerator, denominator)."""


@dataclass(frozen=True, kw_only=True)
class OfFigure:
    """A figure's observations in the groups in which both sides have some.

    Attributes:
        pairs: Calls of each side.
        rates: Where each group has one verdict a side: how often they agree.
        share: Its observations are verdicts.
        varied: Groups whose difference is another than the one that most have; None of a percentile.
        times: Where they are times: those of both sides, by group.
    """

    observed: Observed | None
    groups: int
    pairs: int
    rates: Pairs | None = None
    share: bool = False
    varied: int | None = None
    times: tuple[tuple[list[Waited], list[Waited]], ...] = ()

    def later_than(self, time: float) -> Observed:
        """The share of a side's observations that had not come by then."""
        sides = [
            [[(float(not one.came or one.time > time), 1.0) for one in group[side]] for group in self.times]
            for side in (0, 1)
        ]
        return Sums.of(*sides)


def of_figure(figure: str, part: str, groups: Mapping[str, Sequence[Pair]]) -> OfFigure:
    """The observations of a figure, or of a percentile of it."""
    times = TIMES.get(figure)
    if times is None and part:
        times = _evidence(figure)
    if times is not None:
        kept = _both({key: _sides(pairs, times) for key, pairs in groups.items()})
        observed = (
            Percentile(_LEVELS[part], [one[0] for one in kept], [one[1] for one in kept]) if kept else None
        )
        return OfFigure(observed=observed, groups=len(kept), pairs=_pairs(groups, times), times=tuple(kept))
    measure = next((one for one in measures() if one.entry.name == figure), None)
    share = measure is not None and measure.entry.share
    parts = _PARTS.get(figure) or _error_counts(figure, groups)
    if parts is None:
        parts = _counted(measure, groups) if measure is not None and share else _values(figure, measure)
    sums = _both({key: _sides(pairs, parts) for key, pairs in groups.items()})
    summed = Sums.of([one[0] for one in sums], [one[1] for one in sums]) if sums else None
    return OfFigure(
        observed=summed,
        groups=len(sums),
        pairs=_pairs(groups, parts),
        rates=_verdicts(sums) if share else None,
        share=share,
        varied=None if summed is None else _varied(summed),
    )


def _sides(pairs: Sequence[Pair], of: Callable[[HeldCall], Sequence[T]]) -> tuple[list[T], list[T]]:
    """What both sides of a group have; a pair of which one side has nothing is no pair of this figure."""
    found: tuple[list[T], list[T]] = ([], [])
    for one, other in pairs:
        mine, theirs = of(one), of(other)
        if mine and theirs:
            found[0].extend(mine)
            found[1].extend(theirs)
    return found


def _both(sides: Mapping[str, tuple[list[T], list[T]]]) -> list[tuple[list[T], list[T]]]:
    return [one for _, one in sorted(sides.items()) if one[0] and one[1]]


def _pairs(groups: Mapping[str, Sequence[Pair]], of: Callable[[HeldCall], Sequence[T]]) -> int:
    return sum(bool(of(one)) and bool(of(other)) for pairs in groups.values() for one, other in pairs)


def _verdicts(groups: Sequence[tuple[list[tuple[float, float]], list[tuple[float, float]]]]) -> Pairs | None:
    """Where every group has one verdict on each side."""
    counted = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for one, other in groups:
        if len(one) != 1 or len(other) != 1:
            return None
        counted[(one[0][0] > 0, other[0][0] > 0)] += 1
    return Pairs(
        both=counted[(True, True)],
        baseline_only=counted[(True, False)],
        candidate_only=counted[(False, True)],
        neither=counted[(False, False)],
    )


def _varied(observed: Sums) -> int:
    """By the difference of each group's own figures."""
    found: Counter[float | None] = Counter()
    for one, other in zip(observed.baseline, observed.candidate, strict=True):
        known = one[1] > 0 and other[1] > 0
        found[round(float(other[0] / other[1] - one[0] / one[1]), _SAME_DECIMALS) if known else None] += 1
    return len(observed.baseline) - max(found.values(), default=0)


def _waited(call: HeldCall) -> list[Waited]:
    turns = call.files.scores.turns if call.files.scores else []
    return [one for turn in turns if turn.outcome.due and (one := waited_for(turn)) is not None]


def _answered(call: HeldCall) -> list[Waited]:
    turns = call.files.scores.turns if call.files.scores else []
    return [Waited(time=t.latency_ms) for t in turns if t.outcome.replied and t.latency_ms is not None]


def _to_content(call: HeldCall) -> list[Waited]:
    turns = call.files.scores.turns if call.files.scores else []
    return [
        Waited(time=turn.content_latency_ms)
        for turn in turns
        if turn.outcome.due and turn.latency_ms is not None and turn.content_latency_ms is not None
    ]


def _went_on(call: HeldCall) -> list[Waited]:
    timings = call.files.scores.interruptions if call.files.scores else []
    return [one for timing in timings if (one := gone_on(timing)) is not None]


def _stops(call: HeldCall) -> list[Waited]:
    timings = call.files.scores.interruptions if call.files.scores else []
    return [
        Waited(time=one.delay_ms) for one in timings if one.outcome == "stopped" and one.delay_ms is not None
    ]


def _evidence(figure: str) -> Times:
    def of(call: HeldCall) -> list[Waited]:
        scores = call.files.scores.scores if call.files.scores else []
        return [
            Waited(time=one.value)
            for score in scores
            if score.metric == figure and score.status is Status.MEASURED
            for one in score.evidence
            if one.value is not None
        ]

    return of


def _taken(call: HeldCall) -> list[tuple[float, float]]:
    status = call.record.status
    return [(float(status.took_place), 1.0)] if status.took_place or status is CallStatus.NOT_ANSWERED else []


def _replied(call: HeldCall) -> list[tuple[float, float]]:
    turns = call.files.scores.turns if call.files.scores else []
    return [(float(turn.outcome.replied), 1.0) for turn in turns if turn.outcome.due]


def _in_time(call: HeldCall) -> list[tuple[float, float]]:
    timings = call.files.scores.interruptions if call.files.scores else []
    return [
        (float(one.within_500ms), 1.0)
        for one in timings
        if one.outcome == "stopped" and one.within_500ms is not None
    ]


def _stopped(call: HeldCall) -> list[tuple[float, float]]:
    timings = call.files.scores.interruptions if call.files.scores else []
    return [
        (float(one.outcome == "stopped"), 1.0) for one in timings if one.outcome in ("stopped", "not_stopped")
    ]


def _error_counts(figure: str, groups: Mapping[str, Sequence[Pair]]) -> Parts | None:
    """Of a measure whose calls keep edit counts."""

    counts: dict[int, WordCounts] = {}
    every = [pair for pairs in groups.values() for pair in pairs]
    for side in (0, 1):
        own = [(id(pair[side]), scores) for pair in every if (scores := pair[side].files.scores) is not None]
        # Where a side tells transcripts, a call in which it wrote nothing is one in which it heard nothing.
        tells = any(figure in scores.word_counts for _, scores in own)
        for key, scores in own:
            known = scores.word_counts.get(figure) or (scores.unheard.get(figure) if tells else None)
            if known is not None:
                counts[key] = known
    if not counts:
        return None
    # As in the figure: a letter is no Chinese character.
    languages = {call.record.plan.language for pair in every for call in pair if id(call) in counts}

    def of(call: HeldCall) -> list[tuple[float, float]]:
        known = counts.get(id(call))
        if known is None or (len(languages) > 1 and call.record.plan.language != FIGURE_OF):
            return []
        return [(float(known.errors), float(known.reference))]

    return of


def _counted(measure: Measure, groups: Mapping[str, Sequence[Pair]]) -> Parts:
    """The verdicts of a call, of which the figure is so many of all: what the measure makes of that call
    alone. What a call's own score counts may be more (a place without a sound has one, too)."""
    every = [pair for pairs in groups.values() for pair in pairs]
    # As in the figure: where a side writes transcripts in some call, it heard nothing where it wrote none.
    writing = [_writes([pair[side] for pair in every]) for side in (0, 1)]
    tells = {id(pair[side]): writing[side] for pair in every for side in (0, 1)}
    # Pooling resamples, and each call is asked for several times.
    made: dict[int, list[tuple[float, float]]] = {}

    def of(call: HeldCall) -> list[tuple[float, float]]:
        if id(call) not in made:
            made[id(call)] = _verdicts_alone(measure, call, tells=tells.get(id(call), False))
        return made[id(call)]

    return of


def _writes(calls: Sequence[HeldCall]) -> bool:
    return any(call.files.scores and tells_transcripts(call.files.scores.hearings) for call in calls)


def _verdicts_alone(measure: Measure, call: HeldCall, *, tells: bool) -> list[tuple[float, float]]:
    scores = call.files.scores
    if scores is None or measure.entry.name in _ACROSS_CALLS:
        return []
    heard = scores.model_copy(update={"hearings": as_in_the_run(scores.hearings, tells=tells)})
    alone = measure.pool([ScoredCall(scores=heard, plan=call.record.plan)])
    if alone.value is None:
        return []
    did = round(alone.value * alone.n)
    return [(1.0, 1.0)] * did + [(0.0, 1.0)] * (alone.n - did)


def _values(figure: str, measure: Measure | None) -> Parts:
    def of(call: HeldCall) -> list[tuple[float, float]]:
        scores = call.files.scores
        if scores is None:
            return []
        if isinstance(measure, TextMeasure):
            judged = scores.text.text if scores.text else None
            value = None if judged is None else measure.of_dialogue(judged).value
            return [] if value is None else [(value, 1.0)]
        if isinstance(measure, ByDuration | DoubleTalk):
            return [(value * seconds, seconds) for value, seconds in measure.parts(scores)]
        if figure.startswith("nisqa_"):
            name = figure.removeprefix("nisqa_")
            rated = [(clip, getattr(clip, name, None)) for clip in scores.clips if not clip.warnings]
            return [
                (value * (clip.end_s - clip.start_s), clip.end_s - clip.start_s)
                for clip, value in rated
                if value is not None
            ]
        own = [one.value for one in scores.scores if one.metric == figure and one.value is not None]
        return [(value, 1.0) for value in own]

    return of


TIMES: dict[str, Times] = {
    "response_latency_ms": _waited,
    "response_latency_answered_ms": _answered,
    "content_latency_ms": _to_content,
    "interruption_delay_ms": _went_on,
    "interruption_delay_stopped_ms": _stops,
}
_PARTS: dict[str, Parts] = {
    "answered_calls": _taken,
    "response_rate": _replied,
    "interruption_success_500ms": _in_time,
    "interruption_stop_rate": _stopped,
}
