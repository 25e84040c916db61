"""Wraps a pydantic-ai model: counts what it uses, stops at caps, and tries again where that may help."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import exceptions
from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponseStreamEvent
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from harness.models.language.cap_exceeded import CapExceeded
from harness.models.language.failure import Failure, FailureKind, ModelCallFailed, failure_of
from harness.models.language.prices import Tariff
from harness.models.language.usage import Cap, Ledger, Usage

_FIRST_WAIT_S = 0.5
_T = TypeVar("_T")


class Limits(BaseModel):
    """How far a language model may go.

    Attributes:
        run: Cap on everything that is asked through one opened model.
        dialogue: Cap on each dialogue of it.
        attempt_s: The longest that one attempt may keep us waiting, all its waits added up.
        retries: Further attempts after a timeout, a broken connection, HTTP 429 or 5xx.
        longest_wait_s: Between two attempts. A server that asks for more is not asked again.
        concurrency: Requests that may be under way at the same time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: Cap = Cap()
    dialogue: Cap = Cap()
    attempt_s: float = Field(default=60.0, gt=0, le=3600)
    retries: int = Field(default=4, ge=0, le=20)
    longest_wait_s: float = Field(default=30.0, ge=0, le=600)
    concurrency: int = Field(default=4, ge=1, le=1000)


@dataclass(frozen=True, kw_only=True)
class Retry:
    """Attempt number ``attempt`` (from 1) failed; the next one begins in ``wait_s``."""

    model: str
    attempt: int
    wait_s: float
    kind: FailureKind
    reason: str


OnRetry = Callable[[Retry], None]


