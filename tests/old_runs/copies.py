"""The kept runs of earlier versions: copies to work on, and the command line to work with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent / "0.1.0"
ROOT = Path(__file__).parents[2]
COMMAND_S = 240.0
"""No command of these tests takes longer, on a machine however busy."""

NISQA = ("naturalness", "mos", "noisiness", "discontinuity", "coloration", "loudness")
FIGURE = ("value", "unit", "n", "status", "ci_low", "ci_high", "p50", "p90", "p95")
"""What makes a figure of ``summary.json``, beside its words."""


REDEFINED = ("response_latency_ms", "interruption_delay_ms", *(f"nisqa_{name}" for name in NISQA))
"""Figures that turns without an answer, interruptions that never ended and clips out of NISQA's domain have
changed: none of them is in ``response_latency_answered_ms``."""


def copied(folder: Path) -> Path:
    """A copy of everything that the earlier version left."""
    return Path(shutil.copytree(KEPT, folder / "old"))


def outboundeval(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command line of the present code in a folder, and waits for it."""
    return subprocess.run(
        [sys.executable, "-m", "harness.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_S,
        check=False,
    )


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def figures(metrics: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every metric's figure by its name, and nothing of how it is put into words."""
    return {name: {field: metric[field] for field in FIGURE} for name, metric in metrics.items()}


def assert_the_same_figures(metrics: dict[str, Any], kept: dict[str, Any]) -> None:
    """Every figure that the earlier version had is there and the same; there may be more by now.

    Not those that have another definition by now, which their version says.
    """
    before, now = figures(kept), figures(metrics)
    assert before
    assert before.keys() <= now.keys()
    for name, figure in before.items():
        if name in REDEFINED:
            major = metrics[name]["version"].split(".")[0]
            assert kept[name]["version"] == "1", name
            assert int(major) > 1, name
            continue
        for field, value in figure.items():
            if isinstance(value, float) and isinstance(now[name][field], float):
                # Neural networks give other last digits on another processor.
                assert abs(now[name][field] - value) <= 1e-3 * max(1.0, abs(value)), (name, field)
            else:
                assert now[name][field] == value, (name, field)


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
