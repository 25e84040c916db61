"""Every transport, codec and network that is calibrated, each in one cell at least: the instrument's error is
within its bounds.

The same calls as ``outboundeval calibrate --all`` places, fewer of them, and of its cells those that no other
stands for. Two cells at a time, each in a process of its own: most of a call is waiting. But where a server
stands between, which has each packet to decrypt and to encrypt again: two of LiveKit's cells beside each
other had our packets leave 25 ms late (the median of 22 calls, two cores), so that the calls were faults.
Each of those is by itself.

Sixteen calls at once are little for one machine and too much for another, where they are given up as faults
of ours. Such a cell is tried again by itself, with ever fewer calls at once; what it has to keep is the same.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from dataclasses import dataclass, replace

import numpy as np
import pytest

from harness.analysis.cells import Cell
from harness.selfcheck.calibration.cell_run import Amount, calibrate_cell
from harness.selfcheck.calibration.compare import Comparison, Comparisons
from harness.selfcheck.calibration.references import REFERENCES, cells_of

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

AMOUNT = Amount(turns=12, interruptions=8, at_once=8, stagger_s=0.4, sounds=("marker",))
THROUGH_A_SERVER = replace(AMOUNT, turns=24, interruptions=16)
"""A percentile of eight stops is the worst of them, and one of some forty lies beside a stall on the way."""
CELLS_AT_ONCE = 2
AGAIN_AT_ONCE = (4, 2)
BY_ITSELF = frozenset({"livekit"})
"""Transports with a server in between that works on every packet."""

STOOD_FOR = frozenset(
    {
        "sip pcma clean",
        "sip-in pcmu clean",
        "sip-in opus clean",
        "smallwebrtc opus relay-udp",
        "smallwebrtc pcmu clean",
        "smallwebrtc g722 clean",
        "fastrtc opus lossy",
        "openai opus lossy",
        "livekit opus lossy",
    }
)
"""What is peculiar to them is in the others as well: the same companding or codec, on another transport or in
the other direction; a relay without TCP or TLS; a network that loses packets, with the same stack. They are
left to the command."""
CELLS = tuple(one for one in cells_of() if one.name not in STOOD_FOR)


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


def amount_of(cell: Cell) -> Amount:
    return THROUGH_A_SERVER if cell.transport in BY_ITSELF else AMOUNT


def bars_of(cell: Cell) -> Bars:
    if cell.network == "lossy":
        return LOSSY
    return RELAYED if cell.network.startswith("relay") else CLEAN.get(cell.transport, OTHERS)


@pytest.fixture(scope="module")
def calibrated(request: pytest.FixtureRequest) -> Iterator[Callable[[Cell], Comparisons]]:
    """What the calls of a cell that is to be tested came to."""
    chosen = {
        item.callspec.params["cell"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.path == request.path and hasattr(item, "callspec")
    }
    placeable = [one for one in cells_of() if one in chosen and not REFERENCES[one.transport].missing(one)]
    with ProcessPoolExecutor(CELLS_AT_ONCE, multiprocessing.get_context("spawn")) as pool:
        beside = {
            one.name: pool.submit(_calibrated, one, amount_of(one))
            for one in placeable
            if one.transport not in BY_ITSELF
        }

        def came_to(cell: Cell) -> Comparisons:
            if cell.name in beside:
                found = beside[cell.name].result()
                tries = AGAIN_AT_ONCE
            else:
                wait(beside.values())
                found = pool.submit(_calibrated, cell, amount_of(cell)).result()
                tries = (amount_of(cell).at_once, *AGAIN_AT_ONCE)
            for at_once in tries:
                if not _disturbed(cell, found):
                    break
                wait(beside.values())
                amount = replace(amount_of(cell), at_once=at_once)
                found = pool.submit(_calibrated, cell, amount).result()
            return found

        try:
            yield came_to
        finally:
            pool.shutdown(cancel_futures=True)


def test_each_transport_codec_and_network_has_a_cell() -> None:
    every = cells_of()
    assert {one.transport for one in CELLS} == {one.transport for one in every}
    assert {one.codec for one in CELLS} == {one.codec for one in every}
    assert {one.network for one in CELLS} == {one.network for one in every}
    assert {one.name for one in every} >= STOOD_FOR


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_a_cell_keeps_its_bounds(cell: Cell, calibrated: Callable[[Cell], Comparisons]) -> None:
    if missing := REFERENCES[cell.transport].missing(cell):
        pytest.skip(f"needs {missing}")
    found = calibrated(cell)
    assert not found.faults, "the machine is too busy to measure anything"
    bars = bars_of(cell)
    # What follows an interruption, and what is interrupted, is an answer as well.
    amount = amount_of(cell)
    due = amount.turns + 2 * amount.interruptions
    assert len(found.responses) >= bars.answers_measured * due, found.lost
    assert len(found.interruptions) >= bars.stops_measured * amount.interruptions, found.lost
    assert _p95_ms(found.responses) <= bars.answers_ms, _errors(found.responses)
    assert _p95_ms(found.interruptions) <= bars.stops_ms, _errors(found.interruptions)
    assert found.verdicts_wrong == []


def _calibrated(cell: Cell, amount: Amount) -> Comparisons:
    return calibrate_cell(
        REFERENCES[cell.transport], cell, amount, on_placed=lambda call, held: None
    ).by_sound["marker"]


def _disturbed(cell: Cell, found: Comparisons) -> bool:
    """Whether the machine was too busy, or stalled beside a figure."""
    stalled = cell.network != "lossy" and any("stalled just then" in one for one in found.lost)
    return bool(found.faults) or stalled


def _p95_ms(found: Sequence[Comparison]) -> float:
    return float(np.percentile(np.abs([one.error_ms for one in found]), 95))


def _errors(found: Sequence[Comparison]) -> list[tuple[float, str, int]]:
    return sorted((round(one.error_ms, 2), one.call_id, one.index) for one in found)
