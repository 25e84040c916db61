"""Many dialogues in text, several at once: holds what is still missing of a run, and keeps each at once."""

from __future__ import annotations

import asyncio
import datetime
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from harness._files.atomic_file import write_model
from harness.calls.guard import GUARD_FILE, GuardFile, guard_chat, read_guard
from harness.calls.text.converse import converse
from harness.calls.text.talk import Participants
from harness.errors import UserError
from harness.plans.chat import ChatJob, plan_digest
from harness.records.call import Event
from harness.records.dialogue import ChatRecord, ChatStatus, EarlierAttempt, HeldDialogue
from harness.runs.chat_store import ChatRunInfo, ChatStore

STOP_AFTER = 5
"""So many failed dialogues of a competitor in a row end its part of the run: something has to be mended."""


class SideBuilder(Protocol):
    """Makes both sides of a dialogue."""

    def sides(self, job: ChatJob) -> Participants:
        """New ones for each dialogue."""
        ...

    def versions(self) -> dict[str, str]: ...


@dataclass(kw_only=True)
class ChatWatcher:
    """What to tell a person while a run goes on; each callback must return quickly."""

    on_kept: Callable[[int], None] = lambda count: None
    on_begun: Callable[[ChatJob], None] = lambda job: None
    on_event: Callable[[Event], None] = lambda event: None
    on_held: Callable[[ChatRecord], None] = lambda record: None


@dataclass(kw_only=True)
class ChatOutcome:
    """How the dialogues of a run ended.

    Attributes:
        statuses: By dialogue, in no order; those never held are missing.
        kept: Were complete from an earlier start.
        interrupted: Why the run ended before its time; empty where it did not.
        stopped: Competitor -> why no more of its dialogues were held.
    """

    statuses: dict[str, ChatStatus] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    interrupted: str = ""
    stopped: dict[str, str] = field(default_factory=dict)

    def count(self, *statuses: ChatStatus) -> int:
        return sum(status in statuses for status in self.statuses.values())


def open_chat_run(
    jobs: Sequence[ChatJob], store: ChatStore, *, name: str, seed: int, versions: dict[str, str]
) -> ChatRunInfo:
    """Begins a run in a folder, or goes on with it where an earlier start left it.

    Raises:
        UserError: The folder holds something else, or a run of another plan.
    """
    if store.folder.exists() and not store.folder.is_dir():
        raise UserError(f"{store.folder}: is no folder; give another --out")
    digest = plan_digest(jobs)
    existing = store.read_info()
    if existing is not None and existing.plan_digest != digest:
        raise UserError(
            f"{store.folder}: holds a run of another plan ({_described(existing)}); "
            "give the same options as then, another --out, or remove that folder"
        )
    if existing is None and store.folder.exists() and any(store.folder.iterdir()):
        raise UserError(f"{store.folder}: is not empty and holds no run; give another --out")
    first = jobs[0].plan
    info = existing or ChatRunInfo(
        name=name,
        started_at=_now(),
        outboundeval=versions.get("outboundeval", "unknown"),
        plan_digest=digest,
        agent=first.agent,
        competitors=tuple(dict.fromkeys(job.plan.competitor for job in jobs)),
        policy=first.policy,
        caller_model=first.caller_model,
        trials=1 + max(job.plan.trial for job in jobs),
        seed=seed,
        dialogue_ids=tuple(job.plan.dialogue_id for job in jobs),
        versions=versions,
    )
    store.write_info(info)
    return info


async def hold_all(
    jobs: Sequence[ChatJob],
    store: ChatStore,
    *,
    info: ChatRunInfo,
    builder: SideBuilder,
    parallel: int = 1,
    again: bool = False,
    rerun_guilty: int = 0,
    watcher: ChatWatcher | None = None,
) -> ChatOutcome:
    """Holds the dialogues that are not complete yet, ``parallel`` at once.

    A dialogue that failed is a result and is kept; with ``again`` it is held once more, and the record says
    so. One in which our own caller was at fault is held again ``rerun_guilty`` times at most.
    Ctrl-C ends those under way (they are held again by the next start) and returns.
    """
    batch = _Batch(store, builder, watcher or ChatWatcher(), rerun_guilty=rerun_guilty)
    waiting = deque(job for job in jobs if not batch.keeps(job, again=again))
    batch.watcher.on_kept(len(batch.outcome.kept))
    workers = [asyncio.create_task(batch.work(waiting)) for _ in range(max(1, min(parallel, len(waiting))))]
    try:
        await asyncio.gather(*workers)
    except asyncio.CancelledError:
        batch.outcome.interrupted = "interrupted at the terminal"
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    if len(batch.outcome.statuses) == len(jobs) and not batch.outcome.interrupted:
        store.write_info(info.model_copy(update={"finished_at": info.finished_at or _now()}))
    return batch.outcome


