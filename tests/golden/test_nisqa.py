"""Both NISQA models against the official implementation, https://github.com/gabrielmittag/NISQA at fe84f0f.

The weights (CC BY-NC-SA) and the recorded clips are not part of this repository: two variables say where they
are. Without them these tests are skipped.
"""

from __future__ import annotations

import functools
import json
import os
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from metrics.synthesis.nisqa import NaturalnessResult, NisqaError, NisqaModel, QualityResult
from metrics.synthesis.nisqa_domain import DomainWarning, domain_warnings
from tests.golden.nisqa_signals import voice_like

TOLERANCE = 0.001
"""Goal of the project is 0.02; measured is 4e-6."""


def _folder(variable: str, holds: str) -> Path:
    folder = os.environ.get(variable)
    if not folder or not (Path(folder) / holds).is_file():
        pytest.skip(f"set {variable} to the folder that contains {holds}")
    return Path(folder)


@functools.cache
def _load(path: Path) -> NisqaModel:
    return NisqaModel.load(path)


@pytest.fixture
def naturalness_model() -> NisqaModel:
    return _load(_folder("OUTBOUNDEVAL_MODELS", "nisqa/nisqa_tts.tar") / "nisqa/nisqa_tts.tar")


@pytest.fixture
def quality_model() -> NisqaModel:
    return _load(_folder("OUTBOUNDEVAL_MODELS", "nisqa/nisqa.tar") / "nisqa/nisqa.tar")


Golden = dict[str, dict[str, float]]


@pytest.fixture
def golden_folder() -> Path:
    return _folder("OUTBOUNDEVAL_GOLDEN", "nisqa/expected.json") / "nisqa"


@pytest.fixture
def expected(golden_folder: Path) -> Golden:
    clips: Golden = json.loads((golden_folder / "expected.json").read_text())["clips"]
    assert len(clips) >= 9
    return clips


def test_naturalness_of_the_golden_clips(
    naturalness_model: NisqaModel, golden_folder: Path, expected: Golden
) -> None:
    results = naturalness_model.predict([soundfile.read(golden_folder / name) for name in expected])

    for (name, values), result in zip(expected.items(), results, strict=True):
        assert isinstance(result, NaturalnessResult)
        assert result.naturalness == pytest.approx(values["nisqa_tts"], abs=TOLERANCE), name


def test_quality_of_the_golden_clips(
    quality_model: NisqaModel, golden_folder: Path, expected: Golden
) -> None:
    results = quality_model.predict([soundfile.read(golden_folder / name) for name in expected])

    for (name, values), result in zip(expected.items(), results, strict=True):
        assert isinstance(result, QualityResult)
        official = [values[key] for key in ("mos", "noi", "dis", "col", "loud")]
        assert astuple(result) == pytest.approx(official, abs=TOLERANCE), name


def test_golden_clips_of_the_telephone_band_are_told_from_the_others(
    golden_folder: Path, expected: Golden
) -> None:
    for name in expected:
        samples, rate_hz = soundfile.read(golden_folder / name)
        found = domain_warnings(samples, rate_hz)
        assert found == ((DomainWarning.NARROWBAND,) if "mulaw8k" in name else ()), name


# Outputs of the official implementation, each clip by itself: naturalness, then MOS, noisiness,
# discontinuity, coloration, loudness. "longest" has 1300 segments, the limit of the quality model.
OFFICIAL: dict[str, tuple[float, ...]] = {
    "8 kHz": (2.33034, 1.48432, 2.40752, 1.41816, 2.22011, 3.14529),
    "16 kHz": (2.10438, 1.28194, 1.80305, 1.45735, 2.31634, 3.13033),
    "24 kHz": (1.32855, 1.11942, 1.83148, 1.92161, 2.60478, 2.56787),
    "44.1 kHz": (1.46308, 1.1439, 1.53126, 1.77831, 2.71515, 2.71076),
    "48 kHz": (1.55575, 1.18174, 1.74163, 1.62443, 2.40528, 2.54761),
    "one segment": (1.22878, 0.99742, 2.09063, 2.57274, 1.71262, 1.774),
    "0.5 s": (1.99401, 0.85409, 1.69165, 1.52686, 2.91259, 2.85313),
    "30 s": (2.08584, 1.49565, 2.52066, 1.42006, 2.14626, 3.17059),
    "longest": (2.38068, 1.50077, 2.52317, 1.42109, 2.16279, 3.17222),
    "stereo": (1.77383, 1.00443, 2.38709, 1.55679, 2.03934, 2.73101),
}


def _clip(name: str) -> tuple[NDArray[np.float32], int]:
    match name:
        case "one segment":
            return voice_like(0.15, 8_000), 8_000
        case "0.5 s":
            return voice_like(0.5, 24_000), 24_000
        case "30 s":
            return voice_like(30.0, 8_000), 8_000
        case "longest":
            return voice_like(52.139, 8_000), 8_000
        case "stereo":
            left = voice_like(2.5, 16_000)
            return np.stack([left, -0.5 * left[::-1]], axis=1), 16_000
    rate_hz = round(float(name.removesuffix(" kHz")) * 1000)
    return voice_like(2.5, rate_hz), rate_hz


@pytest.mark.long
def test_other_rates_lengths_and_channels_in_one_batch(
    naturalness_model: NisqaModel, quality_model: NisqaModel
) -> None:
    clips = [_clip(name) for name in OFFICIAL]
    naturalness, quality = naturalness_model.predict(clips), quality_model.predict(clips)

    for (name, official), natural, good in zip(OFFICIAL.items(), naturalness, quality, strict=True):
        found = (*astuple(natural), *astuple(good))
        assert found == pytest.approx(official, abs=TOLERANCE), name


@pytest.mark.parametrize("name", ["one segment", "0.5 s", "16 kHz", "stereo"])
def test_a_clip_alone_scores_as_in_a_batch(
    name: str, naturalness_model: NisqaModel, quality_model: NisqaModel
) -> None:
    others = [_clip("8 kHz"), _clip("one segment"), _clip("24 kHz")]
    for model in (naturalness_model, quality_model):
        [alone] = model.predict([_clip(name)])
        together = model.predict([others[0], _clip(name), *others[1:]])[1]
        assert astuple(together) == pytest.approx(astuple(alone), abs=1e-4)


def test_one_segment_too_many_is_refused(quality_model: NisqaModel, naturalness_model: NisqaModel) -> None:
    too_long = voice_like(52.14, 8_000)
    assert "too long: 52.1 s, the model takes 52.13 s at most" in quality_model.refusal(too_long, 8_000)
    with pytest.raises(NisqaError, match=r"clip 1: too long"):
        quality_model.predict([_clip("8 kHz"), (too_long, 8_000)])
    assert naturalness_model.refusal(too_long, 8_000) == ""
    assert "too long" in naturalness_model.refusal(voice_like(60.15, 8_000), 8_000)


def test_silence_has_no_score(quality_model: NisqaModel) -> None:
    # The official implementation gives it a MOS of 2.1.
    with pytest.raises(NisqaError, match="silent"):
        quality_model.predict([(np.zeros(48_000, dtype=np.float32), 16_000)])
