"""Places the calls of a calibration and sums up the errors."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from harness.analysis.cells import Cell
from harness.analysis.error_bar import ErrorBar, StoredError, this_machine, today
from harness.calls.callers import patience_of, policy_of
from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.errors import HarnessFault
from harness.records.call import CallStatus
from harness.selfcheck.calibration.compare import Comparisons, ErrorSummary, compare_call
from harness.selfcheck.calibration.design import CalibrationCall, Sound
from harness.selfcheck.calibration.path_delay import PathDelays
from harness.transports.base import Transport
from harness.transports.clips.clip import prepare_clip
from harness.transports.codecs.prepared import prepared_in
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.uplink import silence
from voice_sim.caller.caller import Caller

ATTEMPTS = 3
"""A call in which our own sender was late says nothing, and is placed again."""
STAGGER_S = 1.5
"""Between the dialling of two calls: a handshake holds the event loop up for some 50 ms."""


@dataclass(kw_only=True)
class CalibrationResult:
    """Comparisons by sound, and how punctual we were."""

    by_sound: dict[Sound, Comparisons] = field(default_factory=dict)
    late_p95_ms: list[float] = field(default_factory=list)
    placed_again: int = 0
    """Calls that our own sender spoilt, and that were placed once more."""
    packets_lost: int = 0
    path: PathDelays = field(default_factory=PathDelays)
    """Of the packets' own way, which is in every error: it is what a caller at our place waits, too."""

    def error_bar(self, cell: Cell, *, made_with: str = "") -> ErrorBar:
        """The result as it is stored."""
        marker = self.by_sound.get("marker", Comparisons())
        natural = self.by_sound.get("natural", Comparisons())
        return ErrorBar(
            transport=cell.transport,
            codec=cell.codec,
            network=cell.network,
            date=today(),
            machine=this_machine(),
            made_with=made_with,
            marker_responses=_stored(marker.responses),
            marker_interruptions=_stored(marker.interruptions),
            natural_responses=_stored(natural.responses),
            natural_interruptions=_stored(natural.interruptions),
        )


async def calibrate(
    designed: Sequence[CalibrationCall],
    *,
    transport: Transport,
    at_once: int,
    resolution_s: float,
    on_placed: Callable[[CalibrationCall, Held], None],
    log: str | None = None,
    stagger_s: float = STAGGER_S,
) -> CalibrationResult:
    """Places the calls, ``at_once`` at a time, and compares each with the agent's log.

    Args:
        resolution_s: Half width assumed for the 500 ms verdicts that are checked.
        on_placed: Called after each call, for progress; for one that is placed again each time.
        log: Where the agent's log is; default: at the address that is dialled.
        stagger_s: Between the dialling of the first calls.
    """
    result = CalibrationResult()
    done: list[PlacedCall] = []
    waiting = list(designed)
    async with contextlib.AsyncExitStack() as open_:
        ears = await open_.enter_async_context(Ears())
        if isinstance(transport, contextlib.AbstractAsyncContextManager):
            # One that is called has a door, for as long as calls come.
            await open_.enter_async_context(transport)
        for attempt in range(ATTEMPTS):
            placed_now = await place_all(
                waiting,
                transport=transport,
                at_once=at_once,
                ears=ears,
                on_placed=on_placed,
                log=log,
                stagger_s=stagger_s,
            )
            failed = [one for one in placed_now if one.held.record.status is CallStatus.HARNESS_FAULT]
            last = attempt == ATTEMPTS - 1
            done += [one for one in placed_now if last or one not in failed]
            waiting = [one.call for one in failed]
            if last or not waiting:
                break
            result.placed_again += len(waiting)
    add_compared(done, resolution_s=resolution_s, into=result)
    return result


