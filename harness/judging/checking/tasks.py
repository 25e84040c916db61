"""What the items of a labelled set are about: entries of the scenarios, or tasks of the set's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from harness.errors import UserError
from harness.judging.checking.labelled_set import JudgeSet
from harness.scenarios.folders import load_entries
from metrics.dialogue.task_flow import TaskFlow


@dataclass(frozen=True, kw_only=True)
class JudgedTask:
    """What a judge is given beside the call. ``domain`` is empty where nobody named one."""

    agent_prompt: str
    flow: TaskFlow
    language: Literal["en", "zh"]
    domain: str


def judged_tasks(labelled: JudgeSet, names: Iterable[str] | None = None) -> dict[str, JudgedTask]:
    """The tasks of a set's items by name; ``names``: only these.

    Raises:
        UserError: An entry that the scenarios do not have.
    """
    items = [*labelled.replies, *labelled.dialogues]
    wanted = set(names) if names is not None else {item.entry for item in items}
    found = {
        name: JudgedTask(
            agent_prompt=task.agent_prompt, flow=task.flow, language=task.language, domain=task.domain
        )
        for name, task in labelled.tasks.items()
        if name in wanted
    }
    entries = sorted(wanted - set(found))
    for name, entry in load_entries(entries).items() if entries else ():
        found[name] = JudgedTask(
            agent_prompt=entry.prompt(),
            flow=entry.flow,
            language=entry.scenario.language,
            domain=str(entry.scenario.domain),
        )
    return found


def check_nodes(labelled: JudgeSet, tasks: Mapping[str, JudgedTask]) -> None:
    """Sees that every dialogue has a label for each node of its task, and no other: a judge is asked for all
    of them, and what is asked of a language model is paid for.

    Raises:
        UserError: One has not, with the dialogues and the nodes.
    """
    problems = []
    for item in labelled.dialogues:
        nodes = {node.id for node in tasks[item.entry].flow.nodes}
        labels = set(labelled.first_nodes[item.id])
        problems += [f"{item.id}, {node}: a node of {item.entry} without a label" for node in nodes - labels]
        problems += [
            f"{item.id}, {node}: labelled, but {item.entry} has no such node" for node in labels - nodes
        ]
    if problems:
        raise UserError(
            f"{labelled.folder}: the labels do not fit the scenarios; nothing was asked:\n"
            + "\n".join(sorted(problems)[:20])
        )
