"""Behaviour of the model class, on small networks with random weights; values are checked in tests/golden."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, astuple
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from metrics.synthesis import nisqa, nisqa_network
from metrics.synthesis.nisqa import NaturalnessResult, NisqaError, NisqaModel, QualityResult
from metrics.synthesis.nisqa_checkpoint import NisqaSettings
from metrics.synthesis.nisqa_network import AttentionPool, RecurrentTail
from tests.unit.metrics.synthesis.checkpoints import NATURALNESS_ARGS, QUALITY_ARGS, save_checkpoint


@pytest.fixture(params=[NATURALNESS_ARGS, QUALITY_ARGS], ids=["naturalness", "quality"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> NisqaModel:
    return NisqaModel.load(save_checkpoint(tmp_path / "model.tar", request.param))


def clip(duration_s: float, rate_hz: int = 8_000, *, seed: int = 0) -> tuple[NDArray[np.float32], int]:
    random = np.random.default_rng(seed)
    samples = random.standard_normal(round(duration_s * rate_hz)).astype(np.float32)
    swell = np.sin(2 * np.pi * (1 + seed) * np.arange(samples.size) / rate_hz)
    return 0.1 * samples * swell.astype(np.float32), rate_hz


@pytest.mark.long
def test_what_stands_beside_a_clip_does_not_change_it(
    model: NisqaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    clips = [
        clip(d, r, seed=i)
        for i, (d, r) in enumerate([(1.2, 8_000), (0.15, 8_000), (3.0, 16_000), (0.5, 48_000), (2.0, 22_050)])
    ]
    alone = [astuple(model.predict([one])[0]) for one in clips]
    assert len({round(values[0], 4) for values in alone}) == len(clips), (
        "all clips alike: nothing is compared"
    )

    for segments_per_batch, segments_per_block in ((4096, 256), (40, 7), (1, 1)):
        monkeypatch.setattr(nisqa, "_BATCH_SEGMENTS", segments_per_batch)
        monkeypatch.setattr(nisqa_network, "_SEGMENTS_PER_BLOCK", segments_per_block)
        together = model.predict(clips)
        for found, expected in zip(together, alone, strict=True):
            assert astuple(found) == pytest.approx(expected, abs=1e-4)


def test_batches_stay_within_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nisqa, "_BATCH_SEGMENTS", 100)
    lengths = [30, 5, 250, 40, 60, 5, 33]
    batches = list(nisqa._batches(lengths))

    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[position] for position in batch) <= 100
    assert len(batches) < len(lengths)


def test_results_are_of_the_models_kind(tmp_path: Path) -> None:
    [natural] = NisqaModel.load(save_checkpoint(tmp_path / "n.tar", NATURALNESS_ARGS)).predict([clip(1.0)])
    [quality] = NisqaModel.load(str(save_checkpoint(tmp_path / "q.tar", QUALITY_ARGS))).predict([clip(1.0)])

    assert isinstance(natural, NaturalnessResult)
    assert isinstance(quality, QualityResult)
    assert all(isinstance(value, float) for value in (*astuple(natural), *astuple(quality)))
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'naturalness'"):
        natural.naturalness = 5.0  # type: ignore[misc]


def test_no_clips_no_results(model: NisqaModel) -> None:
    assert model.predict([]) == []


def test_stereo_is_averaged_and_integers_are_scaled(model: NisqaModel) -> None:
    samples, rate_hz = clip(1.0)
    integers = np.round(samples * 32768).astype(np.int16)
    other = np.roll(integers, 500)
    expected = model.predict([((integers / 65536 + other / 65536).astype(np.float32), rate_hz)])[0]

    found = model.predict([(np.stack([integers, other], axis=1), rate_hz)])[0]

    assert astuple(found) == pytest.approx(astuple(expected), abs=1e-4)


@pytest.mark.parametrize(
    ("audio", "rate_hz", "message"),
    [
        (np.zeros(0, dtype=np.float32), 8_000, "too short: 0.000 s, the model needs 0.14 s"),
        (clip(0.139)[0], 8_000, "too short"),
        (np.zeros(16_000, dtype=np.float32), 8_000, "silent"),
        (np.full(16_000, 0.5, dtype=np.float32), 8_000, "silent"),
        (clip(6.2)[0], 8_000, "too long: 6.2 s"),
        (clip(1.0)[0], 0, "sample rate of 0 Hz"),
        (clip(1.0)[0], -8_000, "sample rate"),
        (clip(1.0)[0], 10**9, "sample rate"),
        (np.full(16_000, np.nan), 8_000, "not finite"),
        (np.zeros((2, 16_000)), 8_000, "channels"),
    ],
)
def test_clips_without_a_score(
    model: NisqaModel, audio: NDArray[np.float32], rate_hz: int, message: str
) -> None:
    assert message in model.refusal(audio, rate_hz)
    with pytest.raises(NisqaError, match=f"clip 1: .*{message}"):
        model.predict([clip(1.0), (audio, rate_hz)])


def test_limits_are_exact(model: NisqaModel) -> None:
    # 15 frames a segment, the first at 0: 14 hops of 80 samples.
    assert model.refusal(clip(1.0)[0][: 14 * 80], 8_000) == ""
    assert model.refusal(clip(1.0)[0][: 14 * 80 - 1], 8_000) != ""
    settings = model.settings
    frames = settings.ms_max_segments * settings.ms_seg_hop_length + 14
    samples = clip(7.0)[0]
    assert model.refusal(samples[: frames * 80 - 1], 8_000) == ""
    assert "too long" in model.refusal(samples[: frames * 80], 8_000)
    assert len(model.predict([(samples[: frames * 80 - 1], 8_000)])) == 1


def test_a_checkpoint_of_one_rate_takes_no_other(tmp_path: Path) -> None:
    model = NisqaModel.load(save_checkpoint(tmp_path / "m.tar", NATURALNESS_ARGS | {"ms_sr": 16_000}))
    assert "wants 16000 Hz, the clip has 8000 Hz" in model.refusal(*clip(1.0))
    assert model.refusal(*clip(1.0, 16_000)) == ""


def test_last_states_are_each_clips_own() -> None:
    torch.manual_seed(1)
    tail = RecurrentTail(NisqaSettings.model_validate(NATURALNESS_ARGS), features=10, outputs=1).eval()
    clips = [torch.randn(length, 10) for length in (7, 1, 4)]
    with torch.inference_mode():
        found = tail(tuple(clips), torch.tensor([7, 1, 4]))
        for features, value in zip(clips, found, strict=True):
            states = tail.lstm(features)[0]
            both = torch.cat([states[-1, :12], states[0, 12:]])
            head = tail.heads[0]
            assert value.item() == pytest.approx(head(both).item(), abs=1e-6)


def test_attention_pooling_by_hand() -> None:
    pool = AttentionPool(1, 1)
    for layer, weight, bias in ((pool.linear1, 1.0, 0.0), (pool.linear2, 2.0, 0.5), (pool.linear3, 3.0, 1.0)):
        assert isinstance(layer, nn.Linear)
        nn.init.constant_(layer.weight, weight)
        nn.init.constant_(layer.bias, bias)
    x = torch.tensor([[[0.5], [-1.0], [9.0]]])
    # Scores 2 relu(x) + 0.5 are 1.5 and 0.5, the third is padding: weights e / (e + 1) and 1 / (e + 1).
    mean = (np.e * 0.5 - 1.0) / (np.e + 1)
    with torch.inference_mode():
        found = pool(x, torch.tensor([[False, False, True]])).item()
    assert found == pytest.approx(3 * mean + 1, abs=1e-6)
