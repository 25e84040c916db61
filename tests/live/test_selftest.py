"""``outboundeval selftest`` from one end to the other: it passes, and fails where an instrument is broken."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.analysis.measures.base import Measure, ScoredCall
from harness.analysis.measures.probes.rejection import REJECTION
from harness.analysis.measures.understanding.recognition import WER
from harness.cli import main as cli
from harness.errors import EXIT_CHECK_FAILED, EXIT_OK, Interrupted
from harness.selfcheck.selftest import run
from harness.selfcheck.selftest.entries import Family, Order
from harness.selfcheck.selftest.families.table import FAMILIES
from harness.selfcheck.selftest.run import MadeRun
from metrics.score import Score

pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]

SOUND_FREE = "words,characters,rejection"
[WORDS] = [one for one in FAMILIES if one.name == "words"]


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


@pytest.fixture(scope="module")
def words_made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the quick runs of a family; all that is made here is made with the same sources, whatever
    somebody changes meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "made_with", lambda: "these sources")
        folder = tmp_path_factory.mktemp("made")
        run.try_family(WORDS, folder, "quick", lambda _: None)
        yield folder


def test_it_passes_and_a_broken_instrument_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, words_made: Path
) -> None:
    out, table = Path(shutil.copytree(words_made, tmp_path / "kept")), tmp_path / "table.md"
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


def test_what_is_done_is_kept_when_it_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words_made: Path
) -> None:
    """Cut off in its third run: two are kept, and the next start makes the others alone."""
    made: list[str] = []

    def making(family: Family, order: Order, *_: Any) -> MadeRun:
        """Each is made as it was before."""
        made.append(order.folder.name)
        if len(made) == 3:
            raise KeyboardInterrupt
        before = words_made / "quick" / family.name / order.folder.name
        shutil.copytree(before, order.folder)
        return MadeRun.model_validate_json(before.with_name(f"{before.name}.json").read_bytes())

    monkeypatch.setattr(run, "_made", making)
    with pytest.raises((KeyboardInterrupt, Interrupted)):
        run.try_family(WORDS, tmp_path, "quick", lambda _: None)
    assert made == ["clean", "clean-again", "mishears-words.weak"]
    result = run.try_family(WORDS, tmp_path, "quick", lambda _: None)
    assert made[3:] == ["mishears-words.weak", "mishears-words.strong"]
    assert [cell.found for cell in result.cells if cell.kind == "diagonal"] == [True] * 4
