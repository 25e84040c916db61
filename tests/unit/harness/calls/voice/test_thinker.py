"""A policy that needs time: its parts are handed on in order; what goes wrong ends the call as our fault."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from harness.calls.voice.thinker import Thinker
from harness.errors import HarnessFault
from harness.records.call import Event
from voice_sim.caller.events import Think, Thought
from voice_sim.policies.base import Decision, Leave, Line, PolicyError, ThinkingPolicy


class _Policy:
    """Answers with fixed parts; an exception among them is raised, a number of seconds is slept."""

    def __init__(self, *parts: Line | Leave | Exception | float) -> None:
        self._parts = parts
        self.closed = False

    async def think(self, dialogue: Any) -> AsyncIterator[Line | Leave]:
        try:
            for part in self._parts:
                if isinstance(part, Exception):
                    raise part
                if isinstance(part, float):
                    await asyncio.sleep(part)
                else:
                    yield part
        finally:
            self.closed = True


class _Call:
    """What a thinker reports to."""

    def __init__(self, policy: Any, *, limit_s: float = 5.0, speaks: Sequence[str] = ()) -> None:
        self.thoughts: list[Thought] = []
        self.faults: list[str] = []
        self.events: list[Event] = []
        self.prepared: list[str] = []
        self._speaks = speaks
        self.thinker = Thinker(
            policy=policy,
            sound_ready=self._sound_ready,
            now_s=lambda: 7.0,
            tell=self.thoughts.append,
            fail=self.faults.append,
            on_event=self.events.append,
            limit_s=limit_s,
        )

    async def _sound_ready(self, text: str) -> None:
        assert len(self.prepared) == len(self.thoughts), "a part is handed on before the next is spoken"
        if self._speaks and text not in self._speaks:
            raise HarnessFault(f"cannot say {text}")
        self.prepared.append(text)

    @property
    def decisions(self) -> list[Decision]:
        return [thought.decision for thought in self.thoughts]

    @property
    def outcome(self) -> str:
        [ended] = [event for event in self.events if event.kind == "think-ended"]
        return str(ended.data["outcome"])

    async def think(self, number: int = 1) -> None:
        self.thinker.think(Think(number=number, dialogue=()))
        task = self.thinker._task
        assert task is not None
        await asyncio.gather(task, return_exceptions=True)


FIRST, LAST = Line(text="one", more=True), Line(text="two", ends_call="satisfied")


async def test_parts_come_in_order_each_when_its_sound_is_there() -> None:
    policy = _Policy(FIRST, LAST)
    assert isinstance(_AsPolicy(policy), ThinkingPolicy)
    call = _Call(policy)
    await call.think(number=3)
    assert call.decisions == [FIRST, LAST]
    assert call.prepared == ["one", "two"]
    assert {thought.number for thought in call.thoughts} == {3}
    assert [event.kind for event in call.events] == ["think-started", "think-ended"]
    assert call.events[-1].data["parts"] == 2
    assert call.outcome == "done"
    assert call.faults == []
    assert policy.closed


async def test_nothing_is_asked_for_after_the_last_part() -> None:
    policy = _Policy(LAST, PolicyError("never reached"))
    call = _Call(policy)
    await call.think()
    assert call.decisions == [LAST]
    assert call.faults == []
    assert policy.closed


async def test_a_promised_part_that_never_comes_is_told() -> None:
    call = _Call(_Policy(FIRST))
    await call.think()
    assert call.decisions == [FIRST, None]


async def test_who_leaves_without_a_word_needs_no_sound() -> None:
    call = _Call(_Policy(Leave(reason="gave_up")))
    await call.think()
    assert call.decisions == [Leave(reason="gave_up")]
    assert call.prepared == []


@pytest.mark.parametrize(
    ("parts", "words", "outcome"),
    [
        ([PolicyError("no answer after 5 attempts")], "no answer after 5 attempts", "failed"),
        ([FIRST, PolicyError("broke off")], "broke off", "failed"),
        ([ValueError("bug")], "ValueError: bug", "failed"),
        ([], "it had no answer", "done"),
        ([10.0, LAST], "no answer after 0.05 s", "too slow"),
        ([Line(text="unspeakable")], "cannot say unspeakable", "failed"),
    ],
)
async def test_whatever_goes_wrong_is_our_fault(
    parts: list[Line | Leave | Exception | float], words: str, outcome: str
) -> None:
    call = _Call(_Policy(*parts), limit_s=0.05 if 10.0 in parts else 5.0, speaks=["one", "two"])
    await call.think()
    [fault] = call.faults
    assert words in fault
    assert call.outcome == outcome


async def test_a_thought_that_is_forgotten_says_nothing() -> None:
    policy = _Policy(10.0, LAST)
    call = _Call(policy)
    thinking = asyncio.create_task(call.think(number=2))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    call.thinker.forget(1)
    await asyncio.sleep(0)
    assert not thinking.done(), "another thought was meant"
    call.thinker.forget(2)
    await thinking
    assert call.thoughts == []
    assert call.faults == []
    assert call.outcome == "dropped"


async def test_a_later_thought_makes_an_earlier_one_void() -> None:
    call = _Call(_Policy(0.01, LAST))
    call.thinker.think(Think(number=1, dialogue=()))
    await asyncio.sleep(0)
    await call.think(number=2)
    await asyncio.sleep(0.02)
    assert [thought.number for thought in call.thoughts] == [2]


class _AsPolicy(_Policy):
    """The rest of the port, so that the fake is known to have its shape."""

    wait_for_greeting = True
    hang_up_after_s = 1.0
    hears_words = True

    def __init__(self, policy: _Policy) -> None:
        super().__init__(*policy._parts)

    def prepared_lines(self) -> list[str]:
        return []

    def interruption(self, dialogue: Any) -> None:
        return None

    def next_line(self, dialogue: Any) -> None:
        return None

    def when_silent(self, dialogue: Any, *, times: int) -> None:
        return None
