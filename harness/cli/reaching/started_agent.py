"""What the command line says of an agent that is started for the run, and what is told of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError
from rich.console import Console

from harness._files.validation import describe_validation_error
from harness.errors import UserError
from harness.plans.reach.spawn import DEFAULT_PORT, SpawnPlan
from harness.runs.lock import AGENT_LOG
from harness.runs.others.spawned_agent import spawned


class _Options(Protocol):
    @property
    def spawn(self) -> str | None: ...
    @property
    def spawn_port(self) -> int | None: ...
    @property
    def spawn_ready(self) -> str | None: ...


def spawn_of(options: _Options) -> SpawnPlan | None:
    """The program that was given; None where none was.

    Raises:
        UserError: It is no command, or only its port or what it prints was given.
    """
    if options.spawn is None:
        if options.spawn_port is not None or options.spawn_ready is not None:
            raise UserError("--spawn-port and --spawn-ready are of a program that is started: give --spawn")
        return None
    try:
        return SpawnPlan(
            command=options.spawn,
            port=options.spawn_port or DEFAULT_PORT,
            ready=options.spawn_ready or "",
        )
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where="--spawn")) from error


@contextlib.contextmanager
def with_agent(plan: SpawnPlan | None, folder: Path, console: Console) -> Iterator[None]:
    """Runs the agent while in the ``with`` block, and tells where it ended before us."""

    def tell(text: str, style: str) -> None:
        console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    if plan is not None:
        tell(f"starting the agent: {plan.command}", "dim")
    with spawned(plan, folder) as agent:
        try:
            yield
        finally:
            if agent is not None and (ended := agent.ended):
                tell(f"the agent ended before its calls did: {ended}\n({folder / AGENT_LOG})", "yellow")
