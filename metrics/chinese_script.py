"""Traditional Chinese characters as simplified ones: Whisper writes either, and nobody hears which."""

from __future__ import annotations

import re
from functools import cache

from opencc import OpenCC

_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]{1,200}")
"""Runs are bounded because the converter recurses over what it is given."""


def to_simplified(text: str) -> str:
    """``text`` with traditional characters replaced (OpenCC ``t2s``); all else stays as it is."""
    return _HAN_RUN.sub(lambda run: str(_converter().convert(run.group())), text)


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")
