"""Agents of the tests, each served by a process of its own."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

import httpx

from harness._files.shipped import agent_command
from harness.models.served_process import free_port

READY_S = 120.0
"""Until an agent has loaded what it needs, on a machine however busy."""


@contextlib.contextmanager
def serving_module(
    module: str, *options: str, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Runs a module that serves at ``--port`` while in the block: its address and its process."""
    with serving([sys.executable, "-m", module, *options], environment=environment) as served:
        yield served


@contextlib.contextmanager
def serving_agent(
    name: str, *arguments: str, port: int | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Runs an agent of ``fixtures/agents`` while in the block: its address and its process.

    Args:
        port: Where it has to be; waits until nobody else is there. Default: any that is free.
        environment: Variables besides those of the tests.
    """
    if port is not None:
        _wait_until_free(port)
    with serving([*agent_command(name), *arguments], port=port, environment=environment) as served:
        yield served


@contextlib.contextmanager
def serving_telephone() -> Iterator[tuple[str, str]]:
    """Runs the calibration agent with a telephone while in the block: its address over HTTP, where its truth
    is, and its host and port over SIP."""
    port = free_port()
    with serving([*agent_command("calibration"), "--sip-port", str(port)]) as (address, _):
        yield address, f"127.0.0.1:{port}"


@contextlib.contextmanager
def serving(
    command: list[str],
    *,
    port: int | None = None,
    env: dict[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Runs a command that serves at ``--port`` while in the block, with ``/status``: its address and its
    process.

    Args:
        env: All its variables, in place of those of the tests.
        environment: Variables besides.
    """
    port = port or free_port()
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        env={**(os.environ if env is None else env), **(environment or {})},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_ready(address, process)
        yield address, process
    finally:
        process.kill()
        process.wait()


def _wait_until_free(port: int) -> None:
    """The tests of another checkout may be at it."""
    deadline = time.monotonic() + 120
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                assert time.monotonic() < deadline, f"port {port} was not free after two minutes"
            else:
                return
        time.sleep(0.2)


def _wait_until_ready(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the agent ended at once ({process.returncode})"
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{address}/status", timeout=2).status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError(f"{address} was not ready after {READY_S:g} s")
