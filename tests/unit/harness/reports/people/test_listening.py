"""What people said, on the page of a run: figures, who was set aside, where to listen, and nobody's name."""

from __future__ import annotations

from pathlib import Path

from harness.reports.html import build_report
from harness.reports.people.listening import listening_section
from harness.reports.run import run_page
from harness.runs.reader import Problem, read_run
from harness.scoring.listening.key import ListeningKey, write_key
from harness.scoring.listening.making import make_page
from harness.scoring.listening.ratings.answers import read_files
from harness.scoring.listening.ratings.importing import prepared, result_path, written
from tests.unit.harness.scoring.listening.rated_runs import rated_run
from tests.unit.harness.scoring.listening.simulated_raters import attentive, save, saved


def rated(folder: Path) -> ListeningKey:
    store = rated_run(folder / "run", "one", "two")
    [key] = make_page([store.folder], method="acr", clips=4, seed=1).keys
    write_key(store.folder, key)
    values = {item: 2 + n for n, item in enumerate(key.of_kind("clip"))}
    paths = [
        save(folder, saved(key, name, attentive(values.__getitem__))) for name in ("Annabel Q", "Benedikt R")
    ]
    paths.append(save(folder, saved(key, "Danuta S", lambda item, is_: 3)))
    written(prepared(store.folder, read_files(paths), paths))
    return key


def test_figures_clips_and_no_names(tmp_path: Path) -> None:
    key = rated(tmp_path)
    section = run_page(tmp_path / "run").listening
    assert section is not None
    [page] = section.pages
    assert page.about == f"Page {key.sheet.id}: single clips (ACR); 2 of 3 raters count."
    assert [(row.of, row.mean, row.n) for row in page.rows] == [
        ("run", "3.50", 8),
        ("Anchor, Q = 35 dB", "4.00", 2),
        ("Anchor, Q = 25 dB", "4.00", 2),
        ("Anchor, Q = 15 dB", "2.00", 2),
        ("Anchor, Q = 5 dB", "2.00", 2),
    ]
    assert page.rows[1].interval == "no interval: one clip"
    assert "1 rater: the same answer to everything" in page.set_aside
    assert [clip.mean for clip in section.clips] == ["2.00", "3.00", "4.00", "5.00"]
    html = build_report(tmp_path / "run").read_text()
    assert "What people say of the voice" in html
    assert not any(name in html for name in ("Annabel", "Benedikt", "Danuta"))


def test_a_result_that_cannot_be_read_is_a_line_and_no_section(tmp_path: Path) -> None:
    key = rated(tmp_path)
    run = tmp_path / "run"
    result_path(run, key.sheet.id).write_text('{"version": 1, "sheet": "<b>"}')
    problems: list[Problem] = []
    page = run_page(run)
    assert page.listening is None
    [problem] = [one for one in page.problems if "listening" in one.file]
    assert "<b>" not in problem.what
    result_path(run, key.sheet.id).unlink()
    summary = read_run(run).summary
    assert summary is not None
    assert listening_section(run, summary, problems) is None
    assert problems == []
