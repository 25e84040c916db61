"""From the text scores of dialogues to the figures of a run: means with intervals, by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from harness.analysis.measures.table import measures
from harness.analysis.measures.task.text_measure import TextMeasure
from harness.judging.defaults import RULES
from harness.judging.judges import why_not_comparable
from harness.records.scores import CompetitorScores, DialogueScores, JudgingUse, TextSummary
from harness.records.scores.judging import summed_judging
from metrics.score import Score


def summarize_texts(dialogues: Iterable[DialogueScores]) -> TextSummary | None:
    """The text scores of a run; None where no dialogue was up for judging."""
    everything = list(dialogues)
    if not everything:
        return None
    judged = [one for one in everything if one.text is not None]
    texts = [one.text for one in judged if one.text is not None]
    judges = sorted({text.judge for text in texts})
    versions = sorted({text.judge_version for text in texts})
    return TextSummary(
        judge=" + ".join(judges),
        judge_version=" + ".join(versions),
        comparable="; ".join(why for name in judges if (why := why_not_comparable(name))),
        dialogues=len(judged),
        not_judged=dict(Counter(one.not_judged for one in everything if one.text is None)),
        judgements=sum(len(text.nodes) + len(text.replies) for text in texts),
        failed=sum(text.failed for text in texts),
        judging=judging_of(everything),
        metrics=pooled_texts(judged),
        competitors=[_competitor(name, members) for name, members in _groups(judged, _competitor_of).items()],
    )


def judging_of(dialogues: Iterable[DialogueScores]) -> JudgingUse:
    """What judging dialogues took together."""
    return summed_judging(filter(None, map(_judging, dialogues)))


def _judging(one: DialogueScores) -> JudgingUse | None:
    if one.judging is None and one.text is not None and one.text.judge != RULES:
        return JudgingUse(uncounted=1)
    return one.judging


def pooled_texts(dialogues: Sequence[DialogueScores]) -> dict[str, Score]:
    """Every text metric over dialogues."""
    return {measure.entry.name: measure.pool_dialogues(dialogues) for measure in text_measures()}


def text_measures() -> list[TextMeasure]:
    """The measures that a judge of words makes possible."""
    return [measure for measure in measures() if isinstance(measure, TextMeasure)]


def _competitor(name: str, dialogues: Sequence[DialogueScores]) -> CompetitorScores:
    def by(key: Callable[[DialogueScores], str]) -> dict[str, dict[str, Score]]:
        return {group: pooled_texts(members) for group, members in _groups(dialogues, key).items() if group}

    return CompetitorScores(
        name=name,
        dialogues=len(dialogues),
        metrics=pooled_texts(dialogues),
        by_domain=by(lambda one: one.domain),
        by_archetype=by(lambda one: one.archetype),
    )


def _competitor_of(one: DialogueScores) -> str:
    return one.competitor


def _groups(
    dialogues: Iterable[DialogueScores], key: Callable[[DialogueScores], str]
) -> dict[str, list[DialogueScores]]:
    groups: dict[str, list[DialogueScores]] = {}
    for one in dialogues:
        groups.setdefault(key(one), []).append(one)
    return groups
