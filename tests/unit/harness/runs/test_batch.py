"""A run of several calls: in order, kept at once, and gone on with where it was cut off."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from harness.calls.conversation import Held, Watcher
from harness.calls.voice import prepare
from harness.calls.voice.medium import VoiceMedium
from harness.calls.voice.place import PreparedCall
from harness.calls.voice.workers import pool as call_helpers
from harness.errors import (
    EXIT_CHECK_FAILED,
    EXIT_INTERRUPTED,
    EXIT_NOT_PLACED,
    EXIT_OK,
    SetupFailed,
    UserError,
)
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan
from harness.records.call import CallStatus, Event
from harness.runs import opening
from harness.runs.batch import Outcome, hold_all
from harness.runs.opening import open_run
from harness.runs.store import RunStore
from tests.unit.harness.stand_ins.fake_agent import FakeEars, FakeTransport, prepared_call, wait_for_packets
from voice_sim.policies.base import PolicyError
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
from voice_sim.voice.utterance import tone

PATIENCE_S = 30.0


def _plan(*ids: str, agent: str = "fake://agent", patience_s: float = 0.1) -> RunPlan:
    script = {"wait_for_greeting": True, "lines": [{"say": "one"}]}
    limits = {"first_speech_s": patience_s, "silence_s": patience_s}
    calls = [{"id": call_id, "script": script, "limits": limits} for call_id in ids]
    return expand_plan({"name": "test run", "agent": agent, "calls": calls})


class _Builder:
    """Prepares tones; notes what it was asked for."""

    def __init__(self, *, wrong: str = "") -> None:
        self.prepared: list[str] = []
        self._wrong = wrong

    def check(self, plan: CallPlan) -> None:
        if plan.call_id == self._wrong:
            raise UserError(f"call {plan.call_id}: no such voice")

    def prepare(self, plan: CallPlan, **_: Any) -> PreparedCall:
        self.prepared.append(plan.call_id)
        made = prepared_call(
            ScriptLine(say="one"), call_id=plan.call_id, wait_for_greeting=True, limits=plan.limits
        )
        return dataclasses.replace(made, plan=plan, transport=prepare.transport_for(plan.agent))


class _EarsInPlace(FakeEars):
    async def __aenter__(self) -> _EarsInPlace:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch) -> FakeTransport:
    """An agent that never speaks: each call ends after 0.1 s, given up by the caller."""
    fake = FakeTransport()
    monkeypatch.setattr(prepare, "transport_for", lambda agent: fake)
    monkeypatch.setattr(call_helpers, "Ears", _EarsInPlace)
    return fake


async def _run(plan: RunPlan, folder: Path, builder: Any = None, watcher: Any = None) -> Outcome:
    async with asyncio.timeout(PATIENCE_S):
        return await hold_all(
            plan,
            RunStore(folder),
            medium=VoiceMedium(builder or _Builder()),
            watcher=watcher or Watcher(),
        )


async def test_calls_are_placed_in_order_and_each_is_kept_before_the_next_begins(
    tmp_path: Path, transport: FakeTransport
) -> None:
    store = RunStore(tmp_path / "run")
    steps: list[str] = []

    def on_preparing(call: CallPlan, done: int, total: int) -> None:
        complete = [name for name in ("a", "b", "c") if store.read_record(name) is not None]
        steps.append(f"{done}/{total} {call.call_id} after {','.join(complete) or 'none'}")

    def on_held(placed: Held) -> None:
        assert store.read_record(placed.record.plan.call_id) is not None

    watcher = Watcher(on_preparing=on_preparing, on_held=on_held)
    outcome = await _run(_plan("a", "b", "c"), tmp_path / "run", watcher=watcher)
    assert steps == ["0/3 a after none", "1/3 b after a", "2/3 c after a,b"]
    assert outcome.statuses == dict.fromkeys("abc", CallStatus.CALLER_HANGUP)
    assert outcome.complete_before == []
    assert len(transport.sessions) == 3
    info = store.read_info()
    assert info is not None
    assert info.call_ids == ["a", "b", "c"]
    assert info.finished_at is not None
    assert info.name == "test run"
    assert info.agents == ["fake://agent"]


async def test_one_call_that_cannot_be_placed_does_not_end_the_run(
    tmp_path: Path, transport: FakeTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = FakeTransport(fails=SetupFailed("nobody there"))
    transports = iter([transport, nobody, transport])
    monkeypatch.setattr(prepare, "transport_for", lambda agent: next(transports))
    outcome = await _run(_plan("a", "b", "c"), tmp_path)
    assert outcome.statuses["b"] is CallStatus.SETUP_FAILED
    assert outcome.count(CallStatus.CALLER_HANGUP) == 2
    assert outcome.exit_code == EXIT_CHECK_FAILED
    assert RunStore(tmp_path).read_audio("b") is None


async def test_a_second_start_places_nothing_again(tmp_path: Path, transport: FakeTransport) -> None:
    plan = _plan("a", "b")
    await _run(plan, tmp_path)
    before = RunStore(tmp_path).read_info()
    transport.sessions.clear()
    builder = _Builder()
    outcome = await _run(plan, tmp_path, builder)
    assert outcome.complete_before == ["a", "b"]
    assert outcome.statuses == dict.fromkeys("ab", CallStatus.CALLER_HANGUP)
    assert builder.prepared == []
    assert transport.sessions == []
    after = RunStore(tmp_path).read_info()
    assert before == after, "the run began and finished when it did"


async def test_calls_of_two_versions_are_not_told_to_be_of_the_first(
    tmp_path: Path, transport: FakeTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> tuple[str, str, str, str]:
        info = RunStore(tmp_path).read_info()
        assert info is not None
        versions = info.versions
        return info.outboundeval, versions["outboundeval"], versions["av"], versions["benchmark"]

    plan = _plan("a", "b")
    monkeypatch.setattr(VoiceMedium, "versions", lambda medium: {"outboundeval": "0.1.0", "av": "14"})
    monkeypatch.setattr(opening, "benchmark_version", lambda: "b1")
    await _run(plan, tmp_path)
    monkeypatch.setattr(VoiceMedium, "versions", lambda medium: {"outboundeval": "0.2.0", "av": "14"})
    monkeypatch.setattr(opening, "benchmark_version", lambda: "b2")
    await _run(plan, tmp_path)
    assert told() == ("0.1.0", "0.1.0", "14", "b1"), "nothing was placed by the other"
    (RunStore(tmp_path).call_folder("b") / "call.json").unlink()
    await _run(plan, tmp_path)
    assert told() == ("0.1.0 / 0.2.0", "0.1.0 / 0.2.0", "14", "b1 / b2")


async def test_what_is_missing_or_broken_is_placed_and_nothing_else(
    tmp_path: Path, transport: FakeTransport
) -> None:
    plan = _plan("a", "b", "c", "d")
    await _run(plan, tmp_path)
    store = RunStore(tmp_path)
    (store.call_folder("b") / "call.json").write_text("{")
    (store.call_folder("d") / "call.json").unlink()
    builder = _Builder()
    outcome = await _run(plan, tmp_path, builder)
    assert builder.prepared == ["b", "d"]
    assert outcome.complete_before == ["a", "c"]
    assert store.read_record("b") is not None


async def test_a_failed_call_is_a_result_and_an_interrupted_one_is_not(
    tmp_path: Path, transport: FakeTransport
) -> None:
    plan = _plan("a", "b")
    await _run(plan, tmp_path)
    store = RunStore(tmp_path)
    for call_id, status in (("a", "harness_fault"), ("b", "interrupted")):
        path = store.call_folder(call_id) / "call.json"
        content = json.loads(path.read_text())
        path.write_text(json.dumps(content | {"status": status, "status_detail": "so it was"}))
    builder = _Builder()
    outcome = await _run(plan, tmp_path, builder)
    assert builder.prepared == ["b"]
    assert outcome.statuses == {"a": CallStatus.HARNESS_FAULT, "b": CallStatus.CALLER_HANGUP}


async def test_ctrl_c_keeps_the_present_call_ends_the_run_and_the_next_start_goes_on(
    tmp_path: Path, transport: FakeTransport
) -> None:
    transport.says = [(0.1, tone(10.0).samples)]
    plan = _plan("a", "b", patience_s=0.8)
    task = asyncio.create_task(_run(plan, tmp_path))
    await wait_for_packets(transport, 20, task=task)
    task.cancel()
    outcome = await task
    assert outcome.interrupted
    assert outcome.statuses == {}
    assert outcome.exit_code == EXIT_INTERRUPTED
    store = RunStore(tmp_path)
    record, info = store.read_record("a"), store.read_info()
    assert record is not None
    assert record.status is CallStatus.INTERRUPTED
    assert store.read_audio("a") is not None
    assert info is not None
    assert info.finished_at is None
    transport.says = ()
    outcome = await _run(plan, tmp_path)
    assert outcome.complete_before == []
    assert set(outcome.statuses.values()) == {CallStatus.CALLER_HANGUP}
    finished = store.read_info()
    assert finished is not None
    assert finished.started_at == info.started_at
    assert finished.finished_at is not None


async def test_ctrl_c_when_a_call_is_over_keeps_it_and_begins_no_other(
    tmp_path: Path, transport: FakeTransport
) -> None:
    def on_event(call: CallPlan, event: Event) -> None:
        if event.kind == "ended":
            task.cancel()

    plan = _plan("a", "b")
    task = asyncio.create_task(_run(plan, tmp_path, watcher=Watcher(on_event=on_event)))
    outcome = await task
    assert outcome.by_person
    assert outcome.statuses == {"a": CallStatus.CALLER_HANGUP}
    assert RunStore(tmp_path).read_audio("a") is not None
    builder = _Builder()
    outcome = await _run(plan, tmp_path, builder)
    assert (builder.prepared, outcome.complete_before) == (["b"], ["a"])


async def test_what_would_stop_a_later_call_stops_the_run_before_its_first(
    tmp_path: Path, transport: FakeTransport
) -> None:
    with pytest.raises(UserError, match="call b: no such voice"):
        await _run(_plan("a", "b"), tmp_path / "run", builder=_Builder(wrong="b"))
    assert not transport.sessions
    assert not (tmp_path / "run").exists()


async def test_the_folder_of_another_run_is_refused(tmp_path: Path, transport: FakeTransport) -> None:
    await _run(_plan("a"), tmp_path)
    for other in (_plan("a", "b"), _plan("a", agent="fake://other")):
        with pytest.raises(UserError, match="run of another plan"):
            await _run(other, tmp_path)
    assert len(transport.sessions) == 1


@pytest.mark.parametrize("kind", ["file", "folder of something else"])
def test_a_place_that_is_no_run_folder_is_refused_and_left_alone(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    if kind == "file":
        place.write_text("precious")
    else:
        place.mkdir()
        (place / "precious").write_text("precious")
    with pytest.raises(UserError, match="--out"):
        open_run(_plan("a"), RunStore(place), versions={})
    kept = place if kind == "file" else place / "precious"
    assert kept.read_text() == "precious"


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    assert open_run(_plan("a"), RunStore(tmp_path), versions={}).call_ids == ["a"]
    assert open_run(_plan("a"), RunStore(tmp_path / "deep" / "er"), versions={}).call_ids == ["a"]


def test_the_digest_of_a_plan_stands_for_all_its_calls() -> None:
    digests = {_plan(*ids).digest for ids in (("a",), ("a", "b"), ("b", "a"), ("b",))}
    assert len(digests) == 4
    assert _plan("a", "b").digest == _plan("a", "b").digest


@pytest.mark.parametrize(
    ("statuses", "code"),
    [
        ([CallStatus.COMPLETED, CallStatus.COMPLETED], EXIT_OK),
        ([CallStatus.COMPLETED, CallStatus.CALLER_HANGUP, CallStatus.TIMEOUT], EXIT_OK),
        ([CallStatus.COMPLETED, CallStatus.SETUP_FAILED], EXIT_CHECK_FAILED),
        ([CallStatus.COMPLETED, CallStatus.HARNESS_FAULT], EXIT_CHECK_FAILED),
        ([CallStatus.SETUP_FAILED, CallStatus.SETUP_FAILED], EXIT_NOT_PLACED),
        ([CallStatus.SETUP_FAILED, CallStatus.HARNESS_FAULT], EXIT_CHECK_FAILED),
        ([CallStatus.NEVER_RUNG, CallStatus.RANG_OFF, CallStatus.NOT_ANSWERED], EXIT_NOT_PLACED),
        ([CallStatus.COMPLETED, CallStatus.NEVER_RUNG], EXIT_CHECK_FAILED),
    ],
)
def test_the_exit_code_says_what_became_of_the_calls(statuses: list[CallStatus], code: int) -> None:
    assert Outcome(statuses=dict(zip("abc", statuses, strict=False))).exit_code == code


def test_what_was_not_taken_because_the_plan_says_so_fails_nothing() -> None:
    statuses = {"a": CallStatus.NOT_ANSWERED, "b": CallStatus.NOT_ANSWERED}
    assert Outcome(statuses=statuses, as_planned={"a", "b"}).exit_code == EXIT_OK
    assert Outcome(statuses=statuses, as_planned={"a"}).exit_code == EXIT_CHECK_FAILED


class _Actor(ScriptPolicy):
    """A policy that has to read its part first."""

    def __init__(self, transport: FakeTransport, *, fails: str = "") -> None:
        super().__init__(Script(wait_for_greeting=True, lines=(ScriptLine(say="one"),)))
        self.calls_before: list[int] = []
        self._transport = transport
        self._fails = fails

    async def warm_up(self) -> None:
        self.calls_before.append(len(self._transport.sessions))
        if self._fails:
            raise PolicyError(self._fails)


class _Casting(_Builder):
    """Has the call ``b`` played by an actor."""

    def __init__(self, actor: _Actor) -> None:
        super().__init__()
        self._actor = actor

    def prepare(self, plan: CallPlan, **fields: Any) -> PreparedCall:
        made = super().prepare(plan, **fields)
        return dataclasses.replace(made, policy=self._actor) if plan.call_id == "b" else made


async def test_a_policy_reads_its_part_before_the_agent_is_called(
    tmp_path: Path, transport: FakeTransport
) -> None:
    actor = _Actor(transport)
    outcome = await _run(_plan("a", "b"), tmp_path, builder=_Casting(actor))
    assert actor.calls_before == [1], "after the call before it, and before its own"
    assert outcome.statuses["b"] is CallStatus.CALLER_HANGUP


async def test_nobody_is_called_for_a_policy_that_does_not_answer(
    tmp_path: Path, transport: FakeTransport
) -> None:
    actor = _Actor(transport, fails="the caller's language model failed: no answer")
    outcome = await _run(_plan("a", "b", "c"), tmp_path, builder=_Casting(actor))
    assert outcome.statuses["b"] is CallStatus.HARNESS_FAULT
    assert outcome.count(CallStatus.CALLER_HANGUP) == 2, "the run goes on"
    assert len(transport.sessions) == 2
    record = RunStore(tmp_path).read_record("b")
    assert record is not None
    assert "no answer; the agent was not called" in record.status_detail
