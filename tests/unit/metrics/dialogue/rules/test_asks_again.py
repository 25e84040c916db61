"""What asks the agent to say it again is no reason to blame it for doing so."""

from __future__ import annotations

import pytest

from metrics.dialogue.rules.redundancy import ASKS_AGAIN
from voice_sim.person.archetypes import Archetype
from voice_sim.policies.agenda.stock import stock_of


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("archetype", list(Archetype))
def test_what_our_own_caller_says_is_known(archetype: Archetype, language: str) -> None:
    stock = stock_of(archetype, language)
    said = [*stock["misheard"], *stock["lost"]]
    assert said
    assert [one for one in said if not ASKS_AGAIN.search(one)] == []


@pytest.mark.parametrize(
    "said",
    [
        *("啊？", "什么？", "没听懂。", "您刚才说什么？", "What?", "Huh?", "What did you say?"),
        *("You what?", "Sorry?", "Excuse me?"),
    ],
)
def test_ordinary_ways_to_ask_again_are_known(said: str) -> None:
    assert ASKS_AGAIN.search(said)


@pytest.mark.parametrize(
    "said",
    [
        "好的，明白了。",
        "为什么？",
        "费用是什么？",
        "About what?",
        "What does it cost?",
        "Guess what. Sorry, no.",
        "是啊。",
    ],
)
def test_other_answers_ask_for_nothing_again(said: str) -> None:
    assert not ASKS_AGAIN.search(said)
