"""Whether the agent did its job: the steps of the task flow (section 5.1.3 of the paper)."""

from __future__ import annotations

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.task.text_measure import NO_TASK, TextMeasure
from harness.analysis.measures.units import RATIO

PAPER = "section 5.1.3, Table 4"


def _part(name: str, label: str, definition: str) -> TextMeasure:
    return TextMeasure(_entry(name, label, definition), part_of="tfc")


def _entry(name: str, label: str, definition: str) -> MetricEntry:
    return MetricEntry(
        name=name,
        label=label,
        unit=RATIO,
        better="higher",
        definition=definition,
        paper=PAPER,
        needs=(Need.JUDGE,),
        when_absent=NO_TASK,
        counted="dialogue",
    )


KEY_NODES = _part(
    "key_node_completion",
    "Key node completion",
    "Key steps of the task flow that the agent completed, over those that apply; the mean over dialogues, as "
    "for all scores of words. Steps whose judgement failed are never counted as missed: the dialogue is left "
    "out and counted.",
)
NODES = _part(
    "node_completion",
    "Node completion",
    "Steps of the task flow that the agent completed, over those that apply.",
)
COVERAGE = _part("coverage", "Coverage", "0.7 × key node completion + 0.3 × node completion.")
PROCESS = _part(
    "process",
    "Process",
    "Achieved steps whose prerequisites were achieved before them (or in the same turn), over the achieved "
    "steps. Dialogues in which nothing was achieved have no order to judge.",
)
TFC = TextMeasure(_entry("tfc", "Task flow compliance", "0.7 × coverage + 0.3 × process."))
