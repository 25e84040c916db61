"""Makes, scores and compares the runs of a family, and keeps each as soon as it is done.

Below the folder of the self-test::

    SIZE/FAMILY/RUN/        a run as any other, scored
    SIZE/FAMILY/RUN.json    what was planted in it; it is complete when this is there
    SIZE/FAMILY/cells.json  the cells of the family
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from harness._files.atomic_file import write_model
from harness.analysis.instruments import Instruments
from harness.analysis.measures.base import ScoredCall
from harness.errors import NotWritten
from harness.records.base import FileModel
from harness.records.call import CallStatus
from harness.runs.reader import read_run
from harness.runs.store import RunStore
from harness.scoring.run import score_run
from harness.selfcheck.calibration.page import made_with
from harness.selfcheck.selftest.cells import Cell, cells_of
from harness.selfcheck.selftest.entries import (
    AGAIN,
    CLEAN,
    GRADES,
    Defect,
    Family,
    Order,
    Planted,
    Progress,
    Size,
    run_name,
)

SEED, OTHER_SEED = 1, 2
MOST_BYTES = 4_000_000


class MadeRun(FileModel):
    """What is kept of a run besides itself.

    Attributes:
        sources: What it was made with: another version makes it anew.
        planted: Metric -> what its value ought to be.
        statuses: How calls ended that did not end as they should.
    """

    sources: str
    seed: int
    planted: dict[str, float]
    statuses: dict[str, str]


class FamilyResult(FileModel):
    """What a family came to.

    Attributes:
        missing: What this machine lacks for it: there are no cells then.
        notes: What went wrong in calls: for a person.
    """

    family: str
    size: Size
    sources: str
    missing: str = ""
    cells: tuple[Cell, ...] = ()
    notes: tuple[str, ...] = ()


def try_family(family: Family, folder: Path, size: Size, progress: Progress) -> FamilyResult:
    """Everything of a family; what is there of an earlier start is not done again.

    Raises:
        NotWritten: The folder cannot be written.
        UserError: What a run needs is not to be had.
        HarnessFault: Calls could not be placed for a reason of ours.
    """
    sources = made_with()
    if lacks := family.missing():
        return FamilyResult(family=family.name, size=size, sources=sources, missing=lacks)
    here = folder / size / family.name
    runs: dict[str, list[ScoredCall]] = {}
    planted: dict[str, Planted] = {}
    notes = []
    for name, defect, amount, seed in _runs_of(family, size):
        made = _read(here / f"{name}.json")
        if made is None or made.sources != sources or made.seed != seed:
            progress(f"{family.name}: {name}")
            order = Order(
                folder=here / name,
                defect=None if defect is None else defect.name,
                amount=amount,
                seed=seed,
                size=size,
            )
            made = _made(family, order, sources, progress)
            _keep(here / f"{name}.json", made)
        planted[name] = made.planted
        notes += [f"{family.name}: {name}: {call}: {how}" for call, how in made.statuses.items()]
        runs[name] = scored_calls(here / name)
        notes += [f"{family.name}: {name}: {told}" for told in _without_figure(runs[name])]
    progress(f"{family.name}: comparing")
    cells = tuple(cells_of(family, runs, planted, beside=size == "full"))
    result = FamilyResult(family=family.name, size=size, sources=sources, cells=cells, notes=tuple(notes))
    _keep(cells_file(folder, size, family), result)
    return result


def cells_file(folder: Path, size: Size, family: Family) -> Path:
    """Where the cells of a family are kept."""
    return folder / size / family.name / "cells.json"


def scored_calls(folder: Path) -> list[ScoredCall]:
    """The calls of a run that have scores."""
    return [
        ScoredCall(scores=call.scores, plan=call.record.plan)
        for call in read_run(folder).calls
        if call.scores is not None and call.record is not None and call.record.status.took_place
    ]


def _without_figure(calls: Sequence[ScoredCall]) -> Iterator[str]:
    """Interruptions that were made and gave no delay, each with its reason."""
    for call in calls:
        for one in call.scores.interruptions:
            if one.delay_ms is None:
                yield f"{call.scores.call_id}, interruption {one.index + 1}: {one.outcome}: {one.reason}"


def _runs_of(family: Family, size: Size) -> Iterator[tuple[str, Defect | None, float, int]]:
    yield CLEAN, None, 0.0, SEED
    if size in family.again:
        yield AGAIN, None, 0.0, OTHER_SEED
    for defect in family.defects:
        for grade in GRADES:
            yield run_name(defect, grade), defect, defect.strength(grade).amount, SEED


def _made(family: Family, order: Order, sources: str, progress: Progress) -> MadeRun:
    shutil.rmtree(order.folder, ignore_errors=True)
    planted = family.make(order, progress)
    store = RunStore(order.folder)
    score_run(
        store,
        instruments=Instruments(only=family.only, without=family.without),
        on_progress=progress,
        # Other processes would take no notice of what is to be left out.
        processes=1 if family.without else None,
    )
    odd = {
        record.plan.call_id: f"{record.status}: {record.status_detail}"
        for record in store.records()
        if record.status is not CallStatus.COMPLETED
    }
    return MadeRun(sources=sources, seed=order.seed, planted=dict(planted), statuses=odd)


def _read(path: Path) -> MadeRun | None:
    try:
        return MadeRun.model_validate_json(path.read_bytes()[:MOST_BYTES])
    except (OSError, ValidationError):
        return None


def _keep(path: Path, model: MadeRun | FamilyResult) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_model(path, model)
    except OSError as error:
        raise NotWritten.of(path, error) from error
