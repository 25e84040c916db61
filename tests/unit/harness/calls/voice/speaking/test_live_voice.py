"""The process that speaks during a call: the same clips as before it, and a death that is noticed."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from harness.calls.voice.speaking import live_voice, live_voice_worker
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.calls.voice.speaking.live_voice import MAX_WAITING, LiveVoice
from harness.calls.voice.speaking.live_voice_worker import write_record
from harness.errors import HarnessFault
from harness.paths import CACHE_VARIABLE
from harness.plans.call import VoicePlan
from harness.transports.clips.clip import Clip, prepare_clip
from harness.transports.codecs.base import Codec
from harness.transports.codecs.opus import OPUS
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named
from voice_sim.voice.utterance import tone

LINES = ("Nobody knew this line before.", "Nor this one, I think.")
VOICE = VoicePlan(rate=1.1)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One of this test's own: nothing may come out of it that was not spoken here, by a process that has a
    tenth of a processor where others compute."""
    pytest.importorskip("piper", reason="piper-tts is not installed (extra 'local')")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "worker"))
    for limit in ("_READY_S", "_CLIP_S"):
        monkeypatch.setattr(live_voice, limit, 200.0)
    return tmp_path


async def test_a_line_sounds_as_it_would_have_before_the_call(
    joe_folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bed = np.random.default_rng(1).normal(0, 0.003, 48_000).astype(np.float32)
    async with LiveVoice() as worker:
        with pytest.raises(HarnessFault, match="nobody"):  # which costs that call, not the worker
            await worker.open(VoicePlan(engine="nobody"), codec=OPUS, bed=None)
        voice = await worker.open(VOICE, codec=OPUS, bed=None)
        plain = await asyncio.gather(*map(voice.clip, LINES))
        in_noise = await worker.open(VOICE, codec=OPUS, bed=bed)
        noisy = await in_noise.clip(LINES[0])
        with pytest.raises(HarnessFault, match="cannot be spoken"):
            await in_noise.clip(" ")
        again = await in_noise.clip(LINES[0])
        telephone = await worker.open(VOICE, codec=codec_named("pcmu"), bed=None)
        by_telephone = await telephone.clip(LINES[0])
        unencoded = await worker.open(VOICE, codec=codec_named(UNENCODED), bed=None)
        undecided = await unencoded.clip(LINES[0])
    monkeypatch.setenv(CACHE_VARIABLE, str(cache / "own"))
    maker = ClipMaker()
    for line, clip in zip(LINES, plain, strict=True):
        before = maker.clip(VOICE, line, codec=OPUS, bed=None)
        assert clip.packets == before.packets
        assert clip.sha256 == before.sha256
        assert clip.voiced_samples == before.voiced_samples
        assert np.array_equal(clip.pcm, before.pcm)
    assert noisy.packets == again.packets == maker.clip(VOICE, LINES[0], codec=OPUS, bed=bed).packets
    assert noisy.sha256 != plain[0].sha256
    # Another codec carries the same sound, but for the ends that its band has not.
    assert by_telephone.packets == maker.clip(VOICE, LINES[0], codec=codec_named("pcmu"), bed=None).packets
    assert undecided.sha256 == plain[0].sha256
    decided = undecided.carried(6)
    assert decided.voiced_samples == by_telephone.voiced_samples < undecided.voiced_samples


async def test_a_worker_that_dies_is_noticed_by_everyone_who_waits(joe_folder: Path, cache: Path) -> None:
    async with LiveVoice() as worker:
        voice = await worker.open(VOICE, codec=OPUS, bed=None)
        other = await worker.open(VOICE, codec=OPUS, bed=None)
        os.kill(worker.pid, signal.SIGSTOP)
        waiting = [asyncio.create_task(voice.clip(f"Line {number}.")) for number in range(MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(HarnessFault, match="overloaded"):
            await voice.clip("One more.")
        assert voice.lost == ""
        waiting.append(asyncio.create_task(other.clip("Somebody else's.")))
        await asyncio.sleep(0)
        os.kill(worker.pid, signal.SIGKILL)
        async with asyncio.timeout(20):
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(one, HarnessFault) and "has ended" in str(one) for one in outcomes)
        assert "has ended" in voice.lost
        with pytest.raises(HarnessFault, match="has ended"):
            await voice.clip("Later.")
        with pytest.raises(HarnessFault, match="has ended"):
            await worker.open(VOICE, codec=OPUS, bed=None)


@pytest.mark.long
async def test_calls_under_way_at_once_keep_their_own_voice_and_room(joe_folder: Path, cache: Path) -> None:
    """Each line as if its call were the only one; a call that ends leaves the others alone."""
    bed = np.random.default_rng(1).normal(0, 0.003, 48_000).astype(np.float32)
    slow = VoicePlan(rate=0.9)
    async with LiveVoice() as worker:
        first = await worker.open(VOICE, codec=OPUS, bed=None)
        early = asyncio.create_task(first.clip(LINES[0]))
        await asyncio.sleep(0)
        second = await worker.open(slow, codec=codec_named("pcmu"), bed=bed)
        third = await worker.open(VOICE, codec=OPUS, bed=None)
        clips = await asyncio.gather(early, second.clip(LINES[0]), first.clip(LINES[1]))
        never = asyncio.create_task(third.clip(LINES[1]))
        await asyncio.sleep(0)
        third.close()
        with pytest.raises(HarnessFault, match="the call is over"):
            await never
        third.close()
        with pytest.raises(HarnessFault, match="in a call that is over"):
            await third.clip(LINES[0])
        last = await second.clip(LINES[1])
    maker = ClipMaker()
    wanted = [
        maker.clip(VOICE, LINES[0], codec=OPUS, bed=None),
        maker.clip(slow, LINES[0], codec=codec_named("pcmu"), bed=bed),
        maker.clip(VOICE, LINES[1], codec=OPUS, bed=None),
        maker.clip(slow, LINES[1], codec=codec_named("pcmu"), bed=bed),
    ]
    assert [one.packets for one in (*clips, last)] == [one.packets for one in wanted]


def test_a_line_that_breaks_the_engine_costs_no_other_call(monkeypatch: pytest.MonkeyPatch) -> None:
    class Breaks:
        def load(self, voice: VoicePlan) -> None: ...

        def clip(self, voice: VoicePlan, text: str, *, codec: Codec, **_: object) -> Clip:
            if text == "broken":
                raise ValueError("speech of the wrong shape")
            return prepare_clip(codec, tone(0.1).samples)

    monkeypatch.setattr(live_voice_worker, "ClipMaker", Breaks)
    source, sink = io.BytesIO(), io.BytesIO()
    about = {"codec": "opus", "voice": VOICE.model_dump(mode="json"), "conditions": {}, "seed": 0}
    write_record(source, {"call": 1, **about}, [b""])
    write_record(source, {"call": 1, "number": 1, "text": "broken"})
    write_record(source, {"call": 2, "number": 7, "text": "whose?"})
    write_record(source, {"call": 1, "number": 2, "text": "fine"})
    source.seek(0)
    live_voice_worker.serve(source, sink)
    sink.seek(0)
    told = []
    while (record := live_voice_worker._read_record(sink)) is not None:
        told.append(record[0])
    assert [(one["call"], one["number"]) for one in told] == [(1, None), (1, 1), (2, 7), (1, 2)]
    assert told[1]["error"] == "ValueError: speech of the wrong shape"
    assert told[2]["error"] == "its call is over"
    assert told[3]["voiced_samples"] == len(tone(0.1).samples)
