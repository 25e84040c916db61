"""What the items of a labelled set are about: entries of the scenarios, or tasks of the set's own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from harness.judge_set import JudgeSet
from harness.scenario_files import load_entries
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
