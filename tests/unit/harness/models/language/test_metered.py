"""Counting, caps and retries of the wrapper, around a model that does as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from pydantic_ai import Agent
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
    UnexpectedModelBehavior,
)
from pydantic_ai.exceptions import UserError as MisuseError
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from harness.models.language import (
    Cap,
    CapExceeded,
    Limits,
    MeteredModel,
    ModelCallFailed,
    Price,
    Retry,
    Usage,
)
from harness.models.language.failure import failure_of, without_keys

ASK = [ModelRequest.user_text_prompt("Hello?")]
Step = str | Exception | float
"""Say this; fail so; or be silent for so many seconds and then fail."""


class Scripted:
    """A model that takes one step per request, and a wrapper around it that notes how long it would sleep."""

    def __init__(self, *steps: Step, usage: tuple[int, int] = (100, 10), **fields: Any) -> None:
        self.steps = list(steps)
        self.usage = usage
        self.slept: list[float] = []
        self.retries: list[Retry] = []
        self.asked = asyncio.Event()
        self.model = MeteredModel(
            FunctionModel(self._answer, stream_function=self._stream),
            name="scripted",
            sleep=self._sleep,
            on_retry=self.retries.append,
            **fields,
        )

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def _answer(self, messages: list[Any], info: AgentInfo) -> ModelResponse:
        text = await self._step()
        used = RequestUsage(input_tokens=self.usage[0], output_tokens=self.usage[1])
        return ModelResponse(parts=[TextPart(text)], usage=used)

    async def _stream(self, messages: list[Any], info: AgentInfo) -> AsyncIterator[str]:
        text = await self._step()
        for word in text.split():
            if word == "BREAK":
                raise ModelConnectionError("scripted", "broken pipe")
            yield f"{word} "

    async def _step(self) -> str:
        step = self.steps.pop(0)
        self.asked.set()
        if isinstance(step, float):
            await asyncio.sleep(step)
            raise AssertionError("it should not have been waited for so long")
        if isinstance(step, Exception):
            raise step
        return step


async def ask(model: MeteredModel) -> str:
    response = await model_request(model, ASK)
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


async def stream(model: MeteredModel, *, stop_after: int | None = None) -> str:
    """The streamed text. ``stop_after``: break off after so many events."""
    async with model_request_stream(model, ASK) as answer:
        events = 0
        async for _ in answer:
            events += 1
            if events == stop_after:
                break
        return "".join(part.content for part in answer.get().parts if isinstance(part, TextPart))


BOTH: list[Callable[..., Any]] = [ask, stream]


def busy(status: int = 503, retry_after: float | None = None) -> Exception:
    return ModelHTTPError(status, "scripted", {"message": "busy"}, retry_after=retry_after)


async def test_usage_is_counted_and_priced() -> None:
    scripted = Scripted("one", "two", price=Price(input=2.0, output=8.0))
    assert [await ask(scripted.model), await ask(scripted.model)] == ["one", "two"]
    used = scripted.model.usage
    assert (used.requests, used.input_tokens, used.output_tokens) == (2, 200, 20)
    assert used.cost == pytest.approx((200 * 2 + 20 * 8) / 1e6)
    assert (used.failed_attempts, used.unmeasured_requests, used.waited_s) == (0, 0, 0.0)
    assert 0 < used.model_s < 5


async def test_without_a_price_the_cost_is_not_known() -> None:
    scripted = Scripted("one")
    await ask(scripted.model)
    assert scripted.model.usage.cost is None


@pytest.mark.parametrize("how", BOTH)
@pytest.mark.parametrize(
    "error",
    [busy(429), busy(500), busy(503), busy(408), TimeoutError(), ConnectionResetError("gone")],
    ids=lambda error: str(error)[:30] or type(error).__name__,
)
async def test_passing_failure_is_tried_again_and_told(how: Callable[..., Any], error: Exception) -> None:
    scripted = Scripted(error, error, "at last")
    assert (await how(scripted.model)).strip() == "at last"
    assert [retry.attempt for retry in scripted.retries] == [1, 2]
    assert [retry.wait_s for retry in scripted.retries] == scripted.slept
    assert 0.25 <= scripted.slept[0] <= 0.5 <= scripted.slept[1] <= 1.0
    used = scripted.model.usage
    assert (used.requests, used.failed_attempts) == (1, 2)
    assert used.waited_s == pytest.approx(sum(scripted.slept))


@pytest.mark.parametrize("how", BOTH)
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (busy(400), "rejected"),
        (busy(401), "authentication"),
        (busy(404), "not_found"),
        (UnexpectedModelBehavior("what is this"), "garbage"),
        (ValueError("not JSON"), "garbage"),
    ],
)
async def test_lasting_failure_is_not_tried_again(
    how: Callable[..., Any], error: Exception, kind: str
) -> None:
    scripted = Scripted(error, "never asked")
    with pytest.raises(
        ModelCallFailed, match=r"^scripted: (HTTP 40\d: busy|not an answer of a language model: )"
    ) as raised:
        await how(scripted.model)
    assert (raised.value.kind, raised.value.attempts, scripted.slept) == (kind, 1, [])
    assert scripted.steps == ["never asked"]


def _wrapped(cause: Exception) -> Exception:
    """As the providers' clients and pydantic-ai hand on what the connection said."""
    error = ModelConnectionError("scripted", "Connection error.")
    error.__cause__ = RuntimeError("APIConnectionError")
    error.__cause__.__cause__ = cause
    return error


