"""How an agent learns to call: what is sent, what a command gets, and what is told where it fails."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from harness.calls.voice.answering import trigger
from harness.calls.voice.answering.trigger import Told, triggered
from harness.errors import HarnessFault, SetupFailed
from harness.plans.reach.answer import TriggerPlan

PATIENCE_S = 30.0
"""How long a busy machine may take; what is not waited for lasts a minute."""

TOLD = Told(
    address="sip:49@127.0.0.1:5060", entry="call-7", number="49", request_data={"card": {"name": 'Ann, "A"'}}
)


class Dialler:
    """Takes what it is told, and answers with ``code``."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []
        self.code = 202
        self.after_s = 0.0
        self.came = asyncio.Event()

    async def take(self, request: web.Request) -> web.Response:
        body = await request.text()
        self.got.append(
            {
                "path": request.path_qs,
                "authorization": request.headers.get("Authorization"),
                "body": json.loads(body) if body else None,
            }
        )
        self.came.set()
        await asyncio.sleep(self.after_s)
        return web.Response(status=self.code, text="no such \x1b[31mcampaign")


@pytest.fixture
async def dialler() -> AsyncIterator[tuple[Dialler, str]]:
    dialler = Dialler()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", dialler.take)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield dialler, f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def test_a_request_has_everything_filled_in(
    dialler: tuple[Dialler, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIALLER_TOKEN", "t0ken-of-the-dialler")
    there, address = dialler
    plan = TriggerPlan(
        url=f"{address}/dial?to={{address}}",
        headers={"Authorization": "Bearer {env:DIALLER_TOKEN}"},
        body={
            "id": "{entry}",
            "data": "{request_data}",
            "text": "for {entry}: {request_data}",
            "n": [1, None],
        },
    )
    assert "t0ken" not in plan.model_dump_json()
    async with triggered(plan, TOLD) as failed:
        await asyncio.wait_for(there.came.wait(), PATIENCE_S)
        assert not failed.done()
    (got,) = there.got
    assert got["path"] == "/dial?to=sip%3A49%40127.0.0.1%3A5060"
    assert got["authorization"] == "Bearer t0ken-of-the-dialler"
    assert got["body"] == {
        "id": "call-7",
        "data": TOLD.request_data,
        "text": f"for call-7: {json.dumps(TOLD.request_data, separators=(',', ':'))}",
        "n": [1, None],
    }


async def test_a_request_that_is_refused_is_told(dialler: tuple[Dialler, str]) -> None:
    there, address = dialler
    there.code = 404
    async with triggered(TriggerPlan(url=address), TOLD) as failed:
        how = await asyncio.wait_for(failed, PATIENCE_S)
    assert "answered 404: no such" in how
    assert "\x1b" not in how


async def test_the_agent_may_call_before_it_answers(dialler: tuple[Dialler, str]) -> None:
    there, address = dialler
    there.after_s = 60.0
    began = asyncio.get_running_loop().time()
    async with triggered(TriggerPlan(url=address, within_s=60.0), TOLD) as failed:
        await asyncio.wait_for(there.came.wait(), PATIENCE_S)
        assert not failed.done()
    assert asyncio.get_running_loop().time() - began < PATIENCE_S


async def test_nobody_there() -> None:
    async with triggered(TriggerPlan(url="http://127.0.0.1:1/", within_s=2.0), TOLD) as failed:
        how = await asyncio.wait_for(failed, PATIENCE_S)
    assert how.startswith("trigger: http://127.0.0.1:1/: ")


async def test_a_variable_that_is_not_set_is_our_own_fault() -> None:
    plan = TriggerPlan(url="http://127.0.0.1:1/", headers={"Authorization": "{env:NO_SUCH_VARIABLE}"})
    with pytest.raises(HarnessFault, match="NO_SUCH_VARIABLE, which is not set; the agent was not told"):
        async with triggered(plan, TOLD):
            pass


def _command(code: str) -> TriggerPlan:
    return TriggerPlan(command=f"{sys.executable} -c '{code}' {{address}} {{entry}}")


async def test_a_command_gets_it_as_words_and_in_its_environment(tmp_path: Any) -> None:
    out = tmp_path / "told"
    code = (
        f'import os, sys; told = [*sys.argv[1:], os.environ["OUTBOUNDEVAL_ENTRY"]]; '
        f'open("{out}", "w").write("|".join([*told, os.environ["OUTBOUNDEVAL_REQUEST_DATA"]]))'
    )
    async with triggered(_command(code), TOLD) as failed:
        async with asyncio.timeout(PATIENCE_S):
            while not (out.exists() and out.read_text()):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)
        assert not failed.done()
    data = json.dumps(TOLD.request_data, separators=(",", ":"))
    assert out.read_text() == f"sip:49@127.0.0.1:5060|call-7|call-7|{data}"


async def test_a_command_that_fails_is_told_with_what_it_said() -> None:
    async with triggered(_command('import sys; print("no line"); sys.exit(3)'), TOLD) as failed:
        how = await asyncio.wait_for(failed, PATIENCE_S)
    assert "ended with exit code 3: no line" in how


async def test_a_command_that_runs_on_ends_with_its_call() -> None:
    code = 'import time; print("x" * 200000, flush=True); time.sleep(60)'
    began = asyncio.get_running_loop().time()
    async with triggered(_command(code), TOLD):
        await asyncio.sleep(0.3)
    assert asyncio.get_running_loop().time() - began < PATIENCE_S


async def test_a_command_that_is_not_there() -> None:
    with pytest.raises(SetupFailed, match="no-such-program cannot be started"):
        async with triggered(TriggerPlan(command="no-such-program {address}"), TOLD):
            pass


async def test_without_a_trigger_nothing_is_done() -> None:
    async with triggered(None, TOLD) as failed:
        assert not failed.done()


async def test_a_command_that_does_not_end_is_killed_also_where_we_are_told_to_stop_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trigger, "STOP_S", 0.2)
    ended: list[int] = []
    monkeypatch.setattr(trigger, "note_ended", ended.append)
    ready = asyncio.Event()
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"

    async def call() -> None:
        async with triggered(_command(code), TOLD):
            await ready.wait()
        raise AssertionError("whoever was told to stop goes on")

    started: list[int] = []
    monkeypatch.setattr(trigger, "note_started", started.append)
    task = asyncio.create_task(call())
    async with asyncio.timeout(PATIENCE_S):
        # Until the program is Python, and takes the signal no more.
        while not (started and _ignores_sigterm(started[0])):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    ready.set()
    # While it is asked to end, and long before it would be killed: no time has to go by for that.
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task}, timeout=PATIENCE_S)
    assert task.cancelled()
    assert ended == started
    assert not Path(f"/proc/{started[0]}").exists()


def _ignores_sigterm(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    (mask,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:"))
    return bool(int(mask, 16) >> (signal.SIGTERM - 1) & 1)
