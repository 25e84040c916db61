"""Twenty calls at once over LiveKit in one process, through a real server, each compared with the agent's
log.

``python -m bench.livekit_at_once [20]`` needs ``OUTBOUNDEVAL_LIVEKIT_SERVER`` and a machine with nothing
else to do; it takes about two minutes. Server and agents are on the same machine and take their part of it,
which is stated. Goal: all complete, frames late p95 <= 5 ms, p95 of the answers' error <= 5 ms, >= 90 % of
the answers measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import psutil

from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.errors import UserError
from harness.plans.call import ConditionsPlan
from harness.records.call import CallStatus
from harness.selfcheck.calibration.compare import Comparison, Comparisons
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, design
from harness.selfcheck.calibration.run import CalibrationResult, PlacedCall, add_compared, place_all
from harness.selfcheck.livekit_server import LiveKitServer, server_program, serving_livekit
from harness.selfcheck.reference_agents import serving
from harness.transports.by_scheme import transport_for

AGENTS = 2
"""Processes that are called: one would be busier than the caller."""
ANSWERS_EACH, STOPS_EACH = 9, 3
STAGGER_S = 0.8
"""Between the dialling of two calls in each half: two connections are set up for each."""
OURS = "the caller"


@dataclass
class Cores:
    """Processor time of this process and of those that it started, by what they are."""

    began_s: float = field(default_factory=time.monotonic)
    before: dict[str, float] = field(default_factory=dict)

    def begin(self) -> None:
        """From now on."""
        self.began_s, self.before = time.monotonic(), _processor_s()

    def shares(self) -> dict[str, float]:
        """Cores that each took since then."""
        took_s = time.monotonic() - self.began_s
        return {name: (now - self.before.get(name, 0.0)) / took_s for name, now in _processor_s().items()}


def _processor_s() -> dict[str, float]:
    sums: dict[str, float] = {}
    me = psutil.Process()
    for process in [me, *me.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            name = _what(process)
            sums[name] = sums.get(name, 0.0) + times.user + times.system
    return sums


def _what(process: psutil.Process) -> str:
    if process.pid == os.getpid():
        return OURS
    words = " ".join(process.cmdline())
    if "livekit-server" in words:
        return "the server"
    return "the agents" if "calibration" in words else "the caller's ears"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    try:
        server_program()
    except UserError as error:
        print(error)
        return
    with serving_livekit() as server, _agents(server) as logs:
        print(
            f"{count} calls at once over LiveKit, {len(logs)} agents, {psutil.cpu_count()} cores", flush=True
        )
        placed, shares, late_ms = asyncio.run(_placed(_designed(server, count), logs))
    result = CalibrationResult()
    add_compared(placed, resolution_s=MARGIN_MS / 1000, into=result)
    _tell(placed, result.by_sound.get("marker", Comparisons()), result, shares, late_ms)


@contextlib.contextmanager
def _agents(server: LiveKitServer) -> Iterator[list[str]]:
    """Each by a name of its own; their logs' addresses."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(
                serving(
                    "calibration",
                    extra=["--livekit", server.url, "--livekit-name", _name(number)],
                    environment=server.environment,
                )
            )
            for number in range(AGENTS)
        ]


def _name(number: int) -> str:
    return f"calibration-{number}"


def _designed(server: LiveKitServer, count: int) -> list[list[CalibrationCall]]:
    """The calls of each agent: of ten three are interrupted."""
    calls: list[list[CalibrationCall]] = []
    for number in range(AGENTS):
        mine = len(range(number, count, AGENTS))
        stopped = round(0.3 * mine)
        halves = [
            design(
                sound="marker",
                turns=turns,
                interruptions=stops,
                calls=parts,
                seed=number + 1,
                agent=server.address(_name(number)),
                conditions=ConditionsPlan(),
            )
            for turns, stops, parts in (
                (ANSWERS_EACH * (mine - stopped), 0, mine - stopped),
                (0, STOPS_EACH * stopped, stopped),
            )
            if parts
        ]
        calls.append([_numbered(call, number) for half in halves for call in half])
    return calls


def _numbered(call: CalibrationCall, number: int) -> CalibrationCall:
    name = f"{call.plan.call_id}-{number}"
    data = call.plan.request_data | {"session": name}
    return replace(call, plan=call.plan.model_copy(update={"call_id": name, "request_data": data}))


async def _placed(
    calls: Sequence[Sequence[CalibrationCall]], logs: Sequence[str]
) -> tuple[list[PlacedCall], dict[str, float], list[float]]:
    """All of them at the same time, once: what our own lateness spoils stays spoilt."""
    cores = Cores()
    shares: dict[str, float] = {}

    def ended(call: CalibrationCall, held: Held) -> None:
        # Until the first has ended all stand.
        if not shares:
            shares.update(cores.shares())

    async with Ears() as ears:
        dialled_s = max(len(mine) for mine in calls) * STAGGER_S
        asyncio.get_running_loop().call_later(dialled_s + 2.0, cores.begin)
        halves = await asyncio.gather(
            *(
                place_all(
                    mine,
                    transport=transport_for(mine[0].plan.agent),
                    at_once=len(mine),
                    ears=ears,
                    on_placed=ended,
                    log=log,
                    stagger_s=STAGGER_S,
                )
                for mine, log in zip(calls, logs, strict=True)
            )
        )
    placed = [one for half in halves for one in half]
    return placed, shares, [ms for one in placed for ms in one.held.late_ms]


def _tell(
    placed: Sequence[PlacedCall],
    found: Comparisons,
    result: CalibrationResult,
    shares: dict[str, float],
    late_ms: Sequence[float],
) -> None:
    completed = sum(one.held.record.status is CallStatus.COMPLETED for one in placed)
    print(f"completed: {completed} of {len(placed)}")
    for told in (*found.faults, *(f"wrong: {one}" for one in found.wrong)):
        print(f"  {told}")
    late = np.array(late_ms)
    print(
        f"frames late: p50 {np.percentile(late, 50):.2f}, p95 {np.percentile(late, 95):.2f}, "
        f"worst {late.max():.1f} ms; the worst call's p95 {max(result.late_p95_ms, default=float('nan')):.2f}"
    )
    stops = sum(one.call.kind == "interruption" for one in placed)
    due = ANSWERS_EACH * (len(placed) - stops) + 2 * STOPS_EACH * stops
    _tell_errors("answers", found.responses, due)
    _tell_errors("stops", found.interruptions, STOPS_EACH * stops)
    print(f"500 ms verdicts: {found.verdicts}, {len(found.verdicts_wrong)} wrong")
    path = result.path
    if path.known:
        there, back = np.median(path.there), np.median(path.back)
        print(f"through the server: {there:.2f} ms there, {back:.2f} back (p50)")
    print("cores: " + ", ".join(f"{name} {share:.2f}" for name, share in sorted(shares.items())))


def _tell_errors(what: str, found: Sequence[Comparison], due: int) -> None:
    if not found:
        print(f"{what}: none measured of {due}")
        return
    errors = np.abs([one.error_ms for one in found])
    print(
        f"{what}: {len(found)} of {due} measured ({len(found) / due:.0%}); error p50 "
        f"{np.percentile(errors, 50):.2f}, p95 {np.percentile(errors, 95):.2f}, worst {errors.max():.2f} ms"
    )


if __name__ == "__main__":
    main()
