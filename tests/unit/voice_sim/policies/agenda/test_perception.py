"""What a person takes to be about the call, by cues."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.policies.agenda.people import person
from voice_sim.policies.agenda.perception import Perceiver

ODD = "The zebra grazes behind the lighthouse."


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (ODD, False),
        (f"{ODD} Does it sleep there?", False),
        (f"{ODD} Is that clear so far?", True),
        (f"{ODD} What would you like to know?", True),
        (f"{ODD} Is there anything that bothers you?", True),
        (f"{ODD} May I briefly tell you about the lighthouse?", True),
        ("The pizza was late.", True),
    ],
)
def test_a_question_about_the_talk_is_about_the_call_whatever_stands_before_it(
    text: str, about: bool
) -> None:
    assert Perceiver(person()).perceive(text).about_the_call is about
