"""How exactly a planned interruption leaves us: actual send against the planned offset from the onset heard.

``python -m bench.barge_in [INTERRUPTIONS]`` (default 100): calls to the calibration agent, two at a time;
every second line is to be said over the agent, 0.5-2.5 s after the onset of its speech as our ears placed it.
The sound is made before the call. "Left" is when the packet with the first voiced sample passed the socket.
Frames leave every 20 ms, and the nearest is taken, so up to 10 ms are the frame's; goal: p95 within 20 ms
on an idle machine. The load average is printed with the figures: a quiet machine's is below 1.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, place_call
from harness.plans.call import CallPlan, Limits
from harness.records.call import CallStatus
from harness.selfcheck.calibration.design import CalibrationCall
from harness.selfcheck.calibration.run import prepare
from harness.selfcheck.reference_agents import serving
from harness.transports.smallwebrtc.session import SmallWebRTCTransport
from voice_sim.policies.script import Script, ScriptLine
from voice_sim.voice.utterance import tone

EARLIEST_S, LATEST_S = 0.5, 2.5
PER_CALL = 25
AT_ONCE = 2
STAGGER_S = 1.5


@dataclass(frozen=True, kw_only=True)
class Miss:
    """One interruption: how far from its planned moment it left."""

    error_ms: float
    heard_late_ms: float
    """How long after the onset our ears reported it."""


def main() -> None:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    before = os.getloadavg()[0]
    with serving("calibration") as agent:
        calls = _design(total, agent=agent)
        placed = asyncio.run(_place(calls))
    misses = [miss for call, one in zip(calls, placed, strict=True) for miss in _misses(call, one)]
    print(f"load average {before:.2f} before, {os.getloadavg()[0]:.2f} after")
    for one in placed:
        if one.record.status is not CallStatus.COMPLETED:
            print(f"  {one.record.plan.call_id}: {one.record.status}: {one.record.status_detail}")
    if not misses:
        raise SystemExit("no interruption was placed")
    errors = np.array([miss.error_ms for miss in misses])
    late = np.array([miss.heard_late_ms for miss in misses])
    size = np.abs(errors)
    print(
        f"interruptions: n {size.size} of {total} planned, |error| p50 {np.percentile(size, 50):.1f}, "
        f"p95 {np.percentile(size, 95):.1f}, max {size.max():.1f} ms, bias {errors.mean():+.1f} ms "
        f"(goal: p95 within 20 ms)"
    )
    p50, p95 = np.percentile(late, [50, 95])
    print(f"our ears reported the onset {p50:.0f} ms after it (p50; p95 {p95:.0f} ms)")


def _design(total: int, *, agent: str) -> list[CalibrationCall]:
    """Each interruption: a line, a long answer that is interrupted, a short answer to the interruption."""
    random = Random(1)
    opening, barge_in = tone(0.4), tone(0.8)
    calls = []
    for first in range(0, total, PER_CALL):
        offsets = [
            round(random.uniform(EARLIEST_S, LATEST_S), 3) for _ in range(min(PER_CALL, total - first))
        ]
        lines = []
        for offset_s in offsets:
            lines += [
                ScriptLine(say="line", pause_s=0.3),
                ScriptLine(say="barge-in", barge_in_after_s=offset_s),
            ]
        turns = [
            {"answer_after_ms": 300, "say": {"tone_ms": 5000}, "stop_after_ms": 200, "expect_ms": 350},
            {"answer_after_ms": 300, "say": {"tone_ms": 400}, "expect_ms": 750},
        ]
        call_id = f"barge-in-{len(calls) + 1}"
        plan = CallPlan(
            call_id=call_id,
            agent=agent,
            script=Script(wait_for_greeting=False, lines=tuple(lines), hang_up_after_s=0.0),
            limits=Limits(call_s=900, silence_s=10),
            request_data={
                "session": call_id,
                "behaviour": {"turns": turns * len(offsets), "quiet_ms": 60},
            },
        )
        calls.append(
            CalibrationCall(
                plan=plan,
                sound="marker",
                kind="interruption",
                utterances=(opening, barge_in) * len(offsets),
            )
        )
    return calls


async def _place(calls: Sequence[CalibrationCall]) -> list[Held]:
    transport, slots = SmallWebRTCTransport(), asyncio.Semaphore(AT_ONCE)
    async with Ears() as ears:

        async def place(number: int, call: CalibrationCall) -> Held:
            await asyncio.sleep(number % AT_ONCE * STAGGER_S)
            async with slots:
                return await place_call(prepare(call, transport), beside=Beside(ears=ears))

        return list(await asyncio.gather(*(place(number, call) for number, call in enumerate(calls))))


def _misses(call: CalibrationCall, placed: Held) -> list[Miss]:
    script, recording = call.plan.script, placed.recording
    if script is None or recording is None:
        return []
    reported = {
        float(event.data["at_s"]): event.t for event in placed.events if event.kind == "speech-started"
    }
    misses = []
    for one in placed.record.utterances:
        onset_s, offset_s = one.agent_onset_s, script.lines[one.index].barge_in_after_s
        if one.kind != "barge_in" or onset_s is None or offset_s is None:
            continue
        frame = int(np.argmin(np.abs(recording.sent.due_s - one.start_s)))
        left_s = float(recording.sent.passed_s[frame])
        report_s = reported[min(reported, key=lambda at_s: abs(at_s - onset_s))]
        misses.append(
            Miss(error_ms=(left_s - onset_s - offset_s) * 1000, heard_late_ms=(report_s - onset_s) * 1000)
        )
    return misses


if __name__ == "__main__":
    main()
