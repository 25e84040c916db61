"""Lines made ahead of calls: each call is handed on once, in its time, whatever becomes of the makers."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

import pytest

from harness.errors import HarnessFault
from harness.plans.call import CallPlan
from harness.plans.unit import Unit
from harness.runs.workers import lines
from harness.runs.workers.lines import lines_made
from harness.runs.workers.messages import Hold
from voice_sim.policies.script import Script, ScriptLine

SCRIPT = Script(lines=(ScriptLine(say="Hello?"),))
IDS = [f"c{number}" for number in range(7)]


def _jobs() -> list[Hold]:
    return [Hold(unit=Unit(plan=CallPlan(call_id=one, agent="http://x:1", script=SCRIPT))) for one in IDS]


class _Maker:
    """Stands in for the process."""

    lost = ""
    started = 0
    most_at_once = 0
    at_once = 0

    async def __aenter__(self) -> Self:
        type(self).started += 1
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None: ...

    async def make(self, job: Hold) -> None:
        cls = type(self)
        cls.at_once += 1
        cls.most_at_once = max(cls.most_at_once, cls.at_once)
        await asyncio.sleep(0)
        cls.at_once -= 1


class _Broken(_Maker):
    async def __aenter__(self) -> Self:
        raise HarnessFault("it did not start")


def _handed_on(monkeypatch: pytest.MonkeyPatch, maker: type[_Maker], *, within: bool = True) -> list[str]:
    monkeypatch.setattr(lines, "LineProcess", maker)
    found: list[str] = []
    asyncio.run(
        lines_made(_jobs(), lambda job: found.append(job.unit.id), processes=2, within=lambda: within)
    )
    return found


def test_each_call_is_handed_on_once_and_several_are_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = type("_Own", (_Maker,), {})
    assert _handed_on(monkeypatch, maker) == IDS
    assert (maker.started, maker.most_at_once) == (2, 2)


def test_without_makers_calls_are_handed_on_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _handed_on(monkeypatch, _Broken) == IDS


def test_nothing_is_made_for_a_run_that_dials_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = type("_Own", (_Maker,), {"make": None})
    assert _handed_on(monkeypatch, maker, within=False) == IDS


def test_a_maker_that_is_lost_leaves_what_is_left_to_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    class _FirstIsLost(_Maker):
        async def make(self, job: Hold) -> None:
            await asyncio.sleep(0)
            if job.unit.id == IDS[0]:
                self.lost = "it was killed"
            else:
                made.append(job.unit.id)

    assert sorted(_handed_on(monkeypatch, _FirstIsLost)) == IDS
    assert made == IDS[1:]


def test_where_all_are_lost_calls_are_handed_on_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    class _AllAreLost(_Maker):
        async def make(self, job: Hold) -> None:
            self.lost = "it was killed"

    assert sorted(_handed_on(monkeypatch, _AllAreLost)) == IDS


def test_no_more_are_made_ahead_than_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LineProcess", type("_Own", (_Maker,), {}))
    monkeypatch.setattr(lines, "LOOK_S", 0.001)
    waiting: list[str] = []
    most = 0

    async def take() -> None:
        nonlocal most
        taken = 0
        while taken < len(IDS):
            await asyncio.sleep(0.01)
            most = max(most, len(waiting))
            taken += len(waiting)
            waiting.clear()

    async def both() -> None:
        made = lines_made(
            _jobs(),
            lambda job: waiting.append(job.unit.id),
            processes=1,
            within=lambda: True,
            room=lambda: len(waiting) < 2,
        )
        await asyncio.gather(made, take())

    asyncio.run(both())
    assert most == 2
