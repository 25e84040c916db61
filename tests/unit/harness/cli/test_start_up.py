"""Help comes at once: no command loads what only its work needs."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from harness.errors import EXIT_OK, EXIT_WRONG_USE

HEAVY = {
    *("aiohttp", "aiortc", "av", "httpx", "webrtcvad", "soundfile"),
    *("numpy", "scipy", "torch", "onnxruntime", "ctranslate2", "faster_whisper", "transformers"),
    *("pydantic_ai", "openai", "opentelemetry", "genai_prices"),
    *("jinja2", "jiwer", "opencc", "pandas", "plotly", "rapidfuzz"),
    "metrics",
}
QUICK = (
    *("", "call", "run", "answer", "score", "chat", "report"),
    *("calibrate", "doctor", "demo", "judge check", "persona realism judge"),
)


def imported(*arguments: str) -> set[str]:
    """The top packages that the program imports for these arguments."""
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "harness.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ran.returncode in (EXIT_OK, EXIT_WRONG_USE), ran.stderr[-500:]
    return {name.partition(".")[0] for name in re.findall(r"^import time:.*\| +(\S+)$", ran.stderr, re.M)}


@pytest.mark.parametrize("command", QUICK)
def test_help_loads_nothing_heavy(command: str) -> None:
    packages = imported(*command.split(), "--help")
    assert packages >= {"harness", "typer"}
    assert packages & HEAVY == set()


def test_the_work_is_what_loads_them() -> None:
    """So that the names above are the names that would be seen."""
    packages = imported("score", "there-is-no-such-file.wav")
    assert packages >= {"onnxruntime", "scipy", "numpy", "metrics", "pydantic_ai"}
    # It comes when voices are rated.
    assert "torch" not in packages