@pytest.mark.parametrize("how", BOTH)
@pytest.mark.parametrize(
    ("error", "perhaps_charged"),
    [
        (TimeoutError(), True),
        (30.0, True),
        (httpx.ReadTimeout("nothing came"), True),
        (ConnectionResetError("gone"), True),
        (_wrapped(httpx.ReadError("gone")), True),
        (_wrapped(httpx.RemoteProtocolError("peer closed connection")), True),
        (busy(408), True),
        (busy(504), True),
        (UnexpectedModelBehavior("what is this"), True),
        (busy(401), False),
        (busy(429), False),
        (busy(500), False),
        (ModelRateLimitError("scripted", "come back"), False),
        (ConnectionRefusedError("nobody there"), False),
        (_wrapped(httpx.ConnectError("All connection attempts failed")), False),
        (_wrapped(httpx.ConnectTimeout("nobody there")), False),
        (MisuseError("a mistake of ours"), False),
    ],
    ids=repr,
)
async def test_a_failed_attempt_that_may_have_been_charged_is_noted(
    how: Callable[..., Any], error: Exception | float, perhaps_charged: bool
) -> None:
    price = Price(input=1000.0, output=1000.0)
    # Only silence is to run into the limit.
    limits = Limits(attempt_s=0.05 if isinstance(error, float) else 30.0, retries=0)
    scripted = Scripted("Hello.", error, limits=limits, price=price)
    await how(scripted.model)
    exact = scripted.model.usage.cost_text()
    with pytest.raises((ModelCallFailed, MisuseError)):
        await how(scripted.model)
    used = scripted.model.usage
    assert (used.requests, used.failed_attempts) == (1, 1)
    assert used.cost_text() == f"at least {exact}" if perhaps_charged else exact
    assert exact[0].isdigit()


@pytest.mark.parametrize("how", BOTH)
async def test_attempts_are_bounded(how: Callable[..., Any]) -> None:
    scripted = Scripted(*[busy()] * 9, limits=Limits(retries=3))
    with pytest.raises(ModelCallFailed, match=r"scripted: HTTP 503: busy \(after 4 attempts\)") as raised:
        await how(scripted.model)
    assert isinstance(raised.value, ModelAPIError)
    assert (len(scripted.slept), len(scripted.steps)) == (3, 5)


async def test_waits_grow_and_are_the_same_for_a_seed() -> None:
    waits = []
    for seed in (1, 1, 2):
        scripted = Scripted(*[busy()] * 9, limits=Limits(retries=8, longest_wait_s=10.0), seed=seed)
        with pytest.raises(ModelCallFailed, match=r"HTTP 503: busy \(after 9 attempts\)"):
            await ask(scripted.model)
        waits.append(scripted.slept)
    assert waits[0] == waits[1] != waits[2]
    for wait_s, full_s in zip(waits[0], [0.5, 1, 2, 4, 8, 10, 10, 10], strict=True):
        assert full_s / 2 <= wait_s <= full_s


async def test_server_that_asks_for_a_wait_gets_it() -> None:
    scripted = Scripted(busy(429, retry_after=7.5), "thanks")
    assert await ask(scripted.model) == "thanks"
    assert scripted.slept == [7.5]


async def test_server_that_asks_for_too_long_a_wait_is_given_up() -> None:
    error = ModelRateLimitError("scripted", "come back tomorrow", retry_after=86_400)
    scripted = Scripted(error, limits=Limits(longest_wait_s=30.0))
    with pytest.raises(ModelCallFailed, match="come back tomorrow"):
        await ask(scripted.model)
    assert scripted.slept == []


@pytest.mark.parametrize("how", BOTH)
async def test_silent_model_is_left_after_the_attempt_time(how: Callable[..., Any]) -> None:
    scripted = Scripted(30.0, "now", limits=Limits(attempt_s=0.05))
    assert (await how(scripted.model)).strip() == "now"
    assert [retry.kind for retry in scripted.retries] == ["timeout"]


async def test_stream_that_breaks_after_its_first_words_is_not_tried_again() -> None:
    scripted = Scripted("well I BREAK", "never asked")
    with pytest.raises(ModelCallFailed, match="broken pipe"):
        await stream(scripted.model)
    assert scripted.steps == ["never asked"]
    used = scripted.model.usage
    assert (used.requests, used.failed_attempts, used.unmeasured_attempts) == (0, 1, 1)


