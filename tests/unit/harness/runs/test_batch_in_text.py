"""Many dialogues: at once, kept at once, gone on with, and stopped where going on makes no sense."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from harness.calls.conversation import Held, Watcher
from harness.calls.guard import read_guard
from harness.calls.text.agents.base import AgentFailed
from harness.calls.text.medium import TextConversation
from harness.calls.text.talk import Participants
from harness.errors import BudgetSpent, UserError
from harness.plans.benchmark import text_units
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from harness.records.call import CallRecord, CallStatus
from harness.records.run import RunInfo
from harness.runs.batch import STOP_AFTER, Outcome, hold_all
from harness.runs.store import RunStore, is_chat_run
from tests.unit.harness.stand_ins.chatting import ScriptedAgent, ScriptedCaller, entry, sides

NAMES = [f"{scenario}/{who}" for scenario in ("cs-bank-complaint", "fin-loan-collection") for who in (
    "cooperative", "analytical", "hesitant", "resistant")]  # fmt: skip


def jobs(count: int = 4, *, models: Sequence[str] = ("a:x",), seed: int = 0) -> list[Unit]:
    entries = [entry(name) for name in NAMES[:count]]
    return text_units(entries, policy="agenda", agent="llm", models=models, seed=seed)


class Builder:
    """Makes two-turn dialogues, or whatever ``agent_for`` says; keeps the ids that it was asked for."""

    def __init__(self, agent_for: Callable[[Unit], ScriptedAgent | None] = lambda job: None) -> None:
        self._agent_for = agent_for
        self.made: list[str] = []

    async def __aenter__(self) -> Builder:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def check(self, unit: Unit) -> None:
        pass

    def versions(self) -> dict[str, str]:
        return {"outboundeval": "1.2.3"}

    async def prepare(self, unit: Unit, watcher: Watcher) -> TextConversation:
        return TextConversation(
            plan=unit.plan,
            sides=self.sides(unit),
            on_event=lambda event: watcher.on_event(unit.plan, event),
            versions=self.versions(),
        )

    def sides(self, job: Unit) -> Participants:
        self.made.append(job.plan.call_id)
        return sides(ScriptedCaller("Yes?", None), self._agent_for(job) or ScriptedAgent("Hello."))


def plan_of(todo: list[Unit]) -> RunPlan:
    return RunPlan(name="test", units=tuple(todo))


def run(
    todo: list[Unit],
    folder: Path,
    builder: Builder,
    *,
    parallel: int = 1,
    again: bool = False,
    rerun_guilty: int = 0,
    watcher: Watcher | None = None,
) -> Outcome:
    return asyncio.run(
        hold_all(
            plan_of(todo),
            RunStore(folder),
            medium=builder,
            parallel=parallel,
            again=again,
            rerun_guilty=rerun_guilty,
            watcher=watcher,
        )
    )


def statuses(folder: Path) -> dict[str, CallStatus]:
    return {record.plan.task.entry: record.status for record in RunStore(folder).records()}


def test_every_dialogue_is_held_and_kept_and_the_run_is_finished(tmp_path: Path) -> None:
    todo = jobs(models=["a:x", "b:y"])
    outcome = run(todo, tmp_path / "run", Builder(), parallel=3)
    assert outcome.count(CallStatus.COMPLETED) == 8
    store = RunStore(tmp_path / "run")
    records = list(store.records())
    assert [record.plan.call_id for record in records] == [job.plan.call_id for job in todo]
    assert records[0].plan == todo[0].plan
    assert [turn.text for turn in records[0].dialogue.turns] == ["Hello.", "Yes?", "Hello."]
    assert store.read_events(records[0].plan.call_id)[-1].kind == "ended"
    info = store.read_info()
    assert info is not None
    assert info.kind == "chat"
    assert info.competitors == ("a:x", "b:y")
    assert info.finished_at
    assert is_chat_run(tmp_path / "run")


class Slips(Builder):
    """In the dialogue with this id its caller speaks as the agent, so often; then it is a person again."""

    def __init__(self, dialogue_id: str, times: int) -> None:
        super().__init__()
        self._dialogue_id = dialogue_id
        self._times = times

    def sides(self, job: Unit) -> Participants:
        usual = super().sides(job)
        if job.plan.call_id != self._dialogue_id or self.made.count(self._dialogue_id) > self._times:
            return usual
        slip = "As an AI language model, I cannot answer that."
        return sides(ScriptedCaller(slip, None), ScriptedAgent("Hello."))


def test_a_caller_at_fault_is_given_another_chance_and_the_record_says_so(tmp_path: Path) -> None:
    todo = jobs(2)
    first, second = (job.plan.call_id for job in todo)
    builder = Slips(first, times=2)
    run(todo, tmp_path / "run", builder, rerun_guilty=3)
    assert builder.made == [first, first, first, second]
    records = list(RunStore(tmp_path / "run").records())
    assert [attempt.status for attempt in records[0].earlier_attempts] == [CallStatus.COMPLETED] * 2
    assert all("broke_character" in attempt.guilty[0] for attempt in records[0].earlier_attempts)
    assert records[1].earlier_attempts == ()
    guard = read_guard(tmp_path / "run" / "dialogues" / first)
    assert guard is not None
    assert guard.verdict != "guilty"


def test_a_caller_that_stays_at_fault_is_not_held_for_ever(tmp_path: Path) -> None:
    todo = jobs(1)
    guilty = todo[0].plan.call_id
    folder = tmp_path / "run"
    run(todo, folder, Slips(guilty, times=99))
    assert next(iter(RunStore(folder).records())).earlier_attempts == ()
    later = Slips(guilty, times=99)
    run(todo, folder, later, rerun_guilty=2)
    assert later.made == [guilty, guilty], "the one of the first start counts"
    assert len(next(iter(RunStore(folder).records())).earlier_attempts) == 2
    once_more = Slips(guilty, times=99)
    run(todo, folder, once_more, rerun_guilty=2)
    assert once_more.made == []


def test_as_many_are_held_at_once_as_asked_and_no_more(tmp_path: Path) -> None:
    at_once = most = 0

    async def busy() -> str:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.01)
        at_once -= 1
        return "Hello."

    run(jobs(8), tmp_path / "run", Builder(lambda job: ScriptedAgent(busy)), parallel=3)
    assert most == 3


def test_a_finished_run_is_not_held_again(tmp_path: Path) -> None:
    run(jobs(), tmp_path / "run", Builder())
    again = Builder()
    kept: list[int] = []
    outcome = run(jobs(), tmp_path / "run", again, watcher=Watcher(on_complete_before=kept.append))
    assert again.made == []
    assert kept == [4]
    assert len(outcome.complete_before) == 4
    assert outcome.count(CallStatus.COMPLETED) == 4


def test_a_run_that_was_cut_off_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    async def until_cut_off() -> Outcome:
        third = asyncio.Event()

        async def hang() -> str:
            third.set()
            await asyncio.Event().wait()
            return "never"

        def agent_for(job: Unit) -> ScriptedAgent | None:
            return ScriptedAgent("Hello.", hang) if job.plan.task.entry == NAMES[2] else None

        task = asyncio.create_task(hold_all(plan_of(jobs()), RunStore(folder), medium=Builder(agent_for)))
        await third.wait()
        task.cancel()  # what Ctrl-C does
        return await task

    outcome = asyncio.run(until_cut_off())
    assert outcome.by_person
    assert list(statuses(folder)) == NAMES[:2]
    info = RunStore(folder).read_info()
    assert info is not None
    assert info.finished_at is None

    builder = Builder()
    outcome = run(jobs(), folder, builder)
    assert len(builder.made) == 2
    assert list(statuses(folder)) == NAMES[:4]
    assert outcome.interrupted == ""


def test_ctrl_c_is_noticed_where_neither_side_ever_waits(tmp_path: Path) -> None:
    async def until_cut_off() -> Outcome:
        held: list[CallRecord] = []

        def on_held(one: Held) -> None:
            held.append(one.record)
            if len(held) == 2:
                batch.cancel()

        batch = asyncio.create_task(
            hold_all(
                plan_of(jobs(8)),
                RunStore(tmp_path / "run"),
                medium=Builder(),
                watcher=Watcher(on_held=on_held),
            )
        )
        return await batch

    outcome = asyncio.run(until_cut_off())
    assert outcome.interrupted
    assert list(statuses(tmp_path / "run")) == NAMES[:2]


def test_a_record_that_was_damaged_is_held_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(jobs(), folder, Builder())
    file = RunStore(folder).call_folder(jobs()[1].plan.call_id) / "dialogue.json"
    file.write_text(file.read_text()[:100])
    builder = Builder()
    run(jobs(), folder, builder)
    assert builder.made == [jobs()[1].plan.call_id]


def test_the_folder_of_another_plan_is_refused(tmp_path: Path) -> None:
    run(jobs(), tmp_path / "run", Builder())
    for other in (jobs(3), jobs(models=["b:y"]), jobs(seed=1)):
        with pytest.raises(UserError, match=r"another plan \(test, 4 dialogues with a:x\)"):
            run(other, tmp_path / "run", Builder())


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep me")
    with pytest.raises(UserError, match="is not empty and holds no run"):
        run(jobs(), tmp_path / "mine", Builder())
    with pytest.raises(UserError, match="is no folder"):
        run(jobs(), tmp_path / "mine" / "notes.txt", Builder())
    (tmp_path / "calls").mkdir()
    info = RunInfo(
        name="nightly", started_at="", outboundeval="1", plan_digest="0", agents=["http://a"], call_ids=["a"]
    )
    RunStore(tmp_path / "calls").write_info(info)
    with pytest.raises(UserError, match=r"another plan \(nightly, 1 call with http://a\)"):
        run(jobs(), tmp_path / "calls", Builder())
    assert not is_chat_run(tmp_path / "calls")
    assert not is_chat_run(tmp_path / "nowhere")


# --- failures


def _second_fails(job: Unit) -> ScriptedAgent | None:
    return ScriptedAgent("Hello.", AgentFailed("HTTP 500")) if job.plan.task.entry == NAMES[1] else None


def test_one_failure_stops_nothing_and_is_kept_as_a_result(tmp_path: Path) -> None:
    outcome = run(jobs(), tmp_path / "run", Builder(_second_fails))
    assert outcome.count(CallStatus.COMPLETED) == 3
    assert statuses(tmp_path / "run")[NAMES[1]] is CallStatus.AGENT_FAILED
    builder = Builder()
    run(jobs(), tmp_path / "run", builder)
    assert builder.made == []


def test_a_failed_dialogue_is_held_again_when_asked_and_its_first_attempt_is_not_forgotten(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "run"
    run(jobs(), folder, Builder(_second_fails))
    scores = RunStore(folder).call_folder(jobs()[1].plan.call_id) / "scores.json"
    scores.write_text("{}")
    run(jobs(), folder, Builder(_second_fails), again=True)
    builder = Builder()
    run(jobs(), folder, builder, again=True)
    assert builder.made == [jobs()[1].plan.call_id]
    record = RunStore(folder).read_record(builder.made[0])
    assert record is not None
    assert record.status is CallStatus.COMPLETED
    assert [(one.status, one.status_detail) for one in record.earlier_attempts] == [
        (CallStatus.AGENT_FAILED, "HTTP 500"),
        (CallStatus.AGENT_FAILED, "HTTP 500"),
    ]
    assert not scores.exists()  # they were of another dialogue


def test_a_model_that_is_gone_ends_its_own_part_of_the_run_alone(tmp_path: Path) -> None:
    def agent_for(job: Unit) -> ScriptedAgent | None:
        return ScriptedAgent(AgentFailed("connection refused")) if job.plan.agent_model == "b:y" else None

    outcome = run(jobs(8, models=["a:x", "b:y"]), tmp_path / "run", Builder(agent_for))
    assert outcome.count(CallStatus.COMPLETED) == 8
    assert outcome.count(CallStatus.SETUP_FAILED) == STOP_AFTER
    assert list(outcome.stopped) == ["b:y"]
    assert "connection refused" in outcome.stopped["b:y"]
    info = RunStore(tmp_path / "run").read_info()
    assert info is not None
    assert info.finished_at is None

    run(jobs(8, models=["a:x", "b:y"]), tmp_path / "run", Builder(), again=True)
    assert set(statuses(tmp_path / "run").values()) == {CallStatus.COMPLETED}


def test_failures_that_are_not_in_a_row_stop_nothing(tmp_path: Path) -> None:
    def agent_for(job: Unit) -> ScriptedAgent | None:
        fails = NAMES.index(job.plan.task.entry) != STOP_AFTER - 1
        return ScriptedAgent(AgentFailed("HTTP 500")) if fails else None

    outcome = run(jobs(8), tmp_path / "run", Builder(agent_for))
    assert outcome.stopped == {}
    assert len(outcome.statuses) == 8


def test_a_spent_budget_ends_the_run_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    def agent_for(job: Unit) -> ScriptedAgent | None:
        return ScriptedAgent(BudgetSpent("5 USD are spent")) if job.plan.task.entry == NAMES[2] else None

    outcome = run(jobs(), tmp_path / "run", Builder(agent_for))
    assert outcome.interrupted == "5 USD are spent"
    assert list(statuses(tmp_path / "run")) == NAMES[:2]
    builder = Builder()
    run(jobs(), tmp_path / "run", builder)
    assert len(builder.made) == 2


def test_a_side_that_cannot_be_made_ends_the_run_with_its_message(tmp_path: Path) -> None:
    def agent_for(job: Unit) -> ScriptedAgent | None:
        raise UserError("no such model")

    with pytest.raises(UserError, match="no such model"):
        run(jobs(), tmp_path / "run", Builder(agent_for), parallel=2)


def test_records_of_no_run_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no run"):
        list(RunStore(tmp_path).records())


def test_what_was_held_is_told_at_once(tmp_path: Path) -> None:
    seen: list[tuple[str, bool]] = []

    def on_held(held: Held) -> None:
        record = held.record
        on_disk = RunStore(tmp_path / "run").read_record(record.plan.call_id)
        seen.append((record.plan.about.entry, on_disk == record))

    run(jobs(2), tmp_path / "run", Builder(), watcher=Watcher(on_held=on_held))
    assert seen == [(NAMES[0], True), (NAMES[1], True)]
