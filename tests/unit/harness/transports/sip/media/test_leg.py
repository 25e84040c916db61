"""The sound of one call: what leaves, under which numbers, and that a fault of ours is told."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from harness.transports.base import ReceivedPacket
from harness.transports.sip.media import leg as leg_module
from harness.transports.stamp import RtpStamp
from tests.unit.harness.transports.sip.standing import (
    FRAME_BYTES,
    ByHand,
    agreed,
    audio,
    connected_leg,
    heard,
    listening,
    port_of,
    rtp,
)


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leg_module, "SENDER", ByHand())


@pytest.mark.parametrize(("event_type", "rate_hz"), [(None, 8000), (110, 48_000)])
async def test_where_the_next_one_takes_no_such_events_keys_that_wait_become_sound(
    event_type: int | None, rate_hz: int
) -> None:
    with listening() as theirs:
        told: list[str] = []
        leg = connected_leg(theirs, told=told)
        leg.start()
        leg.press("4", 0)
        leg.send_frame()
        assert heard(theirs).payload_type == 101
        assert told == []
        leg.hand_over(
            agreed(0, event_type, rate_hz=rate_hz),
            audio(port_of(theirs)),
            None,
            lambda packet, rate_hz: None,
        )
        assert told == ["keys-not-sent"]
        leg.prepare_frame()
        leg.send_frame()
        packet = heard(theirs)
        assert (packet.payload_type, len(packet.payload)) == (0, FRAME_BYTES)
        await leg.close()


async def test_keys_without_a_number_are_sent_as_sound_and_not_as_an_error() -> None:
    with listening() as theirs:
        leg = connected_leg(theirs)
        leg.start()
        leg.hand_over(agreed(0, None), audio(port_of(theirs)), None, lambda packet, rate_hz: None)
        # Pressed by who still believed in events.
        leg.press("4", 0)
        leg.send_frame()
        assert heard(theirs).payload_type == 0
        await leg.close()


async def test_a_fault_while_sending_is_told_on_the_loop_and_nothing_leaves_after_it() -> None:
    with listening() as theirs:
        leg = connected_leg(theirs)
        told: list[Exception] = []
        leg.on_fault = told.append
        leg.start()
        error = RuntimeError("planted")
        leg.failed(error)
        assert leg.due_ns is None
        await asyncio.sleep(0)
        assert told == [error]
        await leg.close()


async def test_other_numbers_for_the_codec_are_those_of_the_next_frame_and_of_what_comes() -> None:
    packets: list[ReceivedPacket] = []
    with listening() as theirs:
        leg = connected_leg(theirs, packets)
        leg.start()
        leg.redirect(agreed(107, 97), audio(port_of(theirs)), None)
        leg.press("4", 1)
        leg.send_frame()
        leg.prepare_frame()
        assert heard(theirs).payload_type == 107
        leg.send_frame()
        assert heard(theirs).payload_type == 97
        for number in range(2):
            theirs.sendto(rtp(107, number), ("127.0.0.1", leg.ports.number))
        await leg.close()
    assert [cast(RtpStamp, packet.stamp).sequence for packet in packets] == [0, 1]


async def test_it_may_be_closed_twice() -> None:
    """As where the first time was broken off behind it."""
    with listening() as theirs:
        leg = connected_leg(theirs)
        await leg.close()
        await leg.close()
        assert leg.ports.rtp.fileno() < 0
