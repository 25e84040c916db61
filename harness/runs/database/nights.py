"""What the index knows of nights: runs of one plan against one agent, in order of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select

from harness.runs.database.opening import opened
from harness.runs.database.schema import FIGURES, PLACES, RUNS

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
    """A run."""

    folder: Path
    name: str
    started_at: str
    address: str
    agent: str
    revision: str
    outboundeval: str
    benchmark: str
    machine: str
    instrument: str
    plan_digest: str
    word: str
    calls: int
    versions: dict[str, str]
    figures: dict[str, NightFigure] = field(default_factory=dict)
    slowest: tuple[tuple[str, float, float], ...] = ()
    """Of the turns answered last: call, second, latency in ms."""


def nights(store: str, *, name: str = "", address: str = "") -> list[Night]:
    """The nights of a plan, oldest first; every run of calls where neither is given.

    Raises:
        UserError: The index cannot be read.
    """
    wanted = select(RUNS).order_by(RUNS.c.started_at.desc(), RUNS.c.id.desc()).limit(MOST_NIGHTS)
    if name:
        wanted = wanted.where(RUNS.c.name == name)
    if address:
        wanted = wanted.where(RUNS.c.address == address)
    with opened(store) as connection:
        found = []
        for row in reversed(connection.execute(wanted).mappings().all()):
            figures = connection.execute(
                select(FIGURES).where(FIGURES.c.run_id == row["id"], FIGURES.c.call_id == "")
            ).mappings()
            slowest = connection.execute(
                select(PLACES.c.call_id, PLACES.c.start_s, PLACES.c.value)
                .where(
                    PLACES.c.run_id == row["id"],
                    PLACES.c.metric == "response_latency_ms",
                    PLACES.c.value.is_not(None),
                )
                .order_by(PLACES.c.value.desc())
                .limit(MOST_WORST)
            ).all()
            found.append(
                Night(
                    folder=Path(row["folder"]),
                    **{
                        key: row[key]
                        for key in (
                            "name",
                            "started_at",
                            "address",
                            "agent",
                            "revision",
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
                    slowest=tuple((one[0], float(one[1] or 0.0), float(one[2])) for one in slowest),
                )
            )
        return found


def last_green(store: str, *, plan_digest: str, instrument: str, address: str, but: Path) -> Path | None:
    """The newest run of the same calls, by the same instrument, that passed and is still there.

    None: there is none, and the next that passes is one.
    """
    wanted = (
        select(RUNS.c.folder)
        .where(
            RUNS.c.plan_digest == plan_digest,
            RUNS.c.instrument == instrument,
            RUNS.c.address == address,
            RUNS.c.word == "passed",
            RUNS.c.folder != str(but.resolve()),
        )
        .order_by(RUNS.c.started_at.desc(), RUNS.c.id.desc())
    )
    with opened(store) as connection:
        folders = [Path(folder) for folder in connection.execute(wanted).scalars()]
    return next((folder for folder in folders if (folder / "run.json").is_file()), None)
