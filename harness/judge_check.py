"""Has a judge judge a labelled set, and says how often it is right, dimension by dimension.

The result is kept (``OUTBOUNDEVAL_HOME``), so that reports can print it beside the judge's scores. It belongs
to one version of one judge and one state of the set: with another, the judge counts as unchecked.
"""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.atomic_file import read_model, write_model
from harness.errors import UserError
from harness.judge_set import JudgeSet, LabelledReply
from harness.paths import data_dir
from harness.scenario import Entry
from harness.scenario_files import load_entries
from metrics.dialogue.agreement import Agreement, agreement, pooled
from metrics.dialogue.verdict_checks import checked_nodes, checked_reply
from metrics.dialogue.verdicts import Dimension, Judge

PAPER_NODES, PAPER_REPLIES = 0.95, 0.90
"""Agreement with experts that the paper reports (5.1.5): of flow nodes, and of GIC scores."""

MAX_LISTED = 400

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
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> JudgeCheck:
    """Judges the set and compares.

    Args:
        parallel: Questions that are open at a time.
        limit: Only so many replies of each dimension, and so many dialogues; a quick look.
    """
    named = {item.entry for item in labelled.replies} | {item.entry for item in labelled.dialogues}
    entries = load_entries(sorted(named))
    replies = _first_of_each(labelled, limit, judge)
    dialogues = list(labelled.dialogues)[:limit]
    gate = asyncio.Semaphore(parallel)
    done, total = 0, len(replies) + len(dialogues)

    async def bounded(work: Awaitable[_Compared]) -> _Compared:
        nonlocal done
        async with gate:
            result = await work
        done += 1
        on_progress(done, total)
        return result

    async with asyncio.TaskGroup() as group:
        tasks = [
            *(group.create_task(bounded(_reply(judge, labelled, item.id, entries))) for item in replies),
            *(group.create_task(bounded(_session(judge, labelled, item.id, entries))) for item in dialogues),
        ]
    results = [task.result() for task in tasks]
    return _summed(judge, labelled, results, partial=limit is not None)


def keep_check(check: JudgeCheck) -> Path:
    """Writes a check to where reports look for it. One in part is not kept."""
    path = check_path(check.judge, check.judge_version)
    if not check.partial:
        write_model(path, check)
    return path


def known_check(judge: str, version: str) -> JudgeCheck | None:
    """The kept check of this version of a judge; None where it has not been checked, or by a version of this
    program that wrote it otherwise."""
    path = check_path(judge, version)
    try:
        return read_model(path, JudgeCheck) if path.is_file() else None
    except UserError:
        return None


def check_path(judge: str, version: str) -> Path:
    """Where the check of a judge is kept."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", judge).strip("-")[:60] or "judge"
    digest = hashlib.sha256(f"{judge}\n{version}".encode()).hexdigest()[:12]
    return data_dir() / "judges" / f"{plain}-{digest}.json"


def set_digest(folder: Path) -> str:
    """Sixteen hex digits over all files of a set."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.yaml")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class _Compared(BaseModel):
    """What came of one item: pairs by what they are about."""

    language: str
    pairs: dict[str, Pairs] = Field(default_factory=dict)
    turns: Pairs = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)


async def _reply(judge: Judge, labelled: JudgeSet, item_id: str, entries: dict[str, Entry]) -> _Compared:
    item = next(one for one in labelled.replies if one.id == item_id)
    entry = entries[item.entry]
    language = entry.scenario.language
    verdict = checked_reply(
        item.dialogue,
        await judge.judge_reply(
            item.dialogue,
            len(item.turns) - 1,
            item.dimension,
            agent_prompt=entry.prompt(),
            language=language,
        ),
    )
    label = labelled.score_of(item.id)
    judged = str(verdict.score) if verdict.score is not None else verdict.outcome
    found = _Compared(language=language, pairs={item.dimension.value: [(label, judged)]})
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


async def _session(judge: Judge, labelled: JudgeSet, item_id: str, entries: dict[str, Entry]) -> _Compared:
    item = next(one for one in labelled.dialogues if one.id == item_id)
    entry = entries[item.entry]
    language = entry.scenario.language
    verdicts = checked_nodes(
        item.dialogue,
        entry.flow,
        await judge.judge_flow(item.dialogue, entry.flow, agent_prompt=entry.prompt(), language=language),
    )
    found = _Compared(language=language, pairs={"nodes": []})
    for verdict in verdicts:
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


def _summed(judge: Judge, labelled: JudgeSet, results: Sequence[_Compared], *, partial: bool) -> JudgeCheck:
    def pairs(what: str, language: str | None = None) -> Pairs:
        chosen = [one for one in results if language in (None, one.language)]
        return [pair for one in chosen for pair in one.pairs.get(what, [])]

    claimed = [dimension.value for dimension in Dimension if dimension in judge.dimensions]
    languages = sorted({one.language for one in results})
    return JudgeCheck(
        judge=judge.name,
        judge_version=judge.version,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        set_digest=set_digest(labelled.folder),
        dimensions={name: agreement(pairs(name)) for name in claimed if pairs(name)},
        not_claimed=tuple(one.value for one in Dimension if one not in judge.dimensions),
        replies=agreement(pooled({name: pairs(name) for name in claimed})),
        nodes=agreement(pairs("nodes")),
        turns=_turn_agreement([pair for one in results for pair in one.turns]),
        by_language={
            language: {
                "replies": agreement(pooled({name: pairs(name, language) for name in claimed})),
                "nodes": agreement(pairs("nodes", language)),
            }
            for language in languages
        },
        people=people_agreement(labelled),
        disagreements=tuple(each for one in results for each in one.disagreements)[:MAX_LISTED],
        partial=partial,
    )


def people_agreement(labelled: JudgeSet) -> dict[str, Agreement]:
    """How well the two passes of a set agree: by dimension, and over all nodes."""
    found = {}
    for dimension in Dimension:
        ids = [item.id for item in labelled.replies if item.dimension is dimension]
        if ids:
            found[dimension.value] = agreement(
                [(labelled.first[one].score, labelled.second[one].score) for one in ids]
            )
    nodes = [
        (label.outcome, labelled.second_nodes[item.id][node].outcome)
        for item in labelled.dialogues
        for node, label in labelled.first_nodes[item.id].items()
    ]
    if nodes:
        found["nodes"] = agreement([(str(one), str(other)) for one, other in nodes])
    return found


def _turn_agreement(turns: Pairs) -> Agreement:
    """Turns are places, not labels: only whether they are the same counts."""
    return agreement([("same", "same" if one == other else "another") for one, other in turns]).model_copy(
        update={"kappa": None}
    )


def _first_of_each(labelled: JudgeSet, limit: int | None, judge: Judge) -> list[LabelledReply]:
    chosen: list[LabelledReply] = []
    for dimension in Dimension:
        if dimension in judge.dimensions:
            items = [item for item in labelled.replies if item.dimension is dimension]
            chosen += items[:limit]
    return chosen