class _Batch:
    def __init__(
        self, store: ChatStore, builder: SideBuilder, watcher: ChatWatcher, *, rerun_guilty: int
    ) -> None:
        self.outcome = ChatOutcome()
        self._store = store
        self._builder = builder
        self.watcher = watcher
        self._versions = builder.versions()
        self._earlier: dict[str, tuple[EarlierAttempt, ...]] = {}
        self._failures_in_a_row: Counter[str] = Counter()
        self._rerun_guilty = rerun_guilty

    def keeps(self, job: ChatJob, *, again: bool) -> bool:
        """Whether an earlier start has held it; notes earlier attempts of those that are to be held again."""
        dialogue_id = job.plan.dialogue_id
        known = self._store.read(dialogue_id)
        if known is None or known.plan.digest != job.plan.digest:
            return False
        if known.status is ChatStatus.INTERRUPTED:
            self._earlier[dialogue_id] = known.earlier_attempts
            return False
        guard = read_guard(self._store.dialogue_folder(dialogue_id))
        if (again and not known.status.took_place) or self._is_to_be_held_again(known, guard):
            self._earlier[dialogue_id] = (*known.earlier_attempts, _attempt(known, guard))
            return False
        self.outcome.statuses[dialogue_id] = known.status
        self.outcome.kept.append(dialogue_id)
        return True

    async def work(self, waiting: deque[ChatJob]) -> None:
        while waiting and not self.outcome.interrupted:
            job = waiting.popleft()
            if job.plan.competitor in self.outcome.stopped:
                continue
            record, guard = await self._hold(job)
            while self._is_to_be_held_again(record, guard):
                self._earlier[job.plan.dialogue_id] = (*record.earlier_attempts, _attempt(record, guard))
                record, guard = await self._hold(job)
            if record.status is ChatStatus.INTERRUPTED:
                self.outcome.interrupted = record.status_detail
            else:
                self.outcome.statuses[job.plan.dialogue_id] = record.status
                self._heed_failures(record)
            self.watcher.on_held(record)

    def _is_to_be_held_again(self, record: ChatRecord, guard: GuardFile | None) -> bool:
        """Whether our own caller was at fault, and has not been so often enough."""
        before = sum(bool(attempt.guilty) for attempt in record.earlier_attempts)
        return guard is not None and guard.verdict == "guilty" and before < self._rerun_guilty

    async def _hold(self, job: ChatJob) -> tuple[ChatRecord, GuardFile | None]:
        self.watcher.on_begun(job)
        sides = self._builder.sides(job)
        held = await converse(job.plan, sides, on_event=self.watcher.on_event, versions=self._versions)
        earlier = self._earlier.get(job.plan.dialogue_id, ())
        record = held.record.model_copy(update={"earlier_attempts": earlier})
        self._store.write(HeldDialogue(record=record, events=held.events))
        if record.status is ChatStatus.INTERRUPTED:
            return record, None
        guard = guard_chat(record)
        write_model(self._store.dialogue_folder(job.plan.dialogue_id) / GUARD_FILE, guard)
        return record, guard

    def _heed_failures(self, record: ChatRecord) -> None:
        competitor = record.plan.competitor
        if record.status.took_place:
            self._failures_in_a_row[competitor] = 0
            return
        self._failures_in_a_row[competitor] += 1
        if self._failures_in_a_row[competitor] >= STOP_AFTER:
            self.outcome.stopped.setdefault(
                competitor, f"{STOP_AFTER} dialogues in a row failed, the last with: {record.status_detail}"
            )


def _attempt(record: ChatRecord, guard: GuardFile | None) -> EarlierAttempt:
    guilty = guard.findings if guard is not None and guard.verdict == "guilty" else ()
    return EarlierAttempt(
        status=record.status,
        status_detail=record.status_detail,
        started_at=record.started_at,
        guilty=tuple(f"{finding.kind}: {finding.detail}" for finding in guilty if finding.certain),
    )


def _described(info: ChatRunInfo) -> str:
    return f"{info.name}, {len(info.dialogue_ids)} dialogues with {', '.join(info.competitors)}"


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
