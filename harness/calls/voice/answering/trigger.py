"""Tells an agent to call: by an HTTP request, or by a command."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from harness._files.own_processes import note_ended, note_started
from harness.calls.to_its_end import to_its_end
from harness.errors import HarnessFault, SetupFailed, UserError
from harness.plans.on_the_wire import OnTheWire, on_the_wire
from harness.plans.reach.answer import TriggerPlan
from harness.redaction import KNOWN
from spoken_language.outside_text import one_line

STOP_S = 3.0
"""So long a command may take to end when its call is over."""
MAX_TOLD = 4000
"""Characters of what a command prints that are kept for a message."""
_MAX_ANSWER_BYTES = 100_000


@dataclass(frozen=True, kw_only=True)
class Told:
    """What an agent is told.

    Attributes:
        address: Where it shall call.
        entry: For which call.
        request_data: What that call tells the agent, with its secrets: for the agent alone.
    """

    address: str
    entry: str
    number: str = ""
    request_data: dict[str, Any] = field(default_factory=dict, repr=False)

    def put_into(self, text: str, escape: Callable[[str], str] = str) -> str:
        """A text with what stands for these in it."""
        for name, value in self._values().items():
            text = text.replace(f"{{{name}}}", escape(value))
        return text

    def put_into_data(self, data: Any) -> Any:
        """The same for JSON; request data alone in a text stay what they are."""
        if isinstance(data, str):
            return self.request_data if data == "{request_data}" else self.put_into(data)
        if isinstance(data, dict):
            return {key: self.put_into_data(value) for key, value in data.items()}
        return [self.put_into_data(one) for one in data] if isinstance(data, list | tuple) else data

    def _values(self) -> dict[str, str]:
        data = json.dumps(self.request_data, ensure_ascii=True, separators=(",", ":"))
        return {"address": self.address, "entry": self.entry, "number": self.number, "request_data": data}

    @property
    def environment(self) -> dict[str, str]:
        """For a command."""
        return {f"OUTBOUNDEVAL_{name.upper()}": value for name, value in self._values().items()}


@contextlib.asynccontextmanager
async def triggered(plan: TriggerPlan | None, told: Told) -> AsyncIterator[asyncio.Future[str]]:
    """Tells the agent to call, while in the block: it may call before it has answered.

    Gives a future that is done when the agent could not be told, or a command failed: how.

    Raises:
        SetupFailed: A command cannot be started.
        HarnessFault: What is to be told cannot be put together.
    """
    failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    if plan is None:
        yield failed
    elif plan.url is not None:
        asking = asyncio.create_task(_tell_if_refused(plan, _filled(plan), told, failed))
        try:
            yield failed
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
    else:
        async with _running(plan, told, failed):
            yield failed


def _filled(plan: TriggerPlan) -> OnTheWire:
    try:
        return on_the_wire(plan.url or "", plan.headers, {"body": plan.body})
    except UserError as error:
        raise HarnessFault(f"trigger: {error}; the agent was not told") from error


async def _tell_if_refused(
    plan: TriggerPlan, wire: OnTheWire, told: Told, failed: asyncio.Future[str]
) -> None:
    how = await _asked(plan, wire, told)
    if how and not failed.done():
        failed.set_result(how)


async def _asked(plan: TriggerPlan, wire: OnTheWire, told: Told) -> str:
    """Why the request was in vain; empty where it was not."""
    body = wire.request_data["body"]
    auth = (wire.user, wire.password) if wire.user is not None else None
    url = told.put_into(wire.url, lambda value: quote(value, safe=""))
    headers = {name: told.put_into(value) for name, value in wire.headers.items()}
    content = None if body is None else told.put_into_data(body)
    try:
        async with (
            asyncio.timeout(plan.within_s),
            httpx.AsyncClient(timeout=plan.within_s, auth=auth, trust_env=False) as client,
            client.stream(plan.method, url, headers=headers, json=content) as response,
        ):
            got = b""
            async for piece in response.aiter_bytes():
                got += piece
                if len(got) > _MAX_ANSWER_BYTES:
                    break
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
        why = one_line(KNOWN.scrub(str(error)), most=200) or f"no answer within {plan.within_s:g} s"
        return f"trigger: {plan.url}: {why}"
    if response.status_code < 300:
        return ""
    said = one_line(KNOWN.scrub(got.decode("utf-8", "replace")), most=200)
    return f"trigger: {plan.url}: answered {response.status_code}{f': {said}' if said else ''}"


@contextlib.asynccontextmanager
async def _running(plan: TriggerPlan, told: Told, failed: asyncio.Future[str]) -> AsyncIterator[None]:
    try:
        filled = on_the_wire("http://x", request_data={"words": shlex.split(plan.command)})
    except UserError as error:
        raise HarnessFault(f"trigger: {error}; the agent was not told") from error
    words = [told.put_into(word) for word in filled.request_data["words"]]
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **told.environment},
        )
    except OSError as error:
        raise SetupFailed(f"trigger: {words[0]} cannot be started: {error.strerror or error}") from None
    note_started(process.pid)
    watching = asyncio.create_task(_watch(process, words[0], failed))
    try:
        yield
    finally:
        stopping = asyncio.create_task(_stop(process, watching))
        if await to_its_end(stopping):
            raise asyncio.CancelledError
        stopping.result()


async def _watch(process: asyncio.subprocess.Process, name: str, failed: asyncio.Future[str]) -> None:
    """Reads what it prints, so that it never waits for us, and tells where it fails."""
    last = b""
    assert process.stdout is not None
    while piece := await process.stdout.read(65_536):
        last = (last + piece)[-MAX_TOLD:]
    code = await process.wait()
    if code != 0 and not failed.done():
        said = one_line(KNOWN.scrub(last.decode("utf-8", "replace")), most=300)
        failed.set_result(f"trigger: {name} ended with exit code {code}{f': {said}' if said else ''}")


async def _stop(process: asyncio.subprocess.Process, watching: asyncio.Task[None]) -> None:
    await _end(process)
    note_ended(process.pid)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def _end(process: asyncio.subprocess.Process) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        try:
            async with asyncio.timeout(STOP_S):
                await process.wait()
                return
        except TimeoutError:
            continue
