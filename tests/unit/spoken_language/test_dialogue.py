"""Who said what: the one type for it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from spoken_language.dialogue import MAX_TURNS, Dialogue, DialogueTurn


def test_replies_are_the_agents_turns() -> None:
    turns = [
        DialogueTurn(speaker="agent", text=" Hello. "),
        DialogueTurn(speaker="caller", text="Who is this?"),
        DialogueTurn(speaker="agent", text="The bank."),
    ]
    dialogue = Dialogue(turns=tuple(turns))
    assert dialogue.replies() == [0, 2]
    assert dialogue.turns[0].text == "Hello."


def test_there_are_two_sides_and_an_end() -> None:
    with pytest.raises(ValidationError, match="'agent' or 'caller'"):
        DialogueTurn.model_validate({"speaker": "system", "text": "Be kind."})
    turn = DialogueTurn(speaker="agent", text="Yes.")
    with pytest.raises(ValidationError, match="at most 1000 items"):
        Dialogue(turns=(turn,) * (MAX_TURNS + 1))
