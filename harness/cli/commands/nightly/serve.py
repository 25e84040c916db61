"""``outboundeval serve``: what it does. Its options: :mod:`harness.cli.options.nightly.serve`."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from pathlib import Path

from aiohttp import web

from harness.cli.options.nightly.serve import ServeOptions
from harness.cli.screen.console import stdout
from harness.errors import UserError
from harness.reports.serving.app import LOOPBACK, application
from harness.runs.database.nights import names


def serve(options: ServeOptions) -> None:
    """Serves until Ctrl-C or SIGTERM."""
    if "://" not in options.store and not Path(options.store).is_file():
        raise UserError(
            f"{options.store}: there is no such store; fill one with: outboundeval history --rebuild runs/*"
        )
    names(options.store)  # One that cannot be read is told now, not to the first visitor.
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options))


async def _serve(options: ServeOptions) -> None:
    loopback = options.host in LOOPBACK
    runner = web.AppRunner(application(options.store, loopback_only=loopback), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, options.host, options.port)
        try:
            await site.start()
        except OSError as error:
            raise UserError(
                f"{options.host}:{options.port}: cannot be listened on: {error.strerror or error}"
            ) from error
        host, port = runner.addresses[0][:2]
        shown = f"[{host}]" if ":" in host else host
        stdout.print(
            f"http://{shown}:{port}/  (Ctrl-C ends it)", highlight=False, markup=False, soft_wrap=True
        )
        if not loopback:
            stdout.print("Whoever reaches this address can read all of it.", style="yellow")
        ended = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        await ended.wait()
    finally:
        await runner.cleanup()
