"""What the index knows of nights: runs of one plan against one agent, in order of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from sqlalchemy import func, select

from harness.records.call import CallStatus
from harness.runs.database.identity import lies_in, run_in
from harness.runs.database.opening import opened
from harness.runs.database.schema import CALLS, FIGURES, PLACES, RUNS

MOST_NIGHTS = 1000
MOST_WORST = 3


@dataclass(frozen=True, kw_only=True)
class NightFigure:
    """A figure of a night; without a value where it was not measured."""

    unit: str
    value: float | None
    low: float | None
    high: float | None
    p95: float | None
    n: int
    status: str


@dataclass(frozen=True, kw_only=True)
class Night:
    """A run. ``key``: which one; its folder may have another one by now, or may be another machine's."""

    folder: Path
    key: str = ""
    name: str
    started_at: str
    address: str
    agent: str
    revision: str
    branch: str
    outboundeval: str
    benchmark: str
    machine: str
    instrument: str
    plan_digest: str
    word: str
    calls: int
    versions: dict[str, str]
    figures: dict[str, NightFigure] = field(default_factory=dict)

    @cached_property
    def there(self) -> bool:
        """Whether its folder has it still."""
        return lies_in(self.folder, key=self.key, started_at=self.started_at, plan_digest=self.plan_digest)

    @cached_property
    def replaced(self) -> bool:
        """Whether its folder has another run: what lies there is nothing of this night's."""
        return bool(self.key) and not self.there and run_in(self.folder) is not None


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where in a call there is something to listen to."""

    call_id: str
    second: float


def places(
    store: str, folder: Path, metric: str, *, highest: bool, most: int = MOST_WORST, key: str = ""
) -> list[Place]:
    """Where a figure of a run is from, its worst values first.

    Args:
        highest: The highest values are the worst.
        key: Which run it is; empty: the newest that lay in the folder.

    Raises:
        UserError: The index cannot be read.
    """
    which = RUNS.c.run_key == key if key else RUNS.c.folder == str(folder.resolve())
    newest = select(RUNS.c.id).where(which).order_by(RUNS.c.started_at.desc(), RUNS.c.id.desc()).limit(1)
    of_run = newest.scalar_subquery()
    wanted = select(PLACES.c.call_id, PLACES.c.start_s).where(
        PLACES.c.run_id == of_run, PLACES.c.start_s.is_not(None)
    )
    order = PLACES.c.value.desc() if highest else PLACES.c.value.asc()
    wanted = wanted.where(PLACES.c.metric == metric, PLACES.c.value.is_not(None))
    wanted = wanted.order_by(order, PLACES.c.call_id, PLACES.c.start_s)
    with opened(store) as connection:
        found = connection.execute(wanted.limit(most)).all()
    return [Place(call_id=one[0], second=float(one[1])) for one in found]


def folders(store: str) -> list[Path]:
    """Of every run that the index has.

    Raises:
        UserError: The index cannot be read.
    """
    with opened(store) as connection:
        return [Path(folder) for folder in connection.execute(select(RUNS.c.folder).distinct()).scalars()]


def names(store: str) -> list[str]:
    """Of the plans that have runs, the one run last first.

    Raises:
        UserError: The index cannot be read.
    """
    newest = func.max(RUNS.c.started_at)
    wanted = select(RUNS.c.name).group_by(RUNS.c.name).order_by(newest.desc()).limit(MOST_NIGHTS)
    with opened(store) as connection:
        return list(connection.execute(wanted).scalars())


def nights(store: str, *, name: str = "", address: str = "", branch: str = "") -> list[Night]:
    """The nights of a plan, oldest first; every run of calls where nothing is given.

    Args:
        branch: Of the user's code; empty: any.

    Raises:
        UserError: The index cannot be read.
    """
    wanted = select(RUNS).order_by(RUNS.c.started_at.desc(), RUNS.c.id.desc()).limit(MOST_NIGHTS)
    if name:
        wanted = wanted.where(RUNS.c.name == name)
    if address:
        wanted = wanted.where(RUNS.c.address == address)
    if branch:
        wanted = wanted.where(RUNS.c.branch == branch)
    with opened(store) as connection:
        found = []
        for row in reversed(connection.execute(wanted).mappings().all()):
            figures = connection.execute(
                select(FIGURES).where(FIGURES.c.run_id == row["id"], FIGURES.c.call_id == "")
            ).mappings()
            found.append(
                Night(
                    folder=Path(row["folder"]),
                    key=row["run_key"],
                    **{
                        key: row[key]
                        for key in (
                            "name",
                            "started_at",
                            "address",
                            "agent",
                            "revision",
                            "branch",
                            "outboundeval",
                            "benchmark",
                            "machine",
                            "instrument",
                            "plan_digest",
                            "word",
                            "calls",
                            "versions",
                        )
                    },
                    figures={
                        one["metric"]: NightFigure(
                            **{
                                key: one[key]
                                for key in ("unit", "value", "low", "high", "p95", "n", "status")
                            }
                        )
                        for one in figures
                    },
                )
            )
        return found


def last_green(
    store: str,
    *,
    plan_digest: str,
    instrument: str,
    address: str,
    but: Path,
    branch: str = "",
    until: str = "",
) -> Path | None:
    """The newest run of the same calls, by the same instrument, that came to its end, passed and is still
    there.

    None: there is none, and the next that passes is one.

    Args:
        branch: Of the user's code; empty: any.
        until: When it began at the latest; empty: at any time.
    """
    known = (
        select(func.count())
        .where(CALLS.c.run_id == RUNS.c.id, CALLS.c.status != CallStatus.INTERRUPTED.value)
        .scalar_subquery()
    )
    wanted = (
        select(RUNS.c.folder, RUNS.c.run_key, RUNS.c.started_at)
        .where(
            RUNS.c.plan_digest == plan_digest,
            RUNS.c.instrument == instrument,
            RUNS.c.address == address,
            RUNS.c.word == "passed",
            RUNS.c.finished_at.is_not(None),
            RUNS.c.calls == known,
            RUNS.c.folder != str(but.resolve()),
        )
        .order_by(RUNS.c.started_at.desc(), RUNS.c.id.desc())
    )
    if branch:
        wanted = wanted.where(RUNS.c.branch == branch)
    if until:
        wanted = wanted.where(RUNS.c.started_at <= until)
    with opened(store) as connection:
        green = connection.execute(wanted).all()
    return next(
        (
            folder
            for one in green
            if lies_in(
                folder := Path(one.folder),
                key=one.run_key,
                started_at=one.started_at,
                plan_digest=plan_digest,
            )
        ),
        None,
    )
