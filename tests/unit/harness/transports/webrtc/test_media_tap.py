"""What is taken for a frame of ours that left."""

from __future__ import annotations

from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.transports.base import DialRequest, MediaLog
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink, silence
from harness.transports.webrtc.media_tap import MediaTap


def _stamp(sequence: int) -> RtpStamp:
    return RtpStamp(media_ticks=sequence * 960, monotonic_ns=sequence, sequence=sequence & 0xFFFF, ssrc=7)


def test_a_packet_that_was_asked_for_once_more_is_no_further_frame() -> None:
    """Frame k of the uplink is entry k of the log: one more entry, and all later ones are a frame off."""
    log = MediaLog(codec="opus")
    tap = MediaTap(
        DialRequest(
            agent="AGENT",
            to=on_the_wire("http://127.0.0.1:1"),
            clock=CallClock(),
            uplink=Uplink(background=silence(OPUS)),
            conditions=ConditionsPlan(),
            seed=0,
            connect_s=1.0,
            on_packet=lambda packet: None,
            on_event=lambda event: None,
        ),
        log,
    )
    # Over the end of the numbers, with two that a server missed and asked for.
    for sequence in (65534, 65535, 65536, 65535, 65537, 65534, 65537, 65538):
        tap._on_stamp_sent(_stamp(sequence))
    assert [stamp.media_ticks // 960 for stamp in log.sent] == [65534, 65535, 65536, 65537, 65538]
