"""What is asked of a LiveKit server's HTTP interface, and of which server it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import web

from harness.errors import SetupFailed
from harness.transports.livekit.signalling.access import Access
from harness.transports.livekit.signalling.access_token import Claims
from harness.transports.livekit.signalling.dispatch import close_room, dispatch_agent, send_out
from harness.transports.tls import trusted
from tests.certificates import self_signed

SECRET = "canary-secret-of-32-characters-at-least"
ACCESS = Access(token="t", claims=Claims(identity="me"), room="blue", key="key", secret=SECRET)


async def test_a_server_of_an_authority_of_one_s_own_is_asked_and_no_other(tmp_path: Path) -> None:
    """By the same trust as its WebSocket: else nobody could be dispatched there, and no room closed."""
    asked: list[str] = []

    async def takes(request: web.Request) -> web.Response:
        assert request.headers["Authorization"].startswith("Bearer ")
        asked.append(request.path.rpartition("/")[2])
        return web.json_response({})

    app = web.Application()
    app.router.add_post("/twirp/{method:.*}", takes)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=self_signed(tmp_path))
    await site.start()
    url = f"https://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"  # type: ignore[union-attr]
    try:
        stranger = await trusted(None)
        with pytest.raises(
            SetupFailed, match=r"AGENT: .*dispatched: .*not trusted: self-signed .*--ca-file FILE"
        ) as failed:
            await dispatch_agent(url, ACCESS, agent="a", metadata="", headers={}, tls=stranger, shown="AGENT")
        assert SECRET not in str(failed.value)
        assert not await close_room(url, ACCESS, headers={}, tls=stranger)
        assert not await send_out(url, ACCESS, identity="a", headers={}, tls=stranger)
        assert asked == []
        known = await trusted(tmp_path / "server.pem")
        await dispatch_agent(url, ACCESS, agent="a", metadata="", headers={}, tls=known, shown="AGENT")
        assert await close_room(url, ACCESS, headers={}, tls=known)
        assert await send_out(url, ACCESS, identity="a", headers={}, tls=known)
    finally:
        await runner.cleanup()
    assert asked == ["CreateDispatch", "DeleteRoom", "RemoveParticipant"]
