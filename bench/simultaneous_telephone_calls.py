"""Twenty telephone calls in one process, held against the agent's log: are they punctual, and right?

``python -m bench.simultaneous_telephone_calls [CALLS [CODEC]]`` (20, pcmu): so many calls at once over SIP
to the calibration agent, natural speech, eight answers each. Meanwhile others are refused and dropped in the
middle of a word, one after the other. Goal: every call completed, frames late by at most 5 ms (p95), answers
wrong by at most 5 ms (p95), at least 90 % of them measured.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.analysis.cells import Cell
from harness.calls.callers import patience_of, policy_of
from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.plans.call import CallPlan, ConditionsPlan, Limits
from harness.selfcheck.calibration.compare import Comparisons, compare_call
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, design
from harness.selfcheck.calibration.references import REFERENCES, Reached
from harness.selfcheck.calibration.run import prepare, truth_of
from harness.transports.clips.clip import prepare_clip
from harness.transports.codecs.table import codec_named
from harness.transports.uplink import silence
from voice_sim.caller.caller import Caller
from voice_sim.policies.script import Script, ScriptLine
from voice_sim.voice.utterance import tone

STAGGER_S = 0.25
ANSWERS = 8
DISTURBED_EVERY_S = 1.0
DISTURBING = ("busy", "hangs-up")
"""Whom the others call (``fixtures/agents/calibration/telephone/numbers``)."""


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    codec = sys.argv[2] if len(sys.argv) > 2 else "pcmu"
    cell = Cell(transport="sip", codec=codec, network="clean")
    with REFERENCES["sip"].serve(cell) as reached:
        designed = [
            replace(one, plan=one.plan.dialled_with({}, dict(reached.reach)))
            for one in design(
                sound="natural",
                turns=count * ANSWERS,
                interruptions=0,
                calls=count,
                seed=3,
                agent=reached.agent,
                conditions=ConditionsPlan(),
            )
        ]
        asyncio.run(_measured(designed, reached, codec))


async def _measured(designed: Sequence[CalibrationCall], reached: Reached, codec: str) -> None:
    ready = [prepare(one, reached.transport) for one in designed]
    async with Ears() as ears:
        calls = [
            asyncio.create_task(_held(one, ears, number * STAGGER_S)) for number, one in enumerate(ready)
        ]
        others = asyncio.create_task(_disturb(reached, ears, calls))
        held = [await call for call in calls]
        disturbed = await others
    found = Comparisons()
    for one, call in zip(designed, held, strict=True):
        truth = await truth_of(one, reached.log)
        compare_call(
            one,
            call,
            truth,
            zero_ns=call.clock.zero_ns,
            interruption_resolution_s=MARGIN_MS / 1000,
            into=found,
        )
    _print(designed, held, disturbed, found, codec)


async def _held(prepared: PreparedCall, ears: Ears, after_s: float) -> Held:
    await asyncio.sleep(after_s)
    return await place_call(prepared, beside=Beside(ears=ears))


async def _disturb(reached: Reached, ears: Ears, calls: Sequence[asyncio.Task[Held]]) -> Counter[str]:
    """Calls that are refused or dropped, until all others are over."""
    ended: Counter[str] = Counter()
    placed: list[asyncio.Task[Held]] = []
    number = 0
    while not all(call.done() for call in calls):
        prepared = _disturbing(reached, DISTURBING[number % len(DISTURBING)], number)
        placed.append(asyncio.create_task(place_call(prepared, beside=Beside(ears=ears))))
        number += 1
        await asyncio.sleep(DISTURBED_EVERY_S)
    for one in placed:
        record = (await one).record
        ended[record.voided or record.status] += 1
    return ended


def _disturbing(reached: Reached, called: str, number: int) -> PreparedCall:
    plan = CallPlan(
        call_id=f"disturbs-{number}",
        agent=reached.agent.replace("agent@", f"{called}@"),
        script=Script(lines=(ScriptLine(say="hello"),)),
        limits=Limits(call_s=10),
    ).dialled_with({}, dict(reached.reach))
    sound = codec_named(reached.transport.codec)
    return PreparedCall(
        plan=plan,
        transport=reached.transport,
        caller=Caller(policy=policy_of(plan), patience=patience_of(plan)),
        clips=[prepare_clip(sound, tone(0.5).samples)],
        background=silence(sound),
        versions={},
    )


def _print(
    designed: Sequence[CalibrationCall],
    held: Sequence[Held],
    disturbed: Counter[str],
    found: Comparisons,
    codec: str,
) -> None:
    late = np.concatenate([call.late_ms for call in held])
    worst = max(float(np.percentile(call.late_ms, 95)) for call in held)
    errors = np.abs([one.error_ms for one in found.responses])
    due = sum(len(one.utterances) for one in designed)
    statuses = Counter(str(call.record.status) for call in held)
    lasted = [call.record.duration_s for call in held]
    print(
        f"{len(held)} calls at once over SIP in {codec}, {min(lasted):.0f} to {max(lasted):.0f} s: "
        f"{dict(statuses)}"
    )
    print(f"meanwhile refused or dropped: {dict(disturbed)}")
    print(
        f"frames late, ms: p50 {np.percentile(late, 50):.2f}, p95 {np.percentile(late, 95):.2f} "
        f"(the worst call's {worst:.2f}), max {late.max():.1f}"
    )
    print(
        f"answers: {len(errors)} of {due} measured; error, ms: p50 {np.percentile(errors, 50):.2f}, "
        f"p95 {np.percentile(errors, 95):.2f}, worst {errors.max():.2f}"
    )
    for why in (*found.faults, *(f"wrong: {one}" for one in found.wrong), *found.lost):
        print(f"  {why}")
    fine = (
        set(statuses) == {"completed"}
        and not found.wrong
        and np.percentile(late, 95) <= 5
        and np.percentile(errors, 95) <= 5
        and len(errors) >= 0.9 * due
    )
    print("reached" if fine else "NOT reached")


if __name__ == "__main__":
    began = time.monotonic()
    main()
    print(f"took {time.monotonic() - began:.0f} s")
