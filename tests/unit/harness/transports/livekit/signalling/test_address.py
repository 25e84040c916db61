"""Addresses of LiveKit rooms."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.transports.livekit.signalling.address import read_address


def test_a_room_that_is_named_is_that_room() -> None:
    read = read_address("livekit+wss://host.example:7880/My%20room?agent=nurse", shown="x")
    assert (read.server, read.room, read.agent) == ("wss://host.example:7880", "My room", "nurse")
    assert read.http == "https://host.example:7880"
    assert not read.own_room
    assert read.identity.startswith("outboundeval-")


@pytest.mark.parametrize("address", ["livekit+ws://h/demo-*", "livekit+ws://h", "livekit+ws://h/"])
def test_a_room_of_its_own_is_another_one_each_time(address: str) -> None:
    rooms = {read_address(address, shown="x").room for _ in range(20)}
    assert len(rooms) == 20
    assert all("*" not in room for room in rooms)
    assert read_address(address, shown="x").own_room


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("livekit+ws://h/a/b", "no / in it"),
        ("livekit+ws://h/a?agnet=x", "unknown parameter 'agnet'; known: access_token, agent"),
        ("livekit+ws://h/" + "r" * 200, "more than 128 characters"),
        ("livekit+ws://h/a%0Ab", "the room has a name"),
        ("livekit+ws://h/a?" + "&".join(f"x{n}=1" for n in range(40)), "more than 16 parameters"),
        ("http://h/a", "no address of a LiveKit room"),
    ],
)
def test_what_is_no_address_says_why(address: str, says: str) -> None:
    with pytest.raises(SetupFailed, match=says) as refused:
        read_address(address, shown="AGENT")
    assert str(refused.value).startswith("AGENT: ")
