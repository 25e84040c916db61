"""Reading a NISQA checkpoint: an untrusted file from the network, until it has proved otherwise.

A checkpoint is the zip archive that ``torch.save`` writes (its name ends in ``.tar`` all the same) of a
mapping with ``args``, the settings that the model was trained with, and ``model_state_dict``, its tensors. It
is read by torch's restricted unpickler (``weights_only``), which builds tensors, numbers, strings and
containers and refuses everything else, so that no code in the file can run. Sizes are bounded before anything
is built from them. Official files: https://github.com/gabrielmittag/NISQA, ``weights/`` (CC BY-NC-SA 4.0).
"""

from __future__ import annotations

import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import torch
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from metrics.synthesis.mel import MelSettings

MAX_CHECKPOINT_BYTES = 64_000_000
"""The official checkpoints are of 1.2 MB."""
MAX_TENSORS = 2_000

_LOAD_ERRORS = (
    pickle.UnpicklingError,
    RuntimeError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    OSError,
    EOFError,
)
"""What torch's unpickler is known to end in on files that are not what they should be."""


class NisqaError(ValueError):
    """A checkpoint or a clip that NISQA cannot work with; the message says which, why, and what to do."""


def _pair(value: object) -> object:
    """A kernel size may be written as one number for both directions."""
    return (value, value) if isinstance(value, int) else value


Size = Annotated[int, Field(ge=1, le=512)]
Pair = Annotated[tuple[Size, Size], BeforeValidator(_pair)]


