"""Curating: each measure against transcripts made for it, and the choice of the best."""

from __future__ import annotations

import pytest

from spoken_language.dialogue import DialogueTurn
from voice_sim.authoring.curate import curate
from voice_sim.authoring.measures import MEASURES, measure
from voice_sim.talk import Talk


def talk(*lines: str, name: str = "t", language: str = "en") -> Talk:
    """Lines such as ``A: Hello`` (agent) and ``C: Hi`` (caller)."""
    sides = {"A": "agent", "C": "caller"}
    turns = [DialogueTurn(speaker=sides[line[0]], text=line[3:]) for line in lines]  # type: ignore[arg-type]
    return Talk(id=name, language=language, turns=tuple(turns))  # type: ignore[arg-type]


FULL = talk(
    "A: Hello, this is Kate Morgan from Meridian Bank. Am I speaking with James Carter?",
    "C: Yes, that's me. What do you want? I am busy because of my move.",
    "A: We saw a charge of 250 dollars on March 4th. Did you make it?",
    "C: No. I'm worried about that, last time it took months. I was in Leeds.",
    "A: We return it within 3 days. Shall I write to you?",
    "C: Please do, I would like it in writing. Goodbye.",
    "A: Thank you, goodbye.",
    name="full",
)
CUT = talk("A: Are you there?", "C: What?", "A: Are you there?", "C: What?", name="cut")


def test_every_measure_belongs_to_a_quality() -> None:
    assert set(measure(FULL)) == {name for names in MEASURES.values() for name in names}


@pytest.mark.parametrize(
    ("lines", "opening"),
    [
        (["A: Hello, this is Kate."], 1.0),
        (["A: Hello.", "C: Yes?"], 0.5),
        (["A: Pay now."], 0.0),
        (["A: Pay.", "C: No.", "A: Pay.", "C: Hello, this is me."], 0.0),
        (["A: 您好，我是客服。"], 1.0),
    ],
)
def test_opening_is_greeting_and_who_calls_in_three_turns(lines: list[str], opening: float) -> None:
    assert measure(talk(*lines))["opening"] == opening


def test_both_sides_is_one_when_even_and_falls_with_a_monologue() -> None:
    assert measure(talk("A: one two three four", "C: five six seven eight"))["both_sides"] == pytest.approx(1)
    # Four of sixteen words: 4 * 1/4 * 3/4.
    uneven = talk("A: a b c d e f g h i j k l", "C: m n o p")
    assert measure(uneven)["both_sides"] == pytest.approx(0.75)
    assert measure(talk("A: only me here"))["both_sides"] == 0


def test_questions_are_answered_by_words_not_by_questions() -> None:
    lines = [
        "A: Is it you?",
        "C: Yes.",
        "A: And the card?",
        "C: What?",
        "A: Which card?",
        "C: Which do you mean?",
    ]
    assert measure(talk(*lines))["answered"] == pytest.approx(1 / 3)
    assert measure(talk("A: Hello.", "C: Hello."))["answered"] is None


def test_a_figure_that_changes_is_a_contradiction_unless_corrected() -> None:
    same = talk("A: Your card ending in 3333?", "C: The card ends in three three three three.")
    changed = talk("A: Your card ending in 3333?", "C: The card ends in 4444.")
    corrected = talk("A: Your card ending in 3333?", "C: No, the card ends in 4444.")
    once = talk("A: Your card ending in 3333?", "C: Yes.")
    found = [measure(one)["figures_agree"] for one in (same, changed, corrected, once)]
    assert found == [1.0, 0.0, 1.0, None]


def test_copies_of_earlier_turns_count_once_they_are_four_words_long() -> None:
    lines = ["A: Please pay the bill today", "C: no", "A: please pay the bill today.", "C: no"]
    assert measure(talk(*lines))["not_repeated"] == pytest.approx(0.5)


def test_reasons_and_vocabulary_are_the_persons() -> None:
    assert measure(FULL)["reasons"] == pytest.approx(3 / 4)
    agent_only = talk("A: I am worried because I need it and I hope so.", "C: Mm.")
    assert measure(agent_only)["reasons"] == 0


def test_the_better_call_comes_first_and_only_the_best_are_chosen() -> None:
    scored = curate([CUT, FULL], top=1)
    assert [(one.id, one.chosen) for one in scored] == [("full", True), ("cut", False)]
    assert all(0 <= value <= 1 for one in scored for value in one.measures.values() if value is not None)
    full = scored[0]
    assert full.score == pytest.approx(sum(full.measured.values()) / 3)


def test_a_models_ratings_count_as_much_as_what_was_measured() -> None:
    ratings = {"full": {"completeness": 0.0, "consistency": 0.0, "informativeness": 0.0}, "cut": "no answer"}
    scored = {one.id: one for one in curate([CUT, FULL], ratings=ratings)}  # type: ignore[arg-type]
    assert scored["full"].score == pytest.approx(sum(scored["full"].measured.values()) / 6)
    assert (scored["cut"].rated, scored["cut"].failure) == ({}, "no answer")
    assert scored["cut"].score == pytest.approx(sum(scored["cut"].measured.values()) / 3)