def add_compared(done: Sequence[PlacedCall], *, resolution_s: float, into: CalibrationResult) -> None:
    """Compares calls with the agent's log. After the last of them: detectors must not run beside a live
    call."""
    for one in sorted(done, key=lambda one: one.call.plan.call_id):
        call, placed, truth_log = one.call, one.held, one.truth
        compared = into.by_sound.setdefault(call.sound, Comparisons())
        record = placed.record
        if record.status is not CallStatus.COMPLETED:
            compared.faults.append(f"{call.plan.call_id}: {record.status}: {record.status_detail}")
        if record.status is CallStatus.HARNESS_FAULT:
            continue
        compare_call(
            call,
            placed,
            truth_log,
            zero_ns=placed.clock.zero_ns,
            interruption_resolution_s=resolution_s,
            into=compared,
        )
        if record.pacing is not None:
            into.late_p95_ms.append(record.pacing.late_p95_ms)
        if record.media is not None:
            into.packets_lost += record.media.packets_lost
        if placed.recording is not None and not call.plan.conditions.impairs_the_network:
            into.path.add(
                ours=placed.recording.sent,
                arrived=truth_log["arrived"],
                theirs=truth_log["sent"],
                received=placed.recording.received,
                zero_s=placed.clock.zero_ns / 1e9,
                clock_rate_hz=CODECS.load(placed.recording.media.codec).clock_rate_hz,
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class PlacedCall:
    """A calibration call that was placed, with the agent's own log of it."""

    call: CalibrationCall
    held: Held
    truth: dict[str, Any]


async def place_all(
    designed: Sequence[CalibrationCall],
    *,
    transport: Transport,
    at_once: int,
    ears: Ears,
    on_placed: Callable[[CalibrationCall, Held], None],
    log: str | None = None,
    stagger_s: float = STAGGER_S,
) -> list[PlacedCall]:
    """Places the calls, ``at_once`` at a time, ``stagger_s`` between the first of them; in the order in which
    they ended.

    Raises:
        asyncio.CancelledError: It was told to break off; no further call is placed.
    """
    loop = asyncio.get_running_loop()
    prepared = await loop.run_in_executor(None, lambda: [prepare(one, transport) for one in designed])
    queue = list(zip(designed, prepared, strict=True))
    done: list[PlacedCall] = []

    async def worker(number: int) -> None:
        await asyncio.sleep(number * stagger_s)
        while queue:
            call, ready = queue.pop(0)
            held = await place_call(ready, beside=Beside(ears=ears))
            if held.broken_off or held.record.status is CallStatus.INTERRUPTED:
                # The call ended in its own way, and nobody else was told.
                raise asyncio.CancelledError
            done.append(PlacedCall(call=call, held=held, truth=await truth_of(call, log or call.plan.agent)))
            on_placed(call, held)

    await asyncio.gather(*(worker(number) for number in range(at_once)))
    return done


def prepare(designed: CalibrationCall, transport: Transport) -> PreparedCall:
    """A calibration call with its lines encoded in what the transport sends."""
    plan = designed.plan
    codec = codec_named(prepared_in(transport.codec, plan.reach.codecs))
    return PreparedCall(
        plan=plan,
        transport=transport,
        caller=Caller(policy=policy_of(plan), patience=patience_of(plan)),
        clips=[prepare_clip(codec, utterance.samples) for utterance in designed.utterances],
        background=silence(codec),
        versions={},
    )


async def truth_of(designed: CalibrationCall, log: str) -> dict[str, Any]:
    """The agent's own log of a call."""
    url = f"{log}/truth/{designed.plan.call_id}"
    try:
        async with httpx.AsyncClient(timeout=10.0) as client:
            response = await client.get(url)
            response.raise_for_status()
            truth: dict[str, Any] = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise HarnessFault(f"{url}: the calibration agent's log cannot be read: {error}") from error
    return truth


def _stored(comparisons: Sequence[Any]) -> StoredError | None:
    summary = ErrorSummary.of([one.error_ms for one in comparisons])
    if summary is None:
        return None
    return StoredError(
        n=summary.n,
        bias=round(summary.bias, 3),
        sd=round(summary.sd, 3),
        p95_abs=round(summary.p95_abs, 3),
        max_abs=round(summary.max_abs, 3),
    )
