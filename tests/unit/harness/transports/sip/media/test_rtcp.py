"""Reports beside the sound: they go where the agent's latest description wants them."""

from __future__ import annotations

import asyncio
import os

import pytest

from harness.transports.sip.media import leg as leg_module
from harness.transports.sip.media.rtcp import Reports
from tests.unit.harness.transports.sip.standing import ByHand, connected_leg, listening, port_of


async def test_reports_follow_the_agent_and_survive_a_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leg_module, "SENDER", ByHand())
    with listening() as first, listening() as second:
        leg = connected_leg(first)
        reports = Reports(leg, to=("127.0.0.1", port_of(first)), encryption=None)
        reports._report()
        assert first.recv(2048)[1] == 200
        reports.redirect(("127.0.0.1", port_of(second)), None)
        # On hold as it was done once.
        reports.redirect(("0.0.0.0", 9), None)
        reports._timer.cancel()
        reports._report()
        assert second.recv(2048)[1] == 200
        reports.close()
        await leg.close()


async def test_a_socket_that_gets_the_number_of_a_closed_one_is_heard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where a call went on elsewhere: its sockets are closed before its reports end."""
    monkeypatch.setattr(leg_module, "SENDER", ByHand())
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    with listening() as first, listening() as second:
        leg = connected_leg(first)
        reports = Reports(leg, to=("127.0.0.1", port_of(first)), encryption=None)
        number = leg.ports.rtcp.fileno()
        await leg.close()
        reports.close()
        os.dup2(second.fileno(), number)
        try:
            loop.add_reader(number, came.set)
            first.sendto(b"x", ("127.0.0.1", port_of(second)))
            await asyncio.wait_for(came.wait(), 20.0)
        finally:
            loop.remove_reader(number)
            os.close(number)
