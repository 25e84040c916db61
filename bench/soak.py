"""Many calls at a time for a long time: memory, file handles, threads, tasks and pacing, over time.

``python -m bench.soak [--minutes 60] [--calls 20] [--samples FILE]``: calls of ten to fifty seconds, started
as others end, prepared, placed, recorded and written as ``run`` does it, to light agents in processes of
their own. Nothing of what is written stays. Each ten seconds a sample goes to the table, and at once to FILE
(JSON lines; default: ``soak.jsonl`` in a temporary folder that is named), so that what there is is never
lost: Ctrl-C prints the figures so far, and ``python -m bench.soak --show FILE`` those of a file.

Goal: after the first ten minutes (``--warm-up``) memory grows by 1 MB a minute at most, and neither handles
nor threads nor tasks grow. The exit code is 1 where that does not hold. ``--trace`` keeps account of who
allocated what still stands (tracemalloc; it slows calls down).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import random
import shutil
import signal
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench._soak_samples import HEADER, LATE_MS, Pacing, Sample, read_samples, row, verdict
from harness.calls.conversation import Held, Watcher
from harness.calls.voice.medium import VoiceMedium
from harness.calls.voice.place import PreparedCall
from harness.calls.voice.prepare import CallBuilder
from harness.models.served_process import free_port, serving_command
from harness.plans.call import CallPlan, Limits
from harness.plans.run import RunPlan
from harness.records.call import CallStatus
from harness.runs.batch import hold_all
from harness.runs.store import RunStore
from harness.transports.base import DialRequest, MediaSession, Transport
from voice_sim.policies.script import Script, ScriptLine

SAMPLE_S = 10.0
AGENTS = 2
SHORTEST_CALL_S = 8.0
LINES = (
    "Hello, this is Alex.",
    "Could you tell me about my account, please?",
    "I see. And how long does that take?",
    "All right, thank you very much.",
)


@dataclass(frozen=True)
class _Watched:
    """A transport whose calls' pacing is watched."""

    transport: Transport
    pacing: Pacing

    @property
    def name(self) -> str:
        return self.transport.name

    @property
    def codec(self) -> str:
        return self.transport.codec

    async def dial(self, request: DialRequest) -> MediaSession:
        session = await self.transport.dial(request)
        self.pacing.watch(session.log)
        return session


class _Builder(CallBuilder):
    """Prepares calls as ever, over a transport that is watched."""

    def __init__(self, pacing: Pacing) -> None:
        super().__init__()
        self._pacing = pacing

    def prepare(self, plan: CallPlan, **options: Any) -> PreparedCall:
        prepared = super().prepare(plan, **options)
        return replace(prepared, transport=_Watched(prepared.transport, self._pacing))


@dataclass(kw_only=True)
class Soak:
    """A soak under way: what is sampled, and what came of the calls."""

    agents: list[psutil.Process]
    pacing: Pacing = field(default_factory=Pacing)
    statuses: Counter[str] = field(default_factory=Counter)
    details: Counter[str] = field(default_factory=Counter)
    began_s: float = field(default_factory=time.monotonic)
    _cpu_s: float = 0.0
    _agents_cpu_s: float = 0.0
    _sampled_s: float = 0.0

    def sample(self) -> Sample:
        own = psutil.Process()
        agents = {agent.pid for agent in self.agents}
        children = [child for child in own.children(recursive=True) if child.pid not in agents]
        at_s = time.monotonic() - self.began_s
        cpu_s, agents_cpu_s = _cpu_s([own, *children]), _cpu_s(self.agents)
        since_s = at_s - self._sampled_s
        late_ms = self.pacing.late_ms()
        sample = Sample(
            at_s=round(at_s, 2),
            memory_mb=round(own.memory_info().rss / 1e6, 2),
            children_mb=round(sum(child.memory_info().rss for child in children) / 1e6, 2),
            handles=own.num_fds(),
            threads=own.num_threads(),
            tasks=len(asyncio.all_tasks()),
            calls=self.pacing.calls,
            ended=self.statuses.total(),
            late_p95_ms=round(float(np.percentile(late_ms, 95)), 2) if len(late_ms) else None,
            late_frames=int((late_ms > LATE_MS).sum()),
            frames=len(late_ms),
            cpu=round((cpu_s - self._cpu_s) / since_s, 3) if self._sampled_s else 0.0,
            agents_cpu=round((agents_cpu_s - self._agents_cpu_s) / since_s, 3) if self._sampled_s else 0.0,
        )
        self._cpu_s, self._agents_cpu_s, self._sampled_s = cpu_s, agents_cpu_s, at_s
        return sample

    def on_held(self, store: RunStore, held: Held) -> None:
        """Counts the call and takes away what it left: an hour of calls is gigabytes."""
        record = held.record
        self.statuses[str(record.status)] += 1
        if record.status in (CallStatus.HARNESS_FAULT, CallStatus.SETUP_FAILED, CallStatus.AGENT_FAILED):
            self.details[f"{record.status}: {record.status_detail[:160]}"] += 1
        shutil.rmtree(store.call_folder(record.plan.call_id))


