"""Recognisers by name: ``ENGINE/REST``. A new one is a file here and one line in :data:`RECOGNISERS`, or an
entry point of another package in the group ``outboundeval.asr``.

Each leads to what takes the REST (empty where there is none) and gives a recogniser.
"""

from __future__ import annotations

from typing import cast

from harness.analysis.components.systems.base import Recogniser
from harness.errors import UserError
from voice_sim.registry import MissingExtraError, Part, Table, UnknownPartError

_HERE = "harness.analysis.components.systems"

RECOGNISERS = Table(
    kind="recogniser",
    group="outboundeval.asr",
    parts={
        "livekit": Part(target=f"{_HERE}.livekit_stt:LivekitRecogniser", extra="livekit"),
        "whisper": Part(target=f"{_HERE}.whisper:WhisperRecogniser"),
    },
)


def open_recogniser(name: str) -> Recogniser:
    """The recogniser called ``name``, for instance ``whisper/base`` or ``livekit/openai/whisper-1``.

    Raises:
        UserError: There is none of that name, or it cannot be opened; the message says what to do.
    """
    engine, _, rest = name.partition("/")
    try:
        opened = RECOGNISERS.load(engine)(rest)
    except (UnknownPartError, MissingExtraError) as error:
        raise UserError(f"--asr {name}: {error}") from error
    return cast(Recogniser, opened)
