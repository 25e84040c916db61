"""Starts a judge in its own Python, while in the block. ``.ci/run`` names both Pythons, and there they may
not be missing; elsewhere their tests are skipped."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import serving

FASTRTC = ("OUTBOUNDEVAL_FASTRTC_PYTHON", "tests.peers.fastrtc_agent")
SPEECH_TO_SPEECH = ("OUTBOUNDEVAL_SPEECH_TO_SPEECH_PYTHON", "tests.peers.speech_to_speech_agent")
Judge = tuple[str, str]
ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def serving_judge(judge: Judge, *arguments: str) -> Iterator[str]:
    """Its address."""
    with serving([python_of(judge), "-P", "-m", judge[1], *arguments], env=_environment()) as (address, _):
        yield address


def python_of(judge: Judge) -> str:
    """The interpreter that has the judge; skips the test where there is none."""
    variable = judge[0]
    python = os.environ.get(variable, "")
    if not python:
        pytest.skip(f"{variable} names no Python that has this server: .ci/judges makes one")
    assert Path(python).is_file(), f"{variable}: {python} is no file"
    return python


def plan_call(address: str, name: str, behaviour: dict[str, Any]) -> None:
    """Tells a judge what to do in the call that comes next."""
    httpx.post(f"{address}/plan/{name}", json=behaviour, timeout=10).raise_for_status()


def truth(address: str, name: str) -> dict[str, Any]:
    """What passed the judge's socket in a call."""
    told: dict[str, Any] = httpx.get(f"{address}/truth/{name}", timeout=60).raise_for_status().json()
    return told


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # Nothing that they would like to fetch is wanted, and nothing that they would like to tell.
    quiet = {"HF_HUB_OFFLINE": "1", "GRADIO_ANALYTICS_ENABLED": "False"}
    return kept | quiet | {"PYTHONPATH": str(ROOT)}
