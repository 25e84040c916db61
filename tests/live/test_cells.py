"""Every transport, codec and network that is calibrated: the instrument's error is within its bounds.

The same calls as ``outboundeval calibrate --all`` places, fewer of them. Two cells at a time, each in a
process of its own: most of a call is waiting, and sixteen at once are far from what the machine carries.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

from harness.analysis.cells import Cell
from harness.selfcheck.calibration.cell_run import Amount, calibrate_cell
from harness.selfcheck.calibration.compare import Comparison, Comparisons
from harness.selfcheck.calibration.references import REFERENCES, cells_of

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

AMOUNT = Amount(turns=12, interruptions=8, at_once=8, stagger_s=0.4, sounds=("marker",))
CELLS_AT_ONCE = 2


@dataclass(frozen=True, kw_only=True)
class Bars:
    """What a cell has to keep: p95 of the errors, and the share that has to be measured."""

    answers_ms: float
    stops_ms: float
    answers_measured: float = 0.9
    stops_measured: float = 0.9


CLEAN: Mapping[str, Bars] = {
    "livekit": Bars(answers_ms=1.5, stops_ms=3.0),
    "sip": Bars(answers_ms=1.5, stops_ms=4.0),
    "sip-in": Bars(answers_ms=1.5, stops_ms=4.0),
    "fastrtc": Bars(answers_ms=3.0, stops_ms=3.0),
}
"""By transport; the server's own delay is not taken off LiveKit's."""
OTHERS = Bars(answers_ms=1.0, stops_ms=3.0)
RELAYED = Bars(answers_ms=3.0, stops_ms=5.0)
LOSSY = Bars(answers_ms=8.0, stops_ms=8.0, answers_measured=0.75, stops_measured=0.5)


def bars_of(cell: Cell) -> Bars:
    if cell.network == "lossy":
        return LOSSY
    return RELAYED if cell.network.startswith("relay") else CLEAN.get(cell.transport, OTHERS)


@pytest.fixture(scope="module")
def calibrated(request: pytest.FixtureRequest) -> Iterator[Mapping[str, Future[Comparisons]]]:
    """Of each cell that is to be tested: what its calls came to, as soon as they have ended."""
    chosen = {
        item.callspec.params["cell"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.path == request.path and hasattr(item, "callspec")
    }
    placeable = [one for one in cells_of() if one in chosen and not REFERENCES[one.transport].missing(one)]
    with ProcessPoolExecutor(CELLS_AT_ONCE, multiprocessing.get_context("spawn")) as pool:
        try:
            yield {cell.name: pool.submit(_undisturbed, cell) for cell in placeable}
        finally:
            pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("cell", cells_of(), ids=lambda cell: cell.name)
def test_a_cell_keeps_its_bounds(cell: Cell, calibrated: Mapping[str, Future[Comparisons]]) -> None:
    if missing := REFERENCES[cell.transport].missing(cell):
        pytest.skip(f"needs {missing}")
    found = calibrated[cell.name].result()
    assert not found.faults, "the machine is too busy to measure anything"
    bars = bars_of(cell)
    # What follows an interruption, and what is interrupted, is an answer as well.
    due = AMOUNT.turns + 2 * AMOUNT.interruptions
    assert len(found.responses) >= bars.answers_measured * due, found.lost
    assert len(found.interruptions) >= bars.stops_measured * AMOUNT.interruptions, found.lost
    assert _p95_ms(found.responses) <= bars.answers_ms, _errors(found.responses)
    assert _p95_ms(found.interruptions) <= bars.stops_ms, _errors(found.interruptions)
    assert found.verdicts_wrong == []


def _undisturbed(cell: Cell) -> Comparisons:
    """A calibration; done once more where the machine was too busy."""
    for _ in range(2):
        result = calibrate_cell(REFERENCES[cell.transport], cell, AMOUNT, on_placed=lambda call, held: None)
        found = result.by_sound["marker"]
        if not found.faults:
            break
    return found


def _p95_ms(found: Sequence[Comparison]) -> float:
    return float(np.percentile(np.abs([one.error_ms for one in found]), 95))


def _errors(found: Sequence[Comparison]) -> list[tuple[float, str, int]]:
    return sorted((round(one.error_ms, 2), one.call_id, one.index) for one in found)
