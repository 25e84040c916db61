"""How long the event loop was held up: what a call's own timers cannot tell."""

from __future__ import annotations

import asyncio

_LAG_PROBE_S = 0.05


class LagProbe:
    """How long the event loop was held up at worst, while in the ``with`` block."""

    def __init__(self) -> None:
        self.max_s = 0.0
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> None:
        self._task = asyncio.create_task(self._probe())

    def __exit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _probe(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_PROBE_S
            await asyncio.sleep(_LAG_PROBE_S)
            self.max_s = max(self.max_s, loop.time() - due)
