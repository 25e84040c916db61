from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch

from metrics.synthesis import nisqa_checkpoint
from metrics.synthesis.nisqa import NisqaError, NisqaModel
from metrics.synthesis.nisqa_checkpoint import read_checkpoint
from tests.unit.metrics.synthesis.checkpoints import (
    NATURALNESS_ARGS,
    QUALITY_ARGS,
    random_tensors,
    save_checkpoint,
)


class _Payload:
    """Unpickled the ordinary way, it makes a folder."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.mkdir, (self.mark,)


def test_settings_and_tensors_come_back(tmp_path: Path) -> None:
    tensors = random_tensors(QUALITY_ARGS)
    settings, read = read_checkpoint(save_checkpoint(tmp_path / "m.tar", QUALITY_ARGS, tensors))

    assert settings.name == "NISQAv2"
    assert (settings.cnn_pool_1, settings.cnn_kernel_size) == ((24, 7), (3, 3))
    assert (settings.mel.n_fft, settings.mel.hop_s, settings.mel.fmax_hz) == (4096, 0.01, 20000)
    assert read.keys() == tensors.keys()
    assert all(torch.equal(read[name], tensors[name]) for name in tensors)


@pytest.mark.parametrize("key", ["args", "model_state_dict", "optimizer"])
def test_code_in_a_checkpoint_never_runs(tmp_path: Path, key: str) -> None:
    path, mark = tmp_path / "m.tar", tmp_path / "mark"
    content: dict[str, Any] = {"args": NATURALNESS_ARGS, "model_state_dict": random_tensors(NATURALNESS_ARGS)}
    torch.save(content | {key: {"x": _Payload(mark)}}, path)

    with pytest.raises(NisqaError, match="more than plain weights"):
        NisqaModel.load(path)
    assert not mark.exists()

    torch.load(path, weights_only=False)
    assert mark.exists(), "the payload is harmless, so the test above proved nothing"


def test_files_that_are_no_checkpoint(tmp_path: Path) -> None:
    text = tmp_path / "page.tar"
    text.write_text("<html>404</html>")
    tar = tmp_path / "real.tar"
    with tarfile.open(tar, "w") as archive:
        archive.add(text)
    archive_of_text = tmp_path / "text.zip"
    with zipfile.ZipFile(archive_of_text, "w") as zipped:
        zipped.writestr("readme.txt", "no weights")
    empty = tmp_path / "empty.tar"
    empty.touch()

    for path in (text, tar, empty):
        with pytest.raises(NisqaError, match="not a checkpoint of torch"):
            NisqaModel.load(path)
    with pytest.raises(NisqaError, match="damaged, or holds"):
        NisqaModel.load(archive_of_text)
    with pytest.raises(NisqaError, match="cannot be read: No such file"):
        NisqaModel.load(tmp_path / "absent.tar")
    with pytest.raises(NisqaError, match="cannot be read: Is a directory"):
        NisqaModel.load(tmp_path)


def test_damage_is_noticed(tmp_path: Path) -> None:
    content = save_checkpoint(tmp_path / "m.tar", NATURALNESS_ARGS).read_bytes()
    cut = tmp_path / "cut.tar"
    cut.write_bytes(content[: len(content) // 2])
    with pytest.raises(NisqaError, match="cut short"):
        NisqaModel.load(cut)

    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 0xFF
    (tmp_path / "flipped.tar").write_bytes(flipped)
    with pytest.raises(NisqaError, match=r"flipped\.tar: .*(damaged|cut short)"):
        NisqaModel.load(tmp_path / "flipped.tar")


def test_size_is_bounded_before_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_checkpoint(tmp_path / "m.tar", NATURALNESS_ARGS)
    bomb = tmp_path / "bomb.tar"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("archive/data.pkl", b"\0" * 5_000_000)
    monkeypatch.setattr(nisqa_checkpoint, "MAX_CHECKPOINT_BYTES", 1_000_000)
    with pytest.raises(NisqaError, match="unpacks to 5000000 bytes"):
        NisqaModel.load(bomb)
    monkeypatch.setattr(nisqa_checkpoint, "MAX_CHECKPOINT_BYTES", 1_000)
    with pytest.raises(NisqaError, match="too large"):
        NisqaModel.load(path)


@pytest.mark.parametrize("content", [[1, 2], {"args": {}}, {"model_state_dict": {}}, "text"])
def test_other_content_of_torch_files(tmp_path: Path, content: object) -> None:
    torch.save(content, tmp_path / "m.tar")
    with pytest.raises(NisqaError, match=r"not a NISQA checkpoint: it must hold 'args'"):
        NisqaModel.load(tmp_path / "m.tar")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "NISQA_DE"}, "model"),
        ({"name": "NISQAv2_mos_only"}, "use nisqa_tts.tar or nisqa.tar"),
        ({"td_lstm_h": 10**9}, "td_lstm_h"),
        ({"td_lstm_h": None}, "needs td_lstm_h"),
        ({"cnn_c_out_1": "16"}, None),
        ({"ms_n_mels": 40}, "48 x 15"),
        ({"ms_seg_length": 14}, "middle frame"),
        ({"pool": "max"}, "pool"),
        ({"pool": "att"}, "not supported"),
        ({"td_2": "lstm"}, "td_2"),
        ({"cnn_model": "adapt"}, "needs cnn_pool_1"),
        ({"ms_hop_length": 0.0}, "ms_hop_length"),
        ({"ms_fmax": float("nan")}, "ms_fmax"),
    ],
)
def test_settings_that_are_not_built_here(
    tmp_path: Path, changes: dict[str, Any], message: str | None
) -> None:
    tensors = random_tensors(NATURALNESS_ARGS)
    path = save_checkpoint(tmp_path / "m.tar", NATURALNESS_ARGS | changes, tensors)
    with pytest.raises(NisqaError, match=message) as caught:
        NisqaModel.load(path)
    assert str(path) in str(caught.value)


def test_weights_that_do_not_fit_the_settings(tmp_path: Path) -> None:
    tensors = random_tensors(QUALITY_ARGS)
    path = tmp_path / "m.tar"
    missing = dict(tensors)
    del missing["pool_layers.3.model.linear3.bias"]
    for changed, message in (
        (missing, r"do not fit its settings.*Missing key.*heads\.3\.linear3\.bias"),
        (tensors | {"cnn.model.conv9.weight": torch.zeros(1)}, "Unexpected key"),
        (tensors | {"cnn.model.conv1.bias": torch.zeros(7)}, "size mismatch"),
        (tensors | {"cnn.model.conv1.bias": torch.full((4,), float("nan"))}, "not finite"),
    ):
        with pytest.raises(NisqaError, match=message):
            NisqaModel.load(save_checkpoint(path, QUALITY_ARGS, changed))
    for state in ({}, [1], {"a": 1}, {3: torch.zeros(1)}):
        torch.save({"args": QUALITY_ARGS, "model_state_dict": state}, path)
        with pytest.raises(NisqaError, match="'model_state_dict' holds"):
            NisqaModel.load(path)
