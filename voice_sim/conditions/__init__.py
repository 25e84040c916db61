"""What surrounds the caller. Kinds of noise by name; a new one is one function and one line."""

from __future__ import annotations

from voice_sim.registry import Part, Table

NOISES = Table(
    kind="kind of noise",
    group="outboundeval.noise",
    parts={
        "babble": Part(target="voice_sim.conditions.noise:babble"),
        "speech_shaped": Part(target="voice_sim.conditions.noise:speech_shaped"),
        "white": Part(target="voice_sim.conditions.noise:white"),
    },
)
