"""The tables, and how those that an older version made become today's."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    select,
    text,
    update,
)

from harness.errors import UserError
from harness.runs.database.identity import key_without_id
from harness.runs.database.instrument import instrument_digest

VERSION = 5

METADATA = MetaData()

SCHEMA = Table("outboundeval_schema", METADATA, Column("version", Integer, nullable=False))

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_key", String(64), nullable=False, unique=True),
    Column("folder", String(1000), nullable=False),
    Column("name", String(300), nullable=False),
    Column("started_at", String(40), nullable=False),
    Column("finished_at", String(40)),
    Column("address", String(1000), nullable=False),
    Column("agent", String(300), nullable=False),
    Column("revision", String(100), nullable=False, server_default=""),
    Column("branch", String(200), nullable=False, server_default=""),
    Column("outboundeval", String(100), nullable=False),
    Column("benchmark", String(64), nullable=False, server_default=""),
    Column("machine", String(300), nullable=False),
    Column("plan_digest", String(64), nullable=False),
    Column("instrument", String(64), nullable=False),
    Column("calls", Integer, nullable=False),
    Column("word", String(20), nullable=False, server_default=""),
    Column("versions", JSON, nullable=False),
    Column("calibrations", JSON, nullable=False),
)
"""One row a run. ``run_key``: which one it is (:mod:`harness.runs.database.identity`); ``word``: of its
verdict; ``instrument``: a digest of what measured it."""

CALLS = Table(
    "calls",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("call_id", String(200), nullable=False),
    Column("scenario", String(200), nullable=False),
    Column("sub_scenario", String(200), nullable=False),
    Column("seed", String(20), nullable=False),
    Column("trial", Integer, nullable=False),
    Column("status", String(40), nullable=False),
    Column("detail", Text, nullable=False),
    Column("duration_s", Float, nullable=False),
    Column("voice", String(200), nullable=False),
    Column("codec", String(100), nullable=False),
    UniqueConstraint("run_id", "call_id"),
)

FIGURES = Table(
    "figures",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("call_id", String(200), nullable=False),
    Column("metric", String(100), nullable=False),
    Column("unit", String(20), nullable=False),
    Column("status", String(20), nullable=False),
    Column("value", Float),
    Column("low", Float),
    Column("high", Float),
    Column("p90", Float),
    Column("p95", Float),
    Column("n", Integer, nullable=False),
    Column("version", String(300), nullable=False),
    Index("figures_by_run", "run_id", "metric"),
)
"""Of runs (``call_id`` empty) and of calls. What was not measured has a status and no value."""

PLACES = Table(
    "places",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("call_id", String(200), nullable=False),
    Column("metric", String(100), nullable=False),
    Column("start_s", Float),
    Column("end_s", Float),
    Column("value", Float),
    Index("places_by_run", "run_id", "metric"),
)
"""Where in a call a figure is from: what leads from a point to the seconds of sound."""


def _to_2(connection: Connection) -> None:
    """1 knew neither the user's revision, nor the verdict, nor the benchmark's version."""
    _add_texts(connection, {"revision": 100, "benchmark": 64, "word": 20})


def _to_3(connection: Connection) -> None:
    """2 told two instruments apart by patch releases of libraries that make no other figure."""
    for row in connection.execute(select(RUNS.c.id, RUNS.c.versions, RUNS.c.outboundeval)).all():
        digest = instrument_digest(row.versions, row.outboundeval)
        connection.execute(update(RUNS).where(RUNS.c.id == row.id).values(instrument=digest))


def _to_4(connection: Connection) -> None:
    """3 did not know the user's branch."""
    _add_texts(connection, {"branch": 200})


def _to_5(connection: Connection) -> None:
    """4 knew a run by its folder alone, and so took one machine's run for another's at the same path."""
    if "run_key" in {column["name"] for column in inspect(connection).get_columns("runs")}:
        return
    _add_texts(connection, {"run_key": 64})
    wanted = select(RUNS.c.id, RUNS.c.folder, RUNS.c.started_at, RUNS.c.plan_digest)
    for row in connection.execute(wanted).all():
        key = key_without_id(row.folder, row.started_at, row.plan_digest)
        connection.execute(update(RUNS).where(RUNS.c.id == row.id).values(run_key=key))
    if connection.dialect.name == "sqlite":
        _made_anew(connection)
        return
    for found in inspect(connection).get_unique_constraints("runs"):
        if found["column_names"] == ["folder"]:
            connection.execute(text(f'ALTER TABLE runs DROP CONSTRAINT "{found["name"]}"'))
    connection.execute(text("ALTER TABLE runs ALTER COLUMN run_key DROP DEFAULT"))
    connection.execute(text("ALTER TABLE runs ADD CONSTRAINT runs_run_key_key UNIQUE (run_key)"))


def _made_anew(connection: Connection) -> None:
    """SQLite drops no constraint. All tables are renamed together, since dropping one that others refer to
    would take their rows along."""
    tables = [one for one in (RUNS, CALLS, FIGURES, PLACES) if inspect(connection).has_table(one.name)]
    for table in tables:
        connection.execute(text(f"ALTER TABLE {table.name} RENAME TO {table.name}_before"))
        for index in table.indexes:
            connection.execute(text(f"DROP INDEX IF EXISTS {index.name}"))
    METADATA.create_all(connection)
    for table in tables:
        columns = ", ".join(column.name for column in table.columns)
        connection.execute(
            text(f"INSERT INTO {table.name} ({columns}) SELECT {columns} FROM {table.name}_before")
        )
    for table in reversed(tables):
        connection.execute(text(f"DROP TABLE {table.name}_before"))


def _add_texts(connection: Connection, lengths: Mapping[str, int]) -> None:
    """Columns of runs that are not there yet; empty in what is."""
    known = {column["name"] for column in inspect(connection).get_columns("runs")}
    for name, length in lengths.items():
        if name not in known:
            connection.execute(
                text(f"ALTER TABLE runs ADD COLUMN {name} VARCHAR({length}) NOT NULL DEFAULT ''")
            )


MIGRATIONS: Mapping[int, Callable[[Connection], None]] = {2: _to_2, 3: _to_3, 4: _to_4, 5: _to_5}
"""To a version from the one before it."""


def migrate(connection: Connection, *, where: str) -> None:
    """Makes the tables, or today's of older ones; in the transaction of ``connection``.

    Raises:
        UserError: A newer version made them.
    """
    if not inspect(connection).has_table(SCHEMA.name):
        METADATA.create_all(connection)
        connection.execute(SCHEMA.insert().values(version=VERSION))
        return
    found = connection.execute(SCHEMA.select()).scalar_one()
    if found > VERSION:
        raise UserError(f"{where}: was made by a newer version (schema {found}, this one knows {VERSION})")
    for version in range(found + 1, VERSION + 1):
        MIGRATIONS[version](connection)
    if found < VERSION:
        METADATA.create_all(connection)
        connection.execute(SCHEMA.update().values(version=VERSION))
