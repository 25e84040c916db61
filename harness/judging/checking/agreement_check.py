"""Has a judge judge a labelled set, and says how often it is right, dimension by dimension.

The result is kept (``OUTBOUNDEVAL_HOME``), so that reports can print it beside the judge's scores. It belongs
to one version of one judge and one state of the set: with another, the judge counts as unchecked.
"""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness._files.atomic_file import read_model, write_model
from harness.errors import UserError
from harness.judging.checking.labelled_set import PARTS, JudgeSet, LabelledDialogue, LabelledReply
from harness.judging.checking.progress import JudgeProgress, failure_kind
from harness.judging.checking.sample import Item, in_reading_order, sampled_dialogues, sampled_replies
from harness.judging.checking.tasks import JudgedTask, check_nodes, judged_tasks
from harness.paths import data_dir
from metrics.dialogue.agreement import Agreement, agreement
from metrics.dialogue.verdict_checks import checked_nodes, checked_reply
from metrics.dialogue.verdicts import Dimension, Judge

PAPER_NODES, PAPER_REPLIES = 0.95, 0.90
"""Agreement with experts that the paper reports (5.1.5): of flow nodes, and of GIC scores."""

MAX_LISTED = 400

MAX_FAILED_SHARE = 0.05
"""Of a judge's verdicts, of replies or of nodes: where more failed, what is left says little about the judge,
and such a check is not kept. A leaderboard marks a competitor of whose judgements more failed."""

Pairs = list[tuple[str, str]]


class Disagreement(BaseModel):
    """One item on which a judge and the label differ.

    Attributes:
        item: Id; for a node ``ID, NODE``.
        what: Dimension, or ``nodes``.
        label, judged: What was settled, and what the judge said.
        why, judge_why: The arguments of both.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: str
    what: str
    trait: str = ""
    label: str
    judged: str
    why: str = ""
    judge_why: str = ""


class JudgeCheck(BaseModel):
    """How well a judge agrees with a labelled set.

    Attributes:
        set_digest: Of all items and labels.
        dimensions: Dimension -> agreement; those that the judge does not claim are absent.
        not_claimed: Dimensions that it does not judge.
        replies, nodes: Pooled over the dimensions; over all nodes.
        turns: Nodes that both call achieved: how often the cited turn is the same.
        by_language: Language -> what was pooled over it ("replies", "nodes").
        people: How well the two passes of labels agree with each other: dimension or ``nodes`` -> agreement.
        partial: True where only a part of the set was judged (``--limit``).
        replies_in_set, dialogues_in_set: How many there are, of replies on the judge's dimensions; None in
            checks that were kept before this was counted.
        dialogues: How many of them were judged; of replies ``replies.n`` says so.
        failures: ``replies`` or ``nodes`` -> reason -> verdicts that failed for it; their sum is ``failed``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    judge: str
    judge_version: str
    date: str
    set_digest: str
    dimensions: dict[str, Agreement] = Field(default_factory=dict)
    not_claimed: tuple[str, ...] = ()
    replies: Agreement
    nodes: Agreement
    turns: Agreement
    by_language: dict[str, dict[str, Agreement]] = Field(default_factory=dict)
    people: dict[str, Agreement] = Field(default_factory=dict)
    disagreements: tuple[Disagreement, ...] = ()
    partial: bool = False
    replies_in_set: int | None = None
    dialogues_in_set: int | None = None
    dialogues: int | None = None
    failures: dict[str, dict[str, int]] = Field(default_factory=dict)

    @property
    def too_many_failed(self) -> bool:
        """Whether more than :data:`MAX_FAILED_SHARE` of the replies, or of the nodes, have no verdict: a
        wrong key, a spent quota, a dead server, or a model that cannot do it. So too where nothing was
        judged at all."""
        parts = [one for one in (self.replies, self.nodes) if one.n]
        return not parts or any(one.failed > MAX_FAILED_SHARE * one.n for one in parts)

    def told(self) -> str:
        """One line for the foot of a report."""
        parts = [
            f"{what} {percent(one)}"
            for what, one in (("nodes", self.nodes), ("replies", self.replies))
            if one.accuracy is not None
        ]
        return f"agreement with the labelled set: {', '.join(parts)}" + (", in part" if self.partial else "")


def percent(one: Agreement) -> str:
    """``87 % [80, 92]``; a dash where nothing was compared."""
    if one.accuracy is None or one.ci_low is None or one.ci_high is None:
        return "-"
    return f"{100 * one.accuracy:.0f} % [{100 * one.ci_low:.0f}, {100 * one.ci_high:.0f}]"


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


def keep_check(check: JudgeCheck, *, held_out: bool = False) -> Path | None:
    """Writes a check to where reports look for it; returns where. One in part is not kept, nor one in which
    too many verdicts failed (None): the one that was kept before stays.

    ``held_out``: of :data:`HELD_OUT_SET`; it is kept beside that of the set itself.
    """
    if check.partial or check.too_many_failed:
        return None
    path = check_path(check.judge, check.judge_version, held_out=held_out)
    write_model(path, check)
    return path


def known_check(judge: str, version: str, *, held_out: bool = False) -> JudgeCheck | None:
    """The kept check of this version of a judge; None where it has not been checked, or by a version of this
    program that wrote it otherwise, or that kept a check in which too many verdicts failed."""
    path = check_path(judge, version, held_out=held_out)
    try:
        check = read_model(path, JudgeCheck) if path.is_file() else None
    except UserError:
        return None
    return None if check is None or check.too_many_failed else check


def check_path(judge: str, version: str, *, held_out: bool = False) -> Path:
    """Where the check of a judge is kept."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", judge).strip("-")[:60] or "judge"
    digest = hashlib.sha256(f"{judge}\n{version}".encode()).hexdigest()[:12]
    return data_dir() / "judges" / f"{plain}-{digest}{'-held-out' * held_out}.json"


def set_digest(folder: Path) -> str:
    """Sixteen hex digits over all files of a set; not over other sets that lie in its folder."""
    digest = hashlib.sha256()
    for path in sorted(path for part in PARTS for path in (folder / part).rglob("*.yaml")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


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
