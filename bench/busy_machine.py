"""Timing error and pacing while something else keeps the cores busy: idle, then with busy processes.

``python -m bench.busy_machine [0 2 4]``: for each number of busy processes, a short calibration with marker
tones. The envelope figure should hold (p95 at most 5 ms) or the call end as ``harness_fault``.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys

from harness.plans.call import ConditionsPlan
from harness.selfcheck.calibration.compare import Comparisons, ErrorSummary
from harness.selfcheck.calibration.design import design
from harness.selfcheck.calibration.run import CalibrationResult, calibrate
from harness.selfcheck.reference_agents import serving
from harness.transports.smallwebrtc.session import SmallWebRTCTransport

BUSY = "while True: pass"
TURNS, INTERRUPTIONS, CALLS = 24, 12, 2


def main() -> None:
    for count in [int(argument) for argument in sys.argv[1:]] or [0, 2, 4]:
        busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
        try:
            _print(count, _measure())
        finally:
            for process in busy:
                process.kill()
                process.wait()


def _measure() -> CalibrationResult:
    with serving("calibration") as address:
        calls = design(
            sound="marker",
            turns=TURNS,
            interruptions=INTERRUPTIONS,
            calls=CALLS,
            seed=1,
            agent=address,
            conditions=ConditionsPlan(),
        )
        return asyncio.run(
            calibrate(
                calls,
                transport=SmallWebRTCTransport(),
                at_once=CALLS,
                resolution_s=0.02,
                on_placed=lambda call, placed: None,
            )
        )


def _print(count: int, result: CalibrationResult) -> None:
    found = result.by_sound.get("marker", Comparisons())
    late = f"{statistics.median(result.late_p95_ms):.2f} ms" if result.late_p95_ms else "none"
    print(f"{count} busy processes: pacing p95 {late}; calls kept out: {len(found.faults)}")
    for label, errors in (
        ("responses, envelope", [one.error_ms for one in found.responses]),
        (
            "responses, single packets",
            [error for one in found.responses if (error := one.per_packet_error_ms) is not None],
        ),
        ("interruptions, envelope", [one.error_ms for one in found.interruptions]),
    ):
        summary = ErrorSummary.of(errors)
        figures = (
            f"n {summary.n}, bias {summary.bias:+.2f}, "
            f"p95 {summary.p95_abs:.2f}, max {summary.max_abs:.2f} ms"
            if summary
            else "no figure"
        )
        print(f"  {label:26} {figures}")
    for note in [*found.faults, *(f"wrong: {told}" for told in found.wrong), *found.lost]:
        print(f"  {note}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
