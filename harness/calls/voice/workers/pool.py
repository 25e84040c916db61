"""The processes and models that calls share while a run goes on, each started when a call first needs it.

All of them work for several calls at once, and keep them apart. One that was lost is replaced before the next
call: it took with it those that stood, and the others need not go the same way.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any, TypeVar

from harness.calls.callers import open_caller_model
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.hearing.meaning import LiveMeaning, PersonMeaning
from harness.calls.voice.hearing.words import LiveWords
from harness.calls.voice.place import PreparedCall
from harness.calls.voice.prepare import understanding_model
from harness.calls.voice.speaking.live_voice import CallVoice, LiveVoice
from harness.errors import UserError
from harness.paths import vectors_file
from harness.plans.call import CallPlan
from harness.plans.understanding import BY_WORDS

_Opened = TypeVar("_Opened")


@dataclass(kw_only=True, eq=False)
class _OpenModel:
    """A language model and what ends it."""

    model: Any
    stack: contextlib.AsyncExitStack
    users: int = 0
    """Calls that are prepared or stand with it."""
    replaced: bool = False

    @classmethod
    async def opened(cls, name: str) -> _OpenModel:
        async with contextlib.AsyncExitStack() as stack:
            model = await stack.enter_async_context(open_caller_model(name))
            return cls(model=model, stack=stack.pop_all())


@dataclass(kw_only=True)
class CallHelpers:
    """See the module's docstring. Use as an async context manager."""

    _ears: Ears | None = None
    _words: LiveWords | None = None
    _meaning: LiveMeaning | None = None
    _voice: LiveVoice | None = None
    _models: dict[str, _OpenModel] = field(default_factory=dict)
    _doubted: set[str] = field(default_factory=set)
    _used: dict[int, _OpenModel] = field(default_factory=dict)
    """By the identity of the model that was given out."""
    _closing: set[asyncio.Task[None]] = field(default_factory=set)
    _stack: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Calls that are prepared at the same time share what the first of them starts, and do not each start
    their own."""
    _opening_meaning: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Its own: it is loaded while the others are, and while the caller's lines are made into sound."""

    async def __aenter__(self) -> CallHelpers:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*self._closing, return_exceptions=True)
        await self._stack.aclose()

    async def ears(self) -> Ears:
        """What tells when the agent speaks."""
        async with self._opening:
            if self._ears is None or self._ears.lost:
                self._ears = await self._opened(Ears())
            return self._ears

    async def words(self, prepared: PreparedCall) -> LiveWords | None:
        """What understands the agent, where the caller has to.

        Raises:
            HarnessFault: It does not start.
        """
        if not prepared.hears_words:
            return None
        async with self._opening:
            if self._words is None or self._words.lost:
                self._words = await self._opened(LiveWords(model_folder=understanding_model()))
            return self._words

    async def meaning(self, plan: CallPlan) -> PersonMeaning | None:
        """What tells the caller by their examples what words mean, with these read; None for one who
        understands by words.

        Raises:
            HarnessFault: It does not start, or the examples are not read in time.
        """
        if plan.understanding == BY_WORDS:
            return None
        async with self._opening_meaning:
            if self._meaning is None or self._meaning.lost:
                self._meaning = await self._opened(LiveMeaning(vectors=vectors_file()))
        return await self._meaning.open(plan.about.persona)

    async def voice(self, prepared: PreparedCall) -> CallVoice | None:
        """What speaks in the voice of the call, where the caller may say what nobody knew before.

        Raises:
            HarnessFault: It does not start, or does not have this voice.
        """
        if not prepared.speaks_freely:
            return None
        async with self._opening:
            if self._voice is None or self._voice.lost:
                self._voice = await self._opened(LiveVoice())
            voice = self._voice
        plan = prepared.plan
        return await voice.open(
            plan.voice,
            codec=prepared.background.codec,
            bed=prepared.bed,
            conditions=plan.conditions,
            seed=plan.seed,
        )

    async def model(self, name: str | None) -> Any:
        """The language model of that name, opened once for the run; None for no name. Whoever has it tells
        when they have done with it (:meth:`let_go`).

        Raises:
            UserError: It cannot be opened.
        """
        if name is None:
            return None
        async with self._opening:
            if name not in self._models:
                self._models[name] = await self._opened_model(name)
            elif name in self._doubted and self._models[name].model.usage.failed_attempts:
                await self._renew_model(name)
            self._doubted.discard(name)
            self._models[name].users += 1
            self._used[id(self._models[name].model)] = self._models[name]
            return self._models[name].model

    def let_go(self, model: Any) -> None:
        """A call has done with a model that it was given; None is nothing."""
        if (opened := self._used.get(id(model))) is None:
            return
        opened.users -= 1
        if opened.replaced and not opened.users:
            del self._used[id(model)]
            closing = asyncio.ensure_future(opened.stack.aclose())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    def doubt_model(self, name: str | None) -> None:
        """After a call that failed by our fault: a language model that failed in it is opened anew for the
        next call that needs it, since its server may have gone with that one."""
        if name is not None:
            self._doubted.add(name)

    async def _renew_model(self, name: str) -> None:
        """Where it cannot be opened the old one stays, and the next call says why it fails."""
        with contextlib.suppress(UserError):
            renewed = await self._opened_model(name)
            old, self._models[name] = self._models[name], renewed
            old.replaced = True
            # Calls that stand go on with it.
            if not old.users:
                await old.stack.aclose()

    async def _opened_model(self, name: str) -> _OpenModel:
        opened = await _OpenModel.opened(name)
        self._stack.push_async_callback(opened.stack.aclose)
        return opened

    async def _opened(self, helper: contextlib.AbstractAsyncContextManager[_Opened]) -> _Opened:
        return await self._stack.enter_async_context(helper)
