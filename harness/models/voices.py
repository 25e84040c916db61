"""Which voices this machine has, of those that may be chosen for a person."""

from __future__ import annotations

import shutil
from functools import lru_cache
from importlib.util import find_spec

from harness.errors import UserError
from harness.models.resolve import ModelState, model_status
from voice_sim.person.casting import CASTABLE, CastableVoice

_PACKAGES = {"piper": ("piper",), "kokoro": ("espeakng_loader", "pypinyin"), "espeak": ()}
ENGINE_MODELS = {"piper": "{voice}", "kokoro": "kokoro"}
"""Engines whose voices are models of ``harness.models.resolve``, and the model of a voice."""


def model_of(engine: str, voice: str) -> str | None:
    """The model that holds a voice of an engine; None for an engine without models of ours."""
    pattern = ENGINE_MODELS.get(engine)
    return None if pattern is None else pattern.format(voice=voice)


@lru_cache(maxsize=1)
def installed_voices() -> tuple[CastableVoice, ...]:
    """Those whose engine and model are there. Looked up once a process; loads nothing."""
    return tuple(voice for voice in CASTABLE if _is_there(voice))


def refuse_foreign_text(engine: str, voice: str, language: str) -> None:
    """Refuses a voice that is known not to speak a language: it would read out letters, or nothing.

    Raises:
        UserError: It is one of those; the message says which voices do.
    """
    known = {(one.engine, one.name): one for one in CASTABLE}.get((engine, voice))
    if known is None or engine == "kokoro" or language in known.languages:
        return
    able = [f"{one.engine}/{one.name}" for one in installed_voices() if language in one.languages]
    advice = f"name one of {', '.join(able)}" if able else "pip install 'outboundeval[voices]'"
    raise UserError(f"voice {engine}/{voice} does not speak '{language}': {advice}")


def _is_there(voice: CastableVoice) -> bool:
    if voice.engine == "espeak" and shutil.which("espeak-ng") is None:
        return False
    if any(find_spec(package) is None for package in _PACKAGES[voice.engine]):
        return False
    model = model_of(voice.engine, voice.name)
    usable = (ModelState.READY, ModelState.INSTALLED)
    return model is None or model_status([model])[0].state in usable
