"""Serves a gguf model of ``harness.models.resolve`` by llama.cpp, in a process of its own on 127.0.0.1."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from harness._files.shipped import agent_command
from harness.errors import UserError
from harness.models.resolve import resolve_model
from harness.models.served_process import free_port, serving_command
from harness.models.sources import package_folder

AGENT = "llama_server"

AT_ONCE = 1
"""Answers that such a server writes at the same time; further requests wait in it."""


@contextlib.contextmanager
def serving_model(name: str, *, port: int | None = None, threads: int | None = None) -> Iterator[str]:
    """Runs the server while in the ``with`` block; gives its base URL (``http://127.0.0.1:PORT/v1``).

    Args:
        threads: That compute; None: half of the cores, so that a call in real time can go on beside it.

    Raises:
        UserError: The model or llama.cpp is missing, or the server did not come up.
    """
    file = gguf_file(name)
    if package_folder("xllamacpp") is None:
        raise UserError(
            f"local:{name} needs llama.cpp: {sys.executable} -m pip install 'outboundeval[local]' "
            "(or xllamacpp alone)"
        )
    port = port if port is not None else free_port()
    command = agent_command(AGENT, "--model", str(file), "--port", str(port), "--with-parent")
    if threads is not None:
        command += ["--threads", str(threads)]
    with serving_command(command, name=f"local:{name}", port=port, ready="/health") as address:
        yield f"{address}/v1"


def all_cores() -> int:
    """Threads for work beside which nothing runs in real time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def gguf_file(name: str) -> Path:
    """The one gguf file of a model. Raises UserError where it is missing or wrong."""
    return next(iter(sorted(resolve_model(name).glob("*.gguf"))))
