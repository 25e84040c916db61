"""A recording that is made beside the calls is the one that would have been made in them, to the bit."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import pickle
from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness.calls.voice.recorder import record
from harness.runs.sound_file import recording_bytes
from harness.runs.workers import recording_worker
from harness.runs.workers.recording_worker import made, read_spool, serve, spool
from harness.runs.workers.recordings import Recordings
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clips.clip import prepare_clip
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink, silence
from tests.unit.harness.stand_ins.spoken import clip

ZERO_NS = 5_000_000_000
FRAMES = 700


def _call(prepared: str = "opus") -> tuple[CallClock, Uplink, MediaLog, float]:
    """A call of fourteen seconds in which both sides said something.

    Args:
        prepared: The codec of our side.
    """
    ours = codec_named(prepared)
    uplink = Uplink(background=silence(ours))
    uplink.schedule(prepare_clip(ours, clip("question")), first_voiced_frame=50)
    log = MediaLog(codec="opus", first_deadline_ns=ZERO_NS)
    spoken = OPUS.encode(np.resize(clip("refund"), FRAMES * 960).astype(np.float32))
    for frame in range(FRAMES):
        uplink.take_frame()
        at_ns = ZERO_NS + frame * 20_000_000
        log.sent.append(RtpStamp(media_ticks=frame * 960, monotonic_ns=at_ns, sequence=frame, ssrc=1))
        stamp = RtpStamp(media_ticks=frame * 960, monotonic_ns=at_ns + 700_000, sequence=frame, ssrc=2)
        log.received.append(ReceivedPacket(stamp=stamp, payload=spoken[frame]))
        log.lateness_s.append(0.0001)
    return CallClock(zero_ns=ZERO_NS - 1_000_000_000), uplink, log, 15.2


@pytest.mark.parametrize("prepared", CODECS.names())
def test_a_spooled_call_gives_the_same_recording(tmp_path: Path, prepared: str) -> None:
    clock, uplink, log, end_s = _call(prepared)
    here = record(clock=clock, uplink=uplink, log=log, end_s=end_s)
    path = tmp_path / "1"
    spool(path, clock=clock, uplink=uplink, log=log, end_s=end_s)
    assert log.received, "the call keeps what it has"
    there = made(path)
    assert there.packed == recording_bytes(here.audio)
    assert len(there.audio) == 0
    sound, rate = soundfile.read(io.BytesIO(there.packed))
    assert (len(sound), rate) == (len(here.audio), 48_000)
    assert (there.gaps, there.media) == (here.gaps, here.media)
    for name in ("media_s", "passed_s", "placed_s"):
        for side in ("sent", "received"):
            ours, theirs = getattr(getattr(here, side), name), getattr(getattr(there, side), name)
            np.testing.assert_array_equal(ours, theirs)


def test_what_cannot_be_made_is_told_and_the_next_is_made(tmp_path: Path) -> None:
    clock, uplink, log, end_s = _call()
    good, bad = tmp_path / "good", tmp_path / "bad"
    spool(good, clock=clock, uplink=uplink, log=log, end_s=end_s)
    spool(bad, clock=clock, uplink=uplink, log=dataclasses.replace(log, codec="opus"), end_s=end_s)
    bad.write_bytes(bad.read_bytes()[:100])
    told = io.BytesIO()
    serve(io.BytesIO(f"{bad}\n{good}\n".encode()), told)
    assert told.getvalue() == f"{bad}\n{good}\n".encode()
    with bad.open("rb") as file:
        assert isinstance(pickle.load(file), str)
    with good.open("rb") as file:
        assert pickle.load(file).packed


def test_packets_are_written_in_parts(tmp_path: Path) -> None:
    clock, uplink, log, end_s = _call()
    spool(tmp_path / "1", clock=clock, uplink=uplink, log=log, end_s=end_s)
    call = read_spool(tmp_path / "1")
    assert call["log"].received == log.received
    assert call["log"].sent == log.sent
    assert FRAMES > recording_worker.PART


def test_the_process_makes_it_and_without_it_it_is_made_here() -> None:
    clock, uplink, log, end_s = _call()

    async def both() -> tuple[bytes, int]:
        async with Recordings() as recordings:
            there = await recordings.make(clock=clock, uplink=uplink, log=log, end_s=end_s)
        here = await recordings.make(clock=clock, uplink=uplink, log=log, end_s=end_s)
        return there.packed, len(here.audio)

    packed, samples = asyncio.run(both())
    assert packed
    assert samples == round(end_s * 48_000)
