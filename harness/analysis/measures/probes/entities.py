"""Proper noun accuracy: names, places, numbers and the like that the agent has right (Tables 15 and 20).

Read from the agent's own transcript of the caller; where it tells none, from what it said back, as it tells
that itself, or as our own recogniser heard it. Ours makes mistakes of its own: a kind that it does not have
right in :data:`harness.analysis.probes.own_error.ENOUGH` of read-backs is told with that error and makes no
figure. What the agent did not say back is not counted; but in a call in which it wrote nothing, and does in
others of the run, it heard nothing, and what it did not say back right is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.pooling import SEED, missing
from harness.analysis.measures.probes.transcribed import as_in_the_run
from harness.analysis.measures.units import RATIO
from harness.analysis.probes.own_error import is_enough, own_error_told
from harness.records.scores import ProbeHearing
from metrics.recognition.attribution import VERSION as SHARED_OUT
from metrics.recognition.proper_nouns import VERSION, Found, accuracy, accuracy_interval
from metrics.score import Score, Status
from spoken_language.entity_kinds import EntityKind

_SOURCES = {
    "transcript": "by the agent's own transcript",
    "agent_text": "by what it told that it said back",
    "recogniser": "by what we heard it say back",
}
ENTITIES_VERSION = f"{VERSION}.{SHARED_OUT}.2"
"""Without the last number an entity was wrong where the call ended before it could be written; with 1
also where messages that were dropped may have told of it."""


class _Entities(Measure):
    scores_calls = False  # A call keeps what was made of each entity.

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        own = [(call.scores.call_id, one) for call in calls for one in call.scores.hearings]
        in_run = as_in_the_run([one for _, one in own])
        said = [(call_id, one) for (call_id, _), one in zip(own, in_run, strict=True) if one.entity]
        if not said:
            return missing(self.entry)
        known = [(call, one) for call, one in said if one.right is not None]
        counted = [(call, one) for call, one in known if _can_be_told(one)]
        notes = _unsure([one for _, one in known])
        unheard = sum(one.unheard and one.source == "transcript" for _, one in known)
        notes += [f"{unheard} wrong in calls in which the agent wrote nothing, and does in others"] * bool(
            unheard
        )
        notes += [
            f"{n} not counted: {why}"
            for why, n in Counter(one.reason for _, one in said if one.right is None).items()
        ]
        if not counted:
            status = Status.INDETERMINATE if known else Status.NOT_APPLICABLE
            return missing(self.entry, notes, status=status)
        found = accuracy(
            [
                (cast(EntityKind, one.kind), Found(right=bool(one.right), near_miss=one.near_miss))
                for _, one in counted
            ]
        )
        by_call: dict[str, list[float]] = {}
        for call, one in counted:
            by_call.setdefault(call, []).append(float(bool(one.right)))
        interval = accuracy_interval(by_call, seed=SEED)
        kinds = ", ".join(f"{kind} {right} of {n}" for kind, (right, n) in sorted(found.by_kind.items()))
        sources = Counter(one.source for _, one in counted)
        told = [
            f"macro {found.macro:.3f}",
            f"near misses {found.near_misses}",
            kinds,
            *(f"{_SOURCES[source]} ({n})" for source, n in sources.most_common() if source),
        ]
        return Score(
            metric=self.entry.name,
            unit=RATIO.name,
            value=found.micro,
            n=found.n,
            status=Status.MEASURED,
            reason="; ".join([*told, *notes]),
            ci_low=interval.low,
            ci_high=interval.high,
            interval_method=interval.method,
            version=ENTITIES_VERSION,
        )


def _can_be_told(one: ProbeHearing) -> bool:
    return one.source != "recogniser" or is_enough(cast(EntityKind, one.kind), one.language)


def _unsure(known: Sequence[ProbeHearing]) -> list[str]:
    """The kinds that make no figure, each with what we heard of them and our own error."""
    unsure = [one for one in known if not _can_be_told(one)]
    notes = []
    for kind, language in dict.fromkeys((one.kind, one.language) for one in unsure):
        own = [one for one in unsure if (one.kind, one.language) == (kind, language)]
        right = sum(bool(one.right) for one in own)
        told = own_error_told(cast(EntityKind, kind), language)
        notes.append(f"{kind} ({language}) indeterminate: {right} of {len(own)} heard right, {told}")
    return notes


PROPER_NOUNS = _Entities(
    MetricEntry(
        name="proper_noun_accuracy",
        label="Proper noun accuracy",
        unit=RATIO,
        better="higher",
        definition=(
            "Names, places, companies, codes, numbers, dates, amounts and addresses that the agent has right "
            "to the letter, over those said to it."
        ),
        paper="Table 15",
        needs=(Need.HEARING,),
        when_absent="no call said names and numbers to be understood: run --probes entities",
        counted="entity",
        share=True,
    )
)
