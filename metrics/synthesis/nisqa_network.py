"""NISQA's networks, as their checkpoints describe them.

Mittag et al., "NISQA: A Deep CNN-Self-Attention Model for Multidimensional Speech Quality Prediction with
Crowdsourced Datasets", Interspeech 2021 (quality), and Mittag and Möller, "Deep Learning Based Assessment of
Synthetic Speech Naturalness", Interspeech 2020 (naturalness). Both look at short segments of a mel
spectrogram through six convolutions, then along time: the quality model by self-attention with one attention
pooling for each output, the naturalness model by a bidirectional LSTM whose two final states give the value.

For inference only: layers that act in training alone (dropout) are left out.
"""

from __future__ import annotations

import re

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

from metrics.synthesis.nisqa_checkpoint import NisqaSettings

QUALITY_OUTPUTS = 5
_SEGMENTS_PER_BLOCK = 256
"""Bounds the memory of the convolutions; a value that a CPU cache likes."""

_PREFIXES = (
    (re.compile(r"^cnn\.model\."), "cnn."),
    (re.compile(r"^time_dependency\.model\."), "tail."),
    (re.compile(r"^pool\.model\."), "tail.heads.0."),
    (re.compile(r"^pool_layers\.(\d+)\.model\."), r"tail.heads.\1."),
)


