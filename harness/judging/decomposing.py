"""Decomposes a task flow's text on disk: every stage's outcome is a file, and the flow a YAML to review."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel

from harness._files.atomic_file import write_model, write_text
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.judging.cache import VerdictStore
from harness.judging.defaults import ATTEMPT_S
from harness.models.language.metered import Limits
from harness.models.language.opening import open_language_model
from harness.models.language.prices import Price
from harness.models.language.usage import Usage
from harness.scenarios.agent_card import AgentCard
from metrics.dialogue.decomposition import Decomposition, DecompositionFailed, decompose
from metrics.dialogue.task_flow import TaskFlow, overlap

SAME = 0.35
"""Two criteria with at least this overlap, made by different hands, are taken for the same node."""


@dataclass(frozen=True, kw_only=True)
class Decomposed:
    """A decomposition, what it cost, where its stages are, and kept answers that could not be used."""

    result: Decomposition
    usage: Usage
    folder: Path
    problems: tuple[str, ...] = ()


def task_flow_text(card: AgentCard) -> str:
    """The standard operating procedure of a card as people would write it: what :func:`decompose` reads."""
    blocks = []
    for number, step in enumerate(card.sop, start=1):
        lines = [f"Step {number}: {step.title}"]
        lines += [step.text] if step.text else [" ".join(step.say)] if step.say else []
        lines += [f"- {note}" for note in step.guidance]
        lines += [
            f"- {branch.when} {' '.join(branch.say)} {branch.then}".rstrip() for branch in step.branches
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join([*blocks, *card.sop_notes])


def decompose_text(
    text: str,
    model: str,
    folder: Path,
    *,
    price: Price | None = None,
    on_stage: Callable[[str], None] = lambda stage: None,
) -> Decomposed:
    """Decomposes a text with a language model; each stage's outcome goes to ``folder/STAGE.json``.

    Raises:
        UserError: The text is empty or too long, the model is not to be had, or a stage has no usable answer;
            what came before it is kept.
    """
    write_text(folder / "0-task-flow.txt", text)

    def keep(stage: str, outcome: BaseModel) -> None:
        write_model(folder / f"{stage}.json", outcome)
        on_stage(stage)

    async def run() -> Decomposed:
        limits = Limits(attempt_s=ATTEMPT_S)
        async with open_language_model(model, limits=limits, price=price) as opened:
            store = VerdictStore()
            result = await decompose(text, opened, name=opened.name, keep=keep, store=store)
            return Decomposed(
                result=result, usage=opened.usage, folder=folder, problems=tuple(store.problems())
            )

    try:
        done = asyncio.run(run())
    except (DecompositionFailed, ValueError) as error:
        raise UserError(
            f"{error}; what came before it is in {folder}", exit_code=EXIT_CHECK_FAILED
        ) from error
    content = {"flow": done.result.flow.model_dump(mode="json", exclude_defaults=True)}
    write_text(folder / "flow.yaml", yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=110))
    return done


def matched_nodes(found: TaskFlow, reference: TaskFlow) -> list[tuple[str, str | None]]:
    """Each node of a reference flow with the node found for it, or None: by overlap of their criteria
    (:data:`SAME`), best pairs first, each node once."""
    pairs = sorted(
        (
            (overlap(one.criterion, other.criterion), other.id, one.id)
            for one in found.nodes
            for other in reference.nodes
        ),
        reverse=True,
    )
    match: dict[str, str] = {}
    for value, wanted, candidate in pairs:
        if value >= SAME and wanted not in match and candidate not in match.values():
            match[wanted] = candidate
    return [(node.id, match.get(node.id)) for node in reference.nodes]
