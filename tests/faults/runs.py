"""Runs of faulty calls between good ones, through the real command line, all under way at the same time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from harness.records.call import CallRecord, CallStatus
from harness.runs.store import RunStore
from tests.faults.command_line import IMPATIENT, LIMITS, Command, call, good_call, start, write_plan

SETUP_FAILED, TIMEOUT = CallStatus.SETUP_FAILED, CallStatus.TIMEOUT
CALLER_HANGUP, AGENT_HANGUP = CallStatus.CALLER_HANGUP, CallStatus.AGENT_HANGUP
COMPLETED = CallStatus.COMPLETED

RUNS: dict[str, dict[str, CallStatus]] = {
    "scored": {
        "garbage-sdp": SETUP_FAILED,
        "never-speaks": CALLER_HANGUP,
        "stops-in-mid-speech": CALLER_HANGUP,
        "hangs-up-mid-word": AGENT_HANGUP,
        "jumping-timestamps": COMPLETED,
    },
    "second": {
        "web-page": SETUP_FAILED,
        "never-answers": SETUP_FAILED,
        "dtls-never-completes": SETUP_FAILED,
        "never-sends": CALLER_HANGUP,
        "peer-left": AGENT_HANGUP,
        "channel-flood": COMPLETED,
        "changing-ssrc": COMPLETED,
    },
    "third": {
        "refusal-with-tricks": SETUP_FAILED,
        "deaf": SETUP_FAILED,
        "only-pcmu": SETUP_FAILED,
        "ice-never-completes": SETUP_FAILED,
        "never-stops": TIMEOUT,
        "channel-garbage": COMPLETED,
    },
}
"""Run -> kinds of faulty agents that it calls, between two good ones, and how those calls end."""
LIMITS_OF = {
    "never-stops": {"connect_s": LIMITS["connect_s"], "call_s": 4.0},
    "never-answers": IMPATIENT,
    "dtls-never-completes": IMPATIENT,
    "ice-never-completes": IMPATIENT,
}
SCORED = "scored"


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run that was started."""

    command: Command
    store: RunStore

    def record(self, call_id: str) -> CallRecord:
        record = self.store.read_record(call_id)
        assert record is not None, f"{call_id} was not kept:\n{self.command.stderr}"
        return record


def start_runs(folder: Path, *, names: Collection[str], faulty: str, calibration: str) -> dict[str, Run]:
    """Starts some of :data:`RUNS`, by their names; nobody waits for them yet."""
    runs = {}
    for name in names:
        kinds = RUNS[name]
        calls = [
            call(kind, f"{faulty}/{kind}", **({"limits": LIMITS_OF[kind]} if kind in LIMITS_OF else {}))
            for kind in kinds
        ]
        plan = write_plan(
            folder / f"{name}.yaml",
            [good_call("good-before", calibration), *calls, good_call("good-after", calibration)],
        )
        how = "--json" if name == SCORED else "--no-score"
        command = start("run", str(plan), "--out", "run", how, folder=folder / name)
        runs[name] = Run(command=command, store=RunStore(folder / name / "run"))
    return runs
