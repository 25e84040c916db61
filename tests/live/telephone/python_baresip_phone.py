"""A telephone of baresip-python, in a process of its own: ``PROXY_PORT DOMAIN OWN_PORT``.

Registers as ``py`` with the password ``pw-py``, picks up every call and plays 440 Hz into it.
"""

from __future__ import annotations

import asyncio
import math
import struct
import sys
from typing import Any

import baresip
from baresip.runtime import Runtime
from baresip.ua import UserAgent

RATE_HZ, PIECE = 8000, 160
GIVES_UP = 250
"""After so many pieces that no stream took, about 5 s, the call is over."""


async def main(proxy: int, domain: str, own: int) -> None:
    runtime = Runtime()
    await runtime.start(
        baresip.Config(net_interface="127.0.0.1", extra_config_text=f"sip_listen 127.0.0.1:{own}\n")
    )
    account = baresip.Account("py", domain, "pw-py", registrar=f"127.0.0.1:{proxy}")
    agent = await UserAgent.create(runtime, account)
    playing: set[asyncio.Task[None]] = set()

    def taken(call: Any) -> None:
        task = asyncio.create_task(play(call))
        playing.add(task)
        task.add_done_callback(playing.discard)

    agent.on_incoming(taken)
    await agent.register()
    print("registered", flush=True)
    await asyncio.Event().wait()


async def play(call: Any) -> None:
    """A tone until the call is over; a new description starts the streams anew, and for a moment there are
    none."""
    await call.answer()
    await call.wait_established()
    place = silent = 0
    while silent < GIVES_UP:
        turns = (2 * math.pi * 440 * (place + at) / RATE_HZ for at in range(PIECE))
        piece = struct.pack(f"<{PIECE}h", *(round(9000 * math.sin(turn)) for turn in turns))
        try:
            if call.audio.write(piece):
                place += PIECE
            silent = 0
        except baresip.AudioRestarted:
            silent = 0
        except baresip.AudioNotActive:
            silent += 1
        except baresip.StaleHandleError:
            return
        await asyncio.sleep(0.018)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
