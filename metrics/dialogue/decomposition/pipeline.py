"""The stages in order: structure, criteria, checks with repair, prerequisites.

Each one's outcome is handed to ``keep``, so that a person can follow what came from what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel
from pydantic_ai.models import Model

from metrics.dialogue.decomposition.coverage import (
    Coverage,
    coverage,
    criteria_problems,
    flow_of,
    structure_problems,
)
from metrics.dialogue.decomposition.stages import Criteria, Prerequisites, Problems, Structure
from metrics.dialogue.language_model.asking import AnswerStore, NoStore, answer_key, ask
from metrics.dialogue.task_flow import TaskFlow, flow_problems

FOLDER = Path(__file__).parent / "prompts"
VERSIONS = {"structure": 1, "criteria": 1, "repair": 1, "prerequisites": 1}
ROUNDS = 3
"""Repairs of the structure, and of the criteria, at most."""
MAX_TEXT_CHARS = 40_000
_MAX_TOKENS = 6000

_S = TypeVar("_S", bound=BaseModel)
Keep = Callable[[str, BaseModel], None]


class DecompositionFailed(RuntimeError):
    """A stage had no usable answer, or what came out cannot be used for scoring. For a person."""


@dataclass(frozen=True, kw_only=True)
class Decomposition:
    """What came out.

    Attributes:
        flow: The nodes with their prerequisites.
        coverage: Of the text by its steps and nodes.
        rounds: Repairs that it took.
        problems: What the checks still find after the last round; for the person who reviews it.
    """

    flow: TaskFlow
    coverage: Coverage
    rounds: int
    problems: Sequence[str]


async def decompose(
    text: str,
    model: Model,
    *,
    name: str,
    rounds: int = ROUNDS,
    keep: Keep = lambda stage, outcome: None,
    store: AnswerStore | None = None,
) -> Decomposition:
    """Nodes for a task flow's text.

    Args:
        text: The task flow as people wrote it.
        name: Of the model; part of what answers are kept under.
        rounds: Repairs at most, of the structure and of the criteria each.
        keep: Called with each stage's name (``1-structure``, ``2-criteria.round1`` ...) and outcome.
        store: Where answers are kept.

    Raises:
        DecompositionFailed: See there.
        ValueError: The text is empty or longer than :data:`MAX_TEXT_CHARS`.
    """
    if not text.strip() or len(text) > MAX_TEXT_CHARS:
        raise ValueError(f"a task flow has 1 to {MAX_TEXT_CHARS} characters, not {len(text)}")
    asker = _Asker(model=model, name=name, store=store or NoStore(), keep=keep)
    task_flow = f"TASK FLOW\n\n{text}"

    structure = await asker.ask("1-structure", "structure", task_flow, Structure)
    used = 0
    while used < rounds and (problems := structure_problems(text, structure)):
        used += 1
        asker.kept(f"1-structure.check{used}", Problems(found=problems))
        question = _with_problems(task_flow, "STEPS", structure, problems)
        structure = await asker.ask(f"1-structure.round{used}", "structure", question, Structure)

    steps = f"{task_flow}\n\nSTEPS\n\n{structure.model_dump_json(indent=1)}"
    criteria = await asker.ask("2-criteria", "criteria", steps, Criteria)
    repairs = 0
    while repairs < rounds and (problems := criteria_problems(structure, criteria)):
        repairs += 1
        asker.kept(f"2-criteria.check{repairs}", Problems(found=problems))
        question = _with_problems(steps, "NODES", criteria, problems)
        criteria = await asker.ask(f"2-criteria.round{repairs}", "repair", question, Criteria)

    nodes = f"{task_flow}\n\nNODES\n\n{criteria.model_dump_json(indent=1)}"
    order = await asker.ask("3-prerequisites", "prerequisites", nodes, Prerequisites)
    flow = _ordered(flow_of(criteria), order)
    left = [*structure_problems(text, structure), *criteria_problems(structure, criteria)]
    left += [problem.message for problem in flow_problems(flow) if problem.message not in left]
    asker.kept("4-flow", flow)
    asker.kept("4-flow.check", Problems(found=left))
    if broken := [problem.message for problem in flow_problems(flow) if problem.structural]:
        raise DecompositionFailed("the nodes cannot be used for scoring: " + "; ".join(broken))
    return Decomposition(
        flow=flow,
        coverage=coverage(text, structure, criteria),
        rounds=used + repairs,
        problems=left,
    )


@cache
def prompt(name: str) -> str:
    """The text of a prompt in its present version."""
    return (FOLDER / f"{name}.v{VERSIONS[name]}.md").read_text(encoding="utf-8").strip()


@dataclass(frozen=True, kw_only=True)
class _Asker:
    model: Model
    name: str
    store: AnswerStore
    keep: Keep

    async def ask(self, stage: str, prompt_name: str, question: str, answer_type: type[_S]) -> _S:
        version = f"decompose.{prompt_name}{VERSIONS[prompt_name]}"
        asked = await ask(
            self.model,
            question,
            answer_type,
            instructions=prompt(prompt_name),
            max_tokens=_MAX_TOKENS,
            key=answer_key(model=self.name, version=version, question=question),
            store=self.store,
        )
        if asked.answer is None:
            raise DecompositionFailed(f"{stage}: {asked.failure}")
        self.keep(stage, asked.answer)
        return asked.answer

    def kept(self, stage: str, outcome: BaseModel) -> None:
        self.keep(stage, outcome)


def _with_problems(question: str, title: str, present: BaseModel, problems: Sequence[str]) -> str:
    listed = "\n".join(f"- {problem}" for problem in problems)
    return f"{question}\n\n{title} SO FAR\n\n{present.model_dump_json(indent=1)}\n\nPROBLEMS\n\n{listed}"


def _ordered(flow: TaskFlow, order: Prerequisites) -> TaskFlow:
    """The flow with its prerequisites; those that name no node, the node itself, or would close a circle are
    left out: a wrong order would cost an agent its score, a missing one does not."""
    known = {node.id for node in flow.nodes}
    branches = {node.id for node in flow.nodes if node.branch}
    requires: dict[str, list[str]] = {node.id: [] for node in flow.nodes}
    for one in order.nodes:
        for required in dict.fromkeys(one.requires):
            if one.node not in known or required not in known or required == one.node:
                continue
            if required in branches and one.node not in branches:
                continue
            if one.node not in _all_before(required, requires):
                requires[one.node].append(required)
    return TaskFlow(
        nodes=tuple(node.model_copy(update={"requires": tuple(requires[node.id])}) for node in flow.nodes)
    )


def _all_before(node: str, requires: dict[str, list[str]]) -> set[str]:
    """The node, and everything that has to come before it."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        present = waiting.pop()
        if present not in found:
            found.add(present)
            waiting += requires[present]
    return found
