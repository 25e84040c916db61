"""A language model server that is killed in the middle of a call by voice: our fault, and the run goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from harness.calls.conversation import Watcher
from harness.calls.voice import prepare
from harness.calls.voice.medium import VoiceMedium
from harness.calls.voice.workers import pool as call_helpers
from harness.models.language import Limits, open_language_model
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan
from harness.records.call import CallStatus, Event
from harness.runs.batch import hold_all
from harness.runs.store import RunStore
from tests.faults.placing import beneath_pacing
from tests.llama import children_that_serve, person, tiny_model
from tests.llm_server import say, serving_llm
from tests.unit.harness.calls.voice.test_call_with_a_person import REPLY, FakeWords
from tests.unit.harness.runs.test_batch import _EarsInPlace
from tests.unit.harness.stand_ins.fake_agent import FakeTransport

pytestmark = pytest.mark.live

PATIENCE_S, WITH_A_REAL_MODEL_S = 90.0, 400.0
"""Until a test gives up. A real model is loaded twice, on cores that other tests may have, and thinks on
them."""


class WordsInPlace(FakeWords):
    """The agent's words, as they stand here: what is heard is not what is tried."""

    def __init__(self, **_: Any) -> None:
        super().__init__(*["Hello, is that you? It's about your complaint."] * 20)

    async def __aenter__(self) -> WordsInPlace:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


async def test_the_call_is_our_fault_and_the_next_one_is_held(
    joe_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("piper", reason="piper-tts is not installed (extra 'local')")
    _stand_in(monkeypatch, FakeTransport(says=[(0.1, REPLY)], answers=[(0.2, REPLY)] * 9))
    asked = 0
    with contextlib.ExitStack() as doomed, serving_llm(say("Fine. [HANG UP: satisfied]")) as healthy:
        server = doomed.enter_context(serving_llm(say("Who is it?")))

        def on_event(event: Event) -> None:
            nonlocal asked
            if event.kind == "think-ended":
                asked += 1
                if asked == 2:
                    doomed.close()

        plan = _plan({"killed": server.url, "next": healthy.url}, call_s=(40, 40))
        store = RunStore(tmp_path / "run")
        async with asyncio.timeout(PATIENCE_S):
            outcome = await hold_all(
                plan,
                store,
                medium=VoiceMedium(),
                watcher=Watcher(on_event=lambda plan, event: on_event(event)),
            )
    killed, following = store.read_record("killed"), store.read_record("next")
    assert killed is not None
    assert killed.status is CallStatus.HARNESS_FAULT
    assert "language model" in killed.status_detail
    assert killed.end_reason is None
    assert [said.text for said in killed.utterances] == ["Who is it?"] * 2, "what was said until then is kept"
    thoughts = [event for event in store.read_events("killed") if event.kind == "think-ended"]
    assert [event.data["outcome"] for event in thoughts] == ["done", "done", "failed"]
    assert any(event.kind == "llm-retry" for event in store.read_events("killed"))
    assert following is not None
    status, detail = beneath_pacing(following), following.status_detail
    assert status is CallStatus.COMPLETED, detail
    assert following.end_reason == "satisfied"
    assert set(outcome.statuses) == {"killed", "next"}
    assert not outcome.interrupted


@pytest.mark.long
async def test_real_server_that_is_killed_is_served_again_for_the_next_call(
    joe_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("piper", reason="piper-tts is not installed (extra 'local')")
    model = tiny_model()
    _stand_in(monkeypatch, FakeTransport(says=[(0.1, REPLY)], answers=[(0.2, REPLY)] * 30))
    killed_servers: list[int] = []

    def on_event(event: Event) -> None:
        if event.kind == "think-ended" and event.data["outcome"] == "done" and not killed_servers:
            killed_servers.extend(children_that_serve())
            for server in killed_servers:
                os.kill(server, signal.SIGKILL)

    plan = _plan({"killed": model, "next": model}, call_s=(60, 45))
    store = RunStore(tmp_path / "run")
    async with asyncio.timeout(WITH_A_REAL_MODEL_S):
        await hold_all(
            plan, store, medium=VoiceMedium(), watcher=Watcher(on_event=lambda plan, event: on_event(event))
        )
    assert len(killed_servers) == 1
    assert list(children_that_serve()) == []

    killed, following = store.read_record("killed"), store.read_record("next")
    assert killed is not None
    assert killed.status is CallStatus.HARNESS_FAULT
    assert "language model" in killed.status_detail
    assert killed.utterances, "what was said until then is kept"
    assert following is not None
    status, detail = beneath_pacing(following), following.status_detail
    assert status is not CallStatus.HARNESS_FAULT, detail
    answered = [event for event in store.read_events("next") if event.kind == "think-ended"]
    assert any(event.data["outcome"] == "done" for event in answered)


def _stand_in(monkeypatch: pytest.MonkeyPatch, agent: FakeTransport) -> None:
    """An agent that is no network away, and ears and words without models."""
    monkeypatch.setattr(prepare, "transport_for", lambda address: agent)
    monkeypatch.setattr(call_helpers, "Ears", _EarsInPlace)
    monkeypatch.setattr(call_helpers, "LiveWords", WordsInPlace)
    monkeypatch.setattr(
        call_helpers, "open_caller_model", lambda name: open_language_model(name, limits=Limits(retries=1))
    )


def _plan(models: dict[str, str], *, call_s: tuple[float, ...]) -> RunPlan:
    """A call by each name with its language model and its limit, played as somebody of few words."""
    calls = [
        {
            "id": name,
            "scenario": "cs-bank-complaint/efficient",
            "policy": "llm",
            "language_model": model,
            "voice": {"engine": "piper", "name": "joe"},
            "limits": {"first_speech_s": 10, "silence_s": 10, "prompt_s": None, "call_s": limit_s},
        }
        for (name, model), limit_s in zip(models.items(), call_s, strict=True)
    ]
    plan = expand_plan({"agent": "http://127.0.0.1:9", "calls": calls})
    short = [
        call.model_copy(update={"task": call.task and call.task.model_copy(update={"persona": person()})})
        for call in plan.calls
    ]
    return plan.model_copy(update={"calls": short})
