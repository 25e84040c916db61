"""Language models over HTTP: a scripted server that fails in every way, and llama.cpp with a real model."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Iterator

import pytest
from pydantic import BaseModel, Field
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import ModelRequest, TextPart

from harness.errors import UserError
from harness.models.language import (
    Limits,
    MeteredModel,
    ModelCallFailed,
    Price,
    Retry,
    open_language_model,
)
from tests.llama import children_that_serve, person, tiny_model
from tests.llm_server import MODEL, Answer, ScriptedServer, say, serving_llm
from voice_sim.policies.base import Heard, Leave, Line, PolicyError, Said
from voice_sim.policies.llm import LLMPolicy

pytestmark = pytest.mark.live

ASK = [ModelRequest.user_text_prompt("Hello?")]
TWICE = Limits(attempt_s=30.0, retries=1)
"""Twice at most. The first request of a process takes seconds where others have the processor."""


@contextlib.asynccontextmanager
async def scripted(
    *script: Answer, limits: Limits = TWICE, retries: list[Retry] | None = None
) -> AsyncIterator[tuple[MeteredModel, ScriptedServer]]:
    """A metered model in front of a scripted server."""
    on_retry = None if retries is None else retries.append
    with serving_llm(*script) as server:
        async with open_language_model(
            server.url, limits=limits, price=Price(input=1.0, output=2.0), on_retry=on_retry
        ) as model:
            yield model, server


async def ask(model: MeteredModel, *, stream: bool) -> str:
    """The answer's text."""
    if not stream:
        parts = (await model_request(model, ASK)).parts
    else:
        async with model_request_stream(model, ASK) as answer:
            async for _ in answer:
                pass
            parts = answer.get().parts
    return "".join(part.content for part in parts if isinstance(part, TextPart))


# ---- a scripted server


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_answer_and_usage(stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTBOUNDEVAL_LLM_API_KEY", "key-of-this-server")
    async with scripted(say("Good morning.", tokens=(1000, 500))) as (model, server):
        assert await ask(model, stream=stream) == "Good morning."
        assert model.model_name == server.requests[0]["model"] == MODEL
        assert server.headers[0]["authorization"] == "Bearer key-of-this-server"
        used = model.usage
    assert (used.requests, used.input_tokens, used.output_tokens) == (1, 1000, 500)
    assert used.cost == pytest.approx(0.002)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_server_that_counts_no_tokens(stream: bool) -> None:
    async with scripted(say("Good morning.", tokens=None)) as (model, _):
        await ask(model, stream=stream)
        assert (model.usage.requests, model.usage.unmeasured_requests) == (1, 1)
        assert model.usage.cost_text().startswith("at least 0.0000 USD")


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize(
    ("failure", "kind", "perhaps_charged", "attempt_s"),
    [
        # Only what hangs is to run into the limit.
        (Answer(status=429, headers={"Retry-After": "0"}), "rate_limit", 0, 30.0),
        (Answer(status=500), "server", 0, 30.0),
        (Answer(hang_s=60), "timeout", 1, 2.0),
        (Answer(hang_s=0.01), "connection", 1, 30.0),
    ],
    ids=["429", "500", "hang", "broken"],
)
async def test_passing_failures_are_tried_again_once(
    stream: bool, failure: Answer, kind: str, perhaps_charged: int, attempt_s: float
) -> None:
    retries: list[Retry] = []
    limits = Limits(attempt_s=attempt_s, retries=1)
    async with scripted(failure, say("At last."), limits=limits, retries=retries) as (model, server):
        assert await ask(model, stream=stream) == "At last."
        assert model.usage.unmeasured_attempts == perhaps_charged
    assert [(retry.kind, retry.attempt) for retry in retries] == [(kind, 1)]
    # The provider's own client tries nothing again unseen.
    assert len(server.requests) == 2


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (Answer(status=401, error="wrong key"), "authentication"),
        (Answer(status=400, error="what is this"), "rejected"),
        (Answer(status=429, headers={"Retry-After": "3600"}), "rate_limit"),
        (Answer(body=b"<html>Sign in</html>"), "garbage"),
        (Answer(body=b'{"choices": null}'), "garbage"),
        (Answer(body=b"[1, 2]"), "garbage"),
    ],
    ids=["401", "400", "429 for an hour", "html", "no choices", "a list"],
)
async def test_lasting_failures_are_not(stream: bool, failure: Answer, kind: str) -> None:
    async with scripted(failure, say("Never asked.")) as (model, server):
        with pytest.raises(ModelCallFailed, match=r"http://127\.0\.0\.1") as raised:
            await ask(model, stream=stream)
    assert (raised.value.kind, len(server.requests)) == (kind, 1)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_a_server_that_is_not_there_charges_nothing(stream: bool) -> None:
    with serving_llm() as server:
        url = f"{server.url}#{MODEL}"
    async with open_language_model(
        url, limits=Limits(retries=0), price=Price(input=1.0, output=2.0)
    ) as model:
        with pytest.raises(ModelCallFailed, match=r"http://127\.0\.0\.1") as raised:
            await ask(model, stream=stream)
        assert (raised.value.kind, model.usage.cost_text()) == ("connection", "0.0000 USD")


