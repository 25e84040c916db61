"""LiveKit's own SDK on the other side of the room: it hears us, and we it, through a real
server and through our stand-in for one, which it judges as well."""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import dataclass, field

import numpy as np
import pytest

from harness.plans.secrets import Withheld, kept_address
from harness.records.call import SAMPLE_RATE_HZ, CallStatus
from harness.selfcheck.livekit_server import SERVER_VARIABLE, LiveKitServer, serving_livekit, serving_stand_in
from metrics.speech import detect_speech
from tests.faults.placing import LIMITS, Ended, place_all, prepare

rtc = pytest.importorskip("livekit.rtc", reason="livekit is not installed (extra 'livekit')")
api = pytest.importorskip("livekit.api", reason="livekit-api is not installed (extra 'livekit')")

pytestmark = [
    pytest.mark.live,
    pytest.mark.long,
]
ROOM, RATE_HZ, FRAME = "judged", 48_000, 480
SAYS = "Good morning, this is the judge."


@dataclass
class Judge:
    """A participant by the official SDK: greets with a tone, answers with one, listens."""

    url: str
    token: str
    over: threading.Event = field(default_factory=threading.Event)
    heard: list[float] = field(default_factory=list)
    """Loudness of each frame that it got from us."""

    def run(self) -> None:
        asyncio.run(self._talk())

    async def _talk(self) -> None:
        room, source = rtc.Room(), rtc.AudioSource(RATE_HZ, 1)
        listening: list[asyncio.Task[None]] = []
        room.on(
            "track_subscribed",
            lambda track, *_: listening.append(asyncio.ensure_future(self._listen(track))),
        )
        await room.connect(self.url, self.token)
        track = rtc.LocalAudioTrack.create_audio_track("voice", source)
        await room.local_participant.publish_track(track)
        while not self.over.is_set() and not listening:
            await self._say(source, 0.1, 0.0)
        await self._say(source, 0.5, 0.0)
        await self._say(source, 0.6, 0.2)
        await room.local_participant.send_text(
            SAYS, topic="lk.transcription", attributes={"lk.transcription_final": "true"}
        )
        while not self.over.is_set() and not any(level > 0.02 for level in self.heard):
            await self._say(source, 0.1, 0.0)
        await self._say(source, 1.2, 0.0)
        await self._say(source, 0.6, 0.2)
        while not self.over.is_set():
            await self._say(source, 0.1, 0.0)
        await room.disconnect()

    async def _say(self, source: rtc.AudioSource, seconds: float, level: float) -> None:
        for number in range(round(seconds * RATE_HZ / FRAME)):
            at = (np.arange(FRAME) + number * FRAME) / RATE_HZ
            pcm = (level * 32767 * np.sin(2 * np.pi * 1000 * at)).astype(np.int16)
            await source.capture_frame(rtc.AudioFrame(pcm.tobytes(), RATE_HZ, 1, FRAME))

    async def _listen(self, track: rtc.Track) -> None:
        async for event in rtc.AudioStream(track):
            pcm = np.frombuffer(event.frame.data, np.int16).astype(np.float32) / 32768
            self.heard.append(float(np.sqrt(np.mean(pcm**2))))


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The call, and what the judge says of it."""

    ended: Ended
    judge: Judge


def _address(server: LiveKitServer) -> str:
    given = f"livekit+ws://{server.key}:{server.secret}@{server.url.removeprefix('ws://')}/{ROOM}"
    return Withheld(kept_address(given), given)


@pytest.fixture(scope="module", params=[serving_livekit, serving_stand_in])
def judged(request: pytest.FixtureRequest) -> Judged:
    if request.param is serving_livekit and not os.environ.get(SERVER_VARIABLE):
        pytest.skip(f"{SERVER_VARIABLE} names no LiveKit server")
    with request.param() as server:
        grants = api.VideoGrants(room_join=True, room=ROOM)
        token = api.AccessToken(server.key, server.secret).with_identity("judge").with_grants(grants)
        judge = Judge(url=server.url, token=token.with_kind("standard").to_jwt())
        thread = threading.Thread(target=judge.run)
        thread.start()
        try:
            limits = LIMITS.model_copy(update={"connect_s": 15.0, "first_speech_s": 6.0, "silence_s": 6.0})
            batch = place_all({"judged": prepare("judged", _address(server), limits=limits)})
        finally:
            judge.over.set()
            thread.join(20)
    return Judged(ended=batch.ended["judged"], judge=judge)


def test_the_sdk_hears_us(judged: Judged) -> None:
    loud = [level for level in judged.judge.heard if level > 0.02]
    # Our line is a tone of half a second, in frames of 10 ms; the SDK may conceal at its edges.
    assert 40 <= len(loud) <= 65


def test_we_hear_the_sdk(judged: Judged) -> None:
    assert judged.ended.status is CallStatus.COMPLETED, judged.ended.detail
    recording = judged.ended.placed.recording
    assert recording is not None
    talks = detect_speech(recording.audio[:, 1], SAMPLE_RATE_HZ, marker_tones=True).talks
    assert [round(talk.span.end_s - talk.span.start_s, 1) for talk in talks] == [0.6, 0.6]


def test_its_own_words_are_told(judged: Judged) -> None:
    told = {event.kind: event.data for event in judged.ended.placed.events if event.source == "livekit"}
    assert told["bot-output"]["text"] == SAYS
    assert told["agent-joined"]["identity"] == "judge"
