"""Which run is which, and which becomes a baseline: one that came to its end, passed, and is still there."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from harness._files.atomic_file import write_model
from harness.cli.commands.nightly.telling import word_before
from harness.plans.plan import expand_plan
from harness.records.verdict import VERDICT_FILE, Verdict
from harness.reports.history import beside
from harness.runs.database.index import put_run
from harness.runs.database.nights import last_green, nights, places
from harness.runs.database.opening import opened
from harness.runs.database.schema import RUNS
from harness.runs.opening import open_run
from harness.runs.store import RunStore
from harness.scoring.gates.decide import decide
from metrics.interaction.outcome import TurnOutcome
from tests.nights import night_call
from tests.report.make_run import write_run


def night(folder: Path, day: int = 1, *, calls: int = 2, **info: Any) -> Path:
    """A run that passed, in place of what lies there; ``info``: what else its run.json says."""
    shutil.rmtree(folder, ignore_errors=True)
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


IDS = ("1" * 32, "2" * 32, "3" * 32)


def test_the_same_path_is_not_the_same_run(tmp_path: Path) -> None:
    """Three nights of a runner that is made anew, each in runs/tonight; the third is put twice."""
    store, out = str(tmp_path / "nights.sqlite"), tmp_path / "tonight"
    for day, run_id in enumerate(IDS, 1):
        night(out, day, run_id=run_id)
        put_run(store, out)
    before = nights(store)
    assert [(one.key, one.folder, one.started_at[8:10]) for one in before] == [
        (run_id, out, f"{day:02}") for day, run_id in enumerate(IDS, 1)
    ]
    put_run(store, out)
    assert nights(store) == before
    assert [one.there for one in before] == [False, False, True]
    assert [one.replaced for one in before] == [True, True, False]
    link = beside(tmp_path)
    assert [link(one) for one in before] == ["#", "#", "tonight/report/index.html"]


def test_a_run_is_the_same_wherever_it_lies(tmp_path: Path) -> None:
    store, run = str(tmp_path / "nights.sqlite"), night(tmp_path / "here", run_id=IDS[0])
    put_run(store, run)
    shutil.move(run, tmp_path / "there")
    put_run(store, tmp_path / "there")
    assert [one.folder for one in nights(store)] == [tmp_path / "there"]


def test_runs_from_before_ids_are_told_apart_by_place_and_beginning(tmp_path: Path) -> None:
    store = str(tmp_path / "nights.sqlite")
    for name, day in (("a", 1), ("b", 1), ("a", 2), ("a", 2)):
        put_run(store, night(tmp_path / name, day))
    assert [(one.folder.name, one.started_at[8:10]) for one in nights(store)] == [
        ("a", "01"),
        ("b", "01"),
        ("a", "02"),
    ]
    assert len({one.key for one in nights(store)}) == 3


def test_another_run_at_the_path_of_a_green_one_is_no_baseline(tmp_path: Path) -> None:
    store, candidate = str(tmp_path / "nights.sqlite"), tmp_path / "candidate"
    older, green_one = night(tmp_path / "older", 1), night(tmp_path / "green", 2, run_id=IDS[0])
    put_run(store, older)
    put_run(store, green_one)
    assert green(store, but=candidate) == green_one
    for other in ({"run_id": IDS[1]}, {"started_at": "2026-11-09T02:00:00+00:00"}, {"plan_digest": "other"}):
        night(green_one, **{"day": 2, "run_id": IDS[0]} | other)
        assert (other, green(store, but=candidate)) == (other, older)
    (green_one / "run.json").unlink()
    assert green(store, but=candidate) == older


def test_the_night_before_may_have_lain_at_the_same_path(tmp_path: Path) -> None:
    store, out = str(tmp_path / "nights.sqlite"), tmp_path / "tonight"
    put_run(store, night(out, 1, run_id=IDS[0]))
    put_run(store, night(out, 2, run_id=IDS[1]))
    info = RunStore(out).read_info()
    assert info is not None
    assert word_before(store, info, out) == "passed"


def test_places_are_those_of_the_run_that_is_named(tmp_path: Path) -> None:
    store, out = str(tmp_path / "nights.sqlite"), tmp_path / "tonight"
    put_run(store, night(out, 1, run_id=IDS[0], calls=1))
    put_run(store, night(out, 2, run_id=IDS[1]))
    found = [
        {one.call_id for one in places(store, out, "response_latency_ms", highest=True, key=key)}
        for key in (IDS[0], IDS[1], "")
    ]
    assert found == [{"c0"}, {"c0", "c1"}, {"c0", "c1"}]


def test_where_no_answer_was_due_there_is_none_to_listen_for(tmp_path: Path) -> None:
    """Lines end at 2, 5 and 21 s: answered, not answered, talked over. The last is a goodbye."""
    made = night_call("c0", [500.0, None, 700.0, 900.0])
    last = {"outcome": TurnOutcome.NOT_DUE, "outcome_reason": "a goodbye asks for no answer"}
    over = made.turns[2].model_copy(update={"outcome": TurnOutcome.TALKED_OVER})
    turns = [*made.turns[:2], over, made.turns[3].model_copy(update=last)]
    store, run = str(tmp_path / "nights.sqlite"), write_run(tmp_path / "run", [replace(made, turns=turns)])
    put_run(store, run)
    silent = places(store, run, "response_rate", highest=False)
    assert [(one.call_id, one.second) for one in silent] == [("c0", 5.0), ("c0", 21.0)]
    slowest = places(store, run, "response_latency_ms", highest=True)
    assert [one.second for one in slowest] == [21.0, 2.0]


def test_a_run_has_an_id_and_keeps_it_when_it_goes_on(tmp_path: Path) -> None:
    content = {"agent": "http://x", "calls": [{"id": "a", "script": {"lines": [{"say": "hi"}]}}]}
    plan = expand_plan(content)
    ids = [open_run(plan, RunStore(tmp_path / name), versions={}).run_id for name in ("a", "a", "b")]
    assert [len(one) for one in ids] == [32, 32, 32]
    assert ids[0] == ids[1] != ids[2]
