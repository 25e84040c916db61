"""Rejection both ways: what the agent does with input that cannot be understood, and with input that can.

What counts is what it does, not what its recogniser wrote: says something of content (accepted), asks for it
again (rejected), says nothing. Of speech that cannot be understood silence is neither, and its share is told;
at what is no speech it is right, and has a figure of its own; of good input it is no answer and no rejection.
Asking again is told by words, and how right that is stands beside each figure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from harness.records.scores import ProbeHearing
from harness.records.scores.hearings import Did
from metrics.score import Score, Status
from spoken_language.asking_again.reply import OWN_ERROR

VERSION = "4"
"""1 took "What is your name again?" for an answer, 2 "It came through clearly" for asking again. Of an
English reply to Chinese 2 read the words without the spaces between them. 3 took "please try again later"
and "your payment has not come through" for asking again, "I got the first part but not the rest" for
content."""
_NOT_TRIED = "no call had input that cannot be understood: run --probes rejection"


class _Rejection(Measure):
    scores_calls = False  # A call keeps what was done about each line.

    def __init__(
        self,
        entry: MetricEntry,
        *,
        of: Literal["good", "speech", "sound"],
        counts: Did,
        among: tuple[Did, ...],
    ) -> None:
        super().__init__(entry)
        self._of = of
        self._counts = counts
        self._among = among

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        own = [one for call in calls for one in call.scores.hearings if one.usable == self._of]
        if not own:
            return missing(self.entry)
        did = Counter(one.did for one in own if one.did is not None)
        notes = self._notes(own, did)
        counted = [one for one in own if one.did in self._among]
        if not counted:
            why = "nothing was asked again or answered" if did else "nobody can tell what it did"
            status = Status.NOT_APPLICABLE if did else Status.INDETERMINATE
            return missing(self.entry, [why, *notes], status=status)
        planted = Counter(one.kind for one in counted)
        done = Counter(one.kind for one in counted if one.did == self._counts)
        if len(planted) > 1:
            notes += [f"{kind.replace('_', ' ')} {done[kind]} of {n}" for kind, n in sorted(planted.items())]
        if "silent" not in self._among:
            notes.append(f"by words: {OWN_ERROR}")
        return proportion(self.entry, done.total(), len(counted), notes=notes, version=VERSION)

    def _notes(self, own: Sequence[ProbeHearing], did: Counter[Did]) -> list[str]:
        notes = []
        if "silent" not in self._among:
            notes.append(f"silent after {did['silent']} of {did.total()}, not counted")
        notes += [
            f"{n} not counted: {why}"
            for why, n in Counter(one.reason for one in own if one.did is None).items()
        ]
        return notes


REJECTION = _Rejection(
    MetricEntry(
        name="rejection_rate",
        label="Rejection rate",
        unit=RATIO,
        better="higher",
        definition=(
            "Speech that cannot be understood (reversed, cut, babble, another language) for which the agent "
            "asked again, over all of it for which it asked again or answered something."
        ),
        paper="Table 15",
        needs=(Need.HEARING,),
        when_absent=_NOT_TRIED,
        counted="line",
        share=True,
    ),
    of="speech",
    counts="asked_again",
    among=("asked_again", "answered"),
)
FALSE_REJECTION = _Rejection(
    MetricEntry(
        name="false_rejection_rate",
        label="False rejection rate",
        unit=RATIO,
        better="lower",
        definition=(
            "Plain questions and requests for which the agent asked again, over all of them for which it "
            "asked again or answered something."
        ),
        paper="Table 20",
        needs=(Need.HEARING,),
        when_absent=_NOT_TRIED,
        counted="line",
        share=True,
    ),
    of="good",
    counts="asked_again",
    among=("asked_again", "answered"),
)
SILENT_AT_NOISE = _Rejection(
    MetricEntry(
        name="silence_at_noise_rate",
        label="Silence at what is no speech",
        unit=RATIO,
        better="higher",
        definition=(
            "Sounds that are no speech (noise, a cough), in the agent's silence, to which it said nothing, "
            "over all of these."
        ),
        needs=(Need.HEARING,),
        when_absent=_NOT_TRIED,
        counted="sound",
        share=True,
    ),
    of="sound",
    counts="silent",
    among=("asked_again", "answered", "silent"),
)
