"""What surrounds the caller. Kinds of noise by name; a new one is one function and one line.

``babble`` and ``speech_shaped`` are made from the clips that they are given, ``folder`` from recordings (see
``recordings.read_folder``); the others need nothing.
"""

from __future__ import annotations

from voice_sim.registry import Part, Table

NOISES = Table(
    kind="kind of noise",
    group="outboundeval.noise",
    parts={
        "babble": Part(target="voice_sim.conditions.noise:babble"),
        "car": Part(target="voice_sim.conditions.environments:car"),
        "factory": Part(target="voice_sim.conditions.environments:factory"),
        "folder": Part(target="voice_sim.conditions.recordings:recorded"),
        "speech_shaped": Part(target="voice_sim.conditions.noise:speech_shaped"),
        "street": Part(target="voice_sim.conditions.environments:street"),
        "white": Part(target="voice_sim.conditions.noise:white"),
    },
)
