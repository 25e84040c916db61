"""Calls by voice: lines made into sound beforehand, ears and voices beside the call, then the call itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from harness.calls.conversation import Conversation, Held, Watcher
from harness.calls.to_its_end import to_its_end
from harness.calls.voice.hearing.meaning import PersonMeaning
from harness.calls.voice.hearing.words_for_watchers import WatchedWords
from harness.calls.voice.large_blocks import give_back_large_blocks
from harness.calls.voice.place import (
    Beside,
    MakeRecording,
    PreparedCall,
    place_call,
    recorded_here,
    unplaced_call,
)
from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.retries import RetryBell
from harness.calls.voice.workers.pool import CallHelpers
from harness.errors import HarnessFault
from harness.models.language.usage import Usage
from harness.plans.call import CallPlan
from harness.plans.unit import Unit
from harness.records.call import CallStatus, Event
from harness.records.usage import side_usage
from harness.transports.base import Transport
from harness.transports.kernel_stamps import begin_stamping
from harness.versions import library_versions
from voice_sim.policies.agenda.beside import UnderstandsBeside
from voice_sim.policies.base import PolicyError, WarmsUp

WARM_UP_LIMIT_S = 300.0
"""For a language model to read its persona before the call: minutes on two cores, seconds at a provider."""


class Builder(Protocol):
    """Makes everything of a call that can be known before it; see :class:`CallBuilder`."""

    def check(self, plan: CallPlan) -> None: ...

    def prepare(
        self,
        plan: CallPlan,
        *,
        model: Any = None,
        retries: RetryBell | None = None,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> PreparedCall: ...


class Metered(Protocol):
    """A caller's language model, as far as a call looks at it."""

    @property
    def usage(self) -> Usage: ...


class VoiceMedium:
    """See the module's docstring. Use as an async context manager.

    Args:
        make_recording: Of calls that have ended.
    """

    def __init__(
        self, builder: Builder | None = None, *, make_recording: MakeRecording = recorded_here
    ) -> None:
        self._builder = builder or CallBuilder()
        self._make_recording = make_recording
        self._helpers = CallHelpers()
        self._making = asyncio.Lock()
        """Lines are read and encoded for one call at a time: several would take turns with each other and
        with the calls that stand, whose frames leave from this process."""

    async def __aenter__(self) -> Self:
        give_back_large_blocks()
        await asyncio.to_thread(begin_stamping)
        await self._helpers.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._helpers.__aexit__(*_)

    def check(self, unit: Unit) -> None:
        self._builder.check(unit.plan)

    def versions(self) -> dict[str, str]:
        return library_versions()

    async def prepare(self, unit: Unit, watcher: Watcher) -> Conversation:
        """The call with its sound, and with whoever has to work beside it; one that our own side cannot begin
        becomes a conversation that says why."""
        # Meanwhile: an encoder is loaded, and perhaps a person's examples are read for the first time.
        meaning = asyncio.create_task(self._helpers.meaning(unit.plan))
        opened: Any = None
        try:
            retries = RetryBell()
            opened = await self._helpers.model(unit.plan.language_model)
            # With a ledger of its own: what this call's caller takes is kept with the call.
            model = opened and opened.for_dialogue(unit.plan.call_id, on_retry=retries.ring)
            prepared = await self._made(unit.plan, watcher, model, retries)
            try:
                beside = await self._beside(prepared, meaning)
                try:
                    await _warm_up(prepared)
                except BaseException:
                    beside.close()
                    raise
            except HarnessFault as fault:
                await _let_go(meaning)
                self._helpers.let_go(opened)
                return _Unplaced(prepared, model, why=str(fault), doubted=self._helpers.doubt_model)
        except BaseException:
            await _let_go(meaning)
            self._helpers.let_go(opened)
            raise
        return VoiceCall(
            prepared,
            beside,
            model,
            watched=None if prepared.hears_words else watcher.words_for(unit.plan),
            on_event=lambda event: watcher.on_event(unit.plan, event),
            doubted=self._helpers.doubt_model,
            let_go=lambda: self._helpers.let_go(opened),
        )

    async def _beside(self, prepared: PreparedCall, meaning: asyncio.Task[PersonMeaning | None]) -> Beside:
        ears, words = await self._helpers.ears(), await self._helpers.words(prepared)
        voice = await self._helpers.voice(prepared)
        try:
            person = await meaning
        except BaseException:
            if voice is not None:
                voice.close()
            raise
        beside = Beside(
            ears=ears, words=words, meaning=person, voice=voice, make_recording=self._make_recording
        )
        if isinstance(prepared.policy, UnderstandsBeside) and beside.meaning is not None:
            prepared.policy.understand_by(beside.meaning.odds)
        return beside

    async def _made(
        self, plan: CallPlan, watcher: Watcher, model: Metered | None, retries: RetryBell
    ) -> PreparedCall:
        """What is known of the caller's words is spoken before the call begins."""
        interrupted = threading.Event()

        def on_progress(done: int, total: int) -> None:
            if interrupted.is_set():
                raise InterruptedError
            watcher.on_spoken(plan, done, total)

        try:
            async with self._making:
                return await asyncio.to_thread(
                    self._builder.prepare, plan, model=model, retries=retries, on_progress=on_progress
                )
        finally:
            # A thread cannot be cancelled: the synthesis of a whole person would go on for a minute.
            interrupted.set()


