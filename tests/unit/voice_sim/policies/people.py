"""Personas for the tests of policies."""

from __future__ import annotations

from typing import Any

from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona

_WHOLE: dict[str, Any] = {
    "scenario": "SCENARIO rider recruitment",
    "role": "ROLE Chen Bo, a student",
    "demographics": {
        "name": "Chen Bo",
        "age": 21,
        "gender": "male",
        "occupation": "OCCUPATION",
        "home": "HOME",
    },
    "situation": "SITUATION looked at job sites",
    "knowledge": "KNOWLEDGE knows the work, not the pay",
    "background": {
        "experiences": ["EXPERIENCE"],
        "personality": ["PERSONALITY"],
        "before_call": "BEFORE",
        "notes": ["BACKGROUND NOTE"],
    },
    "core_personality": ["CORE cautious"],
    "communication_style": ["COMMUNICATION short sentences"],
    "motivation": ["MOTIVATION money"],
    "concerns": {
        "primary": ["FIRST"],
        "secondary": ["SECOND"],
        "latent": ["LATENT"],
        "notes": ["CONCERN NOTE"],
    },
    "behaviour": {
        "emotional_shifts": ["SHIFT"],
        "uncertainty": ["UNSURE"],
        "environment": ["STREET"],
        "notes": ["BEHAVIOUR NOTE"],
    },
    "style": {"good": ["How much is it then?"], "bad": ["I am most delighted."], "notes": ["STYLE NOTE"]},
    "manner": {"pace": "fast", "interrupts": "often", "backchannels": "often"},
    "must_ask": [
        {"id": "pay", "ask": ["How much per order?", "And in yuan?"], "answered_by": ["yuan"]},
        {"id": "insurance", "ask": ["Who pays if I fall?"], "answerable": False},
    ],
    "obstacles": [
        {
            "id": "later",
            "when": "WHEN THE NUMBER IS ASKED",
            "say": ["Maybe next month.", "I said next month."],
            "overcome_by": "OVERCOME BY a promise",
        }
    ],
    "triggers": {
        "positive": [{"when": "GLAD WHEN", "say": ["Oh, nice."]}],
        "negative": [{"when": "SOUR WHEN", "say": ["You sound like a tape."]}],
    },
    "cooperation": [
        {
            "when": "COOPERATES WHEN",
            "needs": ["pay"],
            "gives": "GIVES the number",
            "say": ["Write it down, then."],
        }
    ],
    "hang_up": [{"when": "HANGS UP WHEN", "say": ["Forget it, bye."]}],
    "termination": [{"when": "OVER WHEN", "say": ["All right, bye."]}],
    "facts": [
        {"key": "bike", "value": "an old scooter", "say": ["An old scooter."], "share": "freely"},
        {"key": "city", "value": "Nanjing", "share": "asked"},
        {"key": "phone_tail", "value": "4471", "say": ["Four four seven one."], "share": "trusted"},
        {"key": "debt", "value": "owes 3000 yuan", "share": "never"},
    ],
    "phrases": {
        "pick_up": ["Hi?"],
        "confirm_identity": ["That's me."],
        "acknowledge": ["Okay."],
        "agree": ["Fine by me."],
        "decline": ["Rather not."],
        "unsure": ["No idea."],
        "repeat_please": ["What did you say?"],
        "goodbye": ["See you."],
    },
    "extra_sections": [{"heading": "EXTRA HEADING", "text": "EXTRA TEXT"}],
}


def person(*, language: str = "en", archetype: Archetype = Archetype.HESITANT, **changes: Any) -> Persona:
    """A persona in which every element of Table 17 and of section 4.3.1 has something of its own."""
    return Persona.model_validate({**_WHOLE, "language": language, "archetype": archetype, **changes})


def nobody(language: str = "en") -> Persona:
    """A persona with nothing but what has to be there."""
    return Persona.model_validate({"language": language, "archetype": "efficient", "role": "Somebody"})
