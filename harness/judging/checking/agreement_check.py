"""Has a judge judge a labelled set, and says how often it is right, dimension by dimension."""

from __future__ import annotations

import asyncio
import datetime
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from harness.judging.checking.judge_check import Disagreement, JudgeCheck, set_digest
from harness.judging.checking.labelled_set import JudgeSet, LabelledDialogue, LabelledReply
from harness.judging.checking.progress import JudgeProgress, failure_kind
from harness.judging.checking.sample import Item, in_reading_order, sampled_dialogues, sampled_replies
from harness.judging.checking.tasks import JudgedTask, check_nodes, judged_tasks
from metrics.dialogue.agreement import Agreement, agreement
from metrics.dialogue.verdict_checks import checked_nodes, checked_reply
from metrics.dialogue.verdicts import Dimension, Judge

MAX_LISTED = 400

Pairs = list[tuple[str, str]]


async def check_judge(
    judge: Judge,
    labelled: JudgeSet,
    *,
    parallel: int = 8,
    limit: int | None = None,
    on_progress: Callable[[JudgeProgress], None] = lambda progress: None,
) -> JudgeCheck:
    """Judges the set and compares.

    Args:
        parallel: Questions that are open at a time. They begin in the order of
            :func:`~harness.judging.checking.sample.in_reading_order`.
        limit: Only so many replies of each dimension, and so many dialogues (``sample``); a
            quick look.
        on_progress: Called after each question.

    Raises:
        UserError: An entry is not there, or has other nodes than were labelled; before anything is asked.
    """
    tasks = judged_tasks(labelled)
    check_nodes(labelled, tasks)
    items = in_reading_order(
        [
            *sampled_replies(labelled, tasks, judge.dimensions, limit),
            *sampled_dialogues(labelled, tasks, limit),
        ]
    )
    gate = asyncio.Semaphore(parallel)
    progress = JudgeProgress(len(items))

    async def compared(item: Item) -> _Compared:
        task = tasks[item.entry]
        async with gate:
            if isinstance(item, LabelledReply):
                result = await _reply(judge, labelled, item, task)
            else:
                result = await _session(judge, labelled, item, task)
        progress.finished(result.failed)
        on_progress(progress)
        return result

    async with asyncio.TaskGroup() as group:
        results = [group.create_task(compared(item)) for item in items]
    return _summed(judge, labelled, [one.result() for one in results])


class _Compared(BaseModel):
    """What came of one item: pairs by what they are about; ``failed``: why verdicts failed."""

    about: Literal["replies", "nodes"]
    dialogue: str
    language: str
    pairs: dict[str, Pairs] = Field(default_factory=dict)
    turns: Pairs = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)
    failed: list[str] = Field(default_factory=list)


async def _reply(judge: Judge, labelled: JudgeSet, item: LabelledReply, task: JudgedTask) -> _Compared:
    verdict = checked_reply(
        item.dialogue,
        await judge.judge_reply(
            item.dialogue,
            len(item.turns) - 1,
            item.dimension,
            agent_prompt=task.agent_prompt,
            language=task.language,
        ),
    )
    label = labelled.score_of(item.id)
    judged = str(verdict.score) if verdict.score is not None else verdict.outcome
    found = _Compared(
        about="replies",
        dialogue=labelled.dialogue_of[item.id],
        language=task.language,
        pairs={item.dimension.value: [(label, judged)]},
    )
    if verdict.outcome == "failed":
        found.failed.append(verdict.reason)
    if label != judged:
        given = labelled.settled.get(item.id) or labelled.first[item.id]
        found.disagreements.append(
            Disagreement(
                item=item.id,
                what=item.dimension.value,
                trait=item.trait,
                label=label,
                judged=judged,
                why=given.why,
                judge_why=verdict.reason,
            )
        )
    return found