class NisqaSettings(BaseModel):
    """The part of a checkpoint's ``args`` that inference needs, under the names that the file gives them.

    ``ms_`` is the mel spectrogram and its segments, ``cnn_`` the network on each segment, ``td_`` the
    network along time, ``pool_`` the step to one value. Lengths in ``ms_hop_length`` and ``ms_win_length``
    are seconds, in ``ms_seg_length`` and ``ms_seg_hop_length`` frames. Settings of training are not read.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str = Field(max_length=200)
    model: Literal["NISQA", "NISQA_DIM"]
    ms_sr: int | None = None
    ms_fmax: float = Field(gt=0, le=100_000)
    ms_n_fft: int = Field(ge=64, le=65_536)
    ms_hop_length: float = Field(ge=0.001, le=1.0)
    ms_win_length: float = Field(ge=0.001, le=1.0)
    ms_n_mels: Size
    ms_seg_length: int = Field(ge=1, le=255)
    ms_seg_hop_length: int = Field(ge=1, le=255)
    ms_max_segments: int = Field(ge=1, le=100_000)

    cnn_model: Literal["standard", "adapt"]
    cnn_c_out_1: Size
    cnn_c_out_2: Size
    cnn_c_out_3: Size
    cnn_kernel_size: Pair
    cnn_pool_1: Pair | None = None
    cnn_pool_2: Pair | None = None
    cnn_pool_3: Pair | None = None
    cnn_fc_out_h: Size | None = None

    td: Literal["lstm", "self_att"]
    td_sa_d_model: Size | None = None
    td_sa_nhead: Annotated[int, Field(ge=1, le=16)] | None = None
    td_sa_pos_enc: Literal[False] | None = None
    td_sa_num_layers: Annotated[int, Field(ge=1, le=12)] | None = None
    td_sa_h: Size | None = None
    td_lstm_h: Size | None = None
    td_lstm_num_layers: Annotated[int, Field(ge=1, le=4)] | None = None
    td_lstm_bidirectional: bool | None = None
    td_2: Literal["skip"] | None = None

    pool: Literal["last_step_bi", "att"]
    pool_att_h: Size | None = None

    @property
    def mel(self) -> MelSettings:
        return MelSettings(
            n_fft=self.ms_n_fft,
            hop_s=self.ms_hop_length,
            window_s=self.ms_win_length,
            n_mels=self.ms_n_mels,
            fmax_hz=self.ms_fmax,
        )

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Self:
        if self.ms_seg_length % 2 == 0:
            raise ValueError(f"ms_seg_length is {self.ms_seg_length}; a segment needs a middle frame")
        if self.cnn_model == "adapt" and None in (self.cnn_pool_1, self.cnn_pool_2, self.cnn_pool_3):
            raise ValueError("cnn_model 'adapt' needs cnn_pool_1, cnn_pool_2 and cnn_pool_3")
        if self.cnn_model == "standard" and (
            (self.ms_n_mels, self.ms_seg_length, self.cnn_kernel_size) != (48, 15, (3, 3))
        ):
            raise ValueError("cnn_model 'standard' is made for segments of 48 x 15 and kernels of 3 x 3")
        if (self.td, self.pool) not in {("lstm", "last_step_bi"), ("self_att", "att")}:
            raise ValueError(f"td '{self.td}' with pool '{self.pool}' is not supported")
        if self.td == "lstm" and not (
            self.td_lstm_h and self.td_lstm_num_layers and self.td_lstm_bidirectional
        ):
            raise ValueError("td 'lstm' needs td_lstm_h, td_lstm_num_layers and td_lstm_bidirectional")
        if self.td == "self_att":
            if not (self.td_sa_d_model and self.td_sa_nhead and self.td_sa_num_layers and self.td_sa_h):
                raise ValueError("td 'self_att' needs td_sa_d_model, td_sa_nhead, td_sa_num_layers, td_sa_h")
            if self.td_sa_d_model % self.td_sa_nhead:
                raise ValueError("td_sa_d_model must be a multiple of td_sa_nhead")
            if not self.pool_att_h:
                raise ValueError("pool 'att' is supported with a hidden layer (pool_att_h) only")
        return self


def read_checkpoint(path: Path) -> tuple[NisqaSettings, dict[str, torch.Tensor]]:
    """A checkpoint's settings and its tensors, under the names that the file gives them.

    Raises:
        NisqaError: The file cannot be read, is no checkpoint, is damaged, holds anything but data, or
            describes a model that is not built here.
    """
    content = _read_archive(path)
    if not isinstance(content, Mapping) or not {"args", "model_state_dict"} <= content.keys():
        raise NisqaError(
            f"{path}: not a NISQA checkpoint: it must hold 'args' and 'model_state_dict'; "
            "give nisqa_tts.tar or nisqa.tar"
        )
    try:
        settings = NisqaSettings.model_validate(content["args"])
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc']) or 'args'}: {problem['msg']}"
            for problem in error.errors()[:5]
        )
        raise NisqaError(f"{path}: not a NISQA model that is built here: {problems}") from error
    return settings, _checked_tensors(path, content["model_state_dict"])


def _read_archive(path: Path) -> Any:
    try:
        size = path.stat().st_size
        if size > MAX_CHECKPOINT_BYTES:
            raise NisqaError(f"{path}: {size} bytes is too large for a NISQA checkpoint")
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
            if unpacked > MAX_CHECKPOINT_BYTES:
                raise NisqaError(f"{path}: unpacks to {unpacked} bytes, too large for a NISQA checkpoint")
            damaged = archive.testzip()
            if damaged is not None:
                raise NisqaError(f"{path}: damaged ({damaged} fails its checksum); fetch it again")
    except OSError as error:
        raise NisqaError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise NisqaError(
            f"{path}: not a checkpoint of torch, or cut short ({error}); fetch it again"
        ) from error
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except _LOAD_ERRORS as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise NisqaError(f"{path}: damaged, or holds more than plain weights: {reason}") from error


def _checked_tensors(path: Path, state: object) -> dict[str, torch.Tensor]:
    if not isinstance(state, Mapping) or not 1 <= len(state) <= MAX_TENSORS:
        raise NisqaError(f"{path}: 'model_state_dict' holds no weights")
    tensors: dict[str, torch.Tensor] = {}
    for name, value in state.items():
        if not isinstance(name, str) or not isinstance(value, torch.Tensor):
            raise NisqaError(f"{path}: 'model_state_dict' holds {name!r}, which is not a tensor")
        if not bool(torch.isfinite(value).all()):
            raise NisqaError(f"{path}: weights of {name} are not finite numbers; fetch the file again")
        tensors[name] = value
    return tensors
