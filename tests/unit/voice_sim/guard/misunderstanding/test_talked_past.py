"""What the regression finds is suspected and takes nothing out; its weights are those of its digest."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.unit.voice_sim.guard.people import call
from voice_sim.guard.check import check
from voice_sim.guard.misunderstanding.talked_past import FILE, Weights, talked_past

OPENING = ("A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?", "C: Speaking.")
LATER = ("A: Your bank sent me a note.", "C: I see.", "A: It came in today.", "C: I see.")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which of the colours would you pick?", "I couldn't tell you."),
        ("What would you like to know?", "Sure, go on."),
        ("Is there anything else you would like to ask?", "Yes, fine."),
    ],
)
def test_what_does_not_go_together_is_suspected(question: str, answer: str) -> None:
    session = call(*OPENING, *LATER, f"A: {question}", f"C: {answer}", "A: No worries, I meant you.")
    at = len(OPENING) + len(LATER) + 1
    [finding] = talked_past(session)
    assert (finding.kind, finding.turn, finding.certain) == ("talked_past", at, False)
    assert check(session).verdict == "suspected"
    assert talked_past(session, known={at}) == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is that all right?", "Yes."),
        ("How much was it?", "Two hundred even."),
        ("Do you have a minute?", "Sure, go on."),
        ("Is there anything else?", "No, that covers it."),
    ],
)
def test_what_goes_together_is_left_alone(question: str, answer: str) -> None:
    assert (
        talked_past(call(*OPENING, *LATER, f"A: {question}", f"C: {answer}", "A: Two hundred, got it.")) == []
    )


def test_log_odds_by_hand() -> None:
    weights = Weights(
        version="by hand", bias=-2.0, of={"reply unsure": 1.5, "near": -2.0}, unsure_from=0.0, other_from=-3.0
    )
    assert weights.log_odds({"reply unsure": 1.0, "near": 0.25, "of no weight": 9.0}) == pytest.approx(-1.0)
    assert not weights.finds({"reply unsure": 1.0, "near": 0.25})
    assert weights.finds({"near": 0.25})
    assert weights.strongest({"reply unsure": 1.0, "near": 0.25}) == ["reply unsure"]


def test_the_version_is_a_digest_of_the_numbers() -> None:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    numbers = {name: content[name] for name in ("bias", "weights", "unsure_from", "other_from")}
    assert content["version"] == hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:8]
