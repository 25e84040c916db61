"""A real language model of 135 million parameters behind llama.cpp, for tests of the wire, not of wisdom."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.models.resolve import ModelMissing, resolve_model
from harness.models.sources import package_folder
from voice_sim.person.persona import Persona


def tiny_model() -> str:
    """The name of the model; skips the test where it cannot be served."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc to find the server's process")
    if package_folder("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed (extra 'local')")
    try:
        resolve_model("smollm2-135m")
    except ModelMissing as missing:
        pytest.skip(f"{str(missing).splitlines()[0]}: `outboundeval doctor` says how to get it")
    return "local:smollm2-135m"


def children_that_serve() -> Iterator[int]:
    """Process ids of the llama.cpp servers that this process has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"llama_server" in (folder / "cmdline").read_bytes():
                yield int(folder.name)


def person() -> Persona:
    """Somebody of few words: a persona of the benchmark is 2500 tokens, this one is read in seconds."""
    return Persona.model_validate(
        {
            "language": "en",
            "archetype": "cooperative",
            "role": "Sam, who waits for a call about a repaired bicycle.",
            "must_ask": [{"id": "price", "ask": ["How much is it?"]}],
        }
    )
