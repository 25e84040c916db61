"""The livekit engine: drives any speech plugin of livekit-agents, here plugins of the tests' own."""

from __future__ import annotations

import asyncio
import sys
import types
from typing import Any

import numpy as np
import pytest

pytest.importorskip("livekit.agents", reason="livekit-agents is not installed (extra 'livekit')")

from livekit.agents import APIConnectionError, tts
from livekit.agents.utils import http_context

from voice_sim.tts import create_engine
from voice_sim.tts.base import OpensFirst, SynthesisError, TTSEngine
from voice_sim.tts.livekit_plugin import PluginVoice, parse_voice

RATE_HZ = 24_000


class _Stream(tts.ChunkedStream):
    async def _run(self, output_emitter: Any) -> None:
        engine = self._tts
        assert isinstance(engine, ToneTTS)
        # Fails outside a context of livekit's, as the plugins of real providers do.
        assert not http_context.http_session().closed
        if engine.voice == "offline":
            raise APIConnectionError("the provider is not to be reached", retryable=False)
        output_emitter.initialize(
            request_id="1", sample_rate=RATE_HZ, num_channels=engine.num_channels, mime_type="audio/pcm"
        )
        t = np.arange(round(0.05 * len(self._input_text) * RATE_HZ)) / RATE_HZ
        sound = np.round(8000 * np.sin(2 * np.pi * engine.pitch_hz * t)).astype("<i2")
        if engine.voice == "mute":
            sound = sound[:0]
        wide = np.repeat(sound[:, None], engine.num_channels, axis=1)
        for part in np.array_split(wide, 7):
            output_emitter.push(part.tobytes())
            await asyncio.sleep(0)
        output_emitter.flush()


class ToneTTS(tts.TTS):
    """50 ms of a sine for each letter."""

    def __init__(self, *, voice: str = "default", pitch_hz: float = 400.0, channels: int = 1) -> None:
        if voice == "locked":
            raise ValueError("TONE_API_KEY must be set")
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False), sample_rate=RATE_HZ, num_channels=channels
        )
        self.voice = voice
        self.pitch_hz = pitch_hz

    def synthesize(self, text: str, **options: Any) -> tts.ChunkedStream:
        return _Stream(tts=self, input_text=text, conn_options=options["conn_options"])


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = types.ModuleType("livekit.plugins.tone")
    plugin.TTS = ToneTTS  # type: ignore[attr-defined]
    plugins = types.ModuleType("livekit.plugins")
    plugins.__path__ = []
    monkeypatch.setitem(sys.modules, "livekit.plugins", plugins)
    monkeypatch.setitem(sys.modules, "livekit.plugins.tone", plugin)


@pytest.fixture
def engine() -> TTSEngine:
    return create_engine("livekit")


def loudest_hz(samples: np.ndarray) -> float:
    return float(np.argmax(np.abs(np.fft.rfft(samples)))) * RATE_HZ / samples.size


def test_a_plugin_speaks_with_the_voice_and_settings_of_its_name(engine: TTSEngine) -> None:
    speech = engine.synthesize("twenty letters, yes!", voice="tone/bright?pitch_hz=600&channels=2", rate=1.0)
    assert speech.sample_rate_hz == RATE_HZ
    assert speech.duration_s == pytest.approx(1.0, abs=0.02)  # livekit may add a last frame of 10 ms
    assert loudest_hz(speech.samples) == pytest.approx(600, abs=2)
    assert np.max(np.abs(speech.samples)) == pytest.approx(8000 / 32768, abs=0.001)


def test_a_class_of_ones_own_is_named_by_its_module(engine: TTSEngine) -> None:
    speech = engine.synthesize("hello", voice=f"{__name__}:ToneTTS?voice=ann", rate=1.0)
    assert speech.duration_s == pytest.approx(0.25, abs=0.02)
    assert "ToneTTS" in engine.identity(f"{__name__}:ToneTTS")
    assert engine.identity("tone/a").startswith("livekit-agents 1.")


def test_the_rate_changes_the_pace_and_not_the_pitch(engine: TTSEngine) -> None:
    fast = engine.synthesize("twenty letters, yes!", voice="tone", rate=1.25)
    assert fast.duration_s == pytest.approx(0.8, abs=0.02)
    assert loudest_hz(fast.samples) == pytest.approx(400, abs=3)


async def test_it_works_inside_an_event_loop_too(engine: TTSEngine) -> None:
    speech = engine.synthesize("hello", voice="tone", rate=1.0)
    assert speech.duration_s > 0.2


@pytest.mark.parametrize(
    ("voice", "problem"),
    [
        ("notthere/alloy", r"pip install livekit-plugins-notthere"),
        ("google_beta/x", r"pip install livekit-plugins-google-beta"),
        ("no.such.module:TTS", r"no\.such\.module cannot be imported"),
        ("json:loads", r"json has no speech engine 'loads'"),
        ("tone/a?speed=2", r"has no setting 'speed'; it takes: voice, pitch_hz, channels"),
        ("tone/locked", r"ValueError: TONE_API_KEY must be set"),
        ("tone/mute", r"tone/mute"),
        ("tone/offline", r"not to be reached"),
        ("tone/a?api_key=abc", r"'api_key' does not belong in a plan"),
        ("../etc", r"is no voice; write PLUGIN/VOICE"),
        ("a:b:c", r"is no voice; write PLUGIN/VOICE"),
        ("tone?a-b=1", r"'a-b' in .* is no name of a setting"),
    ],
)
def test_what_is_wrong_is_named(engine: TTSEngine, voice: str, problem: str) -> None:
    with pytest.raises(SynthesisError, match=problem):
        engine.synthesize("hello", voice=voice, rate=1.0)


def test_what_it_lacks_is_told_before_it_says_anything(engine: TTSEngine) -> None:
    assert isinstance(engine, OpensFirst)
    engine.check_opens("tone/bright")
    with pytest.raises(SynthesisError, match=r"'tone/locked': ValueError: TONE_API_KEY must be set"):
        engine.check_opens("tone/locked")


def test_names_are_taken_apart() -> None:
    assert parse_voice("openai/alloy?model=tts-1&speed=1.5&warm=true&n=2") == PluginVoice(
        module="livekit.plugins.openai",
        attribute="TTS",
        voice="alloy",
        options={"model": "tts-1", "speed": 1.5, "warm": True, "n": 2},
    )
    assert parse_voice("a.b:C") == PluginVoice(module="a.b", attribute="C")
