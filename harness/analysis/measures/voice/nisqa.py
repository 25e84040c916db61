"""How the agent's voice sounds, as NISQA predicts it from each stretch of the agent's speech."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count, reasons_of, scores_of, worst
from harness.analysis.measures.pooling import missing, weighted_mean
from harness.analysis.measures.units import MOS
from harness.records.scores import ClipQuality
from metrics.score import Evidence, Score, Status
from metrics.synthesis.naturalness import NATURALNESS_METRIC, VERSION, naturalness_scores, quality_scores


class NisqaMeasure(Measure):
    """The mean of one of NISQA's values over stretches of agent speech that it is valid for, by duration."""

    def value_of(self, clip: ClipQuality) -> float | None:
        """Its value for a stretch."""
        value: float | None = getattr(clip, self.entry.name.removeprefix("nisqa_"))
        return value

    def of_call(self, call: AnalysedCall) -> Found:
        clips = call.rated or ()
        warnings = [clip.warnings for clip in clips]
        where = [
            Evidence(call_id=call.material.call_id, start_s=clip.span.start_s, end_s=clip.span.end_s)
            for clip in clips
        ]
        if self.entry.name == NATURALNESS_METRIC:
            natural = [(at, clip.naturalness) for at, clip in zip(where, clips, strict=True)]
            scores = naturalness_scores(natural, warnings=warnings)
        else:
            quality = [(at, clip.quality) for at, clip in zip(where, clips, strict=True)]
            scores = quality_scores(quality, warnings=warnings)
        return Found(score=next(score for score in scores if score.metric == self.entry.name))

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        name = self.entry.name
        by_call = {
            call.scores.call_id: [
                (value, clip.end_s - clip.start_s)
                for clip in call.scores.clips
                if (value := self.value_of(clip)) is not None and not clip.warnings
            ]
            for call in calls
        }
        warned = [clip.warnings for call in calls for clip in call.scores.clips if clip.warnings]
        notes = [_warned_note(warned)] if warned else []
        if not any(by_call.values()):
            status = worst(score.status for score in scores_of(name, calls))
            if warned and status is Status.NOT_APPLICABLE:
                status = Status.INDETERMINATE
            reasons = [] if warned else reasons_of(name, calls)
            return missing(self.entry, [*notes, *reasons], status=status)
        silent = [call for call in calls if not call.scores.clips]
        return weighted_mean(self.entry, by_call, notes=[*notes, *reasons_of(name, silent)], version=VERSION)


def _warned_note(warned: Sequence[Sequence[str]]) -> str:
    kinds = Counter(warning for found in warned for warning in set(found))
    told = ", ".join(f"{n} {warning}" for warning, n in sorted(kinds.items()))
    return f"{count(len(warned), 'clip')} left out, for which NISQA is not valid: {told}"


def _nisqa(
    name: str, label: str, definition: str, *, paper: str = "", card: int | None = None
) -> NisqaMeasure:
    return NisqaMeasure(
        MetricEntry(
            name=f"nisqa_{name}",
            label=f"{label} (NISQA)",
            unit=MOS,
            better="higher",
            definition=definition,
            paper=paper,
            needs=(Need.VOICE_RATING,),
            when_absent="no stretch of agent speech was rated by NISQA",
            counted="clip",
            card=card,
        )
    )


def _predicted(what: str) -> str:
    return f"NISQA's prediction for {what}, from 1 (bad) to 5 (excellent)."


NATURALNESS = _nisqa(
    "naturalness",
    "Naturalness",
    "Naturalness of the agent's voice as NISQA-TTS predicts it, from 1 to 5: the mean over stretches of "
    "agent speech, by duration, without those that it is not valid for (under 1 s of speech, narrowband). "
    "Predicted, not rated by people; not comparable across bandwidths.",
    paper="Table 16",
    card=8,
)
QUALITY = _nisqa(
    "mos",
    "Sound quality",
    "Overall quality of the transmitted speech as NISQA predicts it, from 1 to 5: the mean over stretches of "
    "agent speech, by duration, without those that it is not valid for (under 1 s of speech, narrowband).",
    card=9,
)
NOISINESS = _nisqa("noisiness", "Noisiness", _predicted("background and coding noise"))
DISCONTINUITY = _nisqa("discontinuity", "Discontinuity", _predicted("dropouts and breaks"))
COLORATION = _nisqa("coloration", "Coloration", _predicted("distortion of the timbre"))
LOUDNESS = _nisqa("loudness", "Loudness", _predicted("how fitting the level is"))
