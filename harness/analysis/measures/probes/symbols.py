"""Symbol mispronunciation rate (Table 16): numbers, letters and signs that the agent read wrongly.

Of the sentences that it read aloud in suites of the form ``read_aloud`` whose items say how their symbol may
be read. A class of symbols on which our own verdict is not right in
:data:`harness.analysis.probes.reading_error.ENOUGH` of cases is told with that error and makes no figure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from harness.analysis.probes.reading_error import verdict_error_told, verdicts_are_right
from harness.records.scores import ProbeReading
from metrics.score import Score, Status
from metrics.synthesis.symbols.verdict import CLEAR, VERSION

TIE = "two ways to read it fit about as well"


class _Symbols(Measure):
    scores_calls = False  # A call keeps what became of each sentence.

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        own = [one for call in calls for one in call.scores.readings if one.is_symbol]
        if not own:
            return missing(self.entry)
        decided = [one for one in own if one.verdict in ("right", "wrong")]
        counted = [one for one in decided if verdicts_are_right(one.kind, one.language)]
        notes = [f"{n} not counted: {why}" for why, n in Counter(map(_why_not, own)).items() if why]
        notes += _unsure(decided)
        if not counted:
            status = Status.INDETERMINATE if decided else Status.NOT_APPLICABLE
            return missing(self.entry, notes, status=status)
        planted = Counter(one.kind for one in counted)
        wrong = Counter(one.kind for one in counted if one.verdict == "wrong")
        told = [f"{kind.replace('_', ' ')} {wrong[kind]} of {n}" for kind, n in sorted(planted.items())]
        return proportion(self.entry, wrong.total(), len(counted), notes=[*told, *notes], version=VERSION)


def _why_not(one: ProbeReading) -> str:
    if one.verdict in ("right", "wrong"):
        return ""
    if one.verdict == "indeterminate" and one.margin is None:
        return "no wrong way to read it is known, and it was heard in no right one"
    if one.verdict == "indeterminate":
        unknown = one.margin is not None and one.margin <= -CLEAR
        return "it was heard in no way that the suite knows" if unknown else TIE
    return one.reason or "it was not listened to"


def _unsure(decided: Sequence[ProbeReading]) -> list[str]:
    """The classes that make no figure, each with what was found of them and our own error."""
    unsure = [one for one in decided if not verdicts_are_right(one.kind, one.language)]
    notes = []
    for kind, language in dict.fromkeys((one.kind, one.language) for one in unsure):
        own = [one for one in unsure if (one.kind, one.language) == (kind, language)]
        wrong = sum(one.verdict == "wrong" for one in own)
        name = f"{kind.replace('_', ' ')} ({language})"
        told = verdict_error_told(kind, language)
        notes.append(f"{name} indeterminate: {wrong} of {len(own)} sounded wrong, {told}")
    return notes


SYMBOLS = _Symbols(
    MetricEntry(
        name="symbol_mispronunciation_rate",
        label="Symbol mispronunciation",
        unit=RATIO,
        better="lower",
        definition=(
            "Numbers, letters and symbols that the agent read wrongly, over those it read, in sentences that "
            "it was asked to read aloud; by the sound, from which of the ways to say them fits best."
        ),
        paper="Table 16",
        needs=(Need.READING,),
        when_absent="in no call the agent was asked to read symbols aloud: run --probes symbols",
        counted="symbol",
        share=True,
    )
)
