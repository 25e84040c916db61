"""How right the figures are on bad networks: calls to the agent that logs the truth, over twelve lines.

``python -m bench.bad_networks [NAME ...] [--turns 30] [--interruptions 12] [--at-once 4]``: on each network
calls on loopback, with marker tones and with natural speech. The error is ours against the agent's log: its
wire times and the least delay that was injected, both ways. A figure that is not given is no error and no
success: the table says what share of those due was measured, and below it why the rest was not. Calls that
our own machine spoilt are placed once more; what is still spoilt then is left out and named.

``--simulated 10``: so many calls on a virtual clock instead (``_simulated_network``): the same packets lost
and late each time, and no machine too busy, but without the caller's way to the agent and without timers.

Goal: on 3 % loss with 40 +- 20 ms, p95 of the answer's error at most 8 ms, with at least 80 % measured. The
load average is printed with the figures: a quiet machine's is below 1.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bench._simulated_network import Simulated, simulate
from harness.calls.conversation import Held
from harness.plans.call import ConditionsPlan
from harness.records.call import CallStatus
from harness.selfcheck.calibration.compare import GROSS_MS, Comparisons
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, Sound, design
from harness.selfcheck.calibration.run import calibrate
from harness.selfcheck.reference_agents import serving
from harness.transports.by_scheme import transport_for

NETWORKS: dict[str, ConditionsPlan] = {
    "clean": ConditionsPlan(),
    "loss-1": ConditionsPlan(loss=0.01),
    "loss-3": ConditionsPlan(loss=0.03),
    "loss-5": ConditionsPlan(loss=0.05),
    "bursts-3": ConditionsPlan(loss=0.03, loss_burst=3),
    "bursts-5": ConditionsPlan(loss=0.05, loss_burst=3),
    "jitter": ConditionsPlan(delay_ms=40, jitter_ms=20),
    "loss-3-jitter": ConditionsPlan(loss=0.03, delay_ms=40, jitter_ms=20),
    "loss-3-normal-jitter": ConditionsPlan(loss=0.03, delay_ms=40, jitter_ms=20, jitter_shape="normal"),
    "reordering": ConditionsPlan(reorder=0.02),
    "duplicates": ConditionsPlan(duplicates=0.02),
    "outages": ConditionsPlan(outages_per_minute=4),
}
_COLUMNS = (
    f"{'network':<22}{'due':>6}{'measured':>10}{'p50':>7}{'p95':>7}{'worst':>7}"
    f"  {'due':>6}{'measured':>10}{'p50':>7}{'p95':>7}{'worst':>7}"
)
HEADER = f"{'':<22}{'answers':<37}  interruptions\n{_COLUMNS}"
FAR_OFF_MS = 8.0
SOUNDS: tuple[Sound, ...] = ("marker", "natural")


@dataclass(kw_only=True)
class Row:
    """What a network came to.

    Attributes:
        answers_due, interruptions_due: What the agent was programmed to give, in calls that are not spoilt.
        answers, interruptions: Errors of what was measured, in ms.
        why_not: Why there is no figure, with how often.
        far_off: Figures that are more than :data:`FAR_OFF_MS` wrong, in words.
        spoilt: Calls that our own machine was too busy for, twice.
    """

    answers_due: int = 0
    interruptions_due: int = 0
    answers: list[float] = field(default_factory=list)
    interruptions: list[float] = field(default_factory=list)
    why_not: Counter[str] = field(default_factory=Counter)
    far_off: list[str] = field(default_factory=list)
    spoilt: list[str] = field(default_factory=list)

    def add(self, found: Comparisons) -> None:
        """Figures of live calls that our machine did not spoil."""
        self.answers += [one.error_ms for one in found.responses]
        self.interruptions += [one.error_ms for one in found.interruptions]
        self.why_not.update(_reason(line.split(": ", 1)[1]) for line in found.lost)
        self.far_off += found.wrong
        for one in (*found.responses, *found.interruptions):
            if GROSS_MS >= abs(one.error_ms) > FAR_OFF_MS:
                where = f"{one.call_id} utterance {one.index + 1}"
                self.far_off.append(f"{where}: {one.measured_ms:.1f} ms, {one.error_ms:+.1f} wrong")

    def add_simulated(self, call: Simulated, *, seed: int) -> None:
        """Figures of a simulated call."""
        for found, errors in ((call.answers, self.answers), (call.stops, self.interruptions)):
            errors += [one.error_ms for one in found if one.error_ms is not None]
            self.why_not.update(_reason(one.reason) for one in found if one.error_ms is None)
            self.far_off += [
                f"call {seed}, {number + 1} of {len(found)}: {one.error_ms:+.1f} ms"
                for number, one in enumerate(found)
                if one.error_ms is not None and abs(one.error_ms) > FAR_OFF_MS
            ]
        self.answers_due += len(call.answers)
        self.interruptions_due += len(call.stops)


def main() -> None:
    arguments = _arguments()
    print(f"commit {_commit()}, load average {os.getloadavg()[0]:.2f}")
    print(HEADER)
    rows = {}
    for name in arguments.networks or NETWORKS:
        conditions = NETWORKS[name]
        if arguments.simulated:
            rows[name] = measure_simulated(conditions, calls=arguments.simulated)
        else:
            rows[name] = measure(
                conditions,
                turns=arguments.turns,
                interruptions=arguments.interruptions,
                at_once=arguments.at_once,
            )
        print(line_of(name, rows[name]), flush=True)
    for name, row in rows.items():
        for reason, times in row.why_not.most_common():
            print(f"{name}: {times} not measured: {reason}")
        for line in row.far_off:
            print(f"{name}: far off: {line}")
        for call in row.spoilt:
            print(f"{name}: left out, our machine was too busy: {call}")
    print(f"load average {os.getloadavg()[0]:.2f}")


def measure_simulated(conditions: ConditionsPlan, *, calls: int) -> Row:
    """Simulates calls over one network."""
    row = Row()
    for seed in range(1, calls + 1):
        row.add_simulated(simulate(conditions, seed=seed), seed=seed)
    return row


def measure(conditions: ConditionsPlan, *, turns: int, interruptions: int, at_once: int) -> Row:
    """Places the calls of one network, half of them with each sound.

    Args:
        turns, interruptions: Of both sounds together. Each interruption gives two more answers.
    """
    row = Row()
    with serving("calibration") as agent:
        calls = [
            call
            for sound in SOUNDS
            for call in design(
                sound=sound,
                turns=turns // 2,
                interruptions=interruptions // 2,
                calls=max(1, at_once // 4),
                seed=1,
                agent=agent,
                conditions=conditions,
            )
        ]
        spoilt = _place(calls, row, at_once=at_once)
        row.spoilt = [call.plan.call_id for call in _place(spoilt, row, at_once=1)]
    return row


def _place(calls: Sequence[CalibrationCall], row: Row, *, at_once: int) -> list[CalibrationCall]:
    """Places calls, adds them to the row, and returns those that our machine spoilt."""
    spoilt: list[CalibrationCall] = []
    if not calls:
        return spoilt

    def on_placed(call: CalibrationCall, placed: Held) -> None:
        if placed.record.status is CallStatus.HARNESS_FAULT:
            spoilt.append(call)
        else:
            row.answers_due += len(call.utterances)
            row.interruptions_due += len(call.utterances) // 2 if call.kind == "interruption" else 0

    result = asyncio.run(
        calibrate(
            calls,
            transport=transport_for(calls[0].plan.agent),
            at_once=min(at_once, len(calls)),
            resolution_s=MARGIN_MS / 1000,
            on_placed=on_placed,
        )
    )
    for found in result.by_sound.values():
        row.add(found)
    return spoilt


def line_of(name: str, row: Row) -> str:
    """The row as it is printed."""
    answers = _figures(row.answers, row.answers_due)
    return f"{name:<22}{answers}  {_figures(row.interruptions, row.interruptions_due)}"


def _figures(errors_ms: Sequence[float], due: int) -> str:
    if not errors_ms:
        return f"{due:>6}{'none':>10}" + " " * 21
    size = np.abs(errors_ms)
    p50, p95 = np.percentile(size, [50, 95])
    return f"{due:>6}{100 * len(errors_ms) / due:>8.0f} %{p50:>7.2f}{p95:>7.2f}{size.max():>7.2f}"


def _reason(told: str) -> str:
    """A reason without its numbers, so that equal ones are counted together."""
    return re.sub(r"-?\d+(\.\d+)?", "N", told)


def _commit() -> str:
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.bad_networks", description=__doc__)
    parser.add_argument("networks", nargs="*", choices=[*NETWORKS, []], help="default: all")
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--interruptions", type=int, default=12)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--simulated", type=int, metavar="CALLS", help="so many simulated calls instead")
    return parser.parse_args()


if __name__ == "__main__":
    main()