async def test_stream_that_breaks_before_its_first_word_is_tried_again() -> None:
    scripted = Scripted("BREAK", "here you are")
    assert await stream(scripted.model) == "here you are "


async def test_stream_that_is_broken_off_counts_as_not_measured() -> None:
    scripted = Scripted("a long story without an end", price=Price(input=1.0, output=1.0))
    await stream(scripted.model, stop_after=2)
    assert (scripted.model.usage.requests, scripted.model.usage.unmeasured_requests) == (1, 1)


async def test_caps_stop_before_the_next_request() -> None:
    scripted = Scripted("one", "two", limits=Limits(run=Cap(tokens=110)))
    assert await ask(scripted.model) == "one"
    for how in BOTH:
        with pytest.raises(CapExceeded, match="110 of 110 tokens"):
            await how(scripted.model)
    assert scripted.steps == ["two"]


async def test_cap_on_time_cuts_the_attempt_off() -> None:
    for how in BOTH:
        scripted = Scripted(30.0, "never asked", limits=Limits(dialogue=Cap(model_s=0.05)))
        with pytest.raises(CapExceeded, match=r"of 0\.05 s of the language model's time") as raised:
            await how(scripted.model.for_dialogue("d"))
        assert (raised.value.what, scripted.slept) == ("model_s", [])


async def test_dialogues_have_their_own_caps_and_their_own_ears() -> None:
    scripted = Scripted("one", busy(), "two", limits=Limits(dialogue=Cap(requests=1)))
    heard: list[Retry] = []
    first = scripted.model.for_dialogue("a")
    second = scripted.model.for_dialogue("b", on_retry=heard.append)
    await ask(first)
    with pytest.raises(CapExceeded, match="the dialogue has used 1 of 1 requests"):
        await ask(first)
    await ask(second)
    assert (len(heard), scripted.retries) == (1, [])
    assert scripted.model.usage.requests == 2
    assert first.usage.requests == second.usage.requests == 1


async def test_no_more_requests_at_once_than_allowed() -> None:
    under_way, most = 0, 0

    async def answer(messages: list[Any], info: AgentInfo) -> ModelResponse:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return ModelResponse(parts=[TextPart("done")])

    model = MeteredModel(FunctionModel(answer), name="m", limits=Limits(concurrency=3))
    await asyncio.gather(*(ask(model.for_dialogue(str(number))) for number in range(12)))
    assert (most, model.usage.requests) == (3, 12)


async def test_misuse_comes_out_as_it_is() -> None:
    scripted = Scripted(MisuseError("a mistake of ours"))
    with pytest.raises(MisuseError, match="a mistake of ours"):
        await ask(scripted.model)


async def test_cancelled_request_is_booked() -> None:
    scripted = Scripted(30.0)
    task = asyncio.create_task(ask(scripted.model))
    await scripted.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError, match=r"^$"):
        await task
    assert scripted.model.usage.unmeasured_requests == 1


async def test_agents_of_pydantic_ai_work_with_it() -> None:
    scripted = Scripted(busy(), "fine")
    result = await Agent(scripted.model, instructions="Be brief.").run("How are you?")
    assert (result.output, len(scripted.retries)) == ("fine", 1)


def test_ledger_of_a_model_that_was_never_asked_is_empty() -> None:
    assert Scripted().model.usage == Usage()


def test_no_key_is_ever_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "tell-nobody-this-0123")
    for text in (
        "wrong key tell-nobody-this-0123 given",
        "Incorrect API key provided: sk-abc12***************wxyz.",
        "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30",
    ):
        cleaned = without_keys(text)
        assert "[key]" in cleaned
        for secret in ("tell-nobody-this", "sk-abc12", "eyJhbGci"):
            assert secret not in cleaned


def test_message_of_a_stranger_is_one_bounded_line() -> None:
    error = ModelHTTPError(400, "m", {"error": {"message": "a\nb\x1b[31m" + "x" * 5000}})
    text = failure_of(error).text
    assert text.startswith("HTTP 400: a b\ufffd[31mx")
    assert len(text) <= 300


@pytest.mark.alone
async def test_a_question_has_a_time_of_its_own_and_counts_for_the_run() -> None:
    scripted = Scripted(60.0, "In time.")
    with pytest.raises(CapExceeded, match=r"the question has used \S+ of 0\.05 s") as raised:
        await model_request(scripted.model.for_question("one", longest_s=0.05), ASK)
    assert raised.value.what == "model_s"
    # Nothing was tried again, and the next question has its whole time.
    assert scripted.retries == []
    await model_request(scripted.model.for_question("two", longest_s=5.0), ASK)
    assert (scripted.model.usage.failed_attempts, scripted.model.usage.requests) == (1, 1)
