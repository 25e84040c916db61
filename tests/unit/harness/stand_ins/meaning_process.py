"""The process that tells what words mean, with an encoder that needs no package: ``python -m ... FILE``.

Lines about a phone or a number are one thing, everything else is another.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness.calls.voice.hearing.meaning_worker import serve
from harness.calls.voice.workers.process import working
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.vectors import VectorCache


class PhoneOrNot:
    """See the module's docstring. Notes what it was given."""

    name = "phone-or-not"

    def __init__(self) -> None:
        self.read: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.read += texts
        phone = [any(word in text.lower() for word in ("phone", "number", "fish")) for text in texts]
        return np.asarray([[1.0, 0.0] if one else [0.0, 1.0] for one in phone], np.float32).reshape(-1, 2)


if __name__ == "__main__":
    with working(niceness=0):
        serve(sys.stdin.buffer, sys.stdout.buffer, PhoneOrNot(), VectorCache(Path(sys.argv[1])))
