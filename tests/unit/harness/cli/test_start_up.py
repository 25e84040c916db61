"""Help comes at once: no command loads what only its work needs."""

from __future__ import annotations

import json
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


_HELP_OF_EACH = """
import json, sys
from harness.cli.main import main
for command in json.loads(sys.argv[1]):
    sys.argv = ["outboundeval", *command.split(), "--help"]
    try:
        main()
    except SystemExit as ended:
        found = [command, ended.code, sorted({name.partition(".")[0] for name in sys.modules})]
        print(json.dumps(found), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def helped() -> dict[str, set[str]]:
    """The top packages that are there when a command has shown its help, one command after the other in one
    process: none has more than it loads by itself."""
    ran = subprocess.run(
        [sys.executable, "-c", _HELP_OF_EACH, json.dumps(QUICK)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = [json.loads(line) for line in ran.stderr.splitlines()]
    assert [(command, code) for command, code, _ in found] == [(one, EXIT_OK) for one in QUICK], ran.stderr
    return {command: set(packages) for command, _, packages in found}


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
def test_help_loads_nothing_heavy(command: str, helped: dict[str, set[str]]) -> None:
    packages = helped[command]
    assert packages >= {"harness", "typer"}
    assert packages & HEAVY == set()


def test_the_work_is_what_loads_them() -> None:
    """So that the names above are the names that would be seen."""
    packages = imported("score", "there-is-no-such-file.wav")
    assert packages >= {"onnxruntime", "scipy", "numpy", "metrics", "pydantic_ai"}
    # It comes when voices are rated.
    assert "torch" not in packages
