"""The store of nights over both databases: the same rows, writers at once, old schemas, a killed writer."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, DefaultClause, MetaData, Table, create_engine, select, text

from harness.errors import UserError
from harness.runs.database.index import put_run, rebuild
from harness.runs.database.nights import last_green, nights, places
from harness.runs.database.opening import opened, shown_store
from harness.runs.database.schema import CALLS, FIGURES, PLACES, RUNS, SCHEMA, VERSION
from harness.scoring.gates.decide import decide
from tests.nights import night_call
from tests.postgres import programs, served
from tests.report.make_run import write_run

TABLES = (RUNS, CALLS, FIGURES, PLACES)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    if programs() is None and not os.environ.get("CI"):
        pytest.skip("needs PostgreSQL (Debian: postgresql)")
    with served() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "nights.sqlite")
    url: str = request.getfixturevalue("postgres")
    with opened(url) as connection:
        for table in reversed(TABLES):
            connection.execute(table.delete())
    return url


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    made = []
    for night in range(3):
        run = write_run(
            folder / f"n{night}", [night_call(f"c{n}", [600.0 + 10 * n + night]) for n in range(3)]
        )
        info = json.loads((run / "run.json").read_text())
        info["started_at"] = f"2026-11-0{night + 1}T02:00:00+00:00"
        (run / "run.json").write_text(json.dumps(info))
        decide(run)
        made.append(run)
    return made


def rows(store: str) -> dict[str, list[dict[str, Any]]]:
    with opened(store) as connection:
        return {
            table.name: [
                {key: value for key, value in row.items() if key not in ("id", "run_id")}
                for row in connection.execute(select(table).order_by(table.c.id)).mappings()
            ]
            for table in TABLES
        }


def test_both_databases_give_the_same_rows(postgres: str, runs: list[Path], tmp_path: Path) -> None:
    sqlite = str(tmp_path / "a.sqlite")
    with opened(postgres) as connection:
        connection.execute(RUNS.delete())
    for store in (sqlite, postgres):
        for run in runs:
            put_run(store, run)
    one, other = rows(sqlite), rows(postgres)
    assert one == other
    assert [len(one[name]) for name in ("runs", "calls", "places")] == [3, 9, 9]
    assert nights(sqlite) == nights(postgres)


def test_a_night_is_as_its_folder_says(store: str, runs: list[Path]) -> None:
    for run in runs:
        put_run(store, run)
    found = nights(store, name="nightly")
    summary = json.loads((runs[0] / "summary.json").read_text())["metrics"]["response_latency_ms"]
    figure = found[0].figures["response_latency_ms"]
    assert (figure.value, figure.low, figure.high, figure.n) == (
        summary["value"],
        summary["ci_low"],
        summary["ci_high"],
        3,
    )
    assert (found[0].word, found[0].calls) == ("passed", 3)
    [worst] = places(store, found[0].folder, "response_latency_ms", highest=True, most=1)
    assert worst.call_id == "c2"
    [best] = places(store, found[0].folder, "response_latency_ms", highest=False, most=1)
    assert best.call_id == "c0"
    assert found[0].figures["wer"].value is None
    assert nights(store, name="other") == []


def test_a_run_that_is_put_again_takes_its_own_place(store: str, runs: list[Path]) -> None:
    put_run(store, runs[0])
    before = rows(store)
    put_run(store, runs[0])
    assert rows(store) == before


def test_rebuilt_from_folders_it_is_the_same(store: str, runs: list[Path], tmp_path: Path) -> None:
    for run in runs:
        put_run(store, run)
    before = rows(store)
    told = dict(rebuild(store, [*runs, tmp_path]))
    assert rows(store) == before
    assert [bool(why) for why in told.values()] == [False, False, False, True]


def test_the_last_green_night_of_the_same_calls_and_instrument(store: str, runs: list[Path]) -> None:
    for run in runs:
        put_run(store, run)
    with opened(store) as connection:
        row = connection.execute(select(RUNS)).mappings().first()
        assert row is not None
        known = {key: row[key] for key in ("plan_digest", "instrument", "address")}
        connection.execute(RUNS.update().where(RUNS.c.folder == str(runs[2])).values(word="inconclusive"))
    assert last_green(store, **known, but=runs[0]) == runs[1]
    assert last_green(store, **known | {"instrument": "another"}, but=runs[0]) is None
    assert last_green(store, **known, but=runs[1]) == runs[0]
    # The newest of a branch, though one of another is newer.
    with opened(store) as connection:
        connection.execute(RUNS.update().where(RUNS.c.folder == str(runs[0])).values(branch="main"))
        connection.execute(RUNS.update().where(RUNS.c.folder == str(runs[1])).values(branch="feature/main"))
    assert last_green(store, **known, but=runs[2]) == runs[1]
    assert last_green(store, **known, but=runs[2], branch="main") == runs[0]
    assert last_green(store, **known, but=runs[0], branch="main") is None


@pytest.mark.long
def test_writers_at_once_lose_nothing(store: str, runs: list[Path]) -> None:
    jobs = [(store, run) for run in runs * 4]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(3, mp_context=context) as pool:
        list(pool.map(_put, jobs))
    assert [len(found) for name, found in rows(store).items() if name in ("runs", "calls")] == [3, 9]


def _put(job: tuple[str, Path]) -> None:
    put_run(*job)


def test_a_writer_that_is_killed_leaves_a_store_that_opens(runs: list[Path], tmp_path: Path) -> None:
    store = str(tmp_path / "nights.sqlite")
    put_run(store, runs[0])
    before = rows(store)
    program = (
        "import sys, time\n"
        "from harness.runs.database.opening import opened\n"
        "from harness.runs.database.schema import RUNS\n"
        "with opened(sys.argv[1]) as connection:\n"
        "    connection.execute(RUNS.delete())\n"
        "    print('in the middle', flush=True)\n"
        "    time.sleep(60)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", program, store], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "in the middle\n"
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    began = time.monotonic()
    assert rows(store) == before
    put_run(store, runs[1])
    assert time.monotonic() - began < 10
    assert len(rows(store)["runs"]) == 2


def test_an_old_schema_becomes_todays(runs: list[Path], tmp_path: Path) -> None:
    """Version 1 knew neither revision, nor benchmark, nor the verdict's word."""
    path = tmp_path / "nights.sqlite"
    put_run(str(path), runs[0])
    with sqlite3.connect(path) as old:
        for column in ("revision", "benchmark", "word", "branch"):
            old.execute(f"ALTER TABLE runs DROP COLUMN {column}")
        old.execute("UPDATE outboundeval_schema SET version = 1")
    old.close()
    (night,) = nights(str(path))
    assert (night.name, night.word, night.revision) == ("nightly", "", "")
    put_run(str(path), runs[0])
    assert nights(str(path))[0].word == "passed"
    with opened(str(path)) as connection:
        assert connection.execute(select(SCHEMA.c.version)).scalar_one() == VERSION


