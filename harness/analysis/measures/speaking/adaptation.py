"""Whether the agent slows down for what matters: ``speech_rate_adaptation`` (Table 16).

1 (100 %): the key is read no more slowly after a word that it matters than after one that it does not. How
right the instrument is stands in ``docs/speaking.md``.
"""

from __future__ import annotations

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.speaking.delivered import OfSentences
from harness.analysis.measures.units import RATIO
from harness.records.scores import ProbeReading, ReadingDelivery

VERSION = "1"
LEAST_SENTENCES = 5
"""Of single sentences some are off by 15 %; the mean of held-out voices by 4 % at most (docs/speaking.md)."""
OWN_ERROR = "our own error: 1 to 4 % too low in the mean, single sentences up to 15 %"


def _is_stressed(one: ProbeReading) -> bool:
    return bool(one.key) and not one.key_language


def _value(_: ProbeReading, delivery: ReadingDelivery) -> float | None:
    return delivery.rate_adaptation


SPEECH_RATE = OfSentences(
    MetricEntry(
        name="speech_rate_adaptation",
        label="Speech rate adaptation",
        unit=RATIO,
        better="higher",
        definition=(
            "Articulation rate of the rest of a sentence over that of its key, divided by the same where the "
            "same sentence is read without stress: above 100 % the key is slowed down for."
        ),
        paper="Table 16",
        needs=(Need.READING,),
        when_absent="no call let the agent read the same sentence with stress and without: run --probes rate",
        counted="sentence",
    ),
    wanted=_is_stressed,
    value=_value,
    version=VERSION,
    least=LEAST_SENTENCES,
    own_error=OWN_ERROR,
)
