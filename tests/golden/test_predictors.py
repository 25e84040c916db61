"""DNSMOS and PLCMOS against the scores that the package ``speechmos`` itself gives.

Its code wants librosa, which is not installed here: the pinned values are what it gave (speechmos 0.0.1.1
with librosa 0.11; PLCMOS draws its raters at random, so that it is the mean over eight runs). Where librosa
is there, it is asked again.
"""

from __future__ import annotations

import functools
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from harness.models.resolve import resolve_model
from metrics.resample import to_speech_rate
from metrics.synthesis.predictors import AS_PUBLISHED, QUICK, Effort, Predictors
from tests.golden.nisqa_signals import voice_like

SPEECH = Path(__file__).parents[2] / "fixtures" / "speech"
DNSMOS_TOLERANCE = 0.001
PLCMOS_TOLERANCE = 0.04
"""Two draws of fifteen raters differ by up to 0.03."""
NAMES = ("dnsmos_sig", "dnsmos_bak", "dnsmos_ovrl", "dnsmos_p808", "plcmos")
THEIRS = ("sig_mos", "bak_mos", "ovrl_mos", "p808_mos")
PINNED = {
    "question": (3.56521, 4.16193, 3.34611, 3.98790, 4.68456),
    "untrimmed_summary": (3.55054, 4.19491, 3.35078, 4.06974, 4.24794),
    "formula, 12 s": (2.87604, 3.30560, 2.37660, 2.61507, 1.50414),
    "formula, 2.5 s, clipped": (3.05705, 3.22504, 2.44132, 2.66740, 2.14645),
}


def _clip(name: str) -> NDArray[np.float32]:
    if name == "formula, 12 s":
        return voice_like(12.0, 16_000)
    if name.startswith("formula"):
        return 3 * voice_like(2.5, 16_000)
    samples, rate = soundfile.read(SPEECH / f"{name}.flac", dtype="float32")
    return to_speech_rate(samples, rate)


@functools.cache
def _predictors(effort: Effort) -> Predictors:
    return Predictors(resolve_model("speechmos"), effort=effort)


def _ours(clip: NDArray[np.float32], effort: Effort = AS_PUBLISHED) -> tuple[float, ...]:
    found = asdict(_predictors(effort).predict(clip, 16_000))
    return tuple(found[name] for name in NAMES)


@pytest.mark.parametrize("name", PINNED)
def test_scores_are_those_of_speechmos(name: str) -> None:
    *dnsmos, plcmos = _ours(_clip(name))
    assert dnsmos == pytest.approx(PINNED[name][:4], abs=DNSMOS_TOLERANCE)
    assert plcmos == pytest.approx(PINNED[name][4], abs=PLCMOS_TOLERANCE)


@pytest.mark.parametrize("name", ["question", "untrimmed_summary"])
def test_the_quick_way_is_near(name: str) -> None:
    assert _ours(_clip(name), QUICK) == pytest.approx(PINNED[name], abs=0.06)


@pytest.mark.long
@pytest.mark.skipif(find_spec("librosa") is None, reason="speechmos' own code wants librosa")
def test_scores_are_those_of_speechmos_run_beside() -> None:
    from speechmos import dnsmos

    for name in PINNED:
        clip = np.clip(_clip(name), -1.0, 1.0)
        theirs = dnsmos.run(clip, 16_000)
        assert _ours(clip)[:4] == pytest.approx([theirs[one] for one in THEIRS], abs=DNSMOS_TOLERANCE)
