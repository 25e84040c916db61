"""Scoring that does not rate voices does without torch, whose import alone costs seconds."""

from __future__ import annotations

import subprocess
import sys


def test_what_scores_a_run_is_imported_without_torch() -> None:
    what = "import sys, harness.scoring.run, harness.cli.commands.score; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", what], check=False, timeout=240).returncode == 0
