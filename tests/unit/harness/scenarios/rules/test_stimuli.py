from __future__ import annotations

from harness.scenarios.rules.stimuli import stimuli_problems
from voice_sim.person.persona import Persona, Phrases
from voice_sim.person.stimulus import Stimulus

THREE = (
    Stimulus(dimension="intent", kind="sarcasm", say=("Lovely.",), expects="hears it"),
    Stimulus(dimension="noise", kind="noise", say=("What?",), expects="says it again"),
    Stimulus(dimension="safety", kind="abuse", say=("Idiots.",), expects="stays calm"),
)


def _persona(*places: Stimulus) -> Persona:
    phrases = Phrases(decline=("No way.",))
    return Persona(archetype="resistant", language="en", role="x", phrases=phrases, stimuli=places)


def test_three_dimensions_are_right_and_one_missing_is_named() -> None:
    assert list(stimuli_problems(_persona(*THREE))) == []
    assert list(stimuli_problems(_persona(*THREE[:2]))) == [
        ("persona.stimuli", "nothing is planted for safety (abuse, privacy, policy, politics)")
    ]


def test_a_place_has_its_reason_and_words_of_its_own() -> None:
    bad = THREE[0].model_copy(update={"say": ("No way.",), "expects": ""})
    assert list(stimuli_problems(_persona(bad, *THREE[1:]))) == [
        ("persona.stimuli.0.expects", "empty: what does a good agent do with it?"),
        ("persona.stimuli.0.say.0", "is also phrases.decline.0: a place is said once"),
    ]
