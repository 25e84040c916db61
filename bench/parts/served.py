"""A peer on this machine for as long as its process lives."""

from __future__ import annotations

import asyncio

from aiohttp import web


async def serve_on(port: int, app: web.Application) -> None:
    """On loopback, until it is cancelled."""
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    await asyncio.Event().wait()