def test_instruments_of_version_2_are_told_apart_as_today(store: str, runs: list[Path]) -> None:
    """It took a patch release of numpy for another instrument."""
    put_run(store, runs[0])
    before = rows(store)["runs"][0]["instrument"]
    with opened(store) as connection:
        connection.execute(RUNS.update().values(instrument="of version 2"))
        connection.execute(SCHEMA.update().values(version=2))
    assert rows(store)["runs"][0]["instrument"] == before


def test_runs_of_version_3_are_of_no_branch(store: str, runs: list[Path]) -> None:
    put_run(store, runs[0])
    with opened(store) as connection:
        connection.execute(text("ALTER TABLE runs DROP COLUMN branch"))
        connection.execute(SCHEMA.update().values(version=3))
    assert [row["branch"] for row in rows(store)["runs"]] == [""]


def test_a_store_of_version_4_is_brought_up_to_date(store: str, runs: list[Path], tmp_path: Path) -> None:
    """It knew a run by its folder: one a folder, as its constraint says."""
    for run in runs:
        put_run(store, run)
    today = rows(store)
    _as_version_4(store)
    kept = shutil.copy(runs[0] / "run.json", tmp_path)
    try:
        assert rows(store) == today, "nothing is lost, and each run is known again"
        put_run(store, runs[0])
        assert len(nights(store)) == 3
        assert places(store, runs[0], "response_latency_ms", highest=True, most=1)[0].call_id == "c2"
        # Another run at the same path stands beside it now.
        info = json.loads((runs[0] / "run.json").read_text())
        (runs[0] / "run.json").write_text(json.dumps(info | {"started_at": "2026-11-09T02:00:00+00:00"}))
        put_run(store, runs[0])
        assert [night.folder for night in nights(store)] == [runs[0], runs[1], runs[2], runs[0]]
    finally:
        shutil.copy(kept, runs[0] / "run.json")
    with opened(store) as connection:
        assert connection.execute(select(SCHEMA.c.version)).scalar_one() == VERSION
        connection.execute(RUNS.delete())
        for table in (CALLS, FIGURES, PLACES):
            assert connection.execute(select(table)).all() == [], "they still belong to their run"


