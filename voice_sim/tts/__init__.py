"""Speech engines by name. A new one is a new file here and one line in :data:`ENGINES`."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from voice_sim.registry import Part, Table
from voice_sim.tts.base import TTSEngine

ENGINES = Table(
    kind="speech engine",
    group="outboundeval.tts",
    parts={
        "espeak": Part(target="voice_sim.tts.espeak:EspeakEngine"),
        "espeakng": Part(target="voice_sim.tts.espeak_voices:EspeakVoicesEngine", extra="voices"),
        "kokoro": Part(target="voice_sim.tts.kokoro:KokoroEngine", extra="voices"),
        "livekit": Part(target="voice_sim.tts.livekit_plugin:LivekitEngine", extra="livekit"),
        "piper": Part(target="voice_sim.tts.piper:PiperEngine", extra="local"),
    },
)


def create_engine(name: str, *, folder: Path | None = None) -> TTSEngine:
    """The engine called ``name``.

    Args:
        name: As in :data:`ENGINES`.
        folder: Folder with the engine's model files; None for an engine that needs none.

    Raises:
        UnknownPartError: No such engine; the message lists the known ones.
        MissingExtraError: Its package is not installed; the message names the extra.
        SynthesisError: The engine cannot work: no folder given, program not found.
    """
    return cast(TTSEngine, ENGINES.load(name)(folder=folder))
