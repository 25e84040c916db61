"""The persona: every field of section 4.3.1 and Table 17, text that can be kept, lines that can be heard."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from voice_sim.person.persona import (
    Demographics,
    Fact,
    MustAsk,
    Obstacle,
    Persona,
    Phrases,
    Style,
    Trigger,
    Triggers,
)

TABLE_17 = {
    "Belonging Scenario": "scenario",
    "Demographic Characteristics": "demographics",
    "Current Situation": "situation",
    "Knowledge Level": "knowledge",
    "Core Personality": "core_personality",
    "Communication Style": "communication_style",
    "Behavioral Motivation": "motivation",
    "Core Task (Must Ask)": "must_ask",
    "Preset Obstacles": "obstacles",
    "Key Triggers": "triggers",
    "Cooperation Conditions": "cooperation",
    "Hang-up Conditions": "hang_up",
}
SECTION_4_3_1 = {
    "Role": "role",
    "Background": "background",
    "Core Concerns": "concerns",
    "Behavioral Patterns": "behaviour",
    "Style Exemplars": "style",
    "Termination Conditions": "termination",
}


def _persona(**fields: object) -> Persona:
    return Persona.model_validate({"archetype": "hesitant", "language": "en", "role": "A teacher."} | fields)


@pytest.mark.parametrize(("element", "field"), [*TABLE_17.items(), *SECTION_4_3_1.items()])
def test_every_element_of_the_paper_has_its_field(element: str, field: str) -> None:
    assert field in Persona.model_fields, element


def test_a_field_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValidationError, match="favourite_colour"):
        _persona(favourite_colour="blue")


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\x85", "\u2028", "\ud800"])
def test_control_characters_are_refused(sign: str) -> None:
    with pytest.raises(ValidationError, match=r"control character|parse raw data as a unicode string"):
        _persona(style={"good": [f"Hello{sign}there"]})


def test_spoken_lines_are_those_that_are_heard_and_no_others() -> None:
    persona = _persona(
        situation="never heard",
        demographics=Demographics(name="never heard"),
        style=Style(good=("one",), bad=("never heard",)),
        must_ask=(MustAsk(id="a", ask=("two", "three"), answered_by=("never heard",)),),
        obstacles=(Obstacle(id="b", when="never heard", cues=("never heard",), say=("four",)),),
        triggers=Triggers(negative=(Trigger(when="never heard", say=("five",)),)),
        facts=(Fact(key="c", value="never heard", say=("six",)),),
        phrases=Phrases(goodbye=("seven",)),
    )
    assert dict(persona.spoken_lines()) == {
        "style.good.0": "one",
        "must_ask.0.ask.0": "two",
        "must_ask.0.ask.1": "three",
        "facts.0.say.0": "six",
        "obstacles.0.say.0": "four",
        "triggers.negative.0.say.0": "five",
        "phrases.goodbye.0": "seven",
    }


def test_a_persona_cannot_be_changed() -> None:
    persona = _persona()
    with pytest.raises(ValidationError, match="frozen"):
        persona.role = "Another."  # type: ignore[misc]
