"""The one figure of a dialogue's words."""

from __future__ import annotations

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.task.text_measure import NO_TASK, TextMeasure
from harness.analysis.measures.units import RATIO

FINAL = TextMeasure(
    MetricEntry(
        name="final",
        label="Final text score",
        unit=RATIO,
        better="higher",
        definition="0.55 × task flow + 0.45 × interaction.",
        paper="section 5.1.3",
        needs=(Need.JUDGE,),
        when_absent=NO_TASK,
        counted="dialogue",
    ),
    partial=True,
)
