"""Several runs of calls in one table: figures of each, differences where the callers were the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from harness.cli import main as cli
from harness.errors import UserError
from harness.reports.agents.page import agents_page
from harness.reports.agents.text import agents_markdown
from harness.scoring.comparison.side_by_side import side_by_side
from tests.nights import night_call
from tests.report.make_run import ATTACK, write_run


def run_of(folder: Path, name: str, *, slower_ms: float = 0.0, calls: int = 12, unanswered: int = 0) -> Path:
    """Latencies from 600 ms on in steps of 50, each so much slower; some second lines are not answered."""
    made = [
        night_call(f"c{n}", [600.0 + 50 * n + slower_ms, None if n < unanswered else 700.0 + slower_ms])
        for n in range(calls)
    ]
    run = write_run(folder / name, made)
    for path in run.glob("calls/*/call.json"):
        record = json.loads(path.read_text())
        path.write_text(json.dumps(record | {"agent_name": f"{name} {ATTACK}"}))
    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    return [
        run_of(folder, "first", calls=24),
        run_of(folder, "slow", slower_ms=400.0, calls=24),
        run_of(folder, "few", calls=4, unanswered=2),
    ]


def test_differences_are_of_the_calls_that_both_had(runs: list[Path]) -> None:
    board = side_by_side(runs)
    first, slow, few = board.agents
    assert first.to_first is None
    change = slow.change("response_latency_ms")
    assert change is not None
    # Every answer came 400 ms later, and nothing else was another.
    assert (change.estimate, change.word, change.pairs) == (pytest.approx(400.0), "worse", 24)
    rate = slow.change("response_rate")
    assert rate is not None
    assert (rate.estimate, rate.word) == (0.0, "no difference seen")
    fewer = few.change("response_rate")
    assert fewer is not None
    assert (fewer.word, fewer.estimate) == ("inconclusive", None)
    assert few.metrics["response_rate"].value == pytest.approx(6 / 8)
    assert any("4 calls with the same caller" in remark for remark in board.remarks)


def test_what_nobody_measured_is_no_row_and_a_strangers_name_is_text(runs: list[Path]) -> None:
    board = side_by_side(runs[:2])
    assert "tfc" not in board.figures
    assert board.absent["tfc"]
    page, text = agents_page(board), agents_markdown(board)
    assert "<script>alert" not in page
    assert "+400 [" in page
    assert "+400 [" in text.replace("\\", "")
    assert [line.count(" | ") for line in text.splitlines() if line.startswith("| Response rate")] == [2]


def test_the_command_writes_the_page_and_says_what_cannot_stand_side_by_side(
    runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["outboundeval", "report", *map(str, runs[:2]), "--out", str(tmp_path / "table"), "--json"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    document = json.loads(capfd.readouterr().out)
    assert ended.value.code == 0
    assert [agent["to_first"] is None for agent in document["agents"]] == [True, False]
    assert (tmp_path / "table" / "index.html").is_file()
    assert (tmp_path / "table" / "agents.md").is_file()
    with pytest.raises(UserError, match="named twice"):
        side_by_side([runs[0], runs[0]])
    (runs[2] / "summary.json").rename(runs[2] / "gone.json")
    with pytest.raises(UserError, match="score it first"):
        side_by_side([runs[0], runs[2]])