def plan_of(agents: list[str], *, calls: int, minutes: float, seed: int) -> RunPlan:
    """More calls than fit into the time: of one to seven lines, some with an interruption, some that the
    agent ends."""
    chance = random.Random(seed)
    number = calls + round(minutes * 60 / SHORTEST_CALL_S * calls)
    return RunPlan.of("soak", [_call(f"soak-{index}", chance, agents) for index in range(number)])


def _call(call_id: str, chance: random.Random, agents: list[str]) -> CallPlan:
    lines = [
        ScriptLine(say=chance.choice(LINES), pause_s=chance.uniform(0.2, 0.6))
        for _ in range(chance.randint(1, 7))
    ]
    if chance.random() < 0.2:
        lines.append(ScriptLine(say=LINES[1], barge_in_after_s=0.8))
    data: dict[str, Any] = {"name": call_id, "speaks_s": 1.6, "quiet_s": chance.choice((2.8, 3.4))}
    if chance.random() < 0.1:
        data["hang_up_after_s"] = chance.uniform(9, 20)
    return CallPlan(
        call_id=call_id,
        agent=chance.choice(agents),
        script=Script(lines=tuple(lines)),
        limits=Limits(call_s=60, connect_s=30),
        request_data=data,
        seed=chance.randrange(1 << 30),
    )


async def soak(
    watch: Soak, plan: RunPlan, folder: Path, *, calls: int, minutes: float, samples: Path
) -> None:
    """Holds calls until the time is over or Ctrl-C; every sample is printed and written at once."""
    store = RunStore(folder)
    watcher = Watcher(on_held=lambda held: watch.on_held(store, held))
    medium = VoiceMedium(_Builder(watch.pacing))
    task = asyncio.create_task(hold_all(plan, store, medium=medium, parallel=calls, watcher=watcher))
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, over.set)
    try:
        until = time.monotonic() + minutes * 60
        print(HEADER, flush=True)
        while not task.done() and not over.is_set() and time.monotonic() < until:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), min(SAMPLE_S, max(0.01, until - time.monotonic())))
            sample = watch.sample()
            with samples.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(sample)) + "\n")
            print(row(sample), flush=True)
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _cpu_s(processes: list[psutil.Process]) -> float:
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    return total


@contextlib.contextmanager
def _agents(number: int) -> Iterator[tuple[list[str], list[psutil.Process]]]:
    """Light agents: their addresses and processes."""
    before = {child.pid for child in psutil.Process().children()}
    with contextlib.ExitStack() as stack:
        addresses = []
        for _ in range(number):
            port = free_port()
            command = [sys.executable, "-m", "bench._talking_agent", "--port", str(port)]
            addresses.append(
                stack.enter_context(serving_command(command, name="the agent", port=port, ready="/status"))
            )
        yield addresses, [child for child in psutil.Process().children() if child.pid not in before]


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--calls", type=int, default=20, help="at a time")
    parser.add_argument("--warm-up", type=float, default=10.0, help="minutes that the slopes leave out")
    parser.add_argument("--samples", type=Path, help="where the samples go")
    parser.add_argument("--show", type=Path, help="only state the figures of such a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trace", action="store_true", help="tell who allocated what still stands")
    given = parser.parse_args()
    # As with Ctrl-C: the agents are to end with us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    stated: list[str] = []
    if given.show is not None:
        good = verdict(read_samples(given.show), warm_up_min=given.warm_up, stated=stated)
        print("\n".join(stated))
        return 0 if good else 1
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, _agents(AGENTS) as (addresses, processes):
        samples = given.samples or Path(tempfile.mkdtemp(prefix="soak-samples-")) / "soak.jsonl"
        samples.unlink(missing_ok=True)
        print(f"{given.calls} calls at a time for {given.minutes:g} minutes; samples: {samples}", flush=True)
        plan = plan_of(addresses, calls=given.calls, minutes=given.minutes, seed=given.seed)
        watch = Soak(agents=processes)
        if given.trace:
            tracemalloc.start(8)
        asyncio.run(
            soak(watch, plan, Path(folder), calls=given.calls, minutes=given.minutes, samples=samples)
        )
    before_mb = psutil.Process().memory_info().rss / 1e6
    gc.collect()
    print(
        f"of {watch.statuses.total()} calls {watch.pacing.kept} are in memory after a last collection; "
        f"it took memory from {before_mb:.0f} to {psutil.Process().memory_info().rss / 1e6:.0f} MB"
    )
    print(f"calls ended: {dict(sorted(watch.statuses.items()))}")
    for detail, count in watch.details.most_common(10):
        print(f"  {count} x {detail}")
    good = verdict(read_samples(samples), warm_up_min=given.warm_up, stated=stated)
    print("\n".join(stated))
    if given.trace:
        for line in tracemalloc.take_snapshot().statistics("lineno")[:25]:
            print(f"  {line}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
