"""Whether the voice goes the way that words ask for: pitch range, loudness, rate, each under its own name.

Proxies: they are no ``emotion_match``, which needs people or an audio model. Of sadness and apology a
narrower range, a quieter and a slower voice are expected, of joy and urgency the reverse (Banse and Scherer
1996; Juslin and Laukka 2003). Each value is the difference from the same sentence after neutral words, with
its sign turned where less is expected: above 0 the voice went that way, below 0 the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.speaking.delivered import OfSentences, Value
from harness.analysis.measures.units import DB, RATIO, SEMITONES, Unit
from harness.records.scores import ProbeReading, ReadingDelivery

VERSION = "1"
EXPECTED: Mapping[str, int] = {"sad_news": -1, "apology": -1, "good_news": 1, "urgency": 1}
"""Kind of item -> the way that range, level and rate are expected to go."""
NOT_READ = "no call let the agent read words that ask for an emotion: run --probes emotion"


def _asks_for_an_emotion(one: ProbeReading) -> bool:
    return not one.key and one.kind in EXPECTED


def _signed(value: Value) -> Value:
    def counted(one: ProbeReading, delivery: ReadingDelivery) -> float | None:
        measured = value(one, delivery)
        return None if measured is None else EXPECTED[one.kind] * measured

    return counted


def _proxy(name: str, label: str, unit: Unit, what: str, value: Value) -> OfSentences:
    return OfSentences(
        MetricEntry(
            name=name,
            label=label,
            unit=unit,
            better="higher",
            definition=(
                f"{what} than in the same sentence after neutral words; after sad news and apologies counted "
                "the other way round. A proxy, and no emotion match."
            ),
            needs=(Need.READING,),
            when_absent=NOT_READ,
            counted="sentence",
        ),
        wanted=_asks_for_an_emotion,
        value=_signed(value),
        version=VERSION,
    )


F0_RANGE = _proxy(
    "emotion_f0_range_st",
    "Emotion: pitch range",
    SEMITONES,
    "How much wider the range of the pitch is",
    lambda _, delivery: delivery.f0_range_semitones,
)
LEVEL = _proxy(
    "emotion_level_db",
    "Emotion: loudness",
    DB,
    "How much louder the voice is",
    lambda _, delivery: delivery.level_db,
)
RATE = _proxy(
    "emotion_rate",
    "Emotion: articulation rate",
    RATIO,
    "How much faster the voice articulates",
    lambda _, delivery: None if delivery.rate_ratio is None else delivery.rate_ratio - 1.0,
)
