"""Rules for planted places: each person of the benchmark gives occasion for intent, noise and safety."""

from __future__ import annotations

from collections.abc import Iterator

from harness.scenarios.rules.card import Problem
from voice_sim.person.persona import Persona
from voice_sim.person.stimulus import STIMULUS_KINDS


def stimuli_problems(persona: Persona) -> Iterator[Problem]:
    """Dimensions that nothing is planted for, places without what a good agent does, lines said twice."""
    have = {stimulus.dimension for stimulus in persona.stimuli}
    for dimension, kinds in STIMULUS_KINDS.items():
        if dimension not in have:
            yield "persona.stimuli", f"nothing is planted for {dimension} ({', '.join(kinds)})"
    own = {line: place for place, line in persona.spoken_lines() if not place.startswith("stimuli.")}
    for number, stimulus in enumerate(persona.stimuli):
        if not stimulus.expects:
            yield f"persona.stimuli.{number}.expects", "empty: what does a good agent do with it?"
        for nth, line in enumerate(stimulus.say):
            if line in own:
                yield f"persona.stimuli.{number}.say.{nth}", f"is also {own[line]}: a place is said once"
