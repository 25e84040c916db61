"""Places calls for the tests of faults: short, with small limits, spoken in tones, many at the same time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.plans.call import CallPlan, Limits
from harness.plans.reach.plan import DIRECT, ReachPlan
from harness.records.call import CallRecord, CallStatus, Event
from harness.transports.by_scheme import transport_for
from harness.transports.clips.clip import prepare_clip
from harness.transports.codecs.prepared import prepared_in
from harness.transports.codecs.table import codec_named
from harness.transports.uplink import silence
from voice_sim.caller.caller import Caller
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
from voice_sim.voice.utterance import tone

STAGGER_S = 0.15
"""Between the dialling of two calls: a handshake holds the event loop up."""
LIMITS = Limits(connect_s=2.0, first_speech_s=2.5, silence_s=2.5, call_s=12.0)
CLOSE_S = 8.0
"""What hanging up and assembling the recording may take on a busy machine, beyond the limits of the call."""
ALL_S = 90.0

WELL_BEHAVED: dict[str, Any] = {
    "greeting": {"after_ms": 200, "say": {"tone_ms": 600}},
    "turns": [{"answer_after_ms": 300, "say": {"tone_ms": 600}}],
}
"""What the calibration agent is asked to do where a good call is wanted."""


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a call ended, and how long it took altogether, hang-up included."""

    placed: Held
    wall_s: float

    @property
    def status(self) -> CallStatus:
        """As the agent's side ended it; see :func:`beneath_pacing`."""
        return beneath_pacing(self.placed.record)

    @property
    def detail(self) -> str:
        return self.placed.record.status_detail

    def kinds(self, source: str) -> list[str]:
        """Kinds of the events that a source reported, in their order."""
        return [event.kind for event in self.placed.events if event.source == source]


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Calls that were placed together; ``complaints`` is what any library logged as a warning or worse."""

    ended: Mapping[str, Ended]
    complaints: list[str] = field(default_factory=list)


def beneath_pacing(record: CallRecord) -> CallStatus:
    """The status of a call, looking through a fault of our own pacing.

    A machine that is busy with something else voids a call's figures, and says how the call itself ended.
    That is as it should be, and not what these tests are about.
    """
    return record.voided or record.status


def prepare(
    call_id: str,
    agent: str,
    *,
    request_data: dict[str, Any] | None = None,
    limits: Limits = LIMITS,
    reach: ReachPlan = DIRECT,
    headers: dict[str, str] | None = None,
) -> PreparedCall:
    """A caller who waits for a greeting, says one line, waits for the reply and hangs up."""
    script = Script(lines=(ScriptLine(say="one line", pause_s=0.2),), hang_up_after_s=0.2)
    plan = CallPlan(
        call_id=call_id,
        agent=agent,
        script=script,
        limits=limits,
        request_data=request_data or {},
        reach=reach,
        headers=headers or {},
    )
    patience = Patience(
        first_speech_s=limits.first_speech_s, silence_s=limits.silence_s, call_s=limits.call_s
    )
    codec = codec_named(prepared_in(transport_for(agent).codec, reach.codecs))
    return PreparedCall(
        plan=plan,
        transport=transport_for(agent),
        caller=Caller(policy=ScriptPolicy(script), patience=patience),
        clips=[prepare_clip(codec, tone(0.5).samples)],
        background=silence(codec),
        versions={},
    )


async def place(
    prepared: PreparedCall,
    ears: Ears,
    *,
    after_s: float = 0.0,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Ended:
    """Places one call. One that would never end is broken off, and is a harness_fault then."""
    await asyncio.sleep(after_s)
    started = time.monotonic()
    call = asyncio.create_task(place_call(prepared, beside=Beside(ears=ears), on_event=on_event))
    stop = asyncio.get_running_loop().call_later(ALL_S, call.cancel)
    placed = await call
    stop.cancel()
    return Ended(placed=placed, wall_s=time.monotonic() - started)


def place_all(prepared: Mapping[str, PreparedCall], *, at_once: int | None = None) -> Batch:
    """All calls, with one pair of ears: at the same time, or so many at once."""

    async def run() -> list[Ended]:
        room = asyncio.Semaphore(at_once or len(prepared))

        async def one(number: int, call: PreparedCall, ears: Ears) -> Ended:
            await asyncio.sleep(number * STAGGER_S)
            async with room:
                return await place(call, ears)

        async with Ears() as ears:
            calls = enumerate(prepared.values())
            return await asyncio.gather(*(one(number, call, ears) for number, call in calls))

    with _listening_to_logs() as complaints:
        ended = asyncio.run(run())
        # Tasks that failed and were never asked complain when they are collected.
        gc.collect()
    return Batch(ended=dict(zip(prepared, ended, strict=True)), complaints=complaints)


@contextlib.contextmanager
def _listening_to_logs() -> Iterator[list[str]]:
    """What is logged while in the block, at the level at which it would reach a terminal."""
    complaints: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            complaints.append(self.format(record))

    handler = Keep(level=logging.WARNING)
    logging.getLogger().addHandler(handler)
    try:
        yield complaints
    finally:
        logging.getLogger().removeHandler(handler)