@dataclass(frozen=True)
class VoiceCall:
    """A call that can be placed."""

    prepared: PreparedCall
    beside: Beside
    model: Metered | None
    watched: WatchedWords | None
    on_event: Callable[[Event], None]
    doubted: Callable[[str | None], None]
    let_go: Callable[[], None]
    """Of its language model."""

    def by(self, transport: Transport) -> VoiceCall:
        """The same call by another way to the agent."""
        return replace(self, prepared=replace(self.prepared, transport=transport))

    def unplaced(self, *, why: str, status: CallStatus) -> Held:
        """What is left of it where it does not come about."""
        self._done()
        return _with_usage(unplaced_call(self.prepared, why=why, status=status), self.model)

    async def hold(self) -> Held:
        try:
            held = await self._placed()
        finally:
            self._done()
        if held.record.status is CallStatus.HARNESS_FAULT:
            self.doubted(self.prepared.plan.language_model)
        return _with_usage(held, self.model)

    def _done(self) -> None:
        self.beside.close()
        self.let_go()

    async def _placed(self) -> Held:
        watched = self.watched
        if watched is None:
            return await place_call(self.prepared, beside=self.beside, on_event=self.on_event)

        def on_event(event: Event) -> None:
            watched.on_event(event)
            self.on_event(event)

        try:
            held = await place_call(
                self.prepared, beside=self.beside, on_event=on_event, on_audio=watched.on_packet
            )
        finally:
            # Whoever sees on the screen that the call is over may press Ctrl-C while this waits.
            told = await to_its_end(asyncio.create_task(watched.close()))
        return replace(held, broken_off=held.broken_off or told)


@dataclass(frozen=True)
class _Unplaced:
    """A call that our own side could not even begin."""

    prepared: PreparedCall
    model: Metered | None
    why: str
    doubted: Callable[[str | None], None]

    async def hold(self) -> Held:
        self.doubted(self.prepared.plan.language_model)
        return _with_usage(unplaced_call(self.prepared, why=self.why), self.model)


def _with_usage(held: Held, model: Metered | None) -> Held:
    """With what the caller's language model took, before the call and in it."""
    if model is None:
        return held
    record = held.record.model_copy(update={"caller_usage": side_usage(model.usage)})
    return replace(held, record=record)


async def _let_go(meaning: asyncio.Task[PersonMeaning | None]) -> None:
    """Of a call that is not placed."""
    meaning.cancel()
    [opened] = await asyncio.gather(meaning, return_exceptions=True)
    if isinstance(opened, PersonMeaning):
        opened.close()


async def _warm_up(prepared: PreparedCall) -> None:
    """Has a language model read its part, and answer at all, before anybody is phoned.

    Raises:
        HarnessFault: It does not answer.
    """
    if not isinstance(prepared.policy, WarmsUp):
        return
    try:
        async with asyncio.timeout(WARM_UP_LIMIT_S):
            await prepared.policy.warm_up()
    except PolicyError as error:
        raise HarnessFault(f"{error}; the agent was not called") from error
    except TimeoutError as error:
        raise HarnessFault(
            f"the caller's language model had not read its persona after {WARM_UP_LIMIT_S:g} s; "
            "the agent was not called"
        ) from error
