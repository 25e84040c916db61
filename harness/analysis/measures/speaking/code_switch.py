"""How naturally words of another language are spoken within a sentence: ``code_switch_fluency`` (Table 16).

The share of seams, two a phrase, at which the phrase is understood, the pause is at most 150 ms beyond the
voice's own gaps, and the level steps by at most 3 dB, and what we measure it wrong by. Pause and level, which
are measured right where understanding is not, stand under names of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.pooling import missing, weighted_mean
from harness.analysis.measures.speaking.delivered import (
    OfSentences,
    Value,
    deliveries,
    left_out,
    nothing_delivered,
)
from harness.analysis.measures.units import DB, MS, RATIO, Unit
from harness.records.scores import ProbeReading, ReadingDelivery
from metrics.score import Score, Status
from metrics.synthesis.prosody.bounds import LARGEST_STEP_DB, LONGEST_PAUSE_S, STEP_ERROR_DB

VERSION = "2"
"""1 found 20 of 38 seams of a fluent voice fluent."""
OWN_ERROR = (
    "of two voices that were held out 40 of 66 fluent seams were found fluent: our recogniser did not "
    "understand 12 of 33 words (docs/speaking.md)"
)
"""Why there is no figure: by ``python -m bench.speaking.seams``; 95 % are asked for, of held-out voices."""
PARTS_VERSION = "1"
NOT_READ = "no call let the agent read words of another language: run --probes code_switch"


class _CodeSwitch(Measure):
    scores_calls = False  # A call keeps how each sentence was said.

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        share = self.share(calls)
        if share.value is None:
            return share
        why = f"{share.value:.0%} of {share.n} seams, but {OWN_ERROR}"
        return missing(self.entry, [why, share.reason], status=Status.INDETERMINATE)

    def share(self, calls: Sequence[ScoredCall]) -> Score:
        """The figure as it would be; :meth:`pool` tells it in words."""
        found = deliveries(calls, _is_switched)
        if not found:
            return nothing_delivered(self.entry, calls, _is_switched)
        notes = left_out(found, _measured)
        by_call: dict[str, list[tuple[float, float]]] = {}
        for call_id, _, delivery in found:
            for seam in delivery.seams:
                by_call.setdefault(call_id, []).append((float(seam.fluent), 1.0))
        if not by_call:
            said = any(one.said for _, one, _ in found)
            return missing(self.entry, notes, status=Status.INDETERMINATE if said else Status.NOT_APPLICABLE)
        told = _told([delivery for _, _, delivery in found if delivery.seams])
        return weighted_mean(self.entry, by_call, notes=[told, *notes], version=VERSION)


def _is_switched(one: ProbeReading) -> bool:
    return bool(one.key_language)


def _measured(_: ProbeReading, delivery: ReadingDelivery) -> float | None:
    return float(len(delivery.seams)) if delivery.seams else None


def _told(own: Sequence[ReadingDelivery]) -> str:
    """What of it is not fluent, each by itself, and the timbre, which is in no figure."""
    seams = [seam for one in own for seam in one.seams]
    pauses = sum(seam.pause_s > LONGEST_PAUSE_S for seam in seams)
    most_db = LARGEST_STEP_DB + STEP_ERROR_DB
    steps = sum(abs(one.level_step_db or 0.0) > most_db for one in own)
    timbre = sorted(one.timbre_db for one in own if one.timbre_db is not None)
    parts = [
        f"understood {sum(bool(one.understood) for one in own)} of {len(own)} phrases",
        f"paused at {pauses} of {len(seams)} seams",
        f"level off by more than {most_db:g} dB in {steps} phrases",
    ]
    if timbre:
        parts.append(f"timbre {timbre[len(timbre) // 2]:+.1f} dB from the control's (median)")
    return ", ".join(parts)


CODE_SWITCH = _CodeSwitch(
    MetricEntry(
        name="code_switch_fluency",
        label="Code-switch fluency",
        unit=RATIO,
        better="higher",
        definition=(
            "Seams of a word of another language at which it is understood, the pause is at most 150 ms "
            "beyond the voice's own gaps and the level steps by at most 3 dB (and 2 that we may measure it "
            "wrong by), over all seams."
        ),
        paper="Table 16",
        needs=(Need.READING,),
        when_absent=NOT_READ,
        counted="seam",
        share=True,
    )
)


def _part(name: str, label: str, unit: Unit, definition: str, value: Value) -> OfSentences:
    return OfSentences(
        MetricEntry(
            name=name,
            label=label,
            unit=unit,
            better="lower",
            definition=f"{definition} A part of code-switch fluency.",
            needs=(Need.READING,),
            when_absent=NOT_READ,
            counted="foreign word",
        ),
        wanted=_is_switched,
        value=value,
        version=PARTS_VERSION,
    )


def _pause_ms(_: ProbeReading, delivery: ReadingDelivery) -> float | None:
    return 1000 * sum(seam.pause_s for seam in delivery.seams) if delivery.seams else None


def _level_db(_: ProbeReading, delivery: ReadingDelivery) -> float | None:
    step_db = delivery.level_step_db if delivery.seams else None
    return None if step_db is None else abs(step_db)


PAUSE = _part(
    "code_switch_pause_ms",
    "Code switch: pause",
    MS,
    "Silence before and behind a word of another language beyond the voice's own gaps.",
    _pause_ms,
)
LEVEL = _part(
    "code_switch_level_db",
    "Code switch: level",
    DB,
    "How much louder or quieter a word of another language is said than a native one in its place.",
    _level_db,
)
