"""Calls the servers of other makers and compares every figure with what passed their sockets.

Their clocks are a lesson: both send nothing while silent, FastRTC's time stamps stand still over a pause and
leap after an interruption, marker bits mean nothing. What is not certain of them has to be indeterminate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.plans.call import ConditionsPlan
from harness.selfcheck.calibration.compare import Comparisons, compare_call
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, design
from harness.selfcheck.calibration.run import prepare
from harness.transports.by_scheme import transport_for
from tests.faults.placing import Ended, place_all
from tests.peers.serving import FASTRTC, SPEECH_TO_SPEECH, Judge, plan_call, serving_judge, truth

JUDGES = {
    "fastrtc": (FASTRTC, "fastrtc+{address}"),
    "speech-to-speech": (SPEECH_TO_SPEECH, "openai+{address}/v1"),
}
"""Each server and how its address is dialled."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What came of the calls of one judge; ``clocks`` is what our record says of its clock, by call."""

    compared: Comparisons
    clocks: dict[str, str]
    truths: dict[str, dict[str, Any]]


def measure(
    judge: Judge,
    agent: str,
    *,
    turns: int,
    stops: int,
    calls: int = 1,
    on_call: Callable[[str], None] = lambda name: None,
) -> Measured:
    """Places the calls of a judge one after the other; one that the machine spoilt is placed again.

    Args:
        turns: Programmed answers in all; what follows an interruption, and the line before it, come on top.
        calls: Into how many calls of each kind they are divided.
        on_call: Told the name of each call that ended.
    """
    into = Comparisons()
    clocks: dict[str, str] = {}
    truths: dict[str, dict[str, Any]] = {}
    with serving_judge(judge) as address:
        designed = design(
            sound="marker",
            turns=turns,
            interruptions=stops,
            calls=calls,
            seed=1,
            agent=agent.format(address=address),
            conditions=ConditionsPlan(),
        )
        for call in designed:
            name = call.plan.call_id
            ended = _placed(call, address)
            truths[name] = truth(address, name)
            record = ended.placed.record
            assert record.status == "completed", record.status_detail
            assert record.media is not None
            clocks[name] = record.media.clock
            compare_call(
                call,
                ended.placed,
                truths[name],
                zero_ns=ended.placed.clock.zero_ns,
                interruption_resolution_s=MARGIN_MS / 1000,
                into=into,
            )
            on_call(name)
    return Measured(compared=into, clocks=clocks, truths=truths)


def _placed(call: CalibrationCall, address: str) -> Ended:
    name, behaviour = call.plan.call_id, call.plan.request_data["behaviour"]
    for _ in range(2):
        plan_call(address, name, behaviour)
        ended = place_all({name: prepare(call, transport_for(call.plan.agent))}).ended[name]
        if ended.placed.record.status != "harness_fault":
            break
    return ended
