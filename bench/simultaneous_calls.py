"""How many calls one process carries: send lateness (p95) and share of a core per call, by number of calls.

``python -m bench.simultaneous_calls [10 20 30 40 50]``: for each number, that many calls of 20 s to a light
peer on loopback. Goal: at least 40 calls before p95 exceeds 5 ms, at 1.5 % of a core each or less.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import time
from pathlib import Path

import httpx
import numpy as np

from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.models.served_process import free_port
from harness.plans.call import CallPlan, Limits
from harness.transports.clips.clip import prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.smallwebrtc.session import SmallWebRTCTransport
from harness.transports.uplink import silence
from voice_sim.caller.caller import Caller
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
from voice_sim.voice.utterance import tone

CALL_S = 20.0
STAGGER_S = 0.12


def main() -> None:
    counts = [int(argument) for argument in sys.argv[1:]] or [1, 10, 20, 30, 40, 50]
    print("calls  late p50  late p95  late max (ms)  core per call  ears' share  statuses")
    for count in counts:
        port = free_port()
        peer = subprocess.Popen([sys.executable, "-m", "bench._peer", str(port)])
        try:
            wait_for_peer(port)
            asyncio.run(measure(f"http://127.0.0.1:{port}", count))
        finally:
            peer.terminate()
            peer.wait()


async def measure(agent: str, count: int) -> None:
    """Places the calls and prints one row."""
    prepared = [prepared_call(agent, number, count) for number in range(count)]
    async with Ears() as ears:
        placed = await asyncio.gather(*(_place(one, number, ears) for number, one in enumerate(prepared)))
        ears_cpu_s = _cpu_of(ears.pid)
    # The stretch in which all calls stood: the last has been dialled, the first has not hung up.
    late = np.concatenate([np.array(cpu_and_late[1]) for cpu_and_late in placed]) * 1000
    cpu = float(np.mean([cpu_and_late[0] for cpu_and_late in placed]))
    statuses = sorted({str(cpu_and_late[2].record.status) for cpu_and_late in placed})
    print(
        f"{count:5d}  {np.percentile(late, 50):8.2f}  {np.percentile(late, 95):8.2f}  {late.max():8.1f}"
        f"       {cpu / count * 100:10.2f} %  {ears_cpu_s / (CALL_S + count * STAGGER_S) * 100:9.0f} %"
        f"  {statuses}",
        flush=True,
    )


async def _place(prepared: PreparedCall, number: int, ears: Ears) -> tuple[float, list[float], Held]:
    await asyncio.sleep(number * STAGGER_S)
    late: list[float] = []
    usage: list[tuple[float, float]] = []
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(place_call(prepared, beside=Beside(ears=ears)))
    # From here on every call is up, for this long at least.
    total = int(prepared.plan.title)
    await asyncio.sleep((total - number) * STAGGER_S + 3.0)
    usage.append((loop.time(), _own_cpu()))
    await asyncio.sleep(CALL_S - 8.0)
    usage.append((loop.time(), _own_cpu()))
    placed = await task
    assert placed.recording is not None
    frames = placed.late_ms[round((total - number) * STAGGER_S / 0.02) + 100 :]
    late += [ms / 1000 for ms in frames]
    (t0, c0), (t1, c1) = usage
    return (c1 - c0) / (t1 - t0), late, placed


def prepared_call(agent: str, number: int, total: int) -> PreparedCall:
    """A call of a caller that says a tone and waits, until all have stood together for a while."""
    script = Script(wait_for_greeting=False, lines=(ScriptLine(say="tone", pause_s=1.0),))
    call_s = CALL_S + (total - number) * STAGGER_S
    plan = CallPlan(
        call_id=f"load-{number}",
        title=str(total),
        agent=agent,
        script=script,
        limits=Limits(call_s=call_s, connect_s=60),
    )
    return PreparedCall(
        plan=plan,
        transport=SmallWebRTCTransport(),
        caller=Caller(policy=ScriptPolicy(script), patience=Patience(call_s=call_s)),
        clips=[prepare_clip(OPUS, tone(1.0).samples)],
        background=silence(OPUS),
        versions={},
    )


def _own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def wait_for_peer(port: int) -> None:
    """Until it answers."""
    for _ in range(100):
        try:
            httpx.get(f"http://127.0.0.1:{port}/status", timeout=1.0)
            return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise SystemExit("the peer did not come up")


if __name__ == "__main__":
    main()
