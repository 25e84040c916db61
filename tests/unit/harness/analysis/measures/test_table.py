"""A metric that is added: one file and one line, ours or another package's, and it is everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.analysis.measures import table
from harness.analysis.measures.table import MEASURES, measures
from harness.cli.commands import score as command
from harness.cli.main import app
from harness.errors import UserError
from harness.reports.markdown import render_markdown
from tests.added_parts import add_package
from tests.unit.harness.analysis.test_listener import StandIns
from tests.unit.harness.stand_ins.recorded import recorded_run
from voice_sim.registry import Part

DOCS = Path(__file__).parents[5] / "docs" / "measures.md"


def _toy() -> str:
    """The module that the documentation shows."""
    return DOCS.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]


@pytest.fixture(autouse=True)
def _found_again() -> Iterator[None]:
    """What is installed is looked up once in a process."""
    table._loaded.cache_clear()
    yield
    table._loaded.cache_clear()


@pytest.fixture
def instruments(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options of the models that stand in."""
    options: dict[str, Any] = {}
    monkeypatch.setattr(
        command, "Instruments", lambda **more: StandIns(asked=Counter(), **{**more, **options})
    )
    return options


def _score(folder: Path, *options: str) -> str:
    result = CliRunner().invoke(app, ["score", str(folder), *options], env={"COLUMNS": "300"})
    assert result.exit_code == 0, result.output
    return result.stdout


def _one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "toy_measure.py").write_text(_toy())
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setitem(MEASURES.parts, "words_at_a_stretch", Part(target="toy_measure:WORDS_AT_A_STRETCH"))


def _one_entry_point(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_package(
        folder,
        monkeypatch,
        group="outboundeval.measures",
        name="words_at_a_stretch",
        module="toy_package_measure",
        attribute="WORDS_AT_A_STRETCH",
        source=_toy(),
    )


@pytest.mark.parametrize("added", [_one_line, _one_entry_point])
def test_a_metric_that_is_added_is_in_every_file_and_on_every_page(
    added: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, instruments: dict[str, Any]
) -> None:
    """The recogniser that stands in hears one word in each of the agent's two stretches of speech."""
    added(tmp_path, monkeypatch)
    store = recorded_run(tmp_path / "run", "one", "two", text="Pardon?")
    said = _score(store.folder)
    assert measures()[-1].entry.name == "words_at_a_stretch"

    [of_call] = [
        one
        for one in json.loads((store.call_folder("one") / "scores.json").read_text())["scores"]
        if one["metric"] == "words_at_a_stretch"
    ]
    assert (of_call["value"], of_call["n"], of_call["status"]) == (1.0, 2, "measured")
    summary = json.loads((store.folder / "summary.json").read_text())
    pooled = summary["metrics"]["words_at_a_stretch"]
    assert (pooled["value"], pooled["n"], pooled["unit"]) == (1.0, 4, "words"), pooled["reason"]
    assert "words_at_a_stretch" not in {one["metric"] for one in summary["not_measured"]}

    [row] = [line for line in said.splitlines() if line.startswith("Words at a stretch")]
    assert row.split()[4:6] == ["1.00", "w"]
    page = (store.folder / "report" / "index.html").read_text()
    assert 'data-metric="words_at_a_stretch" data-value="1.0"' in page
    assert "before it lets the caller speak, by our own recogniser. Lower is better." in page
    assert "4 talks" in page
    assert '<property name="words_at_a_stretch" value="1.0" />' in (store.folder / "junit.xml").read_text()
    assert "| Words at a stretch | **1.00 words** |" in render_markdown(store.folder)


def test_what_it_needs_is_not_there_and_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, instruments: dict[str, Any]
) -> None:
    _one_line(tmp_path, monkeypatch)
    instruments["whisper_is"] = None
    store = recorded_run(tmp_path / "run", "one", text="Pardon?")
    said = _score(store.folder)
    summary = json.loads((store.folder / "summary.json").read_text())
    reason = "not measured: no whisper here (1 call)"
    assert summary["metrics"]["words_at_a_stretch"]["value"] is None
    assert {"metric": "words_at_a_stretch", "reason": reason} in summary["not_measured"]
    assert any("words_at_a_stretch" in line and reason in line for line in said.splitlines())
    page = (store.folder / "report" / "index.html").read_text()
    assert "no whisper here (1 call)" in page


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("nowhere_at_all:X", "'toy' cannot be loaded: No module named 'nowhere_at_all'"),
        ("harness.analysis.measures.task.final:NOBODY", "'toy' cannot be loaded: .* has no attribute"),
        ("harness.analysis.measures.task.final:FINAL", "'toy' leads to the measure 'final'"),
        ("harness.analysis.measures.units:MS", r"'toy' leads to Unit\("),
    ],
)
def test_a_line_that_leads_to_no_measure_of_its_name_names_the_culprit(
    target: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MEASURES.parts, "toy", Part(target=target))
    with pytest.raises(UserError, match=told):
        measures()


def test_to_know_the_measures_loads_no_network() -> None:
    """A report names every metric, and waits for no model."""
    code = (
        "import sys; from harness.analysis.measures.table import measures; "
        "assert len(measures()) > 40; "
        "print([one for one in ('torch', 'faster_whisper', 'ctranslate2') if one in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
