"""Artefacts of the agent's voice as figures: how often, for how much of the speech, and where to listen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count, reasons_of, scores_of
from harness.analysis.measures.pooling import per_minute
from harness.analysis.measures.units import PER_MINUTE, RATIO, Unit
from harness.analysis.measures.voice.by_duration import ByDuration
from metrics.score import Evidence, Score, Status
from metrics.spans import Span
from metrics.synthesis.artefacts import VERSION, StretchArtefacts

AROUND_S = 0.03
"""What the network lost makes holes of its own, a little longer than the packets that it lost."""
STOPPED_WITHIN_S = 0.3
"""An agent that ends this close to a caller who speaks, or to the end of the call, was stopped."""
NO_SPEECH = "the agent did not speak"
NOT_QUIET = (
    "what follows is not 25 dB below the loud part (a noise beneath the voice), or nothing is louder than "
    "-50 dBFS"
)
NO_END_HEARD = f"no stretch of which it is heard how it ends: {NOT_QUIET}"

Place = tuple[float, float, str]
"""From, to, and what is heard there."""


class PerMinute(ByDuration):
    """How many there are in a minute of the agent's speech.

    Args:
        places: Where they are in a stretch.
    """

    version = VERSION

    def __init__(self, entry: MetricEntry, *, places: Callable[[StretchArtefacts], list[Place]]) -> None:
        super().__init__(entry)
        self._places = places

    def of_call(self, call: AnalysedCall) -> Found:
        stretches, places, of_the_network = [], [], 0
        for one in call.artefacts or ():
            found = self._places(one)
            ours = [place for place in found if not _lost_around(call, place)]
            of_the_network += len(found) - len(ours)
            per_minute = 60 * len(ours) / one.span.duration_s if one.span.duration_s else 0.0
            stretches.append(_evidence(call, one.span, per_minute))
            places += [
                Evidence(call_id=call.material.call_id, start_s=start_s, end_s=end_s, text=text)
                for start_s, end_s, text in ours
            ]
        if not stretches:
            return Found(score=self.none(NO_SPEECH))
        note = f"{count(of_the_network, 'place')} left out where packets were lost" if of_the_network else ""
        return Found(score=self.score_of(stretches, places=places, note=note))

    def _pooled(self, by_call: Mapping[str, Sequence[tuple[float, float]]], notes: Sequence[str]) -> Score:
        return per_minute(self.entry, by_call, notes=notes, version=self.version)


class ShareOfSpeech(ByDuration):
    """For how much of the agent's speech something holds.

    Args:
        holds: Of a stretch; None where that is not known.
    """

    version = VERSION

    def __init__(self, entry: MetricEntry, *, holds: Callable[[StretchArtefacts], bool | None]) -> None:
        super().__init__(entry)
        self._holds = holds

    def of_call(self, call: AnalysedCall) -> Found:
        known = [(one, holds) for one in self._asked(call) if (holds := self._holds(one)) is not None]
        if not known:
            return Found(score=self.none(self.entry.when_absent))
        return Found(score=self.score_of([_evidence(call, one.span, float(holds)) for one, holds in known]))

    def _asked(self, call: AnalysedCall) -> Sequence[StretchArtefacts]:
        return call.artefacts or ()


class ShareOfStretches(ShareOfSpeech):
    """As :class:`ShareOfSpeech`, each stretch that ended by itself counting once.

    A stretch of which that is not known stands in the evidence, without a value.
    """

    version = "2"

    def of_call(self, call: AnalysedCall) -> Found:
        ended = self._asked(call)
        if not ended:
            return Found(score=self.none(self.entry.when_absent if call.artefacts else NO_SPEECH))
        known = [(one, holds) for one in ended if (holds := self._holds(one)) is not None]
        hidden = [one for one in ended if self._holds(one) is None]
        places = tuple(
            Evidence(
                call_id=call.material.call_id,
                start_s=one.span.start_s,
                end_s=one.span.end_s,
                text="how it ends is not heard",
            )
            for one in hidden
        )
        if not known:
            score = self.none(NO_END_HEARD, status=Status.INDETERMINATE)
            return Found(score=score.model_copy(update={"evidence": places}))
        stretches = [_evidence(call, one.span, float(holds)) for one, holds in known]
        return Found(score=self.score_of(stretches, places=places, note=_left_out(len(hidden))))

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        score = super().pool(calls)
        if score.status is not Status.MEASURED:
            return score
        own = scores_of(self.entry.name, calls)
        hidden = sum(place.value is None for one in own for place in one.evidence)
        # How many there are in all is told once, whether or not a call had others.
        why = [one for one in reasons_of(self.entry.name, calls) if not one.startswith(NO_END_HEARD)]
        return score.model_copy(update={"reason": "; ".join(filter(None, [*why, _left_out(hidden)]))})

    def _asked(self, call: AnalysedCall) -> Sequence[StretchArtefacts]:
        return [one for one in call.artefacts or () if not _was_stopped(call, one.span)]

    @staticmethod
    def _parts(evidence: Sequence[Evidence]) -> list[tuple[float, float]]:
        return [(one.value, 1.0) for one in evidence if one.value is not None]


def _left_out(hidden: int) -> str:
    return f"{count(hidden, 'stretch')} left out: {NOT_QUIET}" if hidden else ""


def _was_stopped(call: AnalysedCall, stretch: Span) -> bool:
    """By a caller who speaks, by the end of the call, or by packets that were lost."""
    end_s = stretch.end_s
    spoken_over = any(
        one.start_s - STOPPED_WITHIN_S < end_s < one.end_s + STOPPED_WITHIN_S
        for one in call.material.utterances
    )
    stopped = any(
        one.agent_stop_s is not None and abs(one.agent_stop_s - end_s) < STOPPED_WITHIN_S
        for one in call.interruptions
    )
    over = end_s > call.material.end_s - STOPPED_WITHIN_S
    return spoken_over or stopped or over or _lost_around(call, (end_s, end_s, ""))


def _lost_around(call: AnalysedCall, place: Place) -> bool:
    start_s, end_s, _ = place
    return any(
        gap.side == "agent" and gap.start_s - AROUND_S < end_s and start_s < gap.end_s + AROUND_S
        for gap in call.material.gaps
    )


def _evidence(call: AnalysedCall, span: Span, value: float) -> Evidence:
    return Evidence(call_id=call.material.call_id, start_s=span.start_s, end_s=span.end_s, value=value)


def _entry(
    name: str,
    label: str,
    definition: str,
    unit: Unit,
    when_absent: str = "no stretch of agent speech was long enough",
) -> MetricEntry:
    return MetricEntry(
        name=name,
        label=label,
        unit=unit,
        better="lower",
        definition=definition,
        needs=(Need.VOICE_ARTEFACTS,),
        when_absent=when_absent,
        counted="stretch",
    )


DROP_OUTS = PerMinute(
    _entry(
        "drop_outs_per_minute",
        "Drop-outs",
        "Holes of 10 to 207 ms in the middle of the agent's loud speech, in a minute of the agent's speech "
        "(not of the call: what is silent for 0.6 s or more is not in it); those where the network lost "
        "packets are left out. A hole that falls into a pause or into quiet speech is not heard, and not "
        "counted. Valid at 8 kHz as well.",
        PER_MINUTE,
    ),
    places=lambda one: [
        (hole.start_s, hole.end_s, f"a hole of {hole.duration_s * 1000:.0f} ms") for hole in one.drop_outs
    ],
)
CLIPPED = ShareOfSpeech(
    _entry(
        "clipped_share",
        "Clipped speech",
        "The share of the agent's speech, by duration, whose loud frames all have the same peak (spread "
        "under 0.12 of their mean). Finds most of what is clipped by 12 dB, a third of what is clipped by 6, "
        "and none of 3. Valid at 8 kHz as well.",
        RATIO,
    ),
    holds=lambda one: one.clipped,
)
LEVEL_JUMPS = PerMinute(
    _entry(
        "level_jumps_per_minute",
        "Level jumps",
        "Places at which the agent's speech of the next second is 7 dB or more off that of the second "
        "before, in a minute of the agent's speech (not of the call). Of steps of 10 dB a third to a half is "
        "found; smaller ones are hardly told from a voice's own. Valid at 8 kHz as well.",
        PER_MINUTE,
    ),
    places=lambda one: [(jump.at_s, jump.at_s, f"a step of {jump.db:+.0f} dB") for jump in one.jumps],
)
CUT_ENDS = ShareOfStretches(
    _entry(
        "cut_end_rate",
        "Cut ends",
        "Stretches of the agent's speech that break off at full level within 7.5 ms, over all that neither "
        "the caller nor the end of the call stopped. Left out is what is not followed by quiet, 25 dB below "
        "its loud part, as over a noise beneath the voice. One clean end in eleven is taken for one. "
        "Beginnings are not judged: those of speech are as sudden. Valid at 8 kHz as well.",
        RATIO,
        "the caller or the end of the call stopped every stretch of the agent's speech",
    ),
    holds=lambda one: one.cut_end,
)
