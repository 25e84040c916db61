"""``outboundeval selftest`` from one end to the other: it passes, and fails where an instrument is broken."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.analysis.measures.base import Measure, ScoredCall
from harness.analysis.measures.probes.rejection import REJECTION
from harness.analysis.measures.understanding.recognition import WER
from harness.cli import main as cli
from harness.errors import EXIT_CHECK_FAILED, EXIT_OK, Interrupted
from harness.selfcheck.selftest import run
from harness.selfcheck.selftest.families.table import FAMILIES
from metrics.score import Score

pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]

SOUND_FREE = "words,characters,rejection"


def selftest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, Any]:
    monkeypatch.setattr(sys, "argv", ["outboundeval", "selftest", "--json", *arguments])
    capsys.readouterr()
    code: Any = 0
    try:
        cli.main()
    except SystemExit as left:
        code = left.code
    out, _ = capsys.readouterr()
    return int(code or 0), json.loads(out)


def _constant(measure: Measure, value: float) -> Any:
    pool = type(measure).pool

    def always(self: Measure, calls: list[ScoredCall]) -> Score:
        score = pool(self, calls)
        return score.model_copy(update={"value": value}) if self.entry.name == measure.entry.name else score

    return always


def test_it_passes_and_a_broken_instrument_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, table = tmp_path / "kept", tmp_path / "table.md"
    code, document = selftest(
        monkeypatch, capsys, "--only", SOUND_FREE, "--out", str(out), "--table", str(table)
    )
    assert code == EXIT_OK, document.get("failures", document)
    assert all(row["found"] for row in document["rows"])
    assert len(document["rows"]) == 6
    # In the metric's own unit what was planted is what was measured.
    for cell in document["cells"]:
        if cell["planted"] is not None:
            assert cell["estimate"] == pytest.approx(cell["planted"], abs=0.02), cell
    assert "| rejects-good-input | `false_rejection_rate` |" in table.read_text(encoding="utf-8")
    # What is kept is compared again, by an instrument that always says the same: nothing is found by it.
    for measure, family in ((WER, "words"), (REJECTION, "rejection")):
        with monkeypatch.context() as broken:
            broken.setattr(type(measure), "pool", _constant(measure, 0.1))
            code, document = selftest(broken, capsys, "--only", family, "--out", str(out))
        assert code == EXIT_CHECK_FAILED
        assert [one for one in document["failures"] if measure.entry.name in one]


def test_what_is_done_is_kept_when_it_is_cut_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Cut off in its third run: two are kept, and the next start makes the others alone."""
    [family] = [one for one in FAMILIES if one.name == "words"]
    made: list[str] = []
    real = run._made

    def cut_off(one: Any, order: Any, *rest: Any) -> Any:
        made.append(order.folder.name)
        if len(made) == 3:
            raise KeyboardInterrupt
        return real(one, order, *rest)

    monkeypatch.setattr(run, "_made", cut_off)
    with pytest.raises((KeyboardInterrupt, Interrupted)):
        run.try_family(family, tmp_path, "quick", lambda _: None)
    assert made == ["clean", "clean-again", "mishears-words.weak"]
    result = run.try_family(family, tmp_path, "quick", lambda _: None)
    assert made[3:] == ["mishears-words.weak", "mishears-words.strong"]
    assert [cell.found for cell in result.cells if cell.kind == "diagonal"] == [True] * 4
