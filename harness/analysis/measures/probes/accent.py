"""Accent adaptability: how much more of the same sentences is misunderstood when said with an accent.

Each sentence of an accented voice is paired with the same sentence of the voice that it is compared with, and
sentences are resampled, each with all its voices. English by words makes the figure; Chinese, by characters,
is told beside it, because no native voice comes along to compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count
from harness.analysis.measures.pooling import SEED, missing
from harness.analysis.measures.probes.transcribed import VERSION, transcribed
from harness.analysis.measures.units import RATIO
from harness.records.scores import ProbeHearing
from metrics.comparison.paired import compare
from metrics.comparison.weighted import Sums
from metrics.intervals import bootstrap_ratio_by_call
from metrics.score import Score, Status

LEAST_BASE = 0.03
"""A ratio to a smaller rate says nothing: one word more or less would double it."""
FEWEST_SENTENCES = 2
_NOT_ASKED = "no call let accented voices say what a reference voice says: run --probes accent"


Counted = tuple[float, float]
"""Edits and words."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A sentence by two voices: edits and words of each."""

    item: str
    voice: str
    accented: tuple[int, int]
    reference: tuple[int, int]


class _Accents(Measure):
    scores_calls = False  # A call has one voice.

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        heard = _of_voices([one for call in calls for one in call.scores.hearings])
        if not heard:
            return missing(self.entry)
        known = transcribed(heard)
        if not known:
            return missing(self.entry, sorted({one.reason for one in heard if one.reason}))
        chinese = pairs(known, "zh")
        beside = f"Chinese, not counted: {_told(chinese)}" if chinese else ""
        english = pairs(known, "en")
        if len({one.item for one in english}) < FEWEST_SENTENCES:
            few = f"fewer than {FEWEST_SENTENCES} sentences were transcribed both with an accent and without"
            return missing(self.entry, [few, *filter(None, [beside])], status=Status.INDETERMINATE)
        return self._score(english, beside=beside, left=len(heard) - len(known))

    def _score(self, english: Sequence[Pair], *, beside: str, left: int) -> Score:
        sides: dict[str, tuple[list[Counted], list[Counted]]] = {one.item: ([], []) for one in english}
        for one in english:
            sides[one.item][0].append(one.reference)
            sides[one.item][1].append(one.accented)
        both = Sums.of([one for one, _ in sides.values()], [other for _, other in sides.values()])
        change = compare(both, seed=SEED)
        base = change.baseline or 0.0
        absolute = f"absolute change {change.estimate:+.3f}"
        if change.low is not None and change.high is not None:
            absolute += f" (90 % {change.low:+.3f} to {change.high:+.3f}, paired over {len(sides)} sentences)"
        notes = [absolute, f"reference {base:.3f}", _told(english)]
        notes += [beside] if beside else []
        notes += [f"{count(left, 'line')} without a transcript"] if left else []
        if base < LEAST_BASE:
            why = f"the reference voices' rate is {base:.3f}, under {LEAST_BASE:g}: no ratio to it"
            return missing(self.entry, [why, *notes], status=Status.INDETERMINATE)
        # Where one side said a sentence oftener (a call was lost), edits alone would not be rates.
        per_word = _length(one for one, _ in sides.values()) / _length(other for _, other in sides.values())
        by_sentence = {
            item: [(per_word * sum(e for e, _ in accented), sum(e for e, _ in reference))]
            for item, (reference, accented) in sides.items()
        }
        interval = bootstrap_ratio_by_call(by_sentence, seed=SEED)
        if not any(edits for ((edits, _),) in by_sentence.values()):
            # Wilson's would be of so many edits of the reference, which are no trials.
            none = "no interval: nothing was wrong with an accent"
            interval = replace(interval, low=None, high=None, method=none)
        return Score(
            metric=self.entry.name,
            unit=RATIO.name,
            value=change.estimate / base,
            n=len(english),
            status=Status.MEASURED,
            reason="; ".join(notes),
            ci_low=None if interval.low is None else interval.low - 1.0,
            ci_high=None if interval.high is None else interval.high - 1.0,
            interval_method=interval.method.replace("by call", "by sentence"),
            version=VERSION,
        )


def pairs(heard: Sequence[ProbeHearing], language: str) -> list[Pair]:
    """Each accented sentence beside the same sentence of the voice that it is compared with; others are not
    there. What a voice said several times counts together."""
    said: dict[tuple[str, str, str], tuple[int, int]] = {}
    against: dict[tuple[str, str, str], str] = {}
    for one in heard:
        if one.language != language:
            continue
        key = (one.suite, one.item, one.setting)
        errors, length = said.get(key, (0, 0))
        said[key] = (errors + (one.errors or 0), length + (one.length or 0))
        against[key] = one.against
    return [
        Pair(
            # A suite of one's own, made from one that comes along, may have its ids.
            item=f"{suite} {item}",
            voice=voice,
            accented=counted,
            reference=said[suite, item, against[suite, item, voice]],
        )
        for (suite, item, voice), counted in said.items()
        if against[suite, item, voice] and (suite, item, against[suite, item, voice]) in said
    ]


def _length(side: Iterable[Sequence[Counted]]) -> float:
    return sum(words for sentence in side for _, words in sentence)


def _of_voices(hearings: Sequence[ProbeHearing]) -> list[ProbeHearing]:
    """Sentences in quiet, in settings that are compared with another or that another is compared with: quiet
    itself, where all others are noise, is none."""
    plain = [one for one in hearings if not one.entity and not one.usable and one.snr_db is None]
    compared = {(one.suite, one.against) for one in plain if one.against}
    return [one for one in plain if one.setting and (one.against or (one.suite, one.setting) in compared)]


def _told(found: Sequence[Pair]) -> str:
    """Each voice's rate beside that of the voice that it is compared with, on the same sentences."""
    parts = []
    for voice in dict.fromkeys(one.voice for one in found):
        own = [one for one in found if one.voice == voice]
        rates = []
        for side in ([one.accented for one in own], [one.reference for one in own]):
            rates.append(sum(e for e, _ in side) / sum(n for _, n in side))
        parts.append(f"{voice} {rates[0]:.2f} ({rates[1]:.2f})")
    return ", ".join(parts)


ACCENTS = _Accents(
    MetricEntry(
        name="accent_adaptability",
        label="Accent adaptability",
        unit=RATIO,
        better="lower",
        definition=(
            "Relative change of the word error rate when voices with an accent say what a reference voice "
            "says, paired by sentence: 0 is as good, 1 twice as many errors."
        ),
        paper="Table 15",
        needs=(Need.HEARING, Need.AGENT_TRANSCRIPT),
        when_absent=_NOT_ASKED,
        counted="sentence",
    )
)
