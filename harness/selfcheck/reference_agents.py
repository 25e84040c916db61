"""Starts and stops the reference agents that ship with the harness: separate processes on loopback."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from harness._files.shipped import agent_command
from harness.errors import UserError
from harness.models.resolve import resolve_model
from harness.models.served_process import free_port, serving_command


@dataclass(frozen=True, kw_only=True)
class ReferenceAgent:
    """One reference agent: how it is started, and what it needs."""

    name: str
    summary: str
    package: str
    """Below ``fixtures/agents``."""
    default_port: int
    folders: Callable[[], list[str]]
    """Command-line arguments that name the models; resolved when it is started."""


def _no_models() -> list[str]:
    return []


def _pipecat_models() -> list[str]:
    return ["--whisper", str(resolve_model("whisper-base")), "--piper", str(resolve_model("joe"))]


AGENTS: dict[str, ReferenceAgent] = {
    agent.name: agent
    for agent in (
        ReferenceAgent(
            name="calibration",
            summary="no AI: programmed delays, and a log of the truth, to measure the harness by",
            package="calibration",
            default_port=7861,
            folders=_no_models,
        ),
        ReferenceAgent(
            name="pipecat",
            summary="a real voice agent: VAD, Whisper, a card of steps (or any language model), Piper",
            package="pipecat_agent",
            default_port=7860,
            folders=_pipecat_models,
        ),
        ReferenceAgent(
            name="livekit",
            summary="a real worker of livekit-agents (VAD, Whisper, a card, Piper), for your LiveKit server",
            package="livekit_agent",
            default_port=7862,
            folders=_pipecat_models,
        ),
        ReferenceAgent(
            name="livekit-server",
            summary="no agent: a LiveKit server in small, to try agents on that are its workers",
            package="livekit_stand_in",
            default_port=7880,
            folders=_no_models,
        ),
    )
}


def find_agent(name: str) -> ReferenceAgent:
    """The agent of that name. Raises UserError that lists the known ones."""
    if name not in AGENTS:
        raise UserError(f"no reference agent named '{name}'; known: {', '.join(sorted(AGENTS))}")
    return AGENTS[name]


def command_line(agent: ReferenceAgent, *, host: str, port: int, extra: list[str]) -> list[str]:
    """The command that serves the agent."""
    return agent_command(agent.package, "--host", host, "--port", str(port), *agent.folders(), *extra)


@contextlib.contextmanager
def serving(
    name: str,
    *,
    extra: list[str] | None = None,
    port: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Runs a reference agent while in the ``with`` block; gives its address.

    Args:
        extra: Options of its own.
        environment: Variables besides those of this process.

    Raises:
        UserError: It did not come up; the message has the end of its output.
    """
    agent = find_agent(name)
    port = port if port is not None else free_port()
    command = command_line(agent, host="127.0.0.1", port=port, extra=extra or [])
    with serving_command(
        command, name=f"the {name} agent", port=port, ready="/status", environment=environment
    ) as address:
        yield address
