"""Opens a language model by its name; see ``names`` for what names there are."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

import httpx
from pydantic_ai.models import Model

from harness.errors import UserError
from harness.models.language.failure import without_keys
from harness.models.language.keys import SERVER_KEY
from harness.models.language.listed_prices import listed_price
from harness.models.language.local_server import serving_model
from harness.models.language.metered import Limits, MeteredModel, OnRetry
from harness.models.language.names import (
    ModelName,
    exact_name,
    parse_name,
    provider_model,
    server_model,
)
from harness.models.language.prices import Price, Tariff
from harness.models.language.usage import Ledger
from harness.models.resolve import resolve_model

CALLER_ATTEMPT_S = 300.0
_LISTING_TIMEOUT_S = 10.0
_MAX_LISTING_BYTES = 1_000_000
_MAX_ID_CHARS = 300


@asynccontextmanager
async def open_language_model(
    name: str,
    *,
    limits: Limits | None = None,
    price: Price | None = None,
    ledger: Ledger | None = None,
    on_retry: OnRetry | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> AsyncGenerator[MeteredModel]:
    """A language model for as long as the block lasts; a ``local:`` one is served for just as long.

    Its name says which model it is: that of a server without ``#MODEL`` gets the one that was found there.

    Args:
        name: As ``harness.models.language.names`` has them.
        limits: Caps, retries and concurrency, over everything that is asked through this model.
        price: What its tokens cost; None: as listed (``listed_prices``), or not known.
        ledger: Where its usage is booked; None: a new one with the run's cap. Several models may share one.
        on_retry: Hears of each retry; :meth:`MeteredModel.for_dialogue` may name another.
        seed: Of the jitter between attempts.
        threads: Of a ``local:`` model's server; None: half of the cores, for use beside a live call.

    Raises:
        UserError: The name, its key, package or model; or the server cannot be reached to ask what it has; or
            a cap on the cost without a price.
    """
    limits = limits or Limits()
    parsed = parse_name(name)
    tariff: Tariff | None = price or listed_price(parsed)
    if tariff is None and (limits.run.cost is not None or limits.dialogue.cost is not None):
        raise UserError(f"{name}: a cap on the cost needs a price: give it with --price IN,OUT")
    async with AsyncExitStack() as stack:
        wrapped = await _bare(parsed, stack, threads)
        await stack.enter_async_context(wrapped)
        yield MeteredModel(
            wrapped,
            name=exact_name(parsed, wrapped),
            limits=limits,
            price=tariff,
            ledger=ledger,
            on_retry=on_retry,
            seed=seed,
        )


def open_caller_model(name: str) -> AbstractAsyncContextManager[MeteredModel]:
    """:func:`open_language_model` for calls by voice. Reading a persona may take minutes on a small machine,
    and an attempt that is cut off begins anew; in the call the limit of a thought is shorter."""
    return open_language_model(name, limits=Limits(attempt_s=CALLER_ATTEMPT_S))


def check_language_model(name: str) -> None:
    """Whether a name can be opened on this machine, as far as that can be told without the network.

    Raises:
        UserError: As :func:`open_language_model`.
    """
    parsed = parse_name(name)
    if parsed.kind == "provider":
        provider_model(parsed)
    elif parsed.kind == "local":
        resolve_model(parsed.model)


async def _bare(name: ModelName, stack: AsyncExitStack, threads: int | None) -> Model:
    if name.kind == "provider":
        return provider_model(name)
    base_url = name.where
    if name.kind == "local":
        serving = serving_model(name.model, threads=threads)
        base_url = await asyncio.to_thread(stack.enter_context, serving)
    model = name.model if name.kind == "server" else ""
    return server_model(base_url=base_url, model=model or await _first_listed(base_url))


async def _first_listed(base_url: str) -> str:
    """The first model that a server lists."""
    key = os.environ.get(SERVER_KEY)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    url = f"{base_url}/models"
    advice = f"{url}: name the model yourself, as {base_url}#MODEL, if the server is right"
    try:
        async with (
            httpx.AsyncClient(timeout=_LISTING_TIMEOUT_S) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            if response.status_code in (401, 403):
                raise UserError(f"{url}: the server wants another key: set {SERVER_KEY}")
            if response.status_code != 200:
                raise UserError(f"{advice}: it answered HTTP {response.status_code}")
            content = b""
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > _MAX_LISTING_BYTES:
                    raise UserError(f"{advice}: its list of models is too long")
        listed = httpx.Response(200, content=content).json()["data"][0]["id"]
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        why = without_keys(str(error)) or type(error).__name__
        raise UserError(f"{url}: the language model's server cannot be reached: {why}") from error
    except (ValueError, LookupError, TypeError) as error:
        raise UserError(f"{advice}: it lists no model") from error
    if not isinstance(listed, str) or not listed:
        raise UserError(f"{advice}: it lists no model")
    if len(listed) > _MAX_ID_CHARS or not listed.isprintable():
        raise UserError(f"{advice}: the name of its first model is no name")
    return listed
