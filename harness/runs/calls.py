"""Many calls, one after the other: places what is still missing of a run, and keeps each call at once."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import os
import platform
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from harness.calls.voice.hearing.words_for_watchers import WatchedWords
from harness.calls.voice.place import INTERRUPTED, PlacedCall, PreparedCall, place_call, unplaced_call
from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.retries import RetryBell
from harness.calls.voice.workers.pool import CallHelpers
from harness.errors import HarnessFault, UserError
from harness.plans.plan import CallPlan, RunPlan
from harness.records.call import CallStatus, Event
from harness.records.scores import Machine, RunInfo
from harness.runs.store import RunStore
from harness.transports.by_scheme import transport_for
from harness.versions import library_versions
from voice_sim.policies.base import PolicyError, WarmsUp

WARM_UP_LIMIT_S = 300.0
"""For a language model to read its persona before the call: minutes on two cores, seconds at a provider."""


@dataclass(kw_only=True)
class BatchWatcher:
    """What to tell a person while a run goes on; each callback must return quickly."""

    on_preparing: Callable[[CallPlan, int, int], None] = lambda plan, done, total: None
    on_spoken: Callable[[CallPlan, int, int], None] = lambda plan, done, total: None
    """How many lines of the next call are spoken and encoded, and how many there are. From another thread."""
    on_event: Callable[[Event], None] = lambda event: None
    on_placed: Callable[[PlacedCall], None] = lambda placed: None
    words_for: Callable[[CallPlan], WatchedWords | None] = lambda plan: None
    """Whisper beside a call, for a person who watches it; None for runs whose figures must not be touched.
    Not asked for calls whose caller understands the agent by itself."""


@dataclass(kw_only=True)
class BatchOutcome:
    """How the calls of a run ended; ``kept`` were complete from an earlier start."""

    statuses: dict[str, CallStatus] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    interrupted: bool = False

    def count(self, *statuses: CallStatus) -> int:
        return sum(status in statuses for status in self.statuses.values())


def plan_digest(plan: RunPlan) -> str:
    """Sixteen hex digits over all calls of a run."""
    digests = "\n".join(call.digest for call in plan.calls)
    return hashlib.sha256(digests.encode()).hexdigest()[:16]


def open_run(plan: RunPlan, store: RunStore) -> RunInfo:
    """Begins a run in a folder, or goes on with it where an earlier start left it.

    Raises:
        UserError: The folder holds a run of another plan.
    """
    if store.folder.exists() and not store.folder.is_dir():
        raise UserError(f"{store.folder}: is no folder; give another --out")
    digest = plan_digest(plan)
    existing = store.read_info()
    if existing is not None and existing.plan_digest != digest:
        raise UserError(
            f"{store.folder}: holds a run of another plan ({existing.name}); "
            "give another --out, or remove that folder"
        )
    if existing is None and store.folder.exists() and any(store.folder.iterdir()):
        raise UserError(f"{store.folder}: is not empty and holds no run; give another --out")
    info = existing or RunInfo(
        name=plan.name,
        started_at=_now(),
        outboundeval=library_versions().get("outboundeval", "unknown"),
        machine=Machine(cpu_count=os.cpu_count(), platform=platform.platform()),
        plan_digest=digest,
        agents=sorted({call.agent for call in plan.calls}),
        call_ids=[call.call_id for call in plan.calls],
        versions=library_versions(),
    )
    store.write_info(info)
    return info


async def place_calls(
    plan: RunPlan, store: RunStore, *, builder: CallBuilder, watcher: BatchWatcher
) -> BatchOutcome:
    """Places the calls that are not complete yet, in order. Each is written as soon as it has ended.

    A call that was cut off at the terminal is placed again by the next start; one that failed is not: it is
    a result. Ctrl-C ends the present call, keeps it, and ends the run.
    """
    for call in plan.calls:
        builder.check(call)
    info = open_run(plan, store)
    outcome = BatchOutcome()
    total = len(plan.calls)
    async with contextlib.AsyncExitStack() as stack:
        helpers = await stack.enter_async_context(CallHelpers())
        for done, call in enumerate(plan.calls):
            known = store.read_record(call.call_id)
            if known is not None and known.status_detail != INTERRUPTED:
                outcome.statuses[call.call_id] = known.status
                outcome.kept.append(call.call_id)
                continue
            watcher.on_preparing(call, done, total)
            # What is known of the caller's words is spoken before the call begins.
            prepared = await _prepare(call, builder=builder, helpers=helpers, watcher=watcher)
            placed = await _place(prepared, helpers=helpers, watcher=watcher)
            await asyncio.to_thread(store.write_call, placed)
            if placed.record.status is CallStatus.HARNESS_FAULT:
                helpers.doubt_model(call.language_model)
            outcome.statuses[call.call_id] = placed.record.status
            watcher.on_placed(placed)
            if placed.record.status_detail == INTERRUPTED:
                outcome.interrupted = True
                break
    if not outcome.interrupted:
        store.write_info(info.model_copy(update={"finished_at": info.finished_at or _now()}))
    return outcome


async def _prepare(
    call: CallPlan, *, builder: CallBuilder, helpers: CallHelpers, watcher: BatchWatcher
) -> PreparedCall:
    model = await helpers.model(call.language_model)
    retries = RetryBell()
    interrupted = threading.Event()

    def on_progress(done: int, total: int) -> None:
        if interrupted.is_set():
            raise InterruptedError
        watcher.on_spoken(call, done, total)

    try:
        return await asyncio.to_thread(
            builder.prepare,
            call,
            model=model if model is None else model.for_dialogue(call.call_id, on_retry=retries.ring),
            retries=retries,
            on_progress=on_progress,
        )
    finally:
        # A thread cannot be cancelled: the synthesis of a whole person would go on for a minute.
        interrupted.set()


async def _place(prepared: PreparedCall, *, helpers: CallHelpers, watcher: BatchWatcher) -> PlacedCall:
    transport = transport_for(prepared.plan.agent)
    try:
        ears = await helpers.ears()
        words, voice = await helpers.words(prepared), await helpers.voice(prepared)
        await _warm_up(prepared)
    except HarnessFault as fault:
        return unplaced_call(prepared, why=str(fault))
    watched = None if prepared.hears_words else watcher.words_for(prepared.plan)
    if watched is None:
        return await place_call(
            prepared, transport=transport, ears=ears, words=words, voice=voice, on_event=watcher.on_event
        )

    def on_event(event: Event) -> None:
        watched.on_event(event)
        watcher.on_event(event)

    try:
        return await place_call(
            prepared,
            transport=transport,
            ears=ears,
            words=words,
            voice=voice,
            on_event=on_event,
            on_audio=watched.on_packet,
        )
    finally:
        await watched.close()


async def _warm_up(prepared: PreparedCall) -> None:
    """Has a language model read its part, and answer at all, before anybody is phoned.

    Raises:
        HarnessFault: It does not answer.
    """
    if not isinstance(prepared.policy, WarmsUp):
        return
    try:
        async with asyncio.timeout(WARM_UP_LIMIT_S):
            await prepared.policy.warm_up()
    except PolicyError as error:
        raise HarnessFault(f"{error}; the agent was not called") from error
    except TimeoutError as error:
        raise HarnessFault(
            f"the caller's language model had not read its persona after {WARM_UP_LIMIT_S:g} s; "
            "the agent was not called"
        ) from error


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
