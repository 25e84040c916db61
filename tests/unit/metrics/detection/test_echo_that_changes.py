"""Echoes that begin, change their delay, or come by two ways within a call, held to the same calls without.

The caller asks and the agent (the same voice) answers, as often as a test says.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from harness.records.call import SpokenUtterance
from harness.records.scores import CallScores
from metrics.interaction.entry import Entry
from metrics.interaction.outcome import TurnOutcome
from tests.unit.harness.analysis.test_line_echo import (
    ANSWERS,
    ASKS,
    RATE,
    Samples,
    _back,
    _interrupted,
    _scores,
    _side,
    _spoken,
)
from tests.unit.harness.stand_ins.spoken import clip


class Made:
    """A call; ``afters``: how long after the end of each turn it is answered."""

    def __init__(self, afters: Sequence[float], answer: Samples | None = None) -> None:
        said, answers, at_s = [], [], 1.0
        for place, after_s in enumerate(afters):
            asked = clip(ASKS[place % len(ASKS)])
            reply = clip(ANSWERS[place % len(ANSWERS)]) if answer is None else answer
            said.append((at_s, asked))
            answers.append((at_s + len(asked) / RATE + after_s, reply))
            at_s = answers[-1][0] + len(reply) / RATE + 1.5
        self.starts_s = [start_s for start_s, _ in said]
        self.caller, self.agent = _side(said, at_s + 1), _side(answers, at_s + 1)
        self.said: tuple[SpokenUtterance, ...] = _spoken(said)

    def between(self, first: int, last: int) -> Samples:
        """What the caller says in some of its turns."""
        starts = [*self.starts_s, len(self.caller) / RATE + 1]
        places = np.arange(len(self.caller)) / RATE
        inside = (places >= starts[first] - 0.5) & (places < starts[last] - 0.5)
        return np.where(inside, self.caller, np.float32(0.0))

    def scores(self, *echoes: Samples) -> CallScores:
        heard = self.agent + sum(echoes, start=np.zeros_like(self.agent))
        return _scores(self.caller, np.asarray(heard, dtype=np.float32), self.said)


def test_an_echo_that_begins_within_a_call_is_learned_from_where_it_is_heard() -> None:
    made = Made([0.1] * 4 + [0.9] * 4)
    scores = made.scores(_back(made.between(4, 8), 0.18, -15.0))
    assert scores.line_echo is not None
    assert scores.line_echo.talks == 4
    assert [one.latency_ms for one in scores.turns] == pytest.approx([100.0] * 4 + [900.0] * 4, abs=15)
    assert all(one.outcome is TurnOutcome.ANSWERED for one in scores.turns)


@pytest.mark.parametrize(
    ("before_s", "after_s"),
    [
        (0.12, 0.18),
        (0.18, 0.12),
        pytest.param(0.26, 0.18, marks=pytest.mark.long),
        pytest.param(0.1, 0.5, marks=pytest.mark.long),
    ],
)
def test_a_delay_that_changes_has_a_filter_before_and_one_after(before_s: float, after_s: float) -> None:
    made = Made([0.9] * 8)
    first, then = _back(made.between(0, 4), before_s, -15.0), _back(made.between(4, 8), after_s, -15.0)
    scores = made.scores(first, then)
    assert [one.latency_ms for one in scores.turns] == pytest.approx([900.0] * 8, abs=15)
    assert all(one.outcome is TurnOutcome.ANSWERED for one in scores.turns)


def test_talks_at_a_delay_that_is_no_way_s_are_left_in_doubt() -> None:
    made = Made([0.9] * 6)
    scores = made.scores(
        _back(made.between(0, 4), 0.18, -15.0),
        _back(made.between(4, 5), 0.12, -15.0),
        _back(made.between(5, 6), 0.3, -15.0),
    )
    assert [one.latency_ms for one in scores.turns[:4]] == pytest.approx([900.0] * 4, abs=15)
    for turn in scores.turns[4:]:
        assert (turn.latency_ms, turn.outcome) == (None, TurnOutcome.NOT_DUE)


@pytest.mark.parametrize(
    ("first_db", "second_db"),
    [
        (-15.0, -22.0),
        pytest.param(-20.0, -15.0, marks=pytest.mark.long),
        pytest.param(-15.0, -15.0, marks=pytest.mark.long),
    ],
)
def test_a_second_way_measures_nothing_that_is_not_so(first_db: float, second_db: float) -> None:
    made = Made([0.9] * 4)
    scores = made.scores(_back(made.caller, 0.015, first_db), _back(made.caller, 0.38, second_db))
    assert scores.line_echo is not None
    for turn in scores.turns:
        assert turn.latency_ms is None or turn.latency_ms == pytest.approx(900, abs=15)
        assert turn.outcome in (TurnOutcome.ANSWERED, TurnOutcome.NOT_DUE)


def test_clear_talking_over_is_told_beside_an_echo() -> None:
    """The agent begins 2 s before the caller's end, and speaks on for 6 s."""
    long = np.concatenate([clip("untrimmed_summary"), clip("untrimmed_visit")])[: 8 * RATE]
    made = Made([-2.0] * 4, long)
    for turn in made.scores(_back(made.caller, 0.18, -20.0)).turns:
        assert turn.outcome is TurnOutcome.TALKED_OVER
        assert turn.latency_ms is None or turn.latency_ms == pytest.approx(-2000, abs=15)


