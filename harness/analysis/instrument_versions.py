"""What each instrument of the analysis is made of: its code and its libraries.

Two results can only stand for each other where these are the same. The code goes by its text, not by a
version number that somebody may forget to raise: a module of ``metrics`` with everything of ``metrics`` and
``spoken_language`` that it imports, and the modules of ours that ask it. It is read when this module is
imported, as the instruments are, and not when the calls of a run are over.
"""

from __future__ import annotations

import ast
import hashlib
import secrets
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Literal

Instrument = Literal["speech", "words", "voice", "prediction", "artefacts", "forms"]

MODULES: dict[Instrument, tuple[str, ...]] = {
    "speech": ("harness.analysis.listener", "metrics.detection.beside_caller", "metrics.speech"),
    "words": ("harness.analysis.listener", "metrics.transcript", "metrics.resample"),
    "voice": (
        "harness.analysis.listener",
        "harness.analysis.sound.nisqa_clips",
        "metrics.spans",
        "metrics.synthesis.nisqa",
        "metrics.synthesis.nisqa_domain",
    ),
    "prediction": (
        "harness.analysis.listener",
        "harness.analysis.sound.nisqa_clips",
        "harness.analysis.sound.predicted_clips",
        "metrics.spans",
        "metrics.synthesis.nisqa_domain",
        "metrics.synthesis.predictors",
    ),
    "artefacts": (
        "harness.analysis.listener",
        "harness.analysis.sound.artefact_clips",
        "metrics.synthesis.artefacts",
    ),
    "forms": (
        "harness.analysis.listener",
        "harness.analysis.sound.spoken_forms",
        "metrics.recognition.forced_decoding",
        "metrics.resample",
    ),
}
"""Where each instrument's code begins; imports are followed from those of :data:`FOLLOWED`."""

FOLLOWED = ("metrics", "spoken_language")
"""Packages whose modules count wherever they are imported from each other."""

LIBRARIES: dict[Instrument, tuple[str, ...]] = {
    "speech": ("numpy", "scipy", "faster-whisper", "onnxruntime", "webrtcvad-wheels"),
    "words": (
        "numpy",
        "scipy",
        "faster-whisper",
        "ctranslate2",
        "tokenizers",
        "opencc-python-reimplemented",
        "pydantic",
    ),
    "voice": ("numpy", "torch", "pydantic"),
    "prediction": ("numpy", "onnxruntime", "scipy"),
    "artefacts": ("numpy",),
    "forms": ("numpy", "scipy", "faster-whisper", "ctranslate2", "tokenizers", "opencc-python-reimplemented"),
}
"""Distributions; faster-whisper brings Silero's model."""


@cache
def made_of(instrument: Instrument) -> dict[str, str]:
    """The instrument's code, as a checksum, and the versions of its libraries, by name.

    Where any of it was changed on disk since this process began, nobody can tell which of both does the work:
    the code is then like no other, so that nothing is taken for its result, and its results for nothing.
    """
    now = on_disk(instrument)
    return now if now == _AT_IMPORT[instrument] else {**now, "code": secrets.token_hex()}


def on_disk(instrument: Instrument) -> dict[str, str]:
    """As :func:`made_of`, as it stands on disk now."""
    digest = hashlib.sha256()
    for name, text in sorted(source_texts(MODULES[instrument]).items()):
        digest.update(f"{name}\0{len(text)}\0{text}".encode())
    libraries = {f"library {name}": _version(name) for name in LIBRARIES[instrument]}
    return {"code": digest.hexdigest(), **libraries}


def source_texts(modules: Sequence[str]) -> dict[str, str]:
    """The text of these modules and of what they import, directly or not, of :data:`FOLLOWED`."""
    texts: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name] = _text(name)
            waiting += _imported(texts[name]) if _followed(name) else ()
    return texts


def _text(name: str) -> str:
    spec = find_spec(name)
    # The file itself: a loader need not tell its source (pytest's, which may load any of ours, does not).
    if spec is not None and spec.origin is not None:
        try:
            with tokenize.open(spec.origin) as file:
                return file.read()
        except (OSError, SyntaxError, UnicodeDecodeError):
            pass
    # Code that cannot be read is never known to be the same.
    return f"'{secrets.token_hex()}'"


def _imported(text: str) -> Iterator[str]:
    modules, inner = _named_in(text)
    yield from modules
    yield from (name for name in inner if _is_module(name))


@lru_cache(maxsize=512)
def _named_in(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a text imports of :data:`FOLLOWED`: modules, and what is taken from one and may be one itself.

    Kept: instruments share most of their modules, and parsing is most of the work.
    """
    modules: list[str] = []
    inner: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules += (alias.name for alias in node.names if _followed(alias.name))
        elif isinstance(node, ast.ImportFrom) and _followed(node.module or ""):
            assert node.module is not None
            modules.append(node.module)
            inner += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(modules), tuple(inner)


def _followed(name: str) -> bool:
    return name.partition(".")[0] in FOLLOWED


def _is_module(name: str) -> bool:
    # Asked for itself, its parent would be imported to see, and torch with some.
    parent = find_spec(name.rpartition(".")[0])
    where = None if parent is None else parent.submodule_search_locations
    return where is not None and PathFinder.find_spec(name, list(where)) is not None


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


_AT_IMPORT = {instrument: on_disk(instrument) for instrument in MODULES}
