"""Rooms, places and recordings: what their models promise, measured on what comes out."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy.signal import butter, sosfilt, welch

from voice_sim.conditions import NOISES
from voice_sim.conditions.level import active_level_dbfs, rms_dbfs
from voice_sim.conditions.noise import NoiseError, noise_loop
from voice_sim.conditions.recordings import read_folder
from voice_sim.conditions.room import CRITICAL_DISTANCE_M, REVERBERATION_S, at_distance, room_response
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import prepare_utterance

RATE = 48_000
PLACES = ["car", "factory", "street"]


def loop_of(
    kind: str, *, seed: int = 3, snr_db: float = 10.0, speech: list[np.ndarray] | None = None
) -> np.ndarray:
    return noise_loop(
        kind, snr_db=snr_db, speech_level_dbfs=-23.0, duration_s=24.0, seed=seed, speech=speech or []
    ).samples


@pytest.fixture(scope="module")
def places() -> dict[str, np.ndarray]:
    return {kind: loop_of(kind) for kind in PLACES}


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """A loud stereo file at 44.1 kHz, a quiet mono one at 8 kHz, and something that is no sound."""
    random = np.random.default_rng(1)
    soundfile.write(tmp_path / "a.wav", 0.5 * random.standard_normal((44_100, 2)).clip(-1.9, 1.9), 44_100)
    soundfile.write(tmp_path / "b.flac", 0.01 * random.standard_normal(16_000), 8_000)
    (tmp_path / "notes.txt").write_text("where it was recorded")
    return tmp_path


@pytest.mark.parametrize("kind", [*NOISES.names()])
@pytest.mark.parametrize("snr_db", [0.0, 10.0, 20.0])
def test_the_snr_of_every_kind_is_what_was_asked_for(
    kind: str, snr_db: float, syllables: Speech, recordings: Path
) -> None:
    utterance = prepare_utterance(syllables, level_dbfs=-30.0)
    clips = read_folder(recordings) if kind == "folder" else [utterance.samples]
    loop = noise_loop(
        kind, snr_db=snr_db, speech_level_dbfs=utterance.level_dbfs, duration_s=3.0, seed=5, speech=clips
    )
    speech_db = active_level_dbfs(utterance.samples, sample_rate_hz=RATE)
    noise_db = 10 * math.log10(float(np.mean(loop.samples.astype(np.float64) ** 2)))
    assert speech_db - noise_db == pytest.approx(snr_db, abs=0.5)


@pytest.mark.parametrize("kind", PLACES)
def test_a_place_comes_from_its_seed_and_closes(kind: str, places: dict[str, np.ndarray]) -> None:
    loop = places[kind]
    np.testing.assert_array_equal(loop, loop_of(kind))
    assert np.max(np.abs(loop - loop_of(kind, seed=4))) > 0.01
    steps = np.abs(np.diff(loop))
    assert abs(float(loop[0]) - float(loop[-1])) <= steps.max()


def test_a_car_is_low_a_street_rises_and_falls_a_factory_strikes(places: dict[str, np.ndarray]) -> None:
    def share_below(loop: np.ndarray, hz: float) -> float:
        frequencies, power = welch(loop, RATE, nperseg=8192)
        return float(power[frequencies < hz].sum() / power.sum())

    def spread_db(loop: np.ndarray, frame_s: float) -> float:
        frames = loop.reshape(-1, round(frame_s * RATE)).astype(np.float64)
        levels = 10 * np.log10(np.mean(frames**2, axis=1))
        return float(np.percentile(levels, 95) - np.percentile(levels, 5))

    assert share_below(places["car"], 500.0) > 0.9
    assert 0.3 < share_below(places["street"], 500.0) < 0.9
    assert spread_db(places["street"], 1.0) > 2.0 * spread_db(places["car"], 1.0)
    # Above its hum and hiss, a blow stands out for some tens of milliseconds.
    high = sosfilt(butter(4, 600, "highpass", fs=RATE, output="sos"), places["factory"].astype(np.float64))
    levels = np.sqrt(np.mean(high.reshape(-1, 480) ** 2, axis=1))
    assert np.max(levels) > 3.0 * np.median(levels)


def test_recordings_are_heard_alike_whatever_their_level_and_rate(recordings: Path) -> None:
    clips = read_folder(recordings)
    assert [round(clip.size / RATE) for clip in clips] == [1, 2]
    loop = loop_of("folder", speech=clips)
    levels = [rms_dbfs(part) for part in np.split(loop, 24)]
    assert max(levels) - min(levels) < 3.0
    assert np.max(np.abs(np.diff(loop))) < 10 * np.std(loop)
    np.testing.assert_array_equal(loop, loop_of("folder", speech=clips))


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("x.wav", b"no sound at all", r"x\.wav: cannot be read as sound"),
        ("x.txt", b"", "holds no recording"),
    ],
)
def test_folders_that_hold_no_sound_are_refused(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(NoiseError, match=problem):
        read_folder(tmp_path)


def test_recordings_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(NoiseError, match="is no folder"):
        read_folder(tmp_path / "missing")
    soundfile.write(tmp_path / "a.wav", np.zeros(16_000), 16_000)
    with pytest.raises(NoiseError, match=r"a\.wav: is silent"):
        read_folder(tmp_path)
    soundfile.write(tmp_path / "a.wav", np.ones(100) * 0.1, 16_000)
    with pytest.raises(NoiseError, match=r"a\.wav: shorter than"):
        read_folder(tmp_path)
    with pytest.raises(NoiseError, match="give 'path:'"):
        loop_of("folder")


@pytest.mark.parametrize("distance_m", [0.3, CRITICAL_DISTANCE_M, 3.0])
def test_the_room_has_its_reverberation_and_its_ratio(distance_m: float) -> None:
    response = room_response(distance_m, seed=1, sample_rate_hz=RATE).astype(np.float64)
    tail = response[1:] ** 2
    ratio_db = 10 * math.log10(response[0] ** 2 / tail.sum())
    assert ratio_db == pytest.approx(20 * math.log10(CRITICAL_DISTANCE_M / distance_m), abs=0.01)
    # Schroeder's backward integration between -5 and -25 dB, times three.
    decay_db = 10 * np.log10(np.cumsum(tail[::-1])[::-1] / tail.sum())
    t20_s = (np.argmax(decay_db < -25.0) - np.argmax(decay_db < -5.0)) / RATE * 3.0
    assert t20_s == pytest.approx(REVERBERATION_S, rel=0.1)


def test_distance_keeps_the_level_and_fills_the_pauses(syllables: Speech) -> None:
    near = prepare_utterance(syllables, level_dbfs=-26.0)
    far = at_distance(near, distance_m=2.5, level_dbfs=-26.0, seed=7)
    again = at_distance(near, distance_m=2.5, level_dbfs=-26.0, seed=7)
    np.testing.assert_array_equal(far.samples, again.samples)
    assert far.level_dbfs == pytest.approx(-26.0, abs=0.1)
    pause = slice(round(0.33 * RATE), round(0.37 * RATE))  # between the first two syllables
    assert rms_dbfs(far.samples[pause]) > rms_dbfs(near.samples[pause]) + 20.0
    assert 0.0 < far.duration_s - near.duration_s < REVERBERATION_S
    with pytest.raises(ValueError, match=r"distance of 20 m is outside"):
        at_distance(near, distance_m=20, level_dbfs=-26.0, seed=7)
