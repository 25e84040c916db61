"""A run on several hosts: who gets what, what becomes of calls of one that is lost. Processes are stubs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from harness.calls.conversation import Held
from harness.errors import HarnessFault
from harness.plans.run import Load, RunPlan
from harness.plans.unit import Unit
from harness.records.call import CallStatus
from harness.records.placed.placings import read_placings
from harness.runs.attempts import with_earlier
from harness.runs.store import RunStore
from harness.runs.workers.admission import Admission, Heard
from harness.runs.workers.call_process import HoldsCalls, OnTold
from harness.runs.workers.host import AHEAD, Host
from harness.runs.workers.many import Many
from harness.runs.workers.messages import Hold, Order, Told
from tests.unit.harness.stand_ins.recorded import recorded_call

IDS = [f"c{number}" for number in range(8)]


class _Medium:
    def check(self, unit: Unit) -> None: ...

    of_ours = "0.1.0"

    def versions(self) -> dict[str, str]:
        return {"outboundeval": self.of_ours}


class _Process(HoldsCalls):
    """Holds a call for some turns of the event loop, and keeps it.

    Args:
        ends_after: It is gone when so many of its calls have been dialled.
    """

    def __init__(self, store: RunStore, on_told: OnTold, *, ends_after: int = 100) -> None:
        super().__init__(on_told)
        self._store = store
        self._ends_after = ends_after
        self._gone = ""

    async def __aenter__(self) -> Self:
        # Before those beside it are ready.
        paced = {"standing": 0, "frames": 0, "late_p95_ms": 0.5, "understood_p95_s": 0.0}
        self.take(Told(kind="pacing", data=paced))
        return self

    async def __aexit__(self, *_: object) -> None: ...

    @property
    def where(self) -> str:
        return "1"

    @property
    def gone(self) -> str:
        return self._gone

    def give(self, job: Hold) -> None:
        self.jobs[job.unit.id] = job
        self.take(Told(kind="prepared", call=job.unit.id, data={}))

    def order(self, order: Order) -> None:
        self._ends_after -= 1
        if self._ends_after < 0:
            self._gone = "it is gone"
            return
        asyncio.get_running_loop().call_later(0.3, self._hold, order.call)

    async def hang_up(self) -> None: ...

    def _hold(self, call: str) -> None:
        if self._gone or call not in self.jobs:
            return
        held: Held = with_earlier(recorded_call(call), self.jobs[call].earlier)
        self._store.write(held)
        self.take(Told(kind="held", call=call, data={"status": "completed", "detail": "fine"}))


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """To write recordings is not what is tried."""
    monkeypatch.setattr("harness.runs.store.recording_bytes", lambda audio: b"")
    monkeypatch.setattr("harness.runs.workers.host.TICK_S", 0.01)
    monkeypatch.setattr("harness.runs.workers.many.TICK_S", 0.01)
    monkeypatch.setattr("harness.runs.workers.admission.STAGGER_S", 0.01)


def _many(folder: Path, **plan: Any) -> Many:
    units = tuple(Unit(plan=recorded_call(one).record.plan) for one in IDS)
    run = RunPlan(name="night", units=units, **plan)
    return Many.of(run, RunStore(folder), medium=_Medium(), watcher=None)  # type: ignore[arg-type]


def _host(many: Many, name: str, opens: Callable[[OnTold], HoldsCalls]) -> Host:
    return Host(
        name=name,
        opens=opens,
        admission=Admission(many.plan.most_at_once),
        processes=1,
        watches=many,
        room=many.room,
    )


def test_two_hosts_share_the_calls_and_the_limit(tmp_path: Path) -> None:
    many = _many(tmp_path, parallel=3)
    hosts = [_host(many, name, lambda told: _Process(many.store, told)) for name in ("one", "two")]
    outcome = asyncio.run(many.run(hosts, None))
    assert sorted(outcome.statuses) == IDS
    placings = read_placings(tmp_path)
    dialled = [one for one in placings if one.what == "dialled"]
    assert {one.host for one in dialled} == {"one/1", "two/1"}
    assert max(one.standing for one in dialled) == 3
    info = many.store.read_info()
    assert info is not None
    assert info.finished_at is not None


def test_calls_of_a_host_that_is_given_up_are_placed_elsewhere_and_told(tmp_path: Path) -> None:
    many = _many(tmp_path, parallel=4)
    opened = 0

    def lost_for_good(told: OnTold) -> HoldsCalls:
        nonlocal opened
        opened += 1
        if opened > 1:
            raise HarnessFault("two is no longer there")
        return _Process(many.store, told, ends_after=1)

    hosts = [_host(many, "one", lambda told: _Process(many.store, told)), _host(many, "two", lost_for_good)]
    outcome = asyncio.run(many.run(hosts, None))
    assert sorted(outcome.statuses) == IDS
    placings = read_placings(tmp_path)
    lost = [one.call for one in placings if one.what == "lost"]
    assert lost
    for call in IDS:
        record = many.store.read_record(call)
        assert record is not None
        assert len(record.earlier_attempts) == lost.count(call)
        assert [one.call for one in placings if one.what == "dialled"].count(call) == 1 + lost.count(call)
    told = many.store.read_record(lost[0])
    assert told is not None
    assert told.earlier_attempts[0].status is CallStatus.HARNESS_FAULT
    assert "it is gone" in told.earlier_attempts[0].status_detail


def test_a_process_that_does_not_start_in_place_of_a_lost_one_is_a_loss_and_not_the_end(
    tmp_path: Path,
) -> None:
    """A node that has just died may be listed as alive for seconds."""
    many = _many(tmp_path, parallel=2)
    opened: list[_Process] = []

    class _Dying(_Process):
        async def __aenter__(self) -> Self:
            raise HarnessFault("no node")

    def opens(told: OnTold) -> HoldsCalls:
        made = _Dying if len(opened) in (1, 2) else _Process
        opened.append(made(many.store, told, ends_after=1 if not opened else 100))
        return opened[-1]

    outcome = asyncio.run(many.run([_host(many, "one", opens)], None))
    assert sorted(outcome.statuses) == IDS
    assert len(opened) == 4


def test_processes_that_never_start_again_end_the_run_and_say_why(tmp_path: Path) -> None:
    many = _many(tmp_path, parallel=2)
    opened = 0

    class _Dead(_Process):
        async def __aenter__(self) -> Self:
            raise HarnessFault("no node")

    def opens(told: OnTold) -> HoldsCalls:
        nonlocal opened
        opened += 1
        return (_Process if opened == 1 else _Dead)(many.store, told, ends_after=1)

    with pytest.raises(HarnessFault, match="6 processes that place calls were lost, the last one: no node"):
        asyncio.run(many.run([_host(many, "one", opens)], None))


def test_the_last_host_takes_the_run_with_it(tmp_path: Path) -> None:
    many = _many(tmp_path, parallel=2)

    def never(told: OnTold) -> HoldsCalls:
        raise HarnessFault("one is no longer there")

    with pytest.raises(HarnessFault, match="one is no longer there"):
        asyncio.run(many.run([_host(many, "one", never)], None))


def test_a_ramp_holds_for_all_hosts_together(tmp_path: Path) -> None:
    many = _many(tmp_path, load=Load(**{"from": 1, "to": 4, "over_s": 3600.0}))
    hosts = [_host(many, name, lambda told: _Process(many.store, told)) for name in ("one", "two")]
    asyncio.run(many.run(hosts, None))
    assert {one.standing for one in read_placings(tmp_path) if one.what == "dialled"} == {1}


def test_an_error_of_ours_that_a_process_tells_ends_the_run_as_ours(tmp_path: Path) -> None:
    class _Faulty(_Process):
        def order(self, order: Order) -> None:
            data = {"message": f"call {order.call}: our own error: KeyError: 'x'", "fault": True}
            self.take(Told(kind="failed", call=order.call, data=data))

    many = _many(tmp_path)
    host = _host(many, "here", lambda told: _Faulty(many.store, told))
    with pytest.raises(HarnessFault, match="our own error: KeyError"):
        asyncio.run(many.run([host], None))


class _SlowToPrepare(_Process):
    """Prepares each call for a while, one after the other."""

    EACH_S = 0.15

    def give(self, job: Hold) -> None:
        self.jobs[job.unit.id] = job
        told = Told(kind="prepared", call=job.unit.id, data={})
        asyncio.get_running_loop().call_later(self.EACH_S * len(self.jobs), self.take, told)


# Where it does not wait for all, another may be ready too by the time that one is dialled.
@pytest.mark.parametrize(("warm_up_s", "first"), [(30.0, {AHEAD}), (0.0, {*range(1, AHEAD)})])
def test_nobody_is_dialled_before_what_was_given_at_first_is_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm_up_s: float, first: set[int]
) -> None:
    """Or, where that takes too long, when one is."""
    monkeypatch.setattr("harness.runs.workers.host.WARM_UP_S", warm_up_s)
    prepared_at_first: list[int] = []
    heard: list[bool] = []

    class _Watched(Admission):
        def hear(self, one: Heard, *, standing: int, preparing: bool = False) -> None:
            heard.append(preparing)
            super().hear(one, standing=standing, preparing=preparing)

        def dialled(self, now_s: float) -> None:
            if not prepared_at_first:
                prepared_at_first.append(sum(len(one.prepared) + len(one.standing) for one in host._running))
            host._paced()
            super().dialled(now_s)

    many = _many(tmp_path, parallel=4)
    host = _host(many, "one", lambda told: _SlowToPrepare(many.store, told))
    host.admission = _Watched(4)
    outcome = asyncio.run(many.run([host], None))
    assert sorted(outcome.statuses) == IDS
    assert prepared_at_first[0] in first
    assert {True, False} == set(heard), "what is late while calls are prepared is told apart"


def test_what_goes_on_by_another_version_has_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = RunStore(tmp_path)
    for version, told in (("0.1.0", "0.1.0"), ("0.2.0", "0.1.0 / 0.2.0")):
        monkeypatch.setattr(_Medium, "of_ours", version)
        _many(tmp_path)
        info = store.read_info()
        assert info is not None
        assert info.outboundeval == info.versions["outboundeval"] == told
