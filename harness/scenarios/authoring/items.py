"""Does what a step has to do: only what is not done yet, several at once, each booked as soon as it is
there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.scenarios.authoring.folder import Item, StepFolder, digest_of, key_of
from voice_sim.authoring.writing import NotWritten


@dataclass(frozen=True, kw_only=True)
class Made:
    """What making an item came to."""

    outputs: tuple[str, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Task:
    """Something that a step has to make.

    Attributes:
        name: Unique in the step.
        inputs: Files it is made from.
        make: Writes the outputs. Raises NotWritten where there is nothing to write.
        settings: Whatever else decides what comes out.
        by_hand: Outputs that a person may have written in its place: where they are and the step has never
            made them, they are kept.
    """

    name: str
    inputs: Sequence[Path]
    make: Callable[[], Awaitable[Made]]
    settings: tuple[object, ...] = ()
    by_hand: tuple[str, ...] = ()


@dataclass(kw_only=True)
class Tally:
    """How a step went, by the names of its items."""

    made: list[str] = field(default_factory=list)
    done_before: list[str] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    problems: dict[str, tuple[str, ...]] = field(default_factory=dict)


async def do_tasks(
    folder: StepFolder,
    tasks: Sequence[Task],
    *,
    version: str,
    model: str = "",
    seed: int = 0,
    parallel: int = 1,
    on_done: Callable[[str], None] = lambda name: None,
) -> Tally:
    """Makes what is missing, and takes away what an earlier start made and no task wants any more.

    Raises:
        UsageLimitExceeded: A cap is reached; what is there is booked.
    """
    tally = Tally()
    folder.drop_all_but({task.name for task in tasks})
    known = folder.manifest().items
    slots = asyncio.Semaphore(parallel)

    async def one(task: Task) -> None:
        inputs = {_relative(path, folder.root): digest_of(path) for path in task.inputs}
        key = key_of(version=version, model=model, seed=seed, inputs=inputs, settings=task.settings)
        before = known.get(task.name)
        if before is not None and _still_good(before, key, folder):
            tally.done_before.append(task.name)
            if before.problems:
                tally.problems[task.name] = before.problems
            on_done(task.name)
            return
        own = before.outputs if before is not None else ()
        if _is_by_hand(task, own, folder):
            tally.by_hand.append(task.name)
            on_done(task.name)
            return
        async with slots:
            item = Item(key=key, inputs=inputs, version=version, model=model, seed=seed)
            try:
                made = await task.make()
            except NotWritten as error:
                item = item.model_copy(update={"failure": str(error), "outputs": own})
                tally.failed[task.name] = str(error)
            else:
                item = item.model_copy(update={"outputs": made.outputs, "problems": made.problems})
                for stale in set(own) - set(made.outputs):
                    (folder.path / stale).unlink(missing_ok=True)
                tally.made.append(task.name)
                if made.problems:
                    tally.problems[task.name] = made.problems
            folder.book(task.name, item)
        on_done(task.name)

    await _all(one(task) for task in tasks)
    return tally


async def _all(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Runs everything; the first error ends all and is raised as it is."""
    running = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*running)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _is_by_hand(task: Task, own: Sequence[str], folder: StepFolder) -> bool:
    """Whether somebody else wrote the outputs: they are there, and none of the step's ``own`` is one."""
    there = bool(task.by_hand) and all((folder.path / name).is_file() for name in task.by_hand)
    return there and not set(task.by_hand) & set(own)


def _still_good(item: Item, key: str, folder: StepFolder) -> bool:
    there = all((folder.path / name).is_file() for name in item.outputs)
    return item.key == key and not item.failure and there


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name
