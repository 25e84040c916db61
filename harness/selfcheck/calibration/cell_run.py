"""Calibrates one cell: a transport in a codec on a network, from its reference agent to its error bar."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.analysis.cells import NETWORKS, Cell
from harness.calls.conversation import Held
from harness.plans.call import ConditionsPlan
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, Sound, design
from harness.selfcheck.calibration.references import Reached, Reference
from harness.selfcheck.calibration.run import STAGGER_S, CalibrationResult, calibrate

SOUNDS: Sequence[Sound] = ("marker", "natural")


@dataclass(frozen=True, kw_only=True)
class Amount:
    """How much a cell is tried with.

    Attributes:
        turns, interruptions: Of each sound.
        at_once: Calls at the same time.
        stagger_s: Between the dialling of the first of them.
    """

    turns: int
    interruptions: int
    at_once: int = 3
    stagger_s: float = STAGGER_S
    seed: int = 1
    sounds: Sequence[Sound] = SOUNDS


def designed(
    cell: Cell,
    reached: Reached,
    amount: Amount,
    *,
    conditions: ConditionsPlan | None = None,
    headers: Mapping[str, str] | None = None,
    reach: Mapping[str, Any] | None = None,
) -> list[CalibrationCall]:
    """The calls of a cell.

    Args:
        conditions: In place of the network's own.
        headers, reach: What the agent is dialled with besides.
    """
    calls = [
        one
        for sound in amount.sounds
        for one in design(
            sound=sound,
            turns=amount.turns,
            interruptions=amount.interruptions,
            calls=amount.at_once,
            seed=amount.seed,
            agent=reached.agent,
            conditions=NETWORKS[cell.network].conditions if conditions is None else conditions,
        )
    ]
    ways = {**reached.reach, **(reach or {})}
    return [replace(one, plan=reached.told(one.plan.dialled_with(headers or {}, ways))) for one in calls]


def calibrate_cell(
    reference: Reference,
    cell: Cell,
    amount: Amount,
    *,
    on_placed: Callable[[CalibrationCall, Held], None],
) -> CalibrationResult:
    """Starts the reference agent, places the calls and compares.

    Raises:
        UserError: The agent did not come up.
        HarnessFault: Its log cannot be read.
    """
    with reference.serve(cell) as reached:
        return asyncio.run(
            calibrate(
                designed(cell, reached, amount),
                transport=reached.transport,
                at_once=amount.at_once,
                stagger_s=amount.stagger_s,
                resolution_s=MARGIN_MS / 1000,
                on_placed=on_placed,
                log=reached.log,
            )
        )
