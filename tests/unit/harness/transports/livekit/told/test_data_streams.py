"""Streams over the data channel, put together from packets by hand."""

from __future__ import annotations

from typing import Any

import pytest
from livekit.protocol import models

from harness.transports.livekit.told import data_streams
from harness.transports.livekit.told.data_streams import StreamInbox


def packet(**value: Any) -> bytes:
    return models.DataPacket(participant_identity="bot", **value).SerializeToString()


def header(stream_id: str = "s", *, topic: str = "t", **more: Any) -> bytes:
    return packet(stream_header=models.DataStream.Header(stream_id=stream_id, topic=topic, **more))


def chunk(index: int, content: bytes, stream_id: str = "s") -> bytes:
    return packet(
        stream_chunk=models.DataStream.Chunk(stream_id=stream_id, chunk_index=index, content=content)
    )


def trailer(stream_id: str = "s", **attributes: str) -> bytes:
    return packet(stream_trailer=models.DataStream.Trailer(stream_id=stream_id, attributes=attributes))


def test_a_stream_is_put_together() -> None:
    inbox = StreamInbox(topics=("t",))
    begun = inbox.read(header(attributes={"a": "1"}), t=1.0)
    assert begun is not None
    assert not begun.complete
    inbox.read(chunk(0, b"Gu"), t=1.1)
    inbox.read(chunk(1, "ten Tag, ä".encode()), t=1.2)
    whole = inbox.read(trailer(b="2"), t=1.3)
    assert whole is not None
    assert (whole.text, whole.sender, whole.began_s) == ("Guten Tag, ä", "bot", 1.0)
    assert whole.attributes == {"a": "1", "b": "2"}
    assert whole.complete
    assert whole.in_order
    assert inbox.read(trailer(), t=1.4) is None


def test_what_stands_in_the_header_counts() -> None:
    inbox = StreamInbox(topics=("t",))
    inbox.read(header(inline_content=b"all of it"), t=1.0)
    whole = inbox.read(trailer(), t=1.0)
    assert whole is not None
    assert whole.text == "all of it"


def test_a_missing_chunk_is_noticed() -> None:
    inbox = StreamInbox(topics=("t",))
    inbox.read(header(), t=1.0)
    inbox.read(chunk(1, b"later"), t=1.0)
    whole = inbox.read(trailer(), t=1.0)
    assert whole is not None
    assert not whole.in_order


def test_topics_that_nobody_asks_for_are_skipped() -> None:
    inbox = StreamInbox(topics=("t",))
    assert inbox.read(header(topic="lk.chat"), t=1.0) is None
    assert inbox.read(chunk(0, b"x"), t=1.0) is None
    assert inbox.read(packet(user=models.UserPacket(payload=b"x")), t=1.0) is None
    assert inbox.dropped_by == {}


@pytest.mark.parametrize("garbage", [b"\xff\xff\xff", "text", b"\x0a\xff"])
def test_garbage_is_counted(garbage: bytes | str) -> None:
    inbox = StreamInbox(topics=("t",))
    assert inbox.read(garbage, t=1.0) is None
    assert inbox.dropped_by == {"not understood": 1}


def test_what_is_too_large_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_streams, "MAX_STREAM_BYTES", 10)
    inbox = StreamInbox(topics=("t",))
    inbox.read(header(), t=1.0)
    inbox.read(chunk(0, b"12345678"), t=1.0)
    inbox.read(chunk(1, b"9abcdef"), t=1.0)
    assert inbox.read(b"x" * 70_000, t=1.0) is None
    whole = inbox.read(trailer(), t=1.0)
    assert whole is not None
    assert whole.text == "12345678"
    assert inbox.dropped_by == {"too large": 2}


def test_streams_that_never_end_are_few() -> None:
    inbox = StreamInbox(topics=("t",))
    for number in range(data_streams.MAX_OPEN + 5):
        inbox.read(header(str(number)), t=number / 10)
    assert inbox.dropped_by == {"too many": 5}
    assert inbox.read(trailer("0"), t=10.0) is None
    assert inbox.read(trailer("6"), t=10.0) is not None


def test_a_flood_is_heard_no_more() -> None:
    inbox = StreamInbox(topics=("t",))
    for _ in range(data_streams.MAX_PACKETS_PER_S + 1):
        inbox.read(chunk(0, b"x"), t=3.2)
    assert inbox.flooded
    assert inbox.read(header(), t=9.0) is None
