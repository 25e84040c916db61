"""Goes through the steps of a build: does what is missing, says what needs a language model, keeps on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic_ai.exceptions import UsageLimitExceeded

from harness.errors import UserError
from harness.scenarios.authoring.items import Tally, do_tasks
from harness.scenarios.authoring.step_names import STEPS, Step
from harness.scenarios.authoring.steps import NEEDS_MODEL, Build, scaled_sets, tasks_of


@dataclass(kw_only=True)
class Outcome:
    """How a build went.

    Attributes:
        tallies: Of the steps that were gone through.
        skipped: Step -> why nothing was done.
        sets: Of ``scale``: each set of five, and what is wrong with it.
        stopped: Why it ended before its time; empty where it did not.
    """

    tallies: dict[Step, Tally] = field(default_factory=dict)
    skipped: dict[Step, str] = field(default_factory=dict)
    sets: dict[str, list[str]] = field(default_factory=dict)
    stopped: str = ""

    @property
    def failed(self) -> bool:
        """Whether anything that was to be made is not there, or a set of five is none."""
        return bool(
            self.stopped or any(tally.failed for tally in self.tallies.values()) or any(self.sets.values())
        )


@dataclass(frozen=True, kw_only=True)
class Watcher:
    """Hears how it goes on."""

    on_begun: Callable[[Step, int], None] = lambda step, count: None
    on_done: Callable[[Step, str], None] = lambda step, name: None
    on_ended: Callable[[Step, Tally], None] = lambda step, tally: None
    on_skipped: Callable[[Step, str], None] = lambda step, why: None


async def run_build(
    build: Build,
    *,
    only: Sequence[Step] = (),
    model_name: str = "",
    parallel: int = 4,
    watcher: Watcher | None = None,
) -> Outcome:
    """Does the steps in their order; each works on what is on disk.

    A step that cannot be done (no model, nothing to work on) is skipped with its reason, and the ones that
    can go on. With ``only`` such a reason is an error.

    Raises:
        UserError: A step that was asked for by name cannot be done, or a file is broken.
    """
    watcher = watcher or Watcher()
    outcome = Outcome()
    for step in only or STEPS:
        if step == "curate" and not build.talks and not only:
            continue
        if step in NEEDS_MODEL and build.model is None and step != "scale":
            if not _made_by_hand(build, step):
                _skip(outcome, watcher, step, "needs a language model: give --model NAME")
            continue
        if step == "scale" and build.model is None:
            _skip(outcome, watcher, step, "needs a language model to write; sets that are there are checked")
            outcome.sets = await asyncio.to_thread(scaled_sets, build)
            continue
        try:
            version, tasks = tasks_of(step, build)
        except UserError as error:
            if only:
                raise
            _skip(outcome, watcher, step, str(error))
            continue
        watcher.on_begun(step, len(tasks))
        rates = step == "curate" and build.rate_with_model
        try:
            tally = await do_tasks(
                build.folder(step),
                tasks,
                version=version,
                model=model_name if step in NEEDS_MODEL or rates else "",
                seed=build.seed,
                parallel=parallel,
                on_done=lambda name, step=step: watcher.on_done(step, name),  # type: ignore[misc]
            )
        except UsageLimitExceeded as error:
            outcome.stopped = error.message
            return outcome
        outcome.tallies[step] = tally
        watcher.on_ended(step, tally)
        if step == "scale":
            outcome.sets = await asyncio.to_thread(scaled_sets, build)
    return outcome


def _made_by_hand(build: Build, step: Step) -> bool:
    return step == "extract" and bool(build.folder(step).personas())


def _skip(outcome: Outcome, watcher: Watcher, step: Step, why: str) -> None:
    outcome.skipped[step] = why
    watcher.on_skipped(step, why)