async def _session(judge: Judge, labelled: JudgeSet, item: LabelledDialogue, task: JudgedTask) -> _Compared:
    verdicts = checked_nodes(
        item.dialogue,
        task.flow,
        await judge.judge_flow(
            item.dialogue, task.flow, agent_prompt=task.agent_prompt, language=task.language
        ),
    )
    found = _Compared(
        about="nodes",
        dialogue=labelled.dialogue_of[item.id],
        language=task.language,
        pairs={"nodes": []},
    )
    for verdict in verdicts:
        if verdict.outcome == "failed":
            found.failed.append(verdict.reason)
        label = labelled.node_of(item.id, verdict.node)
        found.pairs["nodes"].append((label.outcome, verdict.outcome))
        if label.outcome == verdict.outcome == "achieved":
            found.turns.append((str(label.turn), str(verdict.turn)))
        if label.outcome != verdict.outcome:
            found.disagreements.append(
                Disagreement(
                    item=f"{item.id}, {verdict.node}",
                    what="nodes",
                    trait=item.trait,
                    label=label.outcome,
                    judged=verdict.outcome,
                    why=label.why,
                    judge_why=verdict.reason,
                )
            )
    return found


def _summed(judge: Judge, labelled: JudgeSet, results: Sequence[_Compared]) -> JudgeCheck:
    def agreed(names: Sequence[str], language: str | None = None) -> Agreement:
        chosen = [one for one in results if language in (None, one.language)]
        found = [(pair, one.dialogue) for name in names for one in chosen for pair in one.pairs.get(name, [])]
        return agreement([pair for pair, _ in found], dialogues=[dialogue for _, dialogue in found])

    claimed = [dimension.value for dimension in Dimension if dimension in judge.dimensions]
    languages = sorted({one.language for one in results})
    in_set = sum(item.dimension in judge.dimensions for item in labelled.replies)
    sessions = sum(one.about == "nodes" for one in results)
    return JudgeCheck(
        judge=judge.name,
        judge_version=judge.version,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        set_digest=set_digest(labelled.folder),
        dimensions={name: one for name in claimed if (one := agreed([name])).n},
        not_claimed=tuple(one.value for one in Dimension if one not in judge.dimensions),
        replies=agreed(claimed),
        nodes=agreed(["nodes"]),
        turns=_turn_agreement([(pair, one.dialogue) for one in results for pair in one.turns]),
        by_language={
            language: {"replies": agreed(claimed, language), "nodes": agreed(["nodes"], language)}
            for language in languages
        },
        people=people_agreement(labelled),
        disagreements=tuple(each for one in results for each in one.disagreements)[:MAX_LISTED],
        partial=len(results) < in_set + len(labelled.dialogues),
        replies_in_set=in_set,
        dialogues_in_set=len(labelled.dialogues),
        dialogues=sessions,
        failures={about: kinds for about in ("replies", "nodes") if (kinds := _failures(results, about))},
    )


def _failures(results: Sequence[_Compared], about: str) -> dict[str, int]:
    reasons = [reason for one in results if one.about == about for reason in one.failed]
    return dict(Counter(map(failure_kind, reasons)).most_common())


def people_agreement(labelled: JudgeSet) -> dict[str, Agreement]:
    """How well the two passes of a set agree: by dimension, and over all nodes."""
    found = {}
    for dimension in Dimension:
        ids = [item.id for item in labelled.replies if item.dimension is dimension]
        if ids:
            found[dimension.value] = agreement(
                [(labelled.first[one].score, labelled.second[one].score) for one in ids],
                dialogues=[labelled.dialogue_of[one] for one in ids],
            )
    nodes = [
        (item.id, label.outcome, labelled.second_nodes[item.id][node].outcome)
        for item in labelled.dialogues
        for node, label in labelled.first_nodes[item.id].items()
    ]
    if nodes:
        found["nodes"] = agreement(
            [(one, other) for _, one, other in nodes],
            dialogues=[labelled.dialogue_of[item] for item, _, _ in nodes],
        )
    return found


def _turn_agreement(turns: Sequence[tuple[tuple[str, str], str]]) -> Agreement:
    """Turns are places, not labels: only whether they are the same counts. Each pair with its dialogue."""
    return agreement(
        [("same", "same" if one == other else "another") for (one, other), _ in turns],
        dialogues=[dialogue for _, dialogue in turns],
    ).model_copy(update={"kappa": None})
