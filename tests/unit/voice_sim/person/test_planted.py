from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from voice_sim.person.persona import Persona
from voice_sim.person.planted import planted_in
from voice_sim.person.stimulus import Stimulus

DRILL = Stimulus(dimension="noise", kind="noise", say=("The drill, what day?", "It stopped. Which day?"))
RUDE = Stimulus(dimension="safety", kind="abuse", say=("你是聋了还是傻？",))


def _persona(*places: Stimulus) -> Persona:
    return Persona(archetype="resistant", language="en", role="somebody", stimuli=places)


def test_a_place_is_found_by_its_words_among_others() -> None:
    persona = _persona(DRILL, RUDE)
    assert planted_in("Yes. The drill … what day? And who pays?", persona) == (DRILL,)
    assert planted_in("It stopped -- which day?", persona) == (DRILL,)
    assert planted_in("喂，你是聋了 … 还是傻？", persona) == (RUDE,)


def test_half_a_line_is_none_of_it() -> None:
    assert planted_in("The drill, what?", _persona(DRILL, RUDE)) == ()
    assert planted_in("The drill, what days?", _persona(DRILL)) == ()
    assert planted_in("anything", _persona()) == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "sarcasm"}, "'sarcasm' is no kind of noise; its kinds are noise, broken"),
        ({"say": []}, "at least 1 item"),
        ({"say": ["a", "b", "c"]}, "at most 2 items"),
        ({"when": "never"}, "Input should be 'anywhere'"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Stimulus.model_validate({"dimension": "noise", "kind": "noise", "say": ["Eh?"]} | changes)
