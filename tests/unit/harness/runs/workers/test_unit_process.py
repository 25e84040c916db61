"""A process that holds calls tells of each that it was given how it ended, whatever happens in it."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any, cast

from harness.calls.voice.medium import VoiceMedium
from harness.plans.plan import expand_plan
from harness.plans.unit import Unit
from harness.runs.store import RunStore
from harness.runs.workers.messages import Hold, Told
from harness.runs.workers.unit_process import UnitProcess

AGENT = "http://127.0.0.1:7860"


class _Sink(io.BytesIO):
    def __init__(self) -> None:
        super().__init__()
        self.failed = asyncio.Event()

    def write(self, line: object) -> int:
        if b"failed" in bytes(line):  # type: ignore[call-overload]
            self.failed.set()
        return super().write(line)  # type: ignore[arg-type]


class _BrokenMedium:
    async def prepare(self, unit: Unit, watcher: object) -> Any:
        raise AttributeError("no such thing")


def test_an_error_that_nobody_foresaw_is_told_and_not_waited_for(tmp_path: Path) -> None:
    plan = expand_plan({"agent": AGENT, "calls": [{"id": "a", "script": {"lines": [{"say": "Hello."}]}}]})
    sink = _Sink()

    async def held() -> None:
        orders: asyncio.Queue[bytes] = asyncio.Queue()
        orders.put_nowait(Hold(unit=plan.units[0]).line())
        process = UnitProcess(RunStore(tmp_path), cast(VoiceMedium, _BrokenMedium()), sink)
        serving = asyncio.create_task(process.serve(orders))
        async with asyncio.timeout(10):
            await sink.failed.wait()
        orders.put_nowait(b"")
        await serving

    asyncio.run(held())
    [told] = [one for one in map(Told.of, sink.getvalue().splitlines()) if one.kind == "failed"]
    assert told.call == "a"
    assert told.data["fault"] is True
    assert "AttributeError: no such thing" in told.data["message"]
