"""How an ``agenda`` caller can understand here: resolved for a plan, checked by whoever places its call."""

from __future__ import annotations

import hashlib
from typing import Literal

from harness.errors import UserError
from harness.plans.understanding import BY_MEANING, BY_WORDS, Understanding, WordsBecause
from voice_sim.person.examples import has_examples
from voice_sim.person.persona import Persona
from voice_sim.understanding.encoders.base import MissingEncoderError
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.turn import TURN_VERSION
from voice_sim.understanding.examples.weights import weights_for
from voice_sim.understanding.process_talk.lines import process_version


def by_examples(language: Literal["en", "zh"]) -> str:
    """Understanding by examples as it is here: its encoder, and a digest of weights and process lines."""
    made_of = f"{weights_for(language).version} {process_version(language)} {TURN_VERSION}"
    return f"examples:{E5Encoder.name}+{hashlib.sha256(made_of.encode()).hexdigest()[:8]}"


def resolved_understanding(chosen: Understanding | None, *, policy: str, persona: Persona | None) -> str:
    """How the caller of a call will understand.

    Args:
        chosen: None: by examples where that is possible here and the persona has any, else by words.

    Raises:
        UserError: By examples was asked for and is not possible; the message says why.
    """
    if policy != "agenda" or persona is None:
        if chosen == "examples":
            raise UserError(
                f"understanding: by 'examples' goes with the policy 'agenda', and not with '{policy}'"
            )
        return BY_WORDS
    if chosen == BY_WORDS:
        return BY_WORDS
    if not has_examples(persona):
        if chosen is None:
            return BY_WORDS
        raise UserError(
            "understanding: this person has no examples; write some (outboundeval persona build), "
            "or leave it at words"
        )
    try:
        E5Encoder.check()
    except MissingEncoderError as error:
        if chosen is None:
            return BY_WORDS
        raise UserError(str(error)) from error
    return by_examples(persona.language)


def words_because(understanding: str, *, asked: bool, policy: str, persona: Persona | None) -> WordsBecause:
    """Why a caller was resolved to understand by words.

    Args:
        understanding: As :func:`resolved_understanding` gave it.
        asked: Somebody chose it.
    """
    if understanding != BY_WORDS or policy != "agenda" or persona is None:
        return ""
    if asked:
        return "asked for"
    return "no encoder" if has_examples(persona) else "no examples"


def check_understanding(understanding: str, language: Literal["en", "zh"]) -> None:
    """Whether a caller can understand in this way here. Loads nothing.

    Raises:
        UserError: A package is missing, or encoder or weights are others than the plan's.
    """
    if understanding == BY_WORDS:
        return
    if understanding == BY_MEANING:
        raise UserError(
            "this call was planned to be understood by 'meaning', as version 0.1 did: "
            "it can be scored and not placed; begin a new run"
        )
    try:
        E5Encoder.check()
    except MissingEncoderError as error:
        raise UserError(str(error)) from error
    if understanding != by_examples(language):
        raise UserError(
            f"this call was planned to be understood by '{understanding}'; here it would be "
            f"'{by_examples(language)}': place it with the version that planned it, or begin a new run"
        )
