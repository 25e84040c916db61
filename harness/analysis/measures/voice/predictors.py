"""How the agent's voice sounds by DNSMOS and PLCMOS: predictions of networks, under names of their own."""

from __future__ import annotations

from collections import Counter

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, MetricEntry
from harness.analysis.measures.notes import count
from harness.analysis.measures.units import MOS
from harness.analysis.measures.voice.by_duration import ByDuration
from metrics.score import Evidence, Status
from metrics.synthesis.nisqa_domain import DomainWarning

_VALID = (
    "The mean over stretches of agent speech, by duration, without those of under 1 s of speech; not for "
    "telephone-band sound. Predicted, not rated by people."
)


class PredictorMeasure(ByDuration):
    """One of the predictors' values."""

    def of_call(self, call: AnalysedCall) -> Found:
        clips = call.predicted or ()
        valid = [clip for clip in clips if not clip.warnings]
        warned = Counter(warning for clip in clips for warning in set(clip.warnings))
        told = ", ".join(f"{n} {warning}" for warning, n in sorted(warned.items()))
        note = f"{count(len(clips) - len(valid), 'clip')} left out: {told}" if told else ""
        if not valid:
            if not clips:
                return Found(score=self.none("no stretch of agent speech that it can rate"))
            # Sound of a telephone is no subject for it at all; a word or two might have been more.
            narrow = all(DomainWarning.NARROWBAND in clip.warnings for clip in clips)
            status = Status.NOT_APPLICABLE if narrow else Status.INDETERMINATE
            return Found(score=self.none(note, status=status))
        return Found(
            score=self.score_of(
                [
                    Evidence(
                        call_id=call.material.call_id,
                        start_s=clip.span.start_s,
                        end_s=clip.span.end_s,
                        value=getattr(clip.prediction, self.entry.name),
                    )
                    for clip in valid
                ],
                note=note,
            )
        )


def _predictor(name: str, label: str, what: str) -> PredictorMeasure:
    return PredictorMeasure(
        MetricEntry(
            name=name,
            label=label,
            unit=MOS,
            better="higher",
            definition=f"{what}, from about 1 (bad) to 5 (excellent). {_VALID}",
            needs=(Need.VOICE_PREDICTION,),
            when_absent="no stretch of agent speech was rated by DNSMOS and PLCMOS",
            counted="clip",
        )
    )


SIGNAL = _predictor(
    "dnsmos_sig", "Voice quality (DNSMOS P.835)", "DNSMOS's prediction for the quality of the voice itself"
)
BACKGROUND = _predictor(
    "dnsmos_bak", "Background (DNSMOS P.835)", "DNSMOS's prediction for how little the background intrudes"
)
OVERALL = _predictor(
    "dnsmos_ovrl",
    "Overall quality (DNSMOS P.835)",
    "DNSMOS's prediction for the overall quality of voice and background",
)
P808 = _predictor(
    "dnsmos_p808",
    "Overall quality (DNSMOS P.808)",
    "DNSMOS's prediction for the overall quality in a test after ITU-T P.808",
)
CONCEALMENT = _predictor(
    "plcmos", "Loss concealment (PLCMOS)", "PLCMOS's prediction for how well lost packets are concealed"
)
