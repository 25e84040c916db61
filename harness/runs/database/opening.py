"""Opens the index: a SQLite file that several processes may write to, or a PostgreSQL database."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from harness.errors import UserError
from harness.plans.secrets import REFERENCE
from harness.redaction import KNOWN
from harness.runs.database.schema import migrate
from spoken_language.outside_text import one_line

STORE_VARIABLE = "OUTBOUNDEVAL_STORE"
DEFAULT_NAME = "nights.sqlite"
BUSY_S = 30
"""How long a writer waits for another one."""


def store_beside(run: Path) -> str:
    """The index of a run: ``$OUTBOUNDEVAL_STORE``, else a file beside the run's folder."""
    return os.environ.get(STORE_VARIABLE) or str(run.resolve().parent / DEFAULT_NAME)


@contextlib.contextmanager
def opened(store: str) -> Iterator[Connection]:
    """A transaction on the index: all of what is written in the block, or nothing.

    Args:
        store: A file, or the URL of a database; secrets in it are named, ``{env:NAME}``.

    Raises:
        UserError: It cannot be opened or written.
    """
    shown = shown_store(store)
    engine = _engine(store)
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                # One at a time: two that both find no tables would both make them.
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7170331)")
            migrate(connection, where=shown)
            yield connection
    except DBAPIError as error:
        why = one_line(KNOWN.scrub(str(error.orig)), most=300)
        raise UserError(f"{shown}: the store cannot be used: {why}") from error
    finally:
        engine.dispose()


def shown_store(store: str) -> str:
    """As it may be shown."""
    scheme, there, rest = store.partition("://")
    if not there or "@" not in rest:
        return store
    return f"{scheme}://***@{rest.rpartition('@')[2]}"


def _engine(store: str) -> Engine:
    if "://" not in store:
        path = Path(store)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{path}: the store cannot be made: {error.strerror}") from error
        engine = create_engine(
            f"sqlite:///{path}", poolclass=NullPool, connect_args={"timeout": BUSY_S, "isolation_level": None}
        )
        event.listen(engine, "connect", _as_sqlite_needs_it)
        event.listen(engine, "begin", _take_the_writers_turn)
        return engine
    try:
        url = _filled(store)
        if url.startswith("postgresql://"):
            url = "postgresql+psycopg://" + url.removeprefix("postgresql://")
        return create_engine(url, poolclass=NullPool)
    except ModuleNotFoundError as error:
        raise UserError(
            f"{shown_store(store)}: needs the package '{error.name}': pip install 'outboundeval[postgres]'"
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise UserError(f"{shown_store(store)}: is no store: give a file, or postgresql://…") from error


def _as_sqlite_needs_it(connection: object, _: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _take_the_writers_turn(connection: Connection) -> None:
    """At the beginning, not at the first write: two that have read could never both go on to write."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _filled(store: str) -> str:
    def value(name: str) -> str:
        found = os.environ.get(name)
        if found is None:
            raise UserError(f"{shown_store(store)}: the environment variable {name} is not set")
        KNOWN.learn(found)
        return found

    return REFERENCE.sub(lambda match: value(match.group(1)), store)
