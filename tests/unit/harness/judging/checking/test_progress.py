"""What a person is told while a judge works."""

from __future__ import annotations

import pytest

from harness.judging.checking.progress import JudgeProgress, duration, failure_kind


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_the_time_left_is_that_of_the_last_answers() -> None:
    clock = Clock()
    assert JudgeProgress(50, clock=clock).left_s is None
    progress = JudgeProgress(50, clock=clock)
    for _ in range(10):  # kept from before: they cost nothing
        progress.finished([])
    assert progress.left_s == 0.0
    for _ in range(20):
        clock.now_s += 6.0
        progress.finished([])
    # 20 left at 6 s each: the ten that were kept have been forgotten.
    assert progress.left_s == pytest.approx(120.0)
    assert progress.told() == "30 of 50, about 2 min left"


def test_failures_are_counted_once_a_question_and_reason() -> None:
    progress = JudgeProgress(2)
    progress.finished(["no answer in time: a (after 3 attempts)", "no answer in time: b"])
    progress.finished(["the answer was cut off: at 400", "no answer in time: c"])
    assert progress.told() == "2 of 2; failed: no answer in time 2, the answer was cut off 1"


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ('quotes words that turn 14 does not have: "x"', "quotes words that turn N does not have"),
        ("cites turn 9 of a dialogue of 4 (counted from 0)", "cites turn N of a dialogue of N"),
        (
            "judged achieved, but no turn is cited; the judge said: 7",
            "judged achieved, but no turn is cited",
        ),
        ("the judge gave 2 verdicts", "the judge gave N verdicts"),
        ("", "no reason given"),
        ("x" * 5000, "x" * 100),
    ],
)
def test_a_reason_without_what_belongs_to_one_case(reason: str, kind: str) -> None:
    assert failure_kind(reason) == kind


@pytest.mark.parametrize(("seconds", "text"), [(41.4, "41 s"), (720, "12 min"), (9000, "2.5 h")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
