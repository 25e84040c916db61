"""Asks the user's backend what became of a call, as soon as it is over: the next call may change it again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from harness._files.atomic_file import write_model
from harness._files.json_file import BadJson, parse_json
from harness.errors import NotWritten, UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.expectations import Expected, HttpCheck
from harness.plans.on_the_wire import on_the_wire
from harness.records.verdict import AFTER_CALL_FILE, AfterCall, HttpAnswer
from spoken_language.outside_text import one_line

MAX_BYTES = 1_000_000
NOT_IN_TIME = "no answer in time"
RETRY_S = 0.5
"""A backend may need a moment to have it all: asked again for as long as the check allows."""


def check_askable(checks: Checks) -> None:
    """Finds out before the first call which backend cannot be asked.

    Raises:
        UserError: The address is none, or a variable that it or a header names is not set.
    """
    for call_id, expected in checks.expect.items():
        for check in (one.what.http for one in expected if one.what.http is not None):
            where = f"call '{call_id}': expect: {check.told}"
            if not check.url.startswith(("http://", "https://")):
                raise UserError(f"{where}: its url begins with http:// or https://")
            try:
                on_the_wire(check.url, check.headers)
            except UserError as error:
                raise UserError(f"{where}: {error}") from error


async def ask_after_call(folder: Path, expected: Sequence[Expected]) -> None:
    """Puts every ``http`` expectation of a call to its backend, and keeps the answers beside the call.

    Raises:
        NotWritten: They cannot be kept.
    """
    checks = [one.what.http for one in expected if one.what.http is not None]
    if not checks:
        return
    answers = await asyncio.gather(*(_asked(check) for check in checks))
    path = folder / AFTER_CALL_FILE
    try:
        write_model(path, AfterCall(answers=tuple(answers)))
    except OSError as error:
        raise NotWritten.of(path, error) from error


async def _asked(check: HttpCheck) -> HttpAnswer:
    """The first answer that is as it should be, else the last one that came within the time."""
    loop = asyncio.get_running_loop()
    until = loop.time() + check.within_s
    last: HttpAnswer | None = None
    while True:
        left = until - loop.time()
        answer = await _once(check, max(0.1, left))
        # That the last question had no time left says nothing of a backend that had answered before.
        if last is None or answer.error != NOT_IN_TIME:
            last = answer
        if _is_right(check, last) or loop.time() + RETRY_S >= until:
            return last
        await asyncio.sleep(RETRY_S)


async def _once(check: HttpCheck, timeout_s: float) -> HttpAnswer:
    bare = HttpAnswer(url=str(check.url), method=check.method)
    try:
        wire = on_the_wire(check.url, check.headers)
        auth = (wire.user, wire.password) if wire.user is not None else None
        async with (
            asyncio.timeout(timeout_s),
            httpx.AsyncClient(timeout=timeout_s, auth=auth, trust_env=False) as client,
            client.stream(check.method, wire.url, headers=dict(wire.headers)) as response,
        ):
            content = b""
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > MAX_BYTES:
                    return _failed(bare, f"the answer is longer than {MAX_BYTES} bytes")
    except UserError as error:
        return _failed(bare, str(error))
    except (httpx.TimeoutException, TimeoutError):
        return _failed(bare, NOT_IN_TIME)
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return _failed(bare, str(error) or type(error).__name__)
    body = content.decode("utf-8", "replace")
    return HttpAnswer(
        url=bare.url,
        method=bare.method,
        status=response.status_code,
        body=one_line(body, most=2000),
        contains=check.contains if check.contains in body else "",
        found=_found(check, content),
    )


def _failed(bare: HttpAnswer, why: str) -> HttpAnswer:
    return bare.model_copy(update={"error": one_line(why, most=300)})


def _found(check: HttpCheck, content: bytes) -> dict[str, str | int | float | bool | None]:
    if not check.answer:
        return {}
    try:
        answer = parse_json(content)
    except BadJson:
        return {}
    found: dict[str, str | int | float | bool | None] = {}
    for path in check.answer:
        there, value = _at(answer, path)
        if there and isinstance(value, str | int | float | bool | None):
            found[path] = one_line(value, most=500) if isinstance(value, str) else value
    return found


def _at(content: Any, path: str) -> tuple[bool, Any]:
    for part in path.split("."):
        if isinstance(content, dict) and part in content:
            content = content[part]
        elif isinstance(content, list) and part.isdigit() and int(part) < len(content):
            content = content[int(part)]
        else:
            return False, None
    return True, content


def _is_right(check: HttpCheck, answer: HttpAnswer) -> bool:
    return (
        answer.status == check.status
        and answer.has(check.contains)
        and all(answer.found.get(path, ...) == value for path, value in check.answer.items())
    )
