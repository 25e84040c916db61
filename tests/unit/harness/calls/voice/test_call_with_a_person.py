"""Calls whose caller hears words and thinks: what it says, what is kept of it, and who is to blame."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from harness.calls.callers import patience_of
from harness.calls.conversation import Held, Watcher
from harness.calls.voice import live as live_call
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.hearing.words import LiveWords, Understood
from harness.calls.voice.medium import VoiceMedium
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.speaking.live_voice import CallVoice
from harness.calls.voice.workers import pool as call_helpers
from harness.errors import EXIT_CHECK_FAILED, HarnessFault
from harness.paths import CACHE_VARIABLE
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan
from harness.records.call import CallStatus, Event
from harness.runs.batch import hold_all
from harness.runs.store import RunStore
from harness.transports.clips.clip import Clip, prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import silence
from tests.unit.harness.runs.test_batch import _EarsInPlace
from tests.unit.harness.stand_ins.fake_agent import FakeEars, FakeTransport
from voice_sim.caller.caller import Caller
from voice_sim.policies.agenda import AgendaPolicy
from voice_sim.policies.base import (
    THINKING,
    Decision,
    Dialogue,
    EndReason,
    Heard,
    Leave,
    Line,
    PolicyError,
    Said,
)
from voice_sim.voice.utterance import tone

PATIENCE_S = 100.0
"""How long a busy machine may take; no test depends on it being short."""
REPLY = tone(0.5, freq_hz=600.0).samples
Part = Line | Leave | Exception


class FakeWords:
    """Understands every stretch as the next of its texts; None: says nothing about it."""

    def __init__(self, *texts: str | None) -> None:
        self.lost = ""
        self._texts = list(texts)
        self._listeners: dict[int, Callable[[Understood], None]] = {}

    def listen(self, language: str, on_words: Callable[[Understood], None], *, codec: str) -> int:
        self._listeners[1] = on_words
        return 1

    def forget(self, key: int) -> None:
        self._listeners.pop(key)

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        if self.lost:
            raise HarnessFault(self.lost)

    def ask(self, key: int, onset_s: float, end_s: float) -> None:
        text = self._texts.pop(0)
        if text is not None:
            told = Understood(onset_s=onset_s, end_s=end_s, text=text)
            asyncio.get_running_loop().call_later(0.05, self._listeners[key], told)


class FakeVoice:
    lost = ""

    async def clip(self, text: str) -> Clip:
        if text == "unspeakable":
            raise HarnessFault("a line of the caller cannot be spoken")
        return prepare_clip(OPUS, tone(0.3).samples)

    def close(self) -> None: ...


class Person:
    """Says what it is given for each turn, after a thought, and notes what it had heard by then.

    Args:
        interrupted_by: Goes on speaking during its first thought, which lasts until it is in vain.
    """

    wait_for_greeting = True
    hang_up_after_s = 0.0
    hears_words = True

    def __init__(
        self,
        *turns: Sequence[Part],
        thinks_s: float = 0.02,
        interrupted_by: FakeTransport | None = None,
    ) -> None:
        self._turns = turns
        self._thinks_s = thinks_s
        self._interrupted_by = interrupted_by
        self.heard: list[str | None] = []

    def prepared_lines(self) -> list[str]:
        return []

    def interruption(self, dialogue: Dialogue) -> Line | None:
        return None

    def next_line(self, dialogue: Dialogue) -> Any:
        return THINKING

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        return None

    async def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        self.heard = [turn.text for turn in dialogue if isinstance(turn, Heard)]
        if self._interrupted_by is not None:
            agent, self._interrupted_by = self._interrupted_by, None
            agent.speaks(REPLY)
            await asyncio.Event().wait()
        await asyncio.sleep(self._thinks_s)
        for part in self._turns[sum(isinstance(turn, Said) for turn in dialogue)]:
            if isinstance(part, Exception):
                raise part
            yield part


@cache
def _plan(call_id: str = "person") -> CallPlan:
    # No call here is to end by them: where others compute, a second of a call may take several.
    limits = {"first_speech_s": 60, "silence_s": 60, "prompt_s": None, "call_s": 90}
    call = {"id": call_id, "scenario": "cs-bank-complaint/efficient", "limits": limits}
    return expand_plan({"agent": "fake://agent", "calls": [call]}).calls[0]


def _prepared(person: Person, plan: CallPlan | None = None) -> PreparedCall:
    plan = plan or _plan()
    return PreparedCall(
        plan=plan,
        transport=FakeTransport(says=[(0.1, REPLY)]),
        caller=Caller(policy=person, patience=patience_of(plan)),
        clips={"Hello.": prepare_clip(OPUS, tone(0.2).samples)},
        background=silence(OPUS),
        versions={},
        policy=person,
    )


async def _place(
    person: Person, words: FakeWords | None = None, *, transport: FakeTransport | None = None
) -> Held:
    async with asyncio.timeout(PATIENCE_S):
        agent = transport or FakeTransport(says=[(0.2, REPLY)], answers=[(0.3, REPLY)])
        return await place_call(
            dataclasses.replace(_prepared(person), transport=agent),
            beside=Beside(
                ears=cast(Ears, FakeEars()),
                words=cast(LiveWords, words or FakeWords("Who is it?", "And now?")),
                voice=cast(CallVoice, FakeVoice()),
            ),
        )


NOTHING = np.zeros(960, np.float32)
LEAVES: dict[EndReason, CallStatus] = {
    "satisfied": CallStatus.COMPLETED,
    "refused": CallStatus.COMPLETED,
    "gave_up": CallStatus.CALLER_HANGUP,
}
FAILS: dict[str, tuple[Sequence[Part], str]] = {
    "no answer": ([PolicyError("the model gave no answer")], "the model gave no answer"),
    "no sound": ([Line(text="unspeakable")], "cannot be spoken"),
    "no decision": ([], "had no answer"),
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Scene:
    person: Person
    words: FakeWords | None = None
    transport: FakeTransport | None = None


def _scenes() -> dict[str, _Scene]:
    """Every call that is placed for the tests below, by name."""
    answering = Person(
        [Line(text="Hello.", why="greets")],
        [Line(text="That is all.", pause_s=0.1, ends_call="satisfied", why="has it")],
    )
    in_parts = Person(
        [Line(text="Hello.", more=True), Line(text="Who are you?", more=True), Line(text="Say it.")],
        [Line(text="Bye.", ends_call="refused")],
    )
    # The agent answers the third part, which is the end of the turn.
    third = FakeTransport(says=[(0.2, REPLY)], answers=[(0.1, NOTHING), (0.1, NOTHING), (0.3, REPLY)])
    goes_on = FakeTransport(says=[(0.2, REPLY)])
    slow = Person([Line(text="Hello.", ends_call="satisfied")], interrupted_by=goes_on)
    return {
        "answers": _Scene(person=answering),
        "in parts": _Scene(person=in_parts, transport=third),
        "is interrupted": _Scene(person=slow, words=FakeWords("First.", "Second."), transport=goes_on),
        "is left": _Scene(
            person=Person([]), transport=FakeTransport(says=[(0.2, REPLY)], hangs_up_after_s=0.6)
        ),
        **{
            f"is left {when}": _Scene(
                person=Person([Line(text="Hello.", takes_leave=True)]),
                transport=FakeTransport(says=[(0.2, REPLY)], hangs_up_on=(0, after_s)),
            )
            for when, after_s in (("after its goodbye", 0.3), ("in its goodbye", -0.1))
        },
        **{reason: _Scene(person=Person([Leave(reason=reason, why="enough")])) for reason in LEAVES},
        **{name: _Scene(person=Person(turn)) for name, (turn, _) in FAILS.items()},
    }


@pytest.fixture(scope="module")
def held() -> dict[str, tuple[Person, Held]]:
    """All of them, placed side by side: each waits most of its time."""
    scenes = _scenes()

    async def place_all() -> list[Held]:
        return await asyncio.gather(
            *(_place(scene.person, scene.words, transport=scene.transport) for scene in scenes.values())
        )

    placed = asyncio.run(place_all())
    return {name: (scenes[name].person, call) for name, call in zip(scenes, placed, strict=True)}


Held = dict[str, tuple[Person, Held]]


def _of_kind(placed: Held, kind: str) -> list[Event]:
    return [event for event in placed.events if event.kind == kind]


def test_a_caller_answers_what_it_heard_and_says_why_it_left(held: Held) -> None:
    person, placed = held["answers"]
    record = placed.record
    assert (record.status, record.end_reason) == (CallStatus.COMPLETED, "satisfied")
    assert person.heard == ["Who is it?", "And now?"]
    assert [said.text for said in record.utterances] == ["Hello.", "That is all."]
    assert [event.data["text"] for event in _of_kind(placed, "agent-words")] == ["Who is it?", "And now?"]
    assert {event.source for event in _of_kind(placed, "agent-words")} == {"asr"}
    assert [event.data["why"] for event in _of_kind(placed, "speak")] == ["greets", "has it"]
    assert len(_of_kind(placed, "think-started")) == len(_of_kind(placed, "think-ended")) == 2
    for ended in _of_kind(placed, "think-ended"):
        assert ended.data["outcome"] == "done"
        assert ended.data["took_s"] >= 0.02
    [end] = _of_kind(placed, "ended")
    assert end.data["reason"] == "satisfied"


def test_the_parts_of_a_turn_are_one_utterance(held: Held) -> None:
    _, placed = held["in parts"]
    assert placed.record.end_reason == "refused"
    first, last = placed.record.utterances
    assert (first.text, last.text) == ("Hello. Who are you? Say it.", "Bye.")
    assert not first.cut_short
    began = _of_kind(placed, "utterance-began")
    ended = _of_kind(placed, "utterance-ended")
    assert first.start_s == pytest.approx(began[0].data["start_s"], abs=0.001)
    assert first.end_s == pytest.approx(ended[2].data["end_s"], abs=0.001)
    # Clips of 0.2, 0.3 and 0.3 s, each with at least five silent frames on either side.
    assert 1.1 < first.end_s - first.start_s < 1.6
    assert placed.recording is not None
    caller = placed.recording.audio[:, 0]
    loud = np.abs(caller[: round((first.end_s + 0.05) * 48_000)]) > 0.01
    assert np.flatnonzero(loud)[-1] / 48_000 == pytest.approx(first.end_s, abs=0.001)
    speaks = _of_kind(placed, "speak")
    assert len({first.audio_sha256, last.audio_sha256}) == 2
    assert len(speaks) == 4


@pytest.mark.parametrize("reason", list(LEAVES))
def test_whoever_leaves_by_their_own_condition_says_why(reason: EndReason, held: Held) -> None:
    """One that gave up on the agent has hung up on it, as in text."""
    _, placed = held[reason]
    assert (placed.record.status, placed.record.end_reason) == (LEAVES[reason], reason)
    assert "enough" in placed.record.status_detail


def test_an_agent_that_hangs_up_is_the_reason(held: Held) -> None:
    _, placed = held["is left"]
    assert (placed.record.status, placed.record.end_reason) == (CallStatus.AGENT_HANGUP, "agent_hangup")


def test_an_agent_that_hangs_up_on_a_goodbye_has_ended_nothing(held: Held) -> None:
    _, placed = held["is left after its goodbye"]
    assert (placed.record.status, placed.record.end_reason) == (CallStatus.COMPLETED, "satisfied")
    assert placed.record.status_detail == (
        "the caller had what the call was for; the agent hung up after the goodbye (the fake agent hung up)"
    )
    assert not placed.record.utterances[0].cut_short


def test_an_agent_that_does_not_hear_the_goodbye_out_has_hung_up(held: Held) -> None:
    _, placed = held["is left in its goodbye"]
    assert (placed.record.status, placed.record.end_reason) == (CallStatus.AGENT_HANGUP, "agent_hangup")
    assert "while line 1 was being said" in placed.record.status_detail


@pytest.mark.parametrize("name", list(FAILS))
def test_a_caller_that_cannot_go_on_is_our_fault(name: str, held: Held) -> None:
    _, placed = held[name]
    assert placed.record.status is CallStatus.HARNESS_FAULT
    assert placed.record.end_reason is None
    assert FAILS[name][1] in placed.record.status_detail
    assert placed.recording is not None


def test_a_thought_is_dropped_when_the_agent_goes_on_speaking(held: Held) -> None:
    """Its first stretch is not the whole of what it says; the answer is to all of it."""
    person, placed = held["is interrupted"]
    assert [event.data["outcome"] for event in _of_kind(placed, "think-ended")] == ["dropped", "done"]
    assert person.heard == ["First.", "Second."]
    assert len(placed.record.utterances) == 1


async def test_words_that_never_come_are_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_call, "WORDS_LIMIT_S", 0.3)
    placed = await _place(Person([Line(text="Hello.")]), FakeWords(None))
    assert placed.record.status is CallStatus.HARNESS_FAULT
    assert "did not understand the agent within 0.3 s" in placed.record.status_detail


async def test_a_caller_that_loses_its_understanding_is_our_fault() -> None:
    words = FakeWords("Who is it?")
    asyncio.get_running_loop().call_later(0.5, lambda: setattr(words, "lost", "it has ended"))
    placed = await _place(Person([Line(text="Hello.")], thinks_s=5.0), words)
    assert (placed.record.status, placed.record.status_detail) == (CallStatus.HARNESS_FAULT, "it has ended")


# --- a run


class _Builder:
    def check(self, plan: CallPlan) -> None:
        pass

    def prepare(self, plan: CallPlan, **_: Any) -> PreparedCall:
        return _prepared(Person([Leave(reason="refused")]), plan)


class _Helper:
    """A worker of which the first one made does not start, or is lost at once."""

    made = 0
    fails = ""

    def __init__(self, **_: Any) -> None:
        type(self).made += 1
        self._number = type(self).made
        self._words = FakeWords("Who is it?", "And?")

    async def __aenter__(self) -> Any:
        if self._number == 1 and self.fails == "start":
            raise HarnessFault("it did not start")
        if self._number == 1 and self.fails == "call":
            self._words.lost = "it has ended"
        return self._words

    async def __aexit__(self, *_: object) -> None:
        pass


class _VoiceInPlace(FakeVoice):
    async def __aenter__(self) -> _VoiceInPlace:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def open(self, *_: Any, **__: Any) -> FakeVoice:
        return self


@pytest.mark.parametrize(("fails", "made"), [("start", 2), ("call", 2)])
async def test_a_call_that_loses_its_worker_does_not_take_the_run_with_it(
    fails: str, made: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_helpers, "Ears", _EarsInPlace)
    monkeypatch.setattr(call_helpers, "LiveWords", _Helper)
    monkeypatch.setattr(call_helpers, "LiveVoice", _VoiceInPlace)
    monkeypatch.setattr(call_helpers, "understanding_model", lambda: tmp_path)
    monkeypatch.setattr(_Helper, "made", 0)
    monkeypatch.setattr(_Helper, "fails", fails)
    plan = RunPlan.of("run", (_plan("a"), _plan("b")))
    store = RunStore(tmp_path / "run")
    async with asyncio.timeout(PATIENCE_S):
        outcome = await hold_all(plan, store, medium=VoiceMedium(_Builder()), watcher=Watcher())
    assert outcome.statuses["b"] is CallStatus.COMPLETED
    assert outcome.statuses["a"] is CallStatus.HARNESS_FAULT
    assert _Helper.made == made
    first, second = store.read_record("a"), store.read_record("b")
    assert first is not None
    assert second is not None
    assert second.end_reason == "refused"
    assert ("it did not start" if fails == "start" else "it has ended") in first.status_detail
    assert outcome.exit_code == EXIT_CHECK_FAILED


# --- the same plan


def test_the_same_plan_prepares_the_same_person_bit_for_bit(
    joe_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("piper", reason="piper-tts is not installed (extra 'local')")
    every_line = AgendaPolicy.prepared_lines
    # A handful out of the hundred: each is spoken twice, by builders that share nothing.
    monkeypatch.setattr(AgendaPolicy, "prepared_lines", lambda self: every_line(self)[::80])
    call = {"scenario": "cs-bank-complaint/hesitant", "voice": {"engine": "piper", "name": "joe"}}
    [plan] = expand_plan({"agent": "http://127.0.0.1:9", "calls": [call]}).calls
    steps: list[tuple[int, int]] = []
    prepared = []
    for name in ("one", "two"):
        monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / name))
        prepared.append(CallBuilder().prepare(plan, on_progress=lambda *step: steps.append(step)))
    one, two = prepared
    assert isinstance(one.clips, dict)
    assert isinstance(two.clips, dict)
    assert one.clips.keys() == two.clips.keys()
    assert len(one.clips) >= 2
    for text, clip in one.clips.items():
        assert clip.packets == two.clips[text].packets
        assert clip.sha256 == two.clips[text].sha256
    assert len({clip.sha256 for clip in one.clips.values()}) == len(one.clips)
    assert one.hears_words
    assert one.speaks_freely
    total = len(one.clips)
    assert steps == 2 * [(done, total) for done in range(total + 1)]
    slower = dataclasses.replace(one, plan=plan)
    assert slower.plan.digest == two.plan.digest