@pytest.mark.long
def test_of_talks_that_run_together_each_stretch_counts() -> None:
    """Another voice behind the caller's joins all that it says to talks of half a minute."""
    made = Made([0.9] * 6)
    behind = np.concatenate([clip("untrimmed_summary"), clip("untrimmed_visit"), clip("untrimmed_form")])
    made.caller = np.asarray(made.caller + 0.1 * np.resize(behind, len(made.caller)), dtype=np.float32)
    assert made.scores().line_echo is None
    scores = made.scores(_back(made.caller, 0.18, -15.0))
    assert scores.line_echo is not None
    assert scores.line_echo.delay_ms == pytest.approx(180, abs=2)
    for turn in scores.turns:
        assert turn.latency_ms is None or turn.latency_ms == pytest.approx(900, abs=15)
        assert turn.outcome in (TurnOutcome.ANSWERED, TurnOutcome.NOT_DUE)


@pytest.mark.parametrize(
    ("agent_db", "gain_db"),
    [
        pytest.param(-18.0, -6.0, marks=pytest.mark.long),
        (-18.0, -10.0),
        pytest.param(0.0, 0.0, marks=pytest.mark.long),
    ],
)
def test_of_an_agent_no_louder_than_the_echo_no_figure_is_told(agent_db: float, gain_db: float) -> None:
    """It begins 0.8 s before the caller's end: under the echo, where it passes for a part of that."""
    made = Made([-0.8, 0.9] * 3)
    made.agent = np.asarray(made.agent * 10 ** (agent_db / 20), dtype=np.float32)
    assert made.scores().turns[0].outcome is TurnOutcome.TALKED_OVER
    scores = made.scores(_back(made.caller, 0.18, gain_db))
    assert scores.line_echo is not None
    assert "about as loud as the agent" in scores.line_echo.note
    for turn in scores.turns:
        assert (turn.latency_ms, turn.outcome) == (None, TurnOutcome.NOT_DUE)


def test_where_an_echo_hides_a_coming_in_no_other_turn_is_counted_as_none() -> None:
    """In every second turn the agent begins 0.6 s early; the rest would say that it never does."""
    made = Made([-0.6, 0.9] * 3)
    clean = made.scores()
    assert [one.entry for one in clean.conduct][1::2] == [Entry.NONE] * 3
    assert sum(one.double_talk_s for one in clean.conduct) > 1.0
    found = made.scores(_back(made.caller, 0.18, -15.0))
    assert found.conduct
    assert {one.entry for one in found.conduct} == {Entry.NOT_COUNTED}


@pytest.mark.parametrize("how", ["beginnings", "peaks"])
def test_what_a_poor_filter_leaves_of_an_echo_does_not_prolong_the_agent_s_speech(how: str) -> None:
    """An echo of only the first second of each talk, and of only what is louder than a bound: a canceller and
    a suppressor. The agent stops 0.5 s after the interruption began."""
    caller, agent, said = _interrupted(0.5)
    times = np.arange(len(caller)) / RATE
    first = np.any([(times >= one.start_s) & (times < one.start_s + 1.0) for one in said], axis=0)
    sent = np.where(first if how == "beginnings" else np.abs(caller) > 0.08, caller, np.float32(0.0))
    [clean] = _scores(caller, agent, said).interruptions
    assert clean.delay_ms == pytest.approx(500, abs=1)
    scores = _scores(caller, np.asarray(agent + _back(sent, 0.18, -12.0), dtype=np.float32), said)
    assert scores.line_echo is not None
    [found] = scores.interruptions
    assert (found.outcome, found.delay_ms) == ("stopped", None)
    assert found.censored_after_ms is not None
    assert found.censored_after_ms < 500
