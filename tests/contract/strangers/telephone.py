"""Ways in for whoever calls us, and for whom we tell to call."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from aiohttp import web
from sipmessage import Request

from harness.calls.voice.answering.medium import ring_record
from harness.calls.voice.answering.trigger import Told, triggered
from harness.plans.reach.answer import TriggerPlan
from harness.records.placed.rings import RingStatus
from harness.transports.sip.answering.line import Line, LineWire
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.signalling.message import read_message
from tests.contract.strangers.ways_in import way
from tests.fuzz.targets.telephone import SilentWire

TOLD = Told(address="sip:us@127.0.0.1", entry="one")


@way("who calls us over SIP")
def _ring(text: str, folder: Path) -> list[str]:
    sent = text.encode("utf-8", "replace").replace(b"\r", b" ").replace(b"\n", b" ")
    caller = sent.replace(b"<", b"(").replace(b">", b")")
    invite = read_message(
        b"INVITE sip:us@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKa\r\n"
        b"From: <sip:" + caller + b"@h>;tag=1\r\nTo: <sip:us@127.0.0.1>\r\nCall-ID: c\r\n"
        b"CSeq: 1 INVITE\r\nContact: <sip:a@h>\r\n\r\n"
    )
    assert isinstance(invite, Request)

    async def rung() -> str:
        line = Line(LineWire(SilentWire(), ("127.0.0.1", 5060), lambda: None))
        ring = Ring(invite=invite, line=line, source=("127.0.0.1", 9))
        record = ring_record(ring, RingStatus.TWO_AT_ONCE, entry="", code=486, detail=text)
        return f"{record.caller} {record.number} {record.detail}"

    return [asyncio.run(rung())]


@way("what a trigger answers")
def _answer(text: str, folder: Path) -> list[str]:
    async def refused() -> str:
        async def refuse(_: web.Request) -> web.Response:
            return web.Response(status=500, body=text.encode("utf-8", "replace"))

        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", refuse)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            address = f"http://127.0.0.1:{runner.addresses[0][1]}/"
            async with triggered(TriggerPlan(url=address), TOLD) as how:
                return await asyncio.wait_for(how, 20.0)
        finally:
            await runner.cleanup()

    return [asyncio.run(refused())]


@way("what a trigger's command prints")
def _printed(text: str, folder: Path) -> list[str]:
    said = folder / "said"
    said.write_bytes(text.encode("utf-8", "replace"))
    code = f'import sys; sys.stdout.buffer.write(open("{said}", "rb").read()); sys.exit(1)'

    async def failed() -> str:
        async with triggered(TriggerPlan(command=f"{sys.executable} -c '{code}'"), TOLD) as how:
            return await asyncio.wait_for(how, 20.0)

    return [asyncio.run(failed())]
