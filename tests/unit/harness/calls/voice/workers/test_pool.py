"""What calls share: above all a language model that is replaced once it has failed in a call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from harness.calls.voice.hearing.meaning import LiveMeaning
from harness.calls.voice.workers import pool as call_helpers
from harness.calls.voice.workers.pool import CallHelpers
from harness.errors import UserError
from harness.models.language.usage import Usage
from harness.paths import CACHE_VARIABLE
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from tests.unit.harness.stand_ins import meaning_process


@dataclass
class _Model:
    number: int
    usage: Usage = field(default_factory=Usage)


@dataclass
class _Opener:
    """Opens models by number; ``gone``: its server is not there."""

    opened: list[_Model] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    gone: bool = False

    @contextlib.asynccontextmanager
    async def __call__(self, name: str) -> AsyncIterator[_Model]:
        # As with a real one, others get their turn while it is opened.
        await asyncio.sleep(0)
        if self.gone:
            raise UserError(f"{name}: cannot be reached")
        model = _Model(len(self.opened))
        self.opened.append(model)
        try:
            yield model
        finally:
            self.closed.append(model.number)


@pytest.fixture
def opener(monkeypatch: pytest.MonkeyPatch) -> _Opener:
    opener = _Opener()
    monkeypatch.setattr(call_helpers, "open_caller_model", opener)
    return opener


async def test_a_model_is_opened_once_and_closed_at_the_end(opener: _Opener) -> None:
    async with CallHelpers() as helpers:
        assert await helpers.model(None) is None
        first = await helpers.model("m")
        assert await helpers.model("m") is first
        assert await helpers.model("other") is not first
        assert opener.closed == []
    assert sorted(opener.closed) == [0, 1]


async def test_calls_that_are_prepared_at_the_same_time_share_what_the_first_opens(opener: _Opener) -> None:
    async with CallHelpers() as helpers:
        models = await asyncio.gather(*(helpers.model("m") for _ in range(5)))
        assert {id(model) for model in models} == {id(opener.opened[0])}
    assert opener.closed == [0]


async def test_calls_that_are_prepared_at_the_same_time_share_their_ears(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[_Ears] = []

    class _Ears:
        lost = False

        async def __aenter__(self) -> _Ears:
            started.append(self)
            await asyncio.sleep(0)
            return self

        async def __aexit__(self, *_: object) -> None:
            return

    monkeypatch.setattr(call_helpers, "Ears", _Ears)
    async with CallHelpers() as helpers:
        ears = await asyncio.gather(*(helpers.ears() for _ in range(5)))
    assert len(started) == 1
    assert all(one is started[0] for one in ears)


async def test_a_model_that_failed_in_a_call_is_opened_anew_when_it_is_needed(
    opener: _Opener,
) -> None:
    async with CallHelpers() as helpers:
        first = await helpers.model("m")
        first.usage = Usage(failed_attempts=1)
        assert await helpers.model("m") is first, "a retry that helped is no reason"
        helpers.doubt_model("m")
        assert len(opener.opened) == 1, "not before the next call"
        for _ in range(2):
            helpers.let_go(first)
        second = await helpers.model("m")
        assert second is not first
        assert opener.closed == [0]
        assert await helpers.model("m") is second, "once"
    assert opener.closed == [0, 1]


async def test_calls_that_stand_keep_a_model_that_is_replaced(opener: _Opener) -> None:
    async with CallHelpers() as helpers:
        first = await helpers.model("m")
        assert await helpers.model("m") is first
        first.usage = Usage(failed_attempts=1)
        helpers.doubt_model("m")
        helpers.let_go(first)  # the one that failed; the other stands
        second = await helpers.model("m")
        assert second is not first
        assert opener.closed == []
        helpers.let_go(first)
        helpers.let_go(None)
        async with asyncio.timeout(5):
            while not opener.closed:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0)
        assert opener.closed == [0]
    assert opener.closed == [0, 1]


async def test_a_model_that_had_no_part_in_our_fault_stays(opener: _Opener) -> None:
    async with CallHelpers() as helpers:
        first = await helpers.model("m")
        helpers.doubt_model("m")
        helpers.doubt_model(None)
        assert await helpers.model("m") is first


async def test_where_it_cannot_be_opened_anew_the_old_one_stays(opener: _Opener) -> None:
    async with CallHelpers() as helpers:
        first = await helpers.model("m")
        first.usage = Usage(failed_attempts=5)
        helpers.doubt_model("m")
        opener.gone = True
        assert await helpers.model("m") is first
        opener.gone = False
        helpers.doubt_model("m")
        for _ in range(2):
            helpers.let_go(first)
        assert await helpers.model("m") is not first
    assert opener.closed == [0, 1]


async def test_a_model_that_cannot_be_opened_at_first_ends_the_run(opener: _Opener) -> None:
    opener.gone = True
    async with CallHelpers() as helpers:
        with pytest.raises(UserError, match=r"^m: cannot be reached$"):
            await helpers.model("m")


def _call(name: str, understanding: str = "words") -> CallPlan:
    call = {"scenario": f"cs-bank-complaint/{name}", "understanding": "words"}
    [plan] = expand_plan({"agent": "http://127.0.0.1:9", "calls": [call]}).calls
    return plan.model_copy(update={"understanding": understanding})


async def test_calls_share_the_process_that_tells_what_words_mean_and_a_lost_one_is_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[LiveMeaning] = []

    def stand_in(*, vectors: Path) -> LiveMeaning:
        started.append(LiveMeaning(vectors=vectors, arguments=(meaning_process.__file__,)))
        return started[-1]

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(call_helpers, "LiveMeaning", stand_in)
    by_examples = "examples:e5-small+00000000"
    async with CallHelpers() as helpers:
        assert await helpers.meaning(_call("hesitant")) is None, "by words nothing is started"
        assert not started
        calls = [
            _call("hesitant", by_examples),
            _call("hesitant", by_examples),
            _call("efficient", by_examples),
        ]
        opened = await asyncio.gather(*map(helpers.meaning, calls))
        assert len(started) == 1
        assert all(opened)
        os.kill(started[0].pid, signal.SIGKILL)
        while not started[0].lost:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)
        assert await helpers.meaning(calls[0])
        assert len(started) == 2
    assert (tmp_path / "vectors.sqlite").is_file()
