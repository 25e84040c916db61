"""Voices and conditions of a plan, measured on what is sent: order, band, level, SNR, and whose voice."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.speaking import clip_maker
from harness.calls.voice.speaking.babble_voices import LINES, PEOPLE, babble_clips
from harness.calls.voice.speaking.live_voice_worker import LENGTH, serve, write_record
from harness.errors import UserError
from harness.paths import CACHE_VARIABLE
from harness.plans.call import CallPlan, ConditionsPlan, VoicePlan
from harness.plans.plan import expand_plan
from harness.transports.clips.clip import PREROLL_FRAMES
from harness.transports.codecs.opus import OPUS
from voice_sim.conditions.level import active_level_dbfs, rms_dbfs
from voice_sim.person.casting import CASTABLE
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import voiced_edges

START = PREROLL_FRAMES * OPUS.frame_samples
TEXTS = ["one two three", "four"]


class Hummer:
    """An engine for tests: syllables of a broad harmonic tone, one a word, 0.25 s, with 0.05 s between."""

    name = "hummer"

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    def identity(self, voice: str) -> str:
        return voice

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        self.said.append((voice, text))
        t = np.arange(6_000) / 24_000
        base_hz = 110.0 + 10.0 * len(voice)
        wave = sum(np.cos(2 * np.pi * base_hz * k * t + k * k) for k in range(3, 28))
        syllable = np.pad(0.02 * wave * np.hanning(t.size) ** 0.3, (0, 1_200))
        return Speech(samples=np.tile(syllable, len(text.split())).astype(np.float32), sample_rate_hz=24_000)


@pytest.fixture
def hummer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Hummer:
    engine = Hummer()
    monkeypatch.setattr(clip_maker, "create_engine", lambda name, folder: engine)
    monkeypatch.setattr(clip_maker, "model_of", lambda engine, voice: None)
    monkeypatch.setattr("harness.calls.voice.prepare.NOISE_LOOP_S", 4.0)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return engine


def planned(**call: Any) -> CallPlan:
    written = {"id": "a", "script": {"lines": [{"say": text} for text in TEXTS]}} | call
    return expand_plan({"agent": "http://127.0.0.1:9", "calls": [written]}).calls[0]


def high_share_db(samples: np.ndarray) -> float:
    """Power above 4.5 kHz, relative to all of it."""
    power = np.abs(np.fft.rfft(samples * np.hanning(samples.size))) ** 2
    hz = np.fft.rfftfreq(samples.size, 1 / 48_000)
    return float(10 * np.log10(power[hz > 4500].sum() / power.sum() + 1e-12))


@pytest.mark.parametrize("law", ["ulaw", "alaw"])
def test_a_telephone_takes_the_voice_the_noise_and_the_quiet_between(hummer: Hummer, law: str) -> None:
    noise = {"kind": "white", "snr_db": 15}
    wide = CallBuilder().prepare(planned(conditions={"noise": noise}))
    narrow = CallBuilder().prepare(planned(conditions={"noise": noise, "telephone": law}))
    assert high_share_db(wide.background.pcm) > -2.0
    assert high_share_db(narrow.background.pcm) < -40.0
    for clip in narrow.clips:
        assert high_share_db(clip.pcm) < -40.0
        assert high_share_db(clip.pcm[:START]) < -30.0


def test_speech_through_a_telephone_stands_where_it_says(hummer: Hummer) -> None:
    prepared = CallBuilder().prepare(planned(conditions={"telephone": "ulaw", "line_gain_db": -6.0}))
    for clip in prepared.clips:
        edges = voiced_edges(clip.pcm, threshold_dbfs=-42.0 - 6.0)
        assert edges == (START, START + clip.voiced_samples - 1)
        assert clip.pcm.size == len(clip.packets) * OPUS.frame_samples
        speech = clip.pcm[START : START + clip.voiced_samples]
        assert active_level_dbfs(speech, sample_rate_hz=48_000) == pytest.approx(-29.0, abs=1.0)
    assert not np.any(prepared.background.pcm)


@pytest.mark.parametrize("kind", ["babble", "car", "factory", "speech_shaped", "street", "white"])
def test_the_snr_at_the_microphone_is_as_planned(hummer: Hummer, kind: str) -> None:
    conditions = {"noise": {"kind": kind, "snr_db": 9.0}, "distance_m": 1.5}
    plan = planned(conditions=conditions, voice={"level_dbfs": -28.0})
    noisy = CallBuilder().prepare(plan)
    clean = CallBuilder().prepare(planned(conditions={"distance_m": 1.5}, voice={"level_dbfs": -28.0}))
    levels = [
        active_level_dbfs(clip.pcm[START : START + clip.voiced_samples], sample_rate_hz=48_000)
        for clip in clean.clips
    ]
    assert np.median(levels) - rms_dbfs(noisy.background.pcm) == pytest.approx(9.0, abs=0.5)


def test_the_crowd_is_not_the_caller(hummer: Hummer) -> None:
    caller = VoicePlan(engine="piper", name="joe")
    maker = clip_maker.ClipMaker()
    clips = babble_clips(maker, caller, language="en", voices=CASTABLE)
    assert len(clips) == PEOPLE
    assert {name for name, _ in hummer.said} <= {v.name for v in CASTABLE if v.engine == "kokoro"}
    assert len({name for name, _ in hummer.said}) == 5
    assert [text for _, text in hummer.said] == list(LINES["en"])
    hummer.said.clear()
    alone = [voice for voice in CASTABLE if voice.name == "joe"]
    clips = babble_clips(maker, caller.model_copy(update={"level_dbfs": -30.0}), language="en", voices=alone)
    assert {name for name, _ in hummer.said} == {"joe"}
    assert len({clip.size for clip in clips}) == PEOPLE  # nobody speaks at the pitch of another


def test_noise_from_a_folder_beside_the_plan(hummer: Hummer, tmp_path: Path) -> None:
    (tmp_path / "sounds").mkdir()
    sound = np.random.default_rng(1).standard_normal(32_000) * 0.1
    soundfile.write(tmp_path / "sounds" / "fan.wav", sound, 16_000)
    noise = {"kind": "folder", "path": "sounds", "snr_db": 5}
    written = {"id": "a", "script": {"lines": [{"say": "one"}]}, "conditions": {"noise": noise}}
    content = {"agent": "http://127.0.0.1:9", "calls": [written]}
    plan = expand_plan(content, folder=tmp_path).calls[0]
    CallBuilder().check(plan)
    background = CallBuilder().prepare(plan).background
    assert rms_dbfs(background.pcm) == pytest.approx(-28.0, abs=0.5)
    (tmp_path / "sounds" / "fan.wav").write_bytes(b"gone bad")
    with pytest.raises(UserError, match=r"call a: conditions\.noise\.path: .*fan\.wav: cannot be read"):
        CallBuilder().check(plan)


@pytest.mark.parametrize(
    ("conditions", "problem"),
    [
        ({"noise": {"kind": "folder", "snr_db": 5}}, "goes with the kind 'folder'"),
        ({"noise": {"kind": "car", "path": "x", "snr_db": 5}}, "goes with the kind 'folder'"),
        ({"telephone": "gsm"}, r"telephone.*'ulaw' or 'alaw'"),
        ({"distance_m": 40}, "distance_m.*less than or equal to 10"),
        ({"line_gain_db": 6}, "line_gain_db.*less than or equal to 0"),
    ],
)
def test_conditions_that_cannot_be_are_refused(conditions: dict[str, Any], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        planned(conditions=conditions)


def test_a_line_made_during_a_call_is_the_line_made_before_it(hummer: Hummer) -> None:
    conditions = ConditionsPlan.model_validate(
        {"noise": {"kind": "car", "snr_db": 10}, "distance_m": 1.0, "telephone": "alaw"}
    )
    plan = planned(conditions=conditions)
    prepared = CallBuilder().prepare(plan)
    assert prepared.bed is not None
    source, sink = io.BytesIO(), io.BytesIO()
    head = {
        "call": 1,
        "codec": "opus",
        "voice": plan.voice.model_dump(mode="json"),
        "conditions": conditions.model_dump(mode="json"),
        "seed": plan.seed,
    }
    write_record(source, head, [prepared.bed.tobytes()])
    write_record(source, {"call": 1, "number": 1, "text": TEXTS[0]})
    source.seek(0)
    serve(source, sink)
    assert prepared.clips[0].sha256.encode() in sink.getvalue()
    assert LENGTH.unpack(sink.getvalue()[:4])[0] < 100  # the first record says that it is ready


def test_a_voice_that_does_not_speak_the_language_is_refused_before_the_first_call(hummer: Hummer) -> None:
    CallBuilder().check(planned(voice={"engine": "kokoro", "name": "jf_alpha"}, language="zh"))
    CallBuilder().check(planned(voice={"engine": "livekit", "name": "x/y"}, language="zh"))
    with pytest.raises(UserError, match=r"call a: voice piper/joe does not speak 'zh'"):
        CallBuilder().check(planned(language="zh"))


def entry_voice(entry: str, **call: Any) -> VoicePlan:
    content = {"agent": "http://127.0.0.1:9", "calls": [{"scenario": entry} | call]}
    return expand_plan(content).calls[0].voice


def test_a_person_is_given_a_voice_unless_the_plan_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.plans.plan.installed_voices", lambda: CASTABLE)
    own = entry_voice("cs-bank-complaint/hesitant")
    assert own == entry_voice("cs-bank-complaint/hesitant")
    assert (own.engine, own.name) in {(voice.engine, voice.name) for voice in CASTABLE}
    chinese = entry_voice("cs-bank-complaint-zh/hesitant")
    assert chinese.engine == "kokoro"
    named = entry_voice("cs-bank-complaint/hesitant", voice={"engine": "espeak", "name": "en-gb"})
    assert (named.engine, named.name, named.pitch) == ("espeak", "en-gb", 1.0)
    louder = entry_voice("cs-bank-complaint/hesitant", voice={"level_dbfs": -30.0, "pause_s": 0.9})
    assert louder == own.model_copy(update={"level_dbfs": -30.0, "pause_s": 0.9})
    monkeypatch.setattr("harness.plans.plan.installed_voices", lambda: ())
    assert entry_voice("cs-bank-complaint/hesitant").name == "joe"