class NisqaNetwork(nn.Module):
    """Segments of clips in, one row of outputs for each clip out.

    Args:
        settings: From the checkpoint. ``NISQA`` has one output; ``NISQA_DIM`` five: MOS, noisiness,
            discontinuity, coloration, loudness.
    """

    def __init__(self, settings: NisqaSettings) -> None:
        super().__init__()
        outputs = QUALITY_OUTPUTS if settings.model == "NISQA_DIM" else 1
        self.cnn = SegmentCnn(settings)
        self.tail: nn.Module = (
            RecurrentTail(settings, self.cnn.features, outputs)
            if settings.td == "lstm"
            else AttentionTail(settings, self.cnn.features, outputs)
        )

    def forward(self, clips: list[Tensor]) -> Tensor:
        """Outputs ``(clips, outputs)`` for clips of shape ``(segments, mels, frames)`` each."""
        lengths = [len(clip) for clip in clips]
        segments = torch.cat(clips).unsqueeze(1)
        features = torch.cat([self.cnn(block) for block in torch.split(segments, _SEGMENTS_PER_BLOCK)])
        outputs: Tensor = self.tail(torch.split(features, lengths), torch.tensor(lengths))
        return outputs

    def load_checkpoint_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Takes over a checkpoint's tensors.

        Raises:
            RuntimeError: A tensor is missing, left over, or of another shape (torch's own message).
        """
        renamed = {}
        for name, tensor in tensors.items():
            for pattern, replacement in _PREFIXES:
                name, found = pattern.subn(replacement, name)  # noqa: PLW2901
                if found:
                    break
            renamed[name] = tensor
        self.load_state_dict(renamed, strict=True)


class SegmentCnn(nn.Module):
    """Six 3 x 3 convolutions on a segment, reduced after the first, the second and the fourth.

    ``standard`` halves the segment each time (48 x 15 to 6 x 2); ``adapt`` pools it to the sizes given and
    lets the last convolution close the width that is left.
    """

    def __init__(self, settings: NisqaSettings) -> None:
        super().__init__()
        kernel = settings.cnn_kernel_size
        last_kernel, last_padding = kernel, (1, 1)
        self.pool_1: nn.Module
        self.pool_2: nn.Module
        self.pool_3: nn.Module
        if settings.cnn_model == "adapt":
            sizes = (settings.cnn_pool_1, settings.cnn_pool_2, settings.cnn_pool_3)
            self.pool_1, self.pool_2, self.pool_3 = (nn.AdaptiveMaxPool2d(size) for size in sizes)
            assert settings.cnn_pool_3 is not None
            height, width = settings.cnn_pool_3[0], 1
            last_kernel, last_padding = (kernel[0], settings.cnn_pool_3[1]), (1, 0)
        else:
            self.pool_1 = nn.MaxPool2d(2, padding=(0, 1))
            self.pool_2 = nn.MaxPool2d(2)
            self.pool_3 = nn.MaxPool2d(2)
            height, width = 6, 2
        padding = (1, 0) if kernel[1] == 1 else (1, 1)
        one, two, three = settings.cnn_c_out_1, settings.cnn_c_out_2, settings.cnn_c_out_3
        self.conv1, self.bn1 = nn.Conv2d(1, one, kernel, padding=padding), nn.BatchNorm2d(one)
        self.conv2, self.bn2 = nn.Conv2d(one, two, kernel, padding=padding), nn.BatchNorm2d(two)
        self.conv3, self.bn3 = nn.Conv2d(two, three, kernel, padding=padding), nn.BatchNorm2d(three)
        self.conv4, self.bn4 = nn.Conv2d(three, three, kernel, padding=padding), nn.BatchNorm2d(three)
        self.conv5, self.bn5 = nn.Conv2d(three, three, kernel, padding=padding), nn.BatchNorm2d(three)
        self.conv6, self.bn6 = (
            nn.Conv2d(three, three, last_kernel, padding=last_padding),
            nn.BatchNorm2d(three),
        )

        self.features = three * height * width
        # The two kinds of checkpoint call the same layer by different names.
        self._linear_name = "fc" if settings.cnn_model == "adapt" else "fc_out"
        if settings.cnn_fc_out_h is not None:
            self.add_module(self._linear_name, nn.Linear(self.features, settings.cnn_fc_out_h))
            self.features = settings.cnn_fc_out_h

    def forward(self, segments: Tensor) -> Tensor:
        """``(n, 1, mels, frames)`` to ``(n, features)``."""
        x = self.pool_1(functional.relu(self.bn1(self.conv1(segments))))
        x = self.pool_2(functional.relu(self.bn2(self.conv2(x))))
        x = functional.relu(self.bn3(self.conv3(x)))
        x = self.pool_3(functional.relu(self.bn4(self.conv4(x))))
        x = functional.relu(self.bn5(self.conv5(x)))
        x = functional.relu(self.bn6(self.conv6(x))).flatten(1)
        linear = self._modules.get(self._linear_name)
        return x if linear is None else linear(x)


class RecurrentTail(nn.Module):
    """Bidirectional LSTM; the value comes from the last state of each direction."""

    def __init__(self, settings: NisqaSettings, features: int, outputs: int) -> None:
        super().__init__()
        assert settings.td_lstm_h is not None
        assert settings.td_lstm_num_layers is not None
        self.lstm = nn.LSTM(
            features, settings.td_lstm_h, settings.td_lstm_num_layers, batch_first=True, bidirectional=True
        )
        self.heads = nn.ModuleList(LastStatesHead(2 * settings.td_lstm_h) for _ in range(outputs))

    def forward(self, features: tuple[Tensor, ...], lengths: Tensor) -> Tensor:
        padded = pad_sequence(list(features), batch_first=True)
        packed = pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False)
        # Packing makes each clip's own last segment, not the padding's, the end of the forward direction.
        final = self.lstm(packed)[1][0]
        states = torch.cat((final[-2], final[-1]), dim=1)
        return torch.cat([head(states) for head in self.heads], dim=1)


class LastStatesHead(nn.Module):
    """One output from the final states."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.linear = nn.Linear(features, 1)

    def forward(self, states: Tensor) -> Tensor:
        output: Tensor = self.linear(states)
        return output


class AttentionTail(nn.Module):
    """Self-attention along time, then one attention pooling for each output."""

    def __init__(self, settings: NisqaSettings, features: int, outputs: int) -> None:
        super().__init__()
        width, heads, hidden = settings.td_sa_d_model, settings.td_sa_nhead, settings.td_sa_h
        assert width is not None
        assert heads is not None
        assert hidden is not None
        assert settings.td_sa_num_layers is not None
        assert settings.pool_att_h is not None
        self.linear = nn.Linear(features, width)
        self.norm1 = nn.LayerNorm(width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(width, heads, hidden, dropout=0.0, batch_first=True)
            for _ in range(settings.td_sa_num_layers)
        )
        self.heads = nn.ModuleList(AttentionPool(width, settings.pool_att_h) for _ in range(outputs))

    def forward(self, features: tuple[Tensor, ...], lengths: Tensor) -> Tensor:
        padded = pad_sequence(list(features), batch_first=True)
        is_padding = torch.arange(padded.shape[1])[None, :] >= lengths[:, None]
        x = self.norm1(self.linear(padded))
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=is_padding)
        return torch.cat([head(x, is_padding) for head in self.heads], dim=1)


class AttentionPool(nn.Module):
    """A weighted mean along time, the weights learnt, and one output from it."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.linear1 = nn.Linear(width, hidden)
        self.linear2 = nn.Linear(hidden, 1)
        self.linear3 = nn.Linear(width, 1)

    def forward(self, x: Tensor, is_padding: Tensor) -> Tensor:
        """``(clips, segments, width)`` to ``(clips, 1)``."""
        scores = self.linear2(functional.relu(self.linear1(x))).squeeze(2)
        weights = functional.softmax(scores.masked_fill(is_padding, float("-inf")), dim=1)
        output: Tensor = self.linear3((weights.unsqueeze(2) * x).sum(dim=1))
        return output
