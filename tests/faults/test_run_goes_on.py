"""A run with faulty calls between good ones, through the real command line: it goes on, and keeps every call.

Three runs are under way at the same time; the first one is scored as well.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.record import CallRecord, CallStatus
from harness.store import RunStore
from tests.faults.command_line import LIMITS, Command, call, good_call, start, write_plan
from tests.faults.placing import beneath_pacing

pytestmark = pytest.mark.live

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
        "garbage-packets": COMPLETED,
    },
}
"""Run -> kinds of faulty agents that it calls, between two good ones, and how those calls end."""
CALLS = [(run, kind) for run, kinds in RUNS.items() for kind in ("good-before", *kinds, "good-after")]


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run that has ended."""

    command: Command
    exit_code: int
    store: RunStore

    def record(self, call_id: str) -> CallRecord:
        record = self.store.read_record(call_id)
        assert record is not None, f"{call_id} was not kept:\n{self.command.stderr}"
        return record


@pytest.fixture(scope="module")
def runs(
    faulty: str, calibration: str, joe_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Run]:
    folder = tmp_path_factory.mktemp("runs")
    commands = {}
    for name, kinds in RUNS.items():
        plan = write_plan(
            folder / f"{name}.yaml",
            [
                good_call("good-before", calibration),
                *(call(kind, f"{faulty}/{kind}") for kind in kinds),
                good_call("good-after", calibration),
            ],
        )
        how = ["--json"] if name == "scored" else ["--no-score"]
        commands[name] = start("run", str(plan), "--out", "run", *how, folder=folder / name)
    return {
        name: Run(command=command, exit_code=command.ends(), store=RunStore(folder / name / "run"))
        for name, command in commands.items()
    }


@pytest.mark.parametrize(("run", "kind"), CALLS)
def test_ends_in_its_own_way(runs: dict[str, Run], run: str, kind: str) -> None:
    record = runs[run].record(kind)
    status, detail = beneath_pacing(record.status, record.status_detail)
    assert status is RUNS[run].get(kind, COMPLETED), detail
    assert record.duration_s < LIMITS["call_s"] + 1.0
    if status is SETUP_FAILED:
        assert record.plan.agent in detail
        assert record.duration_s < LIMITS["connect_s"] + 1.0


@pytest.mark.parametrize(("run", "kind"), CALLS)
def test_keeps_what_there_was(runs: dict[str, Run], run: str, kind: str) -> None:
    store = runs[run].store
    record = runs[run].record(kind)
    events = store.read_events(kind)
    assert events[-1].kind == "ended"
    audio = store.read_audio(kind)
    if record.status is SETUP_FAILED:
        assert audio is None
    else:
        assert audio is not None
        assert len(audio) >= round(record.duration_s * 48_000)
        assert audio[:, 1].any() == (kind not in ("never-speaks", "never-sends"))


@pytest.mark.parametrize("run", RUNS)
def test_exit_code_and_terminal(runs: dict[str, Run], run: str) -> None:
    command = runs[run].command
    # Some calls could not be placed, and some could: a check failed.
    assert runs[run].exit_code == 1, command.stderr
    assert "Traceback" not in command.stdout + command.stderr
    assert "\x1b" not in command.stdout + command.stderr
    told = command.stderr if run == "scored" else command.stdout
    for kind in RUNS[run]:
        assert kind in told
        if RUNS[run][kind] is SETUP_FAILED:
            assert runs[run].record(kind).status_detail.splitlines()[0] in told


def test_faulty_calls_are_scored_and_counted(runs: dict[str, Run]) -> None:
    run = runs["scored"]
    summary = json.loads(run.command.stdout)
    statuses = [run.record(kind).status for kind in ("good-before", *RUNS["scored"], "good-after")]
    assert summary["calls"] == {str(status): statuses.count(status) for status in set(statuses)}
    assert (run.store.folder / "junit.xml").is_file()
    assert run.store.report_page.is_file()
    scores = run.store.read_scores("never-speaks")
    assert scores is not None
    assert [turn.latency_ms for turn in scores.turns] == []
    scores = run.store.read_scores("stops-in-mid-speech")
    assert scores is not None
    # It was spoken to and never answered: no figure, and a reason.
    assert [turn.latency_ms for turn in scores.turns] == [None]
    assert all(turn.reason for turn in scores.turns)
    assert run.store.read_scores("garbage-sdp") is None
