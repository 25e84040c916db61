"""``outboundeval run``: what its options and a plan rule out together."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.commands.run import run
from harness.cli.options.run import RunOptions
from harness.errors import UserError

CALLS = 'agent: http://127.0.0.1:1\ncalls: [{id: a, script: {lines: [{say: "Hello."}]}}]\n'


def test_a_cluster_and_a_witness_of_ones_own_have_no_clock_in_common(tmp_path: Path) -> None:
    """What is told here has this machine's time, and a call that another machine held has that one's."""
    path = tmp_path / "plan.yaml"
    path.write_text(f"{CALLS}witness: {{port: 8765}}\n")
    with pytest.raises(UserError, match="--ray and witness: other machines have clocks of their own"):
        run(RunOptions(plan_file=path, ray="auto", out=tmp_path / "run"))
    assert not (tmp_path / "run").exists()
