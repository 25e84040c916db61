"""A pinned call: the plan that has it again, and the recordings that it names."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness.records.call import SAMPLE_RATE_HZ, SpokenUtterance


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is written of a pinned call.

    Attributes:
        content: Of the plan file.
        sounds: Recordings that its lines name: path from the plan file -> WAV file.
    """

    content: dict[str, Any]
    sounds: dict[str, bytes] = field(default_factory=dict)


def case_id(name: str) -> str:
    """The id of the pinned call, which also names its run and its folder of recordings."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", f"pin-{name}")[:80]


def with_sounds(
    lines: Sequence[dict[str, Any]],
    said: Sequence[SpokenUtterance],
    caller: NDArray[np.float32],
    *,
    folder: str,
    words: str,
) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """The lines said by the caller's very sound, and the recordings; keys are pressed as they are.

    Args:
        lines: One for each of ``said``.
        caller: The caller's side at 48 kHz; cut from the first voiced sample to the last.
        folder: Where the recordings will lie beside the plan.
        words: ``known`` or ``heard``; see :class:`voice_sim.policies.script.LineSound`.
    """
    sounded, sounds = [], {}
    for number, (line, one) in enumerate(zip(lines, said, strict=True), 1):
        if one.pressed:
            sounded.append(line)
            continue
        first, last = round(one.start_s * SAMPLE_RATE_HZ), round(one.end_s * SAMPLE_RATE_HZ)
        path = f"{folder}/{number:02d}.wav"
        sounds[path] = _wav(caller[first : last + 1])
        sounded.append(line | {"sound": {"path": path, "words": words, "trimmed": True}})
    return sounded, sounds


def _wav(samples: NDArray[np.float32]) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, np.clip(samples, -1.0, 1.0), SAMPLE_RATE_HZ, format="WAV", subtype="PCM_16")
    return file.getvalue()
