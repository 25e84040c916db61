"""What a caller's language model takes by voice is kept with its call, and with no other."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest

from harness.calls.conversation import Held, Watcher
from harness.calls.voice import medium
from harness.calls.voice.medium import VoiceMedium
from harness.calls.voice.workers.pool import CallHelpers
from harness.errors import HarnessFault
from harness.models.language.usage import Ledger, Usage
from harness.plans.unit import Unit
from harness.records.call import CallStatus
from tests.nights import night_call
from tests.report.make_run import record_of


class Model:
    """Opened for the run; a call's own books into the ledger of its own."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger()
        self.calls_over = 0

    @property
    def usage(self) -> Usage:
        return self.ledger.usage

    def for_dialogue(self, label: str, **_: Any) -> Model:
        return Model(Ledger(parent=self.ledger, of=label))

    def ask(self, tokens: int) -> None:
        self.ledger.add("m", Usage(requests=1, input_tokens=tokens, output_tokens=3, cost=0.5))


class Prepared:
    """As much of a prepared call as is looked at."""

    def __init__(self, plan: Any, model: Any) -> None:
        self.plan, self.model = plan, model
        self.policy, self.hears_words = object(), True


class Builder:
    """Before a call its caller's model reads its part: 100 tokens."""

    def check(self, plan: Any) -> None:
        return

    def prepare(self, plan: Any, *, model: Any = None, **_: Any) -> Any:
        if model is not None:
            model.ask(100)
        return Prepared(plan, model)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Model:
    """Calls in which the caller's model is asked once more, in place of real ones."""
    model = Model()

    async def place(prepared: Any, **_: Any) -> Held:
        if prepared.model is not None:
            prepared.model.ask(7)
        return Held(record=record_of(night_call(prepared.plan.call_id)), events=[])

    def unplaced(prepared: Any, **_: Any) -> Held:
        record = record_of(night_call("x", status=CallStatus.HARNESS_FAULT))
        return Held(record=record, events=[])

    async def opens(self: CallHelpers, name: str | None) -> Model | None:
        return model if name else None

    async def no_meaning(self: CallHelpers, plan: Any) -> None:
        return

    class Nobody:
        def close(self) -> None:
            model.calls_over += 1

    async def nobody(self: VoiceMedium, prepared: Any, meaning: Any) -> Any:
        return Nobody()

    monkeypatch.setattr(medium, "place_call", place)
    monkeypatch.setattr(medium, "unplaced_call", unplaced)
    monkeypatch.setattr(CallHelpers, "model", opens)
    monkeypatch.setattr(CallHelpers, "meaning", no_meaning)
    monkeypatch.setattr(VoiceMedium, "_beside", nobody)
    return model


def unit(name: str, language_model: str | None) -> Unit:
    plan = record_of(night_call(name)).plan.model_copy(update={"language_model": language_model})
    # A script with a language model: nothing of ours makes such a plan, and nothing here looks at the policy.
    return Unit.model_construct(plan=plan, entry=None)


def test_each_call_keeps_what_its_own_caller_took(opened: Model) -> None:
    async def held() -> list[Held]:
        voice = VoiceMedium(Builder())
        calls = [await voice.prepare(unit(name, "m"), Watcher()) for name in ("a", "b")]
        calls.append(await voice.prepare(unit("c", None), Watcher()))
        return [await call.hold() for call in calls]

    used = [one.record.caller_usage for one in asyncio.run(held())]
    assert [(one.requests, one.input_tokens, one.output_tokens) for one in used] == [
        (2, 107, 6),
        (2, 107, 6),
        (0, 0, 0),
    ]
    assert used[0].cost == 1.0
    assert opened.usage.input_tokens == 214
    assert opened.calls_over == 3


def test_a_call_that_we_could_not_begin_keeps_what_was_read(
    opened: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(prepared: Any) -> None:
        raise HarnessFault("the model does not answer")

    monkeypatch.setattr(medium, "_warm_up", fails)

    async def held() -> Held:
        call = await VoiceMedium(Builder()).prepare(unit("a", "m"), Watcher())
        return await call.hold()

    used = asyncio.run(held()).record.caller_usage
    assert (used.requests, used.input_tokens) == (1, 100)
    assert opened.calls_over == 1, "who was to work beside it is let go"


def test_ctrl_c_while_who_listened_for_the_screen_ends_keeps_the_call(opened: Model) -> None:
    class Watched:
        """Ends only when somebody has pressed Ctrl-C."""

        def __init__(self) -> None:
            self.pressed = asyncio.Event()
            self.gone = False

        def on_packet(self, payload: bytes, at_s: float, codec: str) -> None:
            return

        async def close(self) -> None:
            task.cancel()
            asyncio.get_running_loop().call_soon(self.pressed.set)
            await self.pressed.wait()
            self.gone = True

    async def held() -> Held:
        nonlocal task
        prepared = await VoiceMedium(Builder()).prepare(unit("a", "m"), Watcher())
        assert isinstance(prepared, medium.VoiceCall)
        call = replace(prepared, watched=cast(Any, watched))
        task = asyncio.create_task(call.hold())
        return await task

    task: asyncio.Task[Held]
    watched = Watched()
    kept = asyncio.run(held())
    assert (kept.record.status, kept.broken_off) == (CallStatus.COMPLETED, True)
    assert watched.gone
    assert opened.calls_over == 1
