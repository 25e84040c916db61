"""Small checkpoints of both kinds, with random weights under the names that official files use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from metrics.synthesis.nisqa_checkpoint import NisqaSettings
from metrics.synthesis.nisqa_network import NisqaNetwork

_COMMON: dict[str, Any] = {
    "ms_sr": None,
    "ms_n_fft": 4096,
    "ms_hop_length": 0.01,
    "ms_win_length": 0.02,
    "ms_n_mels": 48,
    "ms_seg_length": 15,
    "cnn_c_out_1": 4,
    "cnn_c_out_2": 6,
    "cnn_c_out_3": 8,
    "cnn_kernel_size": (3, 3),
    "td_2": "skip",
    "tr_device": "cuda",
    "cnn_dropout": 0.2,
}
NATURALNESS_ARGS: dict[str, Any] = _COMMON | {
    "name": "NISQA_TTS_v1",
    "model": "NISQA",
    "ms_fmax": 8000,
    "ms_seg_hop_length": 1,
    "ms_max_segments": 600,
    "cnn_model": "standard",
    "cnn_fc_out_h": 10,
    "td": "lstm",
    "td_lstm_h": 12,
    "td_lstm_num_layers": 1,
    "td_lstm_bidirectional": True,
    "pool": "last_step_bi",
    "pool_att_h": None,
}
QUALITY_ARGS: dict[str, Any] = _COMMON | {
    "name": "NISQAv2",
    "model": "NISQA_DIM",
    "ms_fmax": 20000,
    "ms_seg_hop_length": 4,
    "ms_max_segments": 130,
    "cnn_model": "adapt",
    "cnn_pool_1": [24, 7],
    "cnn_pool_2": [12, 5],
    "cnn_pool_3": [6, 3],
    "cnn_fc_out_h": None,
    "td": "self_att",
    "td_sa_d_model": 16,
    "td_sa_nhead": 1,
    "td_sa_pos_enc": False,
    "td_sa_num_layers": 2,
    "td_sa_h": 16,
    "pool": "att",
    "pool_att_h": 8,
}


def random_tensors(args: dict[str, Any], *, seed: int = 3) -> dict[str, torch.Tensor]:
    """Weights for ``args`` under official names, spread so that the outputs depend on the input."""
    generator = torch.Generator().manual_seed(seed)
    tensors = {}
    for name, tensor in NisqaNetwork(NisqaSettings.model_validate(args)).state_dict().items():
        if tensor.is_floating_point():
            noise = torch.randn(tensor.shape, generator=generator)
            tensor = noise.abs() + 0.5 if name.endswith("running_var") else 0.3 * noise  # noqa: PLW2901
        tensors[official_name(name, quality=args["model"] == "NISQA_DIM")] = tensor
    return tensors


def official_name(name: str, *, quality: bool) -> str:
    part, rest = name.split(".", 1)
    if part == "cnn":
        return f"cnn.model.{rest}"
    if not rest.startswith("heads."):
        return f"time_dependency.model.{rest}"
    number, rest = rest.removeprefix("heads.").split(".", 1)
    return f"pool_layers.{number}.model.{rest}" if quality else f"pool.model.{rest}"


def save_checkpoint(path: Path, args: dict[str, Any], tensors: dict[str, torch.Tensor] | None = None) -> Path:
    torch.save({"args": args, "model_state_dict": tensors or random_tensors(args)}, path)
    return path
