"""The calibration agent's other door in OpenAI's dialect, a WebSocket, by the clients of three makers:
OpenAI's own, livekit's and pipecat's. What they understand judges how we read the protocol in whose WebRTC
form our calls are made."""

from __future__ import annotations

import asyncio
import base64
import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import openai
import pytest

from tests.serving import serving_agent

pytestmark = [pytest.mark.live, pytest.mark.long]

KEY = "sk-of-this-test-0123456789"
RATE = 24_000
ANSWER_MS = 4000
STEP_S = 0.1


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    behaviour: Path = tmp_path_factory.mktemp("socket") / "behaviour.yaml"
    behaviour.write_text(f"turns:\n  - {{answer_after_ms: 300, say: {{tone_ms: {ANSWER_MS}}}}}\n")
    with serving_agent("calibration", "--key", KEY, "--behaviour", str(behaviour)) as (address, _):
        yield f"{address}/v1"


def _pcm(seconds: float, level: float = 0.2) -> bytes:
    at = np.arange(round(seconds * RATE)) / RATE
    return (level * 32767 * np.sin(2 * np.pi * 1000 * at)).astype("<i2").tobytes()


def _spoken_and_silence() -> list[bytes]:
    """A second of tone and one of silence, in steps as a microphone gives them."""
    whole = _pcm(1.0) + _pcm(1.0, 0.0)
    size = round(STEP_S * RATE) * 2
    return [whole[start : start + size] for start in range(0, len(whole), size)]


async def _said(steps: list[bytes]) -> AsyncIterator[bytes]:
    for step in steps:
        yield step
        await asyncio.sleep(STEP_S)


# --- OpenAI's own client: every event is one of its types


def test_openais_own_client_is_answered_faster_than_it_sounds(base: str) -> None:
    asyncio.run(asyncio.wait_for(_openai_answered(base), 60))


async def _openai_answered(base: str) -> None:
    async with (
        openai.AsyncOpenAI(api_key=KEY, base_url=base, max_retries=0) as client,
        client.realtime.connect(model="calibration") as connection,
    ):
        events: list[Any] = []

        async def until(kind: str) -> Any:
            async for event in connection:
                events.append(event)
                # The client lets pass what fits none of its types.
                assert type(event).__module__.startswith("openai.types.realtime"), event
                assert type(event).__name__ != "UnknownEvent", event
                if event.type == kind:
                    return event
            raise AssertionError(f"closed before {kind}")

        await until("session.created")
        await connection.session.update(session={"type": "realtime", "instructions": "Say a tone."})
        updated = await until("session.updated")
        assert updated.session.instructions == "Say a tone."
        async for step in _said(_spoken_and_silence()):
            await connection.input_audio_buffer.append(audio=base64.b64encode(step).decode())
        began = asyncio.get_running_loop().time()
        done = await until("response.done")
        took_s = asyncio.get_running_loop().time() - began
        assert done.response.status == "completed"
        kinds = [kind for kind, _ in itertools.groupby(event.type for event in events)]
        for earlier, later in itertools.pairwise(
            (
                "input_audio_buffer.speech_started",
                "input_audio_buffer.speech_stopped",
                "input_audio_buffer.committed",
                "conversation.item.input_audio_transcription.completed",
                "response.created",
                "response.output_item.added",
                "response.output_audio.delta",
                "response.output_audio.done",
                "response.done",
            )
        ):
            assert kinds.index(earlier) < kinds.index(later)
        sound = b"".join(
            base64.b64decode(event.delta) for event in events if event.type == "response.output_audio.delta"
        )
        assert len(sound) / 2 / RATE == pytest.approx(ANSWER_MS / 1000, abs=0.01)
        assert took_s < ANSWER_MS / 1000

        # What it does not play, it says; what is wrong, it is told.
        item = done.response.output[0].id
        await connection.conversation.item.truncate(item_id=item, content_index=0, audio_end_ms=700)
        assert (await until("conversation.item.truncated")).audio_end_ms == 700
        await connection.response.cancel()
        assert (await until("error")).error.code == "response_cancel_not_active"


def test_it_is_refused_with_a_wrong_key(base: str) -> None:
    asyncio.run(asyncio.wait_for(_openai_refused(base), 60))


async def _openai_refused(base: str) -> None:
    async with openai.AsyncOpenAI(api_key="sk-wrong", base_url=base, max_retries=0) as client:
        with pytest.raises(Exception, match="401"):
            async with client.realtime.connect(model="calibration"):
                pass


def test_whoever_speaks_meanwhile_cuts_it_off(base: str) -> None:
    asyncio.run(asyncio.wait_for(_openai_interrupts(base), 60))


async def _openai_interrupts(base: str) -> None:
    async with (
        openai.AsyncOpenAI(api_key=KEY, base_url=base, max_retries=0) as client,
        client.realtime.connect(model="calibration") as connection,
    ):
        await connection.response.create()
        async for event in connection:
            if event.type == "response.output_audio.delta":
                await connection.input_audio_buffer.append(audio=base64.b64encode(_pcm(0.2)).decode())
            if event.type == "response.done":
                break
        assert event.response.status == "cancelled"
        assert event.response.status_details.reason == "turn_detected"


# --- livekit's client


