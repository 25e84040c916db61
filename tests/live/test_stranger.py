"""Calls a stranger that logs its own truth, and compares: latencies and stops are what it says they were."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np
import pytest

from harness.analysis.timing import CallTiming, measure_timing
from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.plans.call import CallPlan, Limits
from harness.records.call import CallStatus
from harness.transports.by_scheme import transport_for
from harness.transports.clips.clip import prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import silence
from tests.serving import serving_module
from voice_sim.caller.caller import Caller
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
from voice_sim.voice.utterance import tone

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

LEVELS_DBFS = (-12.0, -26.0)
DELAYS_MS = (180, 1400, 350, 620, 900)
STOPS_MS = (120, 760, 300)
STAGGER_S = 0.7
AT_ONCE = 2
LATE_S = 0.004
"""The log goes by the fastest packet. Of what came, or left, this much later than that it has not the time,
so nothing is compared there."""
ENOUGH = 0.66
ANSWERS = ENOUGH * (2 * len(DELAYS_MS) + 4 * len(STOPS_MS))
STOPS = ENOUGH * 2 * len(STOPS_MS)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Errors against the stranger's log, in ms, by what was measured."""

    responses: list[float]
    interruptions: list[float]
    against_schedule: list[float]


@pytest.fixture(scope="module")
def stranger() -> Iterator[str]:
    with serving_module("tests.live.stranger_agent") as (address, _):
        yield address


@pytest.fixture(scope="module")
def compared(stranger: str) -> Compared:
    """Two calls of answers, then two of interruptions; again on a busy machine."""
    for attempt in range(3):
        found = Compared(responses=[], interruptions=[], against_schedule=[])
        faults = asyncio.run(_call_and_compare(stranger, attempt, found))
        if not faults:
            return found
    pytest.fail("the machine is too busy to measure anything: " + "; ".join(faults))


def test_responses(compared: Compared) -> None:
    assert len(compared.responses) >= ANSWERS
    assert abs(np.mean(compared.responses)) < 2.0
    assert _p95(compared.responses) <= 5.0


def test_interruptions(compared: Compared) -> None:
    """Opus rings on beyond a tone that ends at once: stops are told 1.3 to 2.6 ms late, by its level."""
    assert len(compared.interruptions) >= STOPS
    assert abs(np.mean(compared.interruptions)) < 2.5
    assert _p95(compared.interruptions) <= 5.0


def test_its_encoder_and_sender_are_not_ours_to_hide(compared: Compared) -> None:
    """Against its schedule our figures are later by what its own encoding and sending take: a little, and
    never less than nothing."""
    assert -1.0 < float(np.mean(compared.against_schedule)) < 20.0


async def _call_and_compare(agent: str, attempt: int, into: Compared) -> list[str]:
    prepared = [
        _prepare(agent, f"{kind}-{attempt}-{number}", kind=kind, first=number)
        for kind in ("answers", "stops")
        for number in range(len(LEVELS_DBFS))
    ]

    async def place(number: int, ears: Ears) -> Held:
        await asyncio.sleep(number % AT_ONCE * STAGGER_S)
        return await place_call(prepared[number], beside=Beside(ears=ears))

    calls: list[Held] = []
    async with Ears() as ears:
        for since in range(0, len(prepared), AT_ONCE):
            pair = range(since, min(since + AT_ONCE, len(prepared)))
            calls += await asyncio.gather(*(place(number, ears) for number in pair))
    faults = [call.record.status_detail for call in calls if call.record.status is not CallStatus.COMPLETED]
    async with httpx.AsyncClient(base_url=agent, timeout=10) as client:
        for call in [] if faults else calls:
            log = (await client.get(f"/log/{call.record.plan.call_id}")).raise_for_status().json()
            _compare(_measure(call), log, zero_s=call.clock.zero_ns / 1e9, into=into)
    if not faults and (len(into.responses) < ANSWERS or len(into.interruptions) < STOPS):
        faults.append(
            f"of {len(into.responses)} answers and {len(into.interruptions)} stops the log has the time"
        )
    return faults


def _prepare(agent: str, name: str, *, kind: str, first: int) -> PreparedCall:
    program: list[dict[str, Any]] = []
    lines: list[ScriptLine] = []
    levels = [LEVELS_DBFS[(first + position) % 2] for position in range(20)]
    if kind == "answers":
        for delay_ms, level in zip(DELAYS_MS, levels, strict=False):
            program.append({"delay_ms": delay_ms, "tone_ms": 600, "level_dbfs": level})
            lines.append(ScriptLine(say="one of them", pause_s=0.2))
    else:
        for stop_ms, level in zip(STOPS_MS, levels, strict=False):
            program.append({"delay_ms": 300, "tone_ms": 5000, "level_dbfs": level, "stop_ms": stop_ms})
            program.append({"delay_ms": 500, "tone_ms": 500, "level_dbfs": level})
            lines.append(ScriptLine(say="one of them", pause_s=0.2))
            lines.append(ScriptLine(say="and another", barge_in_after_s=0.8))
    script = Script(wait_for_greeting=False, lines=tuple(lines), hang_up_after_s=0.3)
    clips = {line.say: tone(1.4 if line.barge_in_after_s else 0.5) for line in lines}
    return PreparedCall(
        plan=CallPlan(
            call_id=name,
            agent=agent,
            script=script,
            limits=Limits(call_s=60, silence_s=8),
            request_data={"name": name, "program": program},
        ),
        transport=transport_for(agent),
        caller=Caller(policy=ScriptPolicy(script), patience=Patience(call_s=60, silence_s=8)),
        clips=[prepare_clip(OPUS, clips[line.say].samples) for line in lines],
        background=silence(OPUS),
        versions={},
    )


def _measure(call: Held) -> CallTiming:
    assert call.recording is not None
    return measure_timing(
        agent_audio=call.recording.audio[:, 1],
        utterances=call.record.utterances,
        gaps=call.recording.gaps,
        sent=call.recording.sent,
        received=call.recording.received,
        events=call.events,
        interruption_resolution_s=0.02,
        end_s=call.record.duration_s,
        marker_tones=True,
    )


def _compare(timing: CallTiming, log: dict[str, Any], *, zero_s: float, into: Compared) -> None:
    """Pairs by order: the stranger answers each line once, and logs each answer once."""
    replies = log["replies"]
    assert len(replies) == len(timing.latencies) == len(log["heard"])
    for latency, reply in zip(timing.latencies, replies, strict=True):
        if _was_late(reply):
            continue
        assert latency.latency_s is not None, latency.reason
        assert latency.answer is not None
        assert abs(latency.answer.span.start_s + zero_s - reply["sent_first_s"]) < 0.1
        into.responses.append((latency.latency_s - (reply["sent_first_s"] - reply["heard_last_s"])) * 1000)
        into.against_schedule.append(
            (latency.latency_s - (reply["scheduled_first_s"] - reply["heard_last_s"])) * 1000
        )
    cut = [reply for reply in replies if reply["interrupted_at_s"] is not None]
    assert len(cut) == len(timing.interruptions)
    for interruption, reply in zip(timing.interruptions, cut, strict=True):
        if _was_late(reply):
            continue
        assert interruption.delay_s is not None, interruption.reason
        truth_s = reply["sent_last_s"] - reply["interrupted_at_s"]
        into.interruptions.append((interruption.delay_s - truth_s) * 1000)


def _was_late(reply: dict[str, Any]) -> bool:
    return bool(max(reply["left_late_s"], reply["came_late_s"]) > LATE_S)


def _p95(errors_ms: Sequence[float]) -> float:
    return float(np.percentile(np.abs(errors_ms), 95))
