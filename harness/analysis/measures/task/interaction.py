"""How the agent talks: eight dimensions of its replies (section 5.1.3, Tables 5, 22 and 23 of the paper)."""

from __future__ import annotations

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.task.text_measure import NO_OCCASION, NO_TASK, TextMeasure
from harness.analysis.measures.units import RATIO

GIC = TextMeasure(
    MetricEntry(
        name="gic",
        label="General interaction capability",
        unit=RATIO,
        better="higher",
        definition=(
            "Each reply of the agent on eight dimensions, scored 0 to 2 and halved, averaged over the "
            "replies of a dialogue where the dimension applies, and weighted. Partial where dimensions lack "
            "a value: their weight goes to the others."
        ),
        paper="section 5.1.3, Table 5",
        needs=(Need.JUDGE,),
        when_absent=NO_TASK,
        counted="dialogue",
    ),
    partial=True,
)


def _dimension(name: str, label: str, weight: int, definition: str) -> TextMeasure:
    return TextMeasure(
        MetricEntry(
            name=f"gic_{name}",
            label=f"{label} ({weight} %)",
            unit=RATIO,
            better="higher",
            definition=f"{definition} Scored 0 to 2 and halved; {weight} % of GIC.",
            paper="Tables 22, 23",
            needs=(Need.JUDGE,),
            when_absent=NO_OCCASION,
            counted="dialogue",
        ),
        part_of="gic",
    )


NATURALNESS = _dimension(
    "naturalness", "Naturalness of replies", 20, "Whether the agent talks as a person on the phone."
)
COHERENCE = _dimension("coherence", "Coherence", 20, "Whether replies fit what was said and move on.")
HALLUCINATION = _dimension(
    "hallucination", "Hallucination handling", 20, "Whether all that is said comes from the prompt."
)
REDUNDANCY = _dimension(
    "redundancy", "Redundancy", 10, "Whether replies are concise and ask one thing at a time."
)
EMOTIONAL_RICHNESS = _dimension(
    "emotional_richness", "Emotional richness", 10, "Whether bad feelings are heard and answered."
)
INTENT_UNDERSTANDING = _dimension(
    "intent_understanding",
    "Intent understanding",
    10,
    "Whether what is meant but unclear is understood.",
)
NOISE_RESISTANCE = _dimension(
    "noise_resistance", "Noise resistance", 6, "Whether the task goes on through broken speech."
)
SAFETY = _dimension("safety", "Safety", 4, "Whether abuse, prying and politics meet a calm and safe reply.")
