"""What becomes a baseline: a run that came to its end, that passed, and that is still there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from harness._files.atomic_file import write_model
from harness.records.verdict import VERDICT_FILE, Verdict
from harness.runs.database.index import put_run
from harness.runs.database.nights import last_green, nights
from harness.runs.database.opening import opened
from harness.runs.database.schema import RUNS
from harness.scoring.gates.decide import decide
from tests.nights import night_call
from tests.report.make_run import write_run


def night(folder: Path, day: int = 1, *, calls: int = 2, **info: Any) -> Path:
    """A run that passed; ``info``: what else its run.json says."""
    run = write_run(folder, [night_call(f"c{n}") for n in range(calls)])
    content = json.loads((run / "run.json").read_text(encoding="utf-8"))
    content |= {"started_at": f"2026-11-{day:02}T02:00:00+00:00"} | info
    (run / "run.json").write_text(json.dumps(content), encoding="utf-8")
    decide(run)
    return run


def green(store: str, *, but: Path, **more: Any) -> Path | None:
    """The last green one of whatever the store has."""
    with opened(store) as connection:
        row = connection.execute(select(RUNS)).mappings().first()
    assert row is not None
    known = {key: row[key] for key in ("plan_digest", "instrument", "address")}
    return last_green(store, **known | more, but=but)


def test_an_older_verdict_passes_no_run_of_which_calls_are_missing(tmp_path: Path) -> None:
    store, run = str(tmp_path / "nights.sqlite"), night(tmp_path / "run")
    (run / "calls" / "c1" / "call.json").write_text("{", encoding="utf-8")
    write_model(run / VERDICT_FILE, Verdict(word="passed"))
    put_run(store, run)
    assert [one.word for one in nights(store)] == ["inconclusive"]
    write_model(run / VERDICT_FILE, Verdict(word="failed"))
    put_run(store, run)
    assert [one.word for one in nights(store)] == ["failed"]


def test_a_run_that_did_not_come_to_its_end_is_no_baseline(tmp_path: Path) -> None:
    """Whatever word an older version gave it."""
    store = str(tmp_path / "nights.sqlite")
    whole, open_, torn = (night(tmp_path / name, day) for day, name in enumerate(("a", "b", "c"), 1))
    info = json.loads((open_ / "run.json").read_text(encoding="utf-8"))
    (open_ / "run.json").write_text(json.dumps(info | {"finished_at": None}), encoding="utf-8")
    (torn / "calls" / "c1" / "call.json").unlink()
    for run in (whole, open_, torn):
        put_run(store, run)
    with opened(store) as connection:
        connection.execute(update(RUNS).values(word="passed"))
    assert green(store, but=tmp_path / "candidate") == whole
