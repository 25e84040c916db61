"""The sheet: everything that a listening page asks and plays, and nothing of what it is.

Its checksum is over everything that is asked and over the SHA-256 of every sound, so that ratings of other
clips belong to another sheet.
"""

from __future__ import annotations

import hashlib
import io
from typing import Annotated, Literal, Self

import numpy as np
import soundfile
from numpy.typing import NDArray
from pydantic import Field, model_validator

from harness.records.base import FileModel

Method = Literal["acr", "ccr"]
ItemId = Annotated[str, Field(pattern=r"^[a-z][0-9]{3}$")]
SheetId = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
MAX_ITEMS = 999
LIMIT_PEAK = 0.98

SCALES: dict[Method, dict[int, str]] = {
    "acr": {5: "Excellent", 4: "Good", 3: "Fair", 2: "Poor", 1: "Bad"},
    "ccr": {
        3: "Much better",
        2: "Better",
        1: "Slightly better",
        0: "About the same",
        -1: "Slightly worse",
        -2: "Worse",
        -3: "Much worse",
    },
}
"""ITU-T P.800, annex B and annex E."""

ASKED: dict[Method, str] = {
    "acr": "How good is the quality of the voice that you heard?",
    "ccr": "How good is the second, compared with the first?",
}


class SheetItem(FileModel):
    """One thing to rate: one sound, or two that are compared."""

    id: ItemId
    sounds: tuple[ItemId, ...] = Field(min_length=1, max_length=2)


class Sheet(FileModel):
    """What is asked, in the order in which it stands on the page (which tells nothing).

    Attributes:
        volume: What a rater sets the volume by.
        tones: Of the headphone test; empty where it is left out.
        training: Asked first, in this order, and not counted.
        sounds: Id -> SHA-256 of the file.
    """

    method: Method
    volume: ItemId
    tones: tuple[ItemId, ...] = Field(max_length=20)
    training: tuple[SheetItem, ...] = Field(max_length=20)
    items: tuple[SheetItem, ...] = Field(min_length=1, max_length=MAX_ITEMS)
    sounds: dict[ItemId, Sha256] = Field(max_length=4 * MAX_ITEMS)

    @model_validator(mode="after")
    def _plays_what_is_there(self) -> Self:
        ids = [one.id for one in (*self.training, *self.items)]
        if len(set(ids)) < len(ids):
            raise ValueError("two items have the same id")
        played = {
            self.volume,
            *self.tones,
            *(one for item in (*self.training, *self.items) for one in item.sounds),
        }
        if missing := played - set(self.sounds):
            raise ValueError(f"there is no sound {min(missing)}")
        many = 1 if self.method == "acr" else 2
        if odd := [item.id for item in (*self.training, *self.items) if len(item.sounds) != many]:
            raise ValueError(f"item {odd[0]}: {self.method} plays {many} sound(s)")
        return self

    @property
    def id(self) -> str:
        """Sixteen hex digits over what is asked, in which words, and over every sound."""
        asked = f"{ASKED[self.method]} {SCALES[self.method]} {self.model_dump_json()}"
        return hashlib.sha256(asked.encode()).hexdigest()[:16]


def sound_file(samples: NDArray[np.float32], sample_rate_hz: int, *, seed: int) -> bytes:
    """A WAV file of 16 bits, with triangular dither.

    Its size tells how long it is and nothing else (of a FLAC file it would tell how noisy the sound is), and
    the dither makes two files of one sound, which a null pair has, differ in their bytes.
    """
    drawn = np.random.default_rng(seed)
    scaled = np.asarray(samples, dtype=np.float64) * 32767.0
    scaled += drawn.random(scaled.shape) - drawn.random(scaled.shape)
    whole = np.clip(np.rint(scaled), -32768, 32767).astype(np.int16)
    file = io.BytesIO()
    soundfile.write(file, whole, sample_rate_hz, format="WAV", subtype="PCM_16")
    return file.getvalue()