class MeteredModel(WrapperModel):
    """A pydantic-ai model with a meter, caps and retries; made by ``open_language_model``.

    Every failure comes out as an ``AgentRunError`` of pydantic-ai: :class:`ModelCallFailed` where the model
    gave no usable answer, :class:`CapExceeded` where a cap is reached. A stream is tried again only while
    nothing of it was handed out.
    """

    def __init__(
        self,
        wrapped: Model,
        *,
        name: str,
        limits: Limits | None = None,
        price: Tariff | None = None,
        ledger: Ledger | None = None,
        on_retry: OnRetry | None = None,
        seed: int | str = 0,
        slots: asyncio.Semaphore | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(wrapped)
        self.name = name
        self.limits = limits or Limits()
        self.price = price
        self.ledger = ledger or Ledger(self.limits.run)
        self._on_retry = on_retry
        self._seed = seed
        self._random = random.Random(f"{seed}")
        self._slots = slots or asyncio.Semaphore(self.limits.concurrency)
        self._sleep = sleep

    def for_dialogue(self, label: str, *, on_retry: OnRetry | None = None) -> MeteredModel:
        """The same model for one dialogue: with a ledger and a cap of its own, and counted for the run.

        ``on_retry`` hears of this dialogue's retries, so that they can go into its timeline.
        """
        return self._part(label, self.limits.dialogue, of="dialogue", on_retry=on_retry)

    def for_question(self, label: str, *, longest_s: float) -> MeteredModel:
        """The same model for one question: with its retries it may take ``longest_s`` of the model's time,
        and then ends as :class:`CapExceeded`. Waiting till it is its turn does not count."""
        return self._part(label, Cap(model_s=longest_s), of="question")

    def _part(self, label: str, cap: Cap, *, of: str, on_retry: OnRetry | None = None) -> MeteredModel:
        return MeteredModel(
            self.wrapped,
            name=self.name,
            limits=self.limits,
            price=self.price,
            ledger=Ledger(cap, of=of, parent=self.ledger),
            on_retry=on_retry or self._on_retry,
            seed=f"{self._seed}/{label}",
            slots=self._slots,
            sleep=self._sleep,
        )

    @property
    def usage(self) -> Usage:
        """What this model's ledger has booked so far."""
        return self.ledger.usage

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One answer, whole. See the class for what it raises."""
        for attempt in range(1, self.limits.retries + 2):
            async with self._slots:
                meter = self._begin(model_settings)
                try:
                    response = await meter.wait(
                        self.wrapped.request(messages, _once(model_settings), model_request_parameters)
                    )
                except Exception as error:
                    failure = self._failed(meter, error)
                    cause = error
                except BaseException:
                    self._book(meter, None)
                    raise
                else:
                    self._book(meter, response.usage)
                    return response
            await self._wait_before_next(attempt, failure, cause)
        raise AssertionError("unreachable: the last attempt raises")

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: Any = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """An answer as it comes. See the class for what it raises, here or while iterating."""
        for attempt in range(1, self.limits.retries + 2):
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(self._slots)
                meter = self._begin(model_settings)
                try:
                    opening = self.wrapped.request_stream(
                        messages, _once(model_settings), model_request_parameters, run_context
                    )
                    stream = await meter.wait(stack.enter_async_context(opening))
                    events = aiter(stream)
                    first = await meter.wait(anext(events, None))
                except Exception as error:
                    failure = self._failed(meter, error)
                    cause = error
                except BaseException:
                    self._book(meter, None)
                    raise
                else:
                    # ``StreamedResponse.__aiter__`` hands out this iterator where there is one.
                    handed_out = self._events(meter, first, events, attempt)
                    stream._event_iterator = handed_out
                    try:
                        yield stream
                    finally:
                        await handed_out.aclose()
                        self._book_stream(meter, stream)
                    return
            await self._wait_before_next(attempt, failure, cause)

    def _start_request_deadline(self, model_settings: ModelSettings | None, *, stream: bool) -> None:
        """The deadline is ours, for each attempt: pydantic-ai's own would span all of them."""

    async def _events(
        self,
        meter: _Meter,
        first: ModelResponseStreamEvent | None,
        events: AsyncIterator[ModelResponseStreamEvent],
        attempt: int,
    ) -> AsyncGenerator[ModelResponseStreamEvent]:
        event = first
        try:
            while event is not None:
                yield event
                event = await meter.wait(anext(events, None))
        except Exception as error:
            failure = self._failed(meter, error)
            if failure.kind == "timeout":
                self.ledger.check()
            raise self._final(failure, attempt) from error
        meter.complete = True

    def _begin(self, settings: ModelSettings | None) -> _Meter:
        self.ledger.check()
        longest_s = min(self.limits.attempt_s, (settings or {}).get("request_timeout", self.limits.attempt_s))
        left_s = self.ledger.left_s
        return _Meter(longest_s if left_s is None else min(longest_s, left_s))

    def _failed(self, meter: _Meter, error: Exception) -> Failure:
        """Books a failed attempt. Raises what no other attempt mends."""
        meter.booked = True
        ours = isinstance(error, exceptions.UserError | CapExceeded)
        failure = failure_of(error)
        charged = 1 if failure.perhaps_charged and not ours else 0
        used = Usage(failed_attempts=1, unmeasured_attempts=charged, model_s=meter.waited_s)
        self.ledger.add(self.name, used)
        if ours:
            raise error
        return failure

    async def _wait_before_next(self, attempt: int, failure: Failure, cause: Exception) -> None:
        """Raises where there is no next attempt."""
        asked_s = failure.retry_after_s or 0.0
        if not failure.transient:
            raise self._final(failure, attempt) from cause
        self.ledger.check()
        if attempt > self.limits.retries or asked_s > self.limits.longest_wait_s:
            raise self._final(failure, attempt) from cause
        backed_off_s = min(self.limits.longest_wait_s, _FIRST_WAIT_S * 2 ** (attempt - 1))
        wait_s = max(asked_s, backed_off_s * self._random.uniform(0.5, 1.0))
        if self._on_retry is not None:
            self._on_retry(
                Retry(model=self.name, attempt=attempt, wait_s=wait_s, kind=failure.kind, reason=failure.text)
            )
        await self._sleep(wait_s)
        self.ledger.add(self.name, Usage(waited_s=wait_s))

    def _final(self, failure: Failure, attempts: int) -> ModelCallFailed:
        return ModelCallFailed(self.name, failure, attempts=attempts)

    def _book_stream(self, meter: _Meter, stream: StreamedResponse) -> None:
        if not meter.booked:
            self._book(meter, stream.usage, complete=meter.complete)

    def _book(self, meter: _Meter, used: RequestUsage | None, *, complete: bool = True) -> None:
        """Books an answer; one that was broken off, or whose server does not count, as not measured."""
        meter.booked = True
        used = used or RequestUsage()
        measured = complete and bool(used.input_tokens or used.output_tokens)
        cost = None if self.price is None else self.price.of(used)
        source = "" if self.price is None else self.price.source
        if used.cost is not None:
            cost, source = float(used.cost), "as the provider reports it"
        self.ledger.add(
            self.name,
            Usage(
                requests=1,
                unmeasured_requests=0 if measured else 1,
                input_tokens=used.input_tokens,
                cached_input_tokens=used.cache_read_tokens,
                output_tokens=used.output_tokens,
                model_s=meter.waited_s,
                cost=cost,
                currency="USD" if self.price is None else self.price.currency,
                price_sources=(source,) if cost is not None else (),
            ),
        )


class _Meter:
    """The waiting of one attempt: how long it has been, and how long it may still be."""

    def __init__(self, longest_s: float) -> None:
        self._longest_s = longest_s
        self.waited_s = 0.0
        self.complete = False
        self.booked = False

    async def wait(self, coming: Awaitable[_T]) -> _T:
        """Waits for something of the model's. Raises TimeoutError where the attempt has become too long."""
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(max(0.0, self._longest_s - self.waited_s)):
                return await coming
        finally:
            self.waited_s += clock() - began


def _once(settings: ModelSettings | None) -> ModelSettings:
    """The provider's own client must not try again unseen."""
    merged: ModelSettings = {**(settings or {}), "max_retries": 0}
    merged.pop("request_timeout", None)
    return merged
