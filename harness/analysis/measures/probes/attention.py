"""Selective attention (Table 14): does the agent keep to its caller while somebody else is heard?

Over the dialogues of the suite ``attention`` whose request it can take up when nobody else is heard; told by
place, and by how loud the other is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from harness.records.scores import ProbeAttention
from metrics.interaction.attention import VERSION
from metrics.score import Score

_PLACES = {"under_request": "under the request", "over_agent": "into its speech"}
_SOURCES = {
    "transcript": "by the agent's own transcript",
    "agent_text": "by what it told that it said",
    "recogniser": "by what we heard it say",
}
_ALONE = "its request was not taken up alone either"
_UNKNOWN_ALONE = "whether its request is taken up alone is not known"


class _Attention(Measure):
    scores_calls = False  # Whether a request is taken up alone is seen in another call.

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        every = [one for call in calls for one in call.scores.attention]
        if not every:
            return missing(self.entry)
        alone: dict[tuple[str, str], list[bool]] = {}
        for one in every:
            if not one.heard and one.success is not None:
                alone.setdefault(_request(one), []).append(one.success)
        tried = [one for one in every if one.heard]
        able = [one for one in tried if any(alone.get(_request(one), ()))]
        counted = [one for one in able if one.success is not None]
        left = Counter(one.reason for one in able if one.success is None)
        left[_ALONE] = sum(not any(alone.get(_request(one), (True,))) for one in tried)
        left[_UNKNOWN_ALONE] = sum(_request(one) not in alone for one in tried)
        notes = [f"{n} not counted: {why}" for why, n in left.items() if n]
        did = [any(successes) for successes in alone.values()]
        notes.insert(0, f"alone, {sum(did)} of {len(did)} requests were taken up")
        if not counted:
            return missing(self.entry, notes)
        told = [_told(where, own) for where, own in _by_place(counted)]
        sources = Counter(one.source for one in counted if one.source)
        told += [f"{_SOURCES[source]} ({n})" for source, n in sources.most_common()]
        successes = sum(bool(one.success) for one in counted)
        return proportion(self.entry, successes, len(counted), notes=[*told, *notes], version=VERSION)


def _request(one: ProbeAttention) -> tuple[str, str]:
    """Which request it is: another suite may have one of the same id."""
    return one.suite, one.request


def _by_place(counted: Sequence[ProbeAttention]) -> list[tuple[str, list[ProbeAttention]]]:
    keys = {
        (one.place, one.heard, one.snr_db): f"{_PLACES[one.place]}, {one.heard} at {one.snr_db:g} dB"
        for one in sorted(
            counted, key=lambda one: (one.place != "under_request", one.heard == "babble", -(one.snr_db or 0))
        )
    }
    return [
        (told, [one for one in counted if (one.place, one.heard, one.snr_db) == key])
        for key, told in keys.items()
    ]


def _told(where: str, own: Sequence[ProbeAttention]) -> str:
    return f"{where} {sum(bool(one.success) for one in own)} of {len(own)}"


SELECTIVE_ATTENTION = _Attention(
    MetricEntry(
        name="selective_attention_success_rate",
        label="Selective attention",
        unit=RATIO,
        better="higher",
        definition=(
            "Dialogues in which the agent took up the caller's request and nothing of somebody else who was "
            "heard: it did not stop for the other within 1 s, did not answer the other within 2 s, and has "
            "none of the other's words in its transcript or reply; over all whose request it takes up when "
            "nobody else is heard."
        ),
        paper="Table 14",
        needs=(Need.OTHER_VOICE,),
        when_absent="in no call somebody else was heard besides the caller: run --probes attention",
        counted="dialogue",
        share=True,
    )
)
