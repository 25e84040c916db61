"""A command that serves on this machine while it is needed: a language model, a reference agent."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import httpx

from harness._files.own_processes import note_ended, note_started
from harness.errors import EXIT_NOT_PLACED, UserError

STARTUP_S = 120.0
_STOP_S = 5.0
_GIVEN_AWAY = Path("/proc/sys/net/ipv4/ip_local_port_range")
_FIRST_PORT, _USUAL_FIRST_OF_THE_SYSTEM = 20_000, 32_768
_TRIES = 100


@contextlib.contextmanager
def serving_command(
    command: list[str],
    *,
    name: str,
    port: int,
    ready: str,
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Runs a command that serves HTTP on 127.0.0.1 while in the ``with`` block; gives its address.

    Args:
        name: For messages.
        ready: The path that answers 200 once it is ready.
        environment: Variables besides those of this process.

    Raises:
        UserError: It did not come up; the message has the end of its output.
    """
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{address}{ready}", timeout=2.0).status_code == 200
        return False

    with running(command, name=name, is_ready=answers, environment=environment):
        yield address


@contextlib.contextmanager
def running(
    command: list[str],
    *,
    name: str,
    is_ready: Callable[[], bool],
    environment: Mapping[str, str] | None = None,
) -> Iterator[None]:
    """Runs a command while in the ``with`` block, which begins when it is ready.

    Args:
        is_ready: Is asked again and again, until it is.
        environment: Variables besides those of this process.

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
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
        )
        note_started(process.pid)
        try:
            _wait_until_ready(process, is_ready, name=name, tail=lambda: _tail(output.fileno()))
            yield
        finally:
            _stop(process)
            note_ended(process.pid)


def free_port() -> int:
    """A port of 127.0.0.1 that is free right now, for TCP as for UDP.

    None of those that the system gives to every connection, and to whoever asks for any port: one of these
    may be somebody else's by the time that a program has begun and takes it.
    """
    ours = range(_FIRST_PORT, _first_of_the_system())
    for _ in range(_TRIES if ours else 0):
        port = secrets.choice(ours)
        if _is_free(port):
            return port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _first_of_the_system() -> int:
    """The first of the ports that the system gives away by itself."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(_GIVEN_AWAY.read_text(encoding="ascii").split()[0])
    return _USUAL_FIRST_OF_THE_SYSTEM


def _is_free(port: int) -> bool:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


def _wait_until_ready(
    process: subprocess.Popen[bytes], is_ready: Callable[[], bool], *, name: str, tail: Callable[[], str]
) -> None:
    deadline = time.monotonic() + STARTUP_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise UserError(
                f"{name} ended at once (exit {process.returncode}):\n{tail()}",
                exit_code=EXIT_NOT_PLACED,
            )
        if is_ready():
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
