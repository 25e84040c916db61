"""The process that listens for the caller: a real one, fed with the packets of real speech."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator

import numpy as np
import pytest
import pytest_asyncio

from harness.calls.voice.hearing.ears import MAX_BACKLOG_BYTES, Ears
from harness.calls.voice.hearing.ears_worker import HEARD, PACKET, READY, serve
from harness.calls.voice.hearing.turn_detector import Heard
from harness.errors import HarnessFault
from harness.transports.codecs.opus import OPUS
from harness.transports.codecs.table import codec_named
from tests.unit.harness.stand_ins.spoken import RATE, clip, placed_at

PATIENCE_S = 20.0
"""How long a busy machine may take; no test depends on it being short."""


@pytest_asyncio.fixture
async def ears() -> AsyncIterator[Ears]:
    async with Ears(end_quiet_s=0.8) as worker:
        yield worker


async def _until(condition: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await condition.wait()


def _packets(name: str, at_s: float) -> list[bytes]:
    samples = clip(name)
    return OPUS.encode(placed_at(samples, at_s, total_s=at_s + len(samples) / RATE + 1.5))


async def test_onset_and_end_of_speech_come_back_within_30_ms_of_the_truth(ears: Ears) -> None:
    heard: list[Heard] = []
    both = asyncio.Event()

    def on_heard(one: Heard) -> None:
        heard.append(one)
        if len(heard) == 2:
            both.set()

    key = ears.listen(on_heard, codec="opus")
    for number, payload in enumerate(_packets("refund", 1.2345)):
        ears.feed(key, payload, 100.0 + number * 0.02)
    await _until(both)
    assert [one.kind for one in heard] == ["onset", "end"]
    # What is fed is when a packet passed; its sound lies one codec delay before that.
    assert abs(heard[0].at_s - (101.2345 - 0.0065)) < 0.03
    assert abs(heard[1].at_s - (101.2345 + len(clip("refund")) / RATE - 0.0065)) < 0.03


async def test_a_packet_of_more_than_65535_bytes_is_heard_to_its_end(ears: Ears) -> None:
    """A second of PCM at 48 kHz takes 96,000; the tone is in its last 300 ms."""
    heard: list[Heard] = []
    onset = asyncio.Event()

    def on_heard(one: Heard) -> None:
        heard.append(one)
        onset.set()

    sound = placed_at(0.1 * np.cos(np.arange(round(0.3 * RATE)) / 8).astype(np.float32), 0.7, total_s=1.0)
    payload = b"".join(codec_named("pcm-48k").encode(sound))
    assert len(payload) == 96_000
    ears.feed(ears.listen(on_heard, codec="pcm-48k"), payload, 10.0)
    await _until(onset)
    assert [one.kind for one in heard] == ["onset"]
    assert heard[0].at_s == pytest.approx(10.7, abs=0.01)


async def test_streams_are_kept_apart_and_a_forgotten_one_is_silent(ears: Ears) -> None:
    heard: dict[str, list[Heard]] = {"one": [], "two": [], "gone": []}
    done = asyncio.Event()

    def on_two(one: Heard) -> None:
        heard["two"].append(one)
        if len(heard["two"]) == 2:
            done.set()

    one = ears.listen(heard["one"].append, codec="opus")
    gone = ears.listen(heard["gone"].append, codec="opus")
    two = ears.listen(on_two, codec="opus")
    ears.forget(gone)
    silent = OPUS.encode(np.zeros(4 * RATE, np.float32))
    speech = _packets("answer_short", 0.5)
    for number, payload in enumerate(speech):
        ears.feed(one, silent[number], number * 0.02)
        ears.feed(gone, payload, number * 0.02)
        ears.feed(two, payload, 50.0 + number * 0.02)
    await _until(done)
    assert heard["one"] == heard["gone"] == []
    assert heard["two"][0].at_s == pytest.approx(50.5, abs=0.03)


async def test_an_agent_that_stops_sending_is_told_to_have_stopped(ears: Ears) -> None:
    ended = asyncio.Event()
    heard: list[Heard] = []

    def on_heard(one: Heard) -> None:
        heard.append(one)
        if one.kind == "end":
            ended.set()

    key = ears.listen(on_heard, codec="opus")
    speech = OPUS.encode(clip("answer_short"))
    for number, payload in enumerate(speech):
        ears.feed(key, payload, number * 0.02)
    ears.feed(key, b"", len(speech) * 0.02 + 0.9)
    await _until(ended)
    assert heard[-1].at_s == pytest.approx(len(clip("answer_short")) / RATE, abs=0.06)


async def test_a_worker_that_dies_makes_the_next_packet_a_fault_of_ours() -> None:
    async with Ears() as worker:
        key = worker.listen(lambda heard: None, codec="opus")
        worker.feed(key, b"\xf8\xff\xfe", 0.0)
        os.kill(worker.pid, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE_S):
            while not worker.lost:  # noqa: ASYNC110 - it tells nobody, until it is fed
                await asyncio.sleep(0.01)
        with pytest.raises(HarnessFault, match="has ended"):
            worker.feed(key, b"\xf8\xff\xfe", 0.02)
        worker.forget(key)


async def test_a_worker_that_falls_hopelessly_behind_is_a_fault_of_ours() -> None:
    async with Ears() as worker:
        os.kill(worker.pid, signal.SIGSTOP)
        try:
            key = worker.listen(lambda heard: None, codec="opus")
            fed = 0
            # A pipe takes some 64 kB by itself; far more than the bound must never be needed.
            while not worker.lost and fed < 2 * MAX_BACKLOG_BYTES:
                for _ in range(100):
                    worker.feed(key, bytes(1000), 0.0)
                    fed += 1000
                await asyncio.sleep(0.02)
            assert fed > MAX_BACKLOG_BYTES
            with pytest.raises(HarnessFault, match="cannot keep up"):
                worker.feed(key, b"", 0.0)
        finally:
            os.kill(worker.pid, signal.SIGCONT)


async def test_the_worker_ends_with_its_harness() -> None:
    async with Ears() as worker:
        pid = worker.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError, match="No such process"):
        os.kill(pid, 0)


async def test_bytes_of_a_stranger_do_not_end_the_worker(ears: Ears) -> None:
    ended = asyncio.Event()
    rng = np.random.default_rng(1)
    key, other = (
        ears.listen(lambda heard: None, codec="opus"),
        ears.listen(lambda heard: ended.set(), codec="opus"),
    )
    for number in range(200):
        ears.feed(key, rng.bytes(int(rng.integers(1, 1500))), number * 0.02)
    ears.feed(key, rng.bytes(70_000), -3.0)
    for number, payload in enumerate(_packets("answer_short", 0.2)):
        ears.feed(other, payload, number * 0.02)
    await _until(ended)
    assert not ears.lost


@pytest.mark.parametrize("codec", ["opus", "pcmu", "g722", "pcm-24k"])
def test_the_worker_s_protocol_by_hand(codec: str) -> None:
    """Records in, records out, as the module's docstring says."""
    packets = codec_named(codec).encode(placed_at(clip("answer_short"), 0.5, total_s=3.0))
    opened = PACKET.pack(9, len(codec), -1.0) + codec.encode()
    closed = PACKET.pack(9, 0, -1.0)
    unknown = PACKET.pack(8, 3, 6.0) + b"\xf8\xff\xfe"
    records = b"".join(PACKET.pack(9, len(one), 7.0 + k * 0.02) + one for k, one in enumerate(packets))
    answers = io.BytesIO()
    serve(
        io.BytesIO(unknown + opened + records + closed + b"\x01\x02"),
        answers,
        end_quiet_s=0.8,
    )
    out = answers.getvalue()
    assert out[: HEARD.size] == READY
    told = [HEARD.unpack_from(out, offset) for offset in range(HEARD.size, len(out), HEARD.size)]
    assert [(key, kind) for key, kind, _ in told] == [(9, 1), (9, 0)]
    assert told[0][2] == pytest.approx(7.5, abs=0.03)
    assert told[1][2] == pytest.approx(7.5 + len(clip("answer_short")) / RATE, abs=0.03)