def test_livekits_client_hears_it_and_cuts_it_off(base: str) -> None:
    asyncio.run(asyncio.wait_for(_livekit(base), 60))


async def _livekit(base: str) -> None:
    plugin = pytest.importorskip("livekit.plugins.openai", reason="livekit-plugins-openai is not installed")
    rtc = pytest.importorskip("livekit.rtc")
    async with aiohttp.ClientSession() as http:
        model = plugin.realtime.RealtimeModel(
            model="calibration", base_url=base, api_key=KEY, http_session=http
        )
        session = model.session()
        told: list[tuple[str, Any]] = []
        generated: asyncio.Queue[Any] = asyncio.Queue()
        for kind in ("input_speech_started", "input_speech_stopped", "error"):
            session.on(kind, lambda *data, kind=kind: told.append((kind, data)))
        session.on(
            "input_audio_transcription_completed", lambda event: told.append(("words", event.transcript))
        )
        session.on("generation_created", generated.put_nowait)
        try:
            async for step in _said(_spoken_and_silence()):
                session.push_audio(rtc.AudioFrame(step, RATE, 1, len(step) // 2))
            generation = await generated.get()
            message = await anext(aiter(generation.message_stream))
            heard_s = 0.0
            async for frame in message.audio_stream:
                heard_s += frame.samples_per_channel / frame.sample_rate
            assert heard_s == pytest.approx(ANSWER_MS / 1000, abs=0.1)
            assert [kind for kind, _ in told][:2] == ["input_speech_started", "input_speech_stopped"]
            assert ("words", "a tone") in told
            assert not [one for one in told if one[0] == "error"]

            # Its own interruption: half a second of the next answer, and the client says what it played.
            async for step in _said(_spoken_and_silence()):
                session.push_audio(rtc.AudioFrame(step, RATE, 1, len(step) // 2))
            generation = await generated.get()
            message = await anext(aiter(generation.message_stream))
            frames = aiter(message.audio_stream)
            heard_s = (await anext(frames)).duration
            # As fast as it goes: the server is four times as fast as its sound, too.
            for step in _spoken_and_silence()[:4]:
                session.push_audio(rtc.AudioFrame(step, RATE, 1, len(step) // 2))
            async for frame in frames:
                heard_s += frame.duration
            assert heard_s < ANSWER_MS / 1000 - 0.5
        finally:
            await session.aclose()
            await model.aclose()


# --- pipecat's client


def test_pipecats_client_hears_it_and_truncates(base: str) -> None:
    asyncio.run(asyncio.wait_for(_pipecat(base), 90))


async def _pipecat(base: str) -> None:
    pytest.importorskip("pipecat.services.openai.realtime.llm", reason="pipecat is not installed")
    from pipecat.frames.frames import (
        EndFrame,
        ErrorFrame,
        InputAudioRawFrame,
        LLMContextFrame,
        ProposedUserStartedSpeakingFrame,
        ProposedUserStoppedSpeakingFrame,
        TranscriptionFrame,
        TTSAudioRawFrame,
    )
    from pipecat.pipeline.pipeline import Pipeline
    from pipecat.pipeline.worker import PipelineParams, PipelineWorker
    from pipecat.processors.aggregators.llm_context import LLMContext
    from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
    from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService
    from pipecat.workers.runner import WorkerRunner

    seen: list[Any] = []

    class Keeper(FrameProcessor):
        async def process_frame(self, frame: Any, direction: FrameDirection) -> None:
            await super().process_frame(frame, direction)
            seen.append(frame)
            await self.push_frame(frame, direction)

    service = OpenAIRealtimeLLMService(
        api_key=KEY,
        base_url=f"ws{base.removeprefix('http')}/realtime",
        settings=OpenAIRealtimeLLMService.Settings(model="calibration"),
    )
    task = PipelineWorker(
        Pipeline([Keeper(), service, Keeper()]),
        params=PipelineParams(audio_in_sample_rate=RATE, audio_out_sample_rate=RATE),
    )
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(task)
    running = asyncio.create_task(runner.run())
    await task.queue_frame(LLMContextFrame(context=LLMContext()))

    async def speak() -> None:
        async for step in _said(_spoken_and_silence()):
            await task.queue_frame(InputAudioRawFrame(audio=step, sample_rate=RATE, num_channels=1))

    def heard_s() -> float:
        return sum(len(f.audio) / 2 / RATE for f in seen if isinstance(f, TTSAudioRawFrame))

    for _ in range(200):
        await asyncio.sleep(STEP_S)
        if heard_s() >= ANSWER_MS / 1000 - 0.1:
            break
    # An empty context asks for an answer at once: it is heard to its end.
    assert heard_s() == pytest.approx(ANSWER_MS / 1000, abs=0.15)
    await speak()
    for _ in range(200):
        await asyncio.sleep(STEP_S)
        if heard_s() >= 2 * ANSWER_MS / 1000 - 0.1:
            break
    await task.queue_frame(EndFrame())
    await running
    assert heard_s() == pytest.approx(2 * ANSWER_MS / 1000, abs=0.3)
    kinds = {type(frame) for frame in seen}
    heard = {ProposedUserStartedSpeakingFrame, ProposedUserStoppedSpeakingFrame, TranscriptionFrame}
    assert heard <= kinds
    assert not [frame for frame in seen if isinstance(frame, ErrorFrame)]