async def test_truncated_stream_is_a_failure_not_an_answer() -> None:
    async with scripted(Answer(text="one two three four", cut_after=2)) as (model, server):
        with pytest.raises(ModelCallFailed, match=r"http://127\.0\.0\.1") as raised:
            await ask(model, stream=True)
    assert (raised.value.kind, len(server.requests)) == ("connection", 1)


async def test_no_more_at_once_than_allowed() -> None:
    limits = Limits(concurrency=2)
    async with scripted(say("Hm.", first_pause_s=0.2), limits=limits) as (model, server):
        await asyncio.gather(*(ask(model, stream=number % 2 == 0) for number in range(8)))
    assert (server.most_at_once, len(server.requests)) == (2, 8)


async def test_server_that_is_not_there() -> None:
    with serving_llm() as server:
        url = server.url
    with pytest.raises(UserError, match="cannot be reached"):
        async with open_language_model(url):
            pass
    async with open_language_model(f"{url}#m", limits=Limits(retries=0)) as model:
        with pytest.raises(ModelCallFailed, match="onnection"):
            await ask(model, stream=False)


async def test_address_that_is_no_language_model() -> None:
    with serving_llm() as server, pytest.raises(UserError, match="HTTP 404"):
        async with open_language_model(server.url.replace("/v1", "/v2")):
            pass


async def test_first_sentence_of_the_caller_comes_while_the_model_still_writes() -> None:
    came: list[Line | Leave] = []
    has_come = threading.Event()
    in_time: list[bool] = []

    def written() -> Iterator[str]:
        yield from ("Yes, speaking. ", "Who ")
        in_time.append(has_come.wait(20.0))
        yield from ("is ", "it?")

    async with scripted(Answer(chunks=written())) as (model, _):
        async for part in LLMPolicy(persona=person(), model=model, seed=1).think(HELLO):
            came.append(part)
            has_come.set()
    assert [part.text for part in came if isinstance(part, Line)] == ["Yes, speaking.", "Who is it?"]
    assert in_time == [True], "the first sentence was kept until the model had written the second"


# ---- llama.cpp with a real model

HELLO = [Heard(onset_s=0.5, end_s=2.0, text="Hello, this is Amy from the bike shop. Is now a good time?")]


class Verdict(BaseModel):
    polite: bool
    score: int = Field(ge=0, le=2)


async def test_real_model_plays_the_caller_answers_in_a_schema_and_dies() -> None:
    name = tiny_model()
    limits = Limits(attempt_s=60.0, retries=1)
    retries: list[Retry] = []
    async with open_language_model(name, limits=limits, on_retry=retries.append) as model:
        policy = LLMPolicy(persona=person(), model=model, seed=1, max_tokens=40)
        turn = [part async for part in policy.think(HELLO)]
        assert turn
        assert all(isinstance(part, Leave) or part.text for part in turn)

        judge = Agent(model, output_type=NativeOutput(Verdict), model_settings={"max_tokens": 80, "seed": 1})
        verdict = (await judge.run("Is this polite: 'Good morning, how may I help you?'")).output
        assert isinstance(verdict, Verdict)

        assert model.usage.requests >= 2
        assert model.usage.input_tokens > 200
        assert model.usage.output_tokens > 0
        assert model.usage.unmeasured_requests == 0

        (server,) = children_that_serve()
        # On a busy machine it may have been asked twice for something before.
        before = len(retries)
        os.kill(server, signal.SIGKILL)
        began = time.monotonic()
        with pytest.raises(PolicyError, match="the caller's language model failed"):
            async for _ in policy.think([*HELLO, Said(text="Yes.", kind="turn", end_s=4.0), *HELLO]):
                pass
        assert time.monotonic() - began < limits.attempt_s / 2, "it was waited for, though it was gone"
        assert [retry.kind for retry in retries[before:]] == ["connection"]
    assert list(children_that_serve()) == []


@pytest.mark.long
async def test_server_of_a_local_model_ends_with_the_block() -> None:
    name = tiny_model()
    async with open_language_model(name) as model:
        assert model.name == name
        assert len(list(children_that_serve())) == 1
    assert list(children_that_serve()) == []
