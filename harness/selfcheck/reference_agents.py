"""Starts and stops the reference agents that ship with the harness: separate processes on loopback."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from harness.errors import EXIT_NOT_PLACED, UserError
from harness.models.resolve import resolve_model

STARTUP_S = 120.0
_STOP_S = 5.0


@dataclass(frozen=True, kw_only=True)
class ReferenceAgent:
    """One reference agent: how it is started, and what it needs."""

    name: str
    summary: str
    module: str
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
            module="fixtures.agents.calibration",
            default_port=7861,
            folders=_no_models,
        ),
        ReferenceAgent(
            name="pipecat",
            summary="a real voice agent: VAD, Whisper, a card of steps (or any language model), Piper",
            module="fixtures.agents.pipecat_agent",
            default_port=7860,
            folders=_pipecat_models,
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
    return [
        sys.executable,
        "-m",
        agent.module,
        "--host",
        host,
        "--port",
        str(port),
        *agent.folders(),
        *extra,
    ]


@contextlib.contextmanager
def serving(name: str, *, extra: list[str] | None = None, port: int | None = None) -> Iterator[str]:
    """Runs a reference agent while in the ``with`` block; gives its address.

    Raises:
        UserError: It did not come up; the message has the end of its output.
    """
    agent = find_agent(name)
    port = port if port is not None else free_port()
    command = command_line(agent, host="127.0.0.1", port=port, extra=extra or [])
    with serving_command(command, name=f"the {name} agent", port=port, ready="/status") as address:
        yield address


@contextlib.contextmanager
def serving_command(command: list[str], *, name: str, port: int, ready: str) -> Iterator[str]:
    """Runs a command that serves on 127.0.0.1 while in the ``with`` block; gives its address.

    Args:
        name: For messages.
        ready: The path that answers 200 once it is ready.

    Raises:
        UserError: It did not come up; the message has the end of its output.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            # Ctrl-C in our terminal is for us: we hang up first and end the agent then.
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_ready(process, f"{address}{ready}", name=name, tail=lambda: _tail(output.fileno()))
            yield address
        finally:
            _stop(process)


def free_port() -> int:
    """A TCP port of 127.0.0.1 that is free right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(
    process: subprocess.Popen[bytes], url: str, *, name: str, tail: Callable[[], str]
) -> None:
    deadline = time.monotonic() + STARTUP_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise UserError(
                f"{name} ended at once (exit {process.returncode}):\n{tail()}",
                exit_code=EXIT_NOT_PLACED,
            )
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, timeout=2.0).status_code == 200:
                return
        time.sleep(0.2)
    raise UserError(f"{name} was not ready after {STARTUP_S:.0f} s:\n{tail()}", exit_code=EXIT_NOT_PLACED)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _tail(descriptor: int, characters: int = 2000) -> str:
    size = os.fstat(descriptor).st_size
    text = os.pread(descriptor, characters, max(0, size - characters)).decode("utf-8", "replace")
    return text.strip() or "(it printed nothing)"


def log_folder() -> Path:
    """A fresh folder for an agent's logs, in the system's temporary folder."""
    return Path(tempfile.mkdtemp(prefix="outboundeval-agent-"))