def _as_version_4(store: str) -> None:
    """The store with its rows as version 4 had them."""
    old = MetaData()
    columns = [
        Column(
            one.name,
            one.type,
            primary_key=one.primary_key,
            nullable=one.nullable,
            unique=one.name == "folder" or None,
            server_default=one.server_default.arg if isinstance(one.server_default, DefaultClause) else None,
        )
        for one in RUNS.columns
        if one.name != "run_key"
    ]
    made = [Table("runs", old, *columns), *(one.to_metadata(old) for one in (CALLS, FIGURES, PLACES))]
    url = store.replace("postgresql://", "postgresql+psycopg://") if "://" in store else f"sqlite:///{store}"
    engine = create_engine(url)
    with engine.begin() as connection:
        kept = [connection.execute(select(one)).mappings().all() for one in TABLES]
        for table in reversed(TABLES):
            table.drop(connection)
        old.create_all(connection)
        for table, content in zip(made, kept, strict=True):
            names = table.columns.keys()
            connection.execute(table.insert(), [{name: row[name] for name in names} for row in content])
            if connection.dialect.name == "postgresql":
                last = f"SELECT setval('{table.name}_id_seq', (SELECT max(id) FROM {table.name}))"
                connection.execute(text(last))
        connection.execute(SCHEMA.update().values(version=4))
    engine.dispose()


def test_a_newer_schema_is_not_touched(store: str) -> None:
    with opened(store) as connection:
        connection.execute(SCHEMA.update().values(version=VERSION + 1))
    try:
        with pytest.raises(UserError, match="was made by a newer version"):
            nights(store)
    finally:
        url = store if "://" in store else f"sqlite:///{store}"
        _set_version(url)


def _set_version(url: str) -> None:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(SCHEMA.update().values(version=VERSION))
    engine.dispose()


@pytest.mark.parametrize(
    ("store", "says"),
    [
        ("postgresql://night:s3cr3t@127.0.0.1:9/none", r"postgresql://\*\*\*@127\.0\.0\.1:9/none: the store"),
        ("postgresql://{env:NO_SUCH_PASSWORD}@127.0.0.1/none", "NO_SUCH_PASSWORD is not set"),
        ("oracle9://x/y", "is no store"),
        ("/proc/nowhere/nights.sqlite", "cannot be"),
    ],
)
def test_what_is_no_store_is_told_without_its_secret(store: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as told:
        nights(store)
    assert "s3cr3t" not in str(told.value)
    assert shown_store("postgresql://a:b@c/d") == "postgresql://***@c/d"
