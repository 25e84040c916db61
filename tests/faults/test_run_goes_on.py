"""A run with faulty calls between good ones: it goes on, keeps every call, and its exit code says so."""

from __future__ import annotations

import json

import pytest

from harness.records.call import CallStatus
from tests.faults.command_line import IMPATIENT, LIMITS
from tests.faults.placing import beneath_pacing
from tests.faults.runs import RUNS, SCORED, Run

pytestmark = [pytest.mark.live, pytest.mark.alone]


def _one_small(run: str) -> tuple[pytest.MarkDecorator, ...]:
    """The other runs have more faults of the same kinds."""
    return () if run == SCORED else (pytest.mark.long,)


CALLS = [
    pytest.param(run, kind, marks=_one_small(run))
    for run, kinds in RUNS.items()
    for kind in ("good-before", *kinds, "good-after")
]


@pytest.fixture(scope="module")
def runs(started_runs: dict[str, Run]) -> dict[str, Run]:
    """The runs when they have ended."""
    for run in started_runs.values():
        run.command.ends()
    return started_runs


@pytest.mark.parametrize(("run", "kind"), CALLS)
def test_ends_in_its_own_way(runs: dict[str, Run], run: str, kind: str) -> None:
    record = runs[run].record(kind)
    status, detail = beneath_pacing(record), record.status_detail
    assert status is RUNS[run].get(kind, CallStatus.COMPLETED), detail
    assert record.duration_s < LIMITS["call_s"] + 1.0
    if status is CallStatus.SETUP_FAILED:
        assert record.plan.agent in detail
        # Who refuses does so at once; who never answers is waited for as long as its call is to.
        assert record.duration_s < IMPATIENT["connect_s"] + 3.0 < LIMITS["connect_s"]


@pytest.mark.parametrize(("run", "kind"), CALLS)
def test_keeps_what_there_was(runs: dict[str, Run], run: str, kind: str) -> None:
    store = runs[run].store
    record = runs[run].record(kind)
    events = store.read_events(kind)
    # What was dropped of a flood is counted after the end.
    assert [one.kind for one in events if one.kind != "messages-dropped"][-1] == "ended"
    audio = store.read_audio(kind)
    if record.status is CallStatus.SETUP_FAILED:
        assert audio is None
    else:
        assert audio is not None
        assert len(audio) >= round(record.duration_s * 48_000)
        assert audio[:, 1].any() == (kind not in ("never-speaks", "never-sends"))


@pytest.mark.parametrize("run", [pytest.param(run, marks=_one_small(run)) for run in RUNS])
def test_exit_code_and_terminal(runs: dict[str, Run], run: str) -> None:
    command = runs[run].command
    # Some calls could not be placed, and some could: a check failed.
    assert command.process.returncode == 1, command.stderr
    assert "Traceback" not in command.stdout + command.stderr
    assert "\x1b" not in command.stdout + command.stderr
    told = command.stderr if run == SCORED else command.stdout
    for kind in RUNS[run]:
        assert kind in told
        if RUNS[run][kind] is CallStatus.SETUP_FAILED:
            assert runs[run].record(kind).status_detail.splitlines()[0] in told


def test_faulty_calls_are_scored_and_counted(runs: dict[str, Run]) -> None:
    run = runs[SCORED]
    summary = json.loads(run.command.stdout)
    statuses = [run.record(kind).status for kind in ("good-before", *RUNS[SCORED], "good-after")]
    assert summary["calls"] == {str(status): statuses.count(status) for status in set(statuses)}
    assert (run.store.folder / "junit.xml").is_file()
    assert (run.store.folder / "report" / "index.html").is_file()
    scores = run.store.read_scores("never-speaks")
    assert scores is not None
    assert [turn.latency_ms for turn in scores.turns] == []
    scores = run.store.read_scores("stops-in-mid-speech")
    assert scores is not None
    # It was spoken to and never answered: no figure, and a reason.
    assert [turn.latency_ms for turn in scores.turns] == [None]
    assert all(turn.reason for turn in scores.turns)
    assert run.store.read_scores("garbage-sdp") is None
