"""The process that holds calls for a run: as many as it is told to, each kept when it ends.

``python -P -m harness.runs.workers.unit_process RUN``; orders on stdin, what happens on stdout
(:mod:`harness.runs.workers.messages`). When its stdin ends it hangs up, keeps what there is, and ends: a run
that was killed leaves nobody on the line.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import traceback
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from pydantic import ValidationError

from harness.calls.conversation import Held, Watcher
from harness.calls.to_its_end import to_its_end
from harness.calls.voice.medium import VoiceMedium
from harness.calls.voice.pace.standing import calls_standing, new_lateness_s
from harness.calls.voice.pace.understanding import new_understood_s
from harness.calls.voice.workers.process import working
from harness.errors import NotWritten, UserError
from harness.plans.call import CallPlan
from harness.records.call import Event
from harness.runs.attempts import with_earlier
from harness.runs.elsewhere.calibration_file import keep_calibration
from harness.runs.others.after_call import ask_after_call
from harness.runs.store import RunStore
from harness.runs.workers.messages import READY, Hold, Kind, Told, read_order
from harness.runs.workers.recordings import Recordings
from spoken_language.outside_text import one_line

PACING_EVERY_S = 0.5
PACING_OVER = 4
"""Stretches of that length over which lateness is told: one moment is not the machine's limit."""
UNDERSTOOD_OVER = 30
"""The same for words, which come now and then."""
SWITCH_S = 0.0005
"""Between threads of Python: lines are encoded and recordings packed in threads, and Python's own 5 ms would
make every frame late by that much that is due meanwhile."""
SHOWN_CHARS = 80


class UnitProcess:
    """The calls of this process.

    Args:
        sink: Where what happens is told.
    """

    def __init__(self, store: RunStore, medium: VoiceMedium, sink: BinaryIO) -> None:
        self._store = store
        self._medium = medium
        self._sink = sink
        self._calls: dict[str, asyncio.Task[None]] = {}
        self._may_dial: dict[str, asyncio.Event] = {}

    async def serve(self, orders: asyncio.Queue[bytes]) -> None:
        """Until it is told to stop, or nobody is there any more to tell it."""
        pacing = asyncio.create_task(self._tell_pacing())
        try:
            while line := await orders.get():
                order = read_order(line)
                if isinstance(order, Hold):
                    self._may_dial[order.unit.id] = asyncio.Event()
                    self._calls[order.unit.id] = asyncio.create_task(self._hold(order))
                elif order.kind == "dial":
                    self._may_dial[order.call].set()
                else:
                    break
        finally:
            pacing.cancel()
            calls = list(self._calls.values())
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)

    async def _hold(self, order: Hold) -> None:
        unit = order.unit
        try:
            watcher = Watcher(on_event=self._on_event)
            conversation = await self._medium.prepare(unit, watcher)
            self._tell("prepared", unit.id)
            await self._may_dial[unit.id].wait()
            self._tell("dialled", unit.id)
            held = with_earlier(await conversation.hold(), order.earlier)
            keeping = asyncio.create_task(asyncio.to_thread(self._kept, held))
            await to_its_end(keeping)
            keeping.result()
            if order.expect:
                await ask_after_call(self._store.call_folder(unit.id), order.expect)
            record = held.record
            self._tell("held", unit.id, status=record.status, detail=record.status_detail)
        except asyncio.CancelledError:
            self._tell("dropped", unit.id)
            raise
        except (UserError, NotWritten) as error:
            self._tell(
                "failed",
                unit.id,
                message=str(error),
                hint=error.hint,
                written=not isinstance(error, NotWritten),
            )
        # Untold it would be waited for without an end.
        except Exception as error:
            traceback.print_exc()
            what = one_line(f"{type(error).__name__}: {error}", most=500)
            self._tell("failed", unit.id, message=f"call {unit.id}: our own error: {what}", fault=True)
        finally:
            self._calls.pop(unit.id, None)
            self._may_dial.pop(unit.id, None)

    def _kept(self, held: Held) -> None:
        self._store.write(held)
        folder = self._store.call_folder(held.record.plan.call_id)
        try:
            keep_calibration(folder, held.record)
        except OSError as error:
            raise NotWritten.of(folder, error) from error

    def _on_event(self, call: CallPlan, event: Event) -> None:
        if event.kind == "ended" and event.source == "harness":
            self._tell("over", call.call_id)
        if shown := _shown(event):
            self._tell("doing", call.call_id, what=one_line(shown, most=SHOWN_CHARS), t=round(event.t, 1))

    async def _tell_pacing(self) -> None:
        stretches: deque[list[float]] = deque(maxlen=PACING_OVER)
        understood: deque[list[float]] = deque(maxlen=UNDERSTOOD_OVER)
        while True:
            await asyncio.sleep(PACING_EVERY_S)
            stretches.append(new_lateness_s())
            understood.append(new_understood_s())
            late = [one for stretch in stretches for one in stretch]
            self._tell(
                "pacing",
                standing=calls_standing(),
                frames=len(late),
                late_p95_ms=round(_p95(late) * 1000, 2),
                understood_p95_s=round(_p95([one for some in understood for one in some]), 2),
            )

    def _tell(self, kind: Kind, call: str = "", **data: Any) -> None:
        self._sink.write(Told(kind=kind, call=call, data=data).line())
        self._sink.flush()


def _p95(values: Sequence[float]) -> float:
    """0 where there is nothing yet that could be late."""
    return float(np.percentile(values, 95)) if values else 0.0


def _shown(event: Event) -> str:
    """What is worth a line of a table of many calls."""
    match event.kind:
        case "connected":
            return "connected"
        case "speak":
            return f"caller: {event.data.get('text', '')}"
        case "speech-started":
            return "agent speaks"
        case "agent-words":
            return f"agent: {event.data.get('text', '')}"
        case "bot-output" if event.data.get("spoken") is True:
            return f"agent: {event.data.get('text', '')}"
        case "hung-up":
            return "agent hung up"
        case "connection-lost":
            return "connection lost"
    return ""


def _read(source: BinaryIO, orders: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    for line in source:
        loop.call_soon_threadsafe(orders.put_nowait, line)
    loop.call_soon_threadsafe(orders.put_nowait, b"")


async def _serve(folder: Path, sink: BinaryIO) -> None:
    orders: asyncio.Queue[bytes] = asyncio.Queue()
    reader = (sys.stdin.buffer, orders, asyncio.get_running_loop())
    threading.Thread(target=_read, args=reader, daemon=True).start()
    async with Recordings() as recordings, VoiceMedium(make_recording=recordings.make) as medium:
        sink.write(READY)
        sink.flush()
        await UnitProcess(RunStore(folder), medium, sink).serve(orders)


def main() -> None:
    # What a library prints must not come between what is told.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.setswitchinterval(SWITCH_S)
    with working(niceness=0):
        try:
            asyncio.run(_serve(Path(sys.argv[1]), sink))
        except ValidationError as error:
            raise SystemExit(f"an order that is none: {error.error_count()} errors") from None


if __name__ == "__main__":
    main()
