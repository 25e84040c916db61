"""The calls of a calibration: delays over the whole range, and no verdict planted where none can be given."""

from __future__ import annotations

import functools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixtures.agents.calibration.behaviour import parse_behaviour
from harness.plans.call import ConditionsPlan
from harness.selfcheck.calibration import design as design_module
from harness.selfcheck.calibration.design import (
    AROUND_500,
    LONGEST_MS,
    LONGEST_STOP_MS,
    MARGIN_MS,
    MOST_PER_CALL,
    SHORTEST_MS,
    SHORTEST_STOP_MS,
    CalibrationCall,
    Sound,
    design,
)
from harness.selfcheck.calibration.run import prepare
from tests.unit.harness.stand_ins.fake_agent import FakeTransport


def _design(**fields: Any) -> list[CalibrationCall]:
    options: dict[str, Any] = {
        "sound": "marker",
        "turns": 60,
        "interruptions": 30,
        "calls": 3,
        "seed": 1,
        "agent": "http://127.0.0.1:7861",
        "conditions": ConditionsPlan(),
    }
    return design(**(options | fields))


def _answers(calls: list[CalibrationCall]) -> list[float]:
    return [
        turn["answer_after_ms"]
        for call in calls
        if call.kind == "response"
        for turn in call.plan.request_data["behaviour"]["turns"]
    ]


def _stops(calls: list[CalibrationCall]) -> list[float]:
    return [
        turn["stop_after_ms"]
        for call in calls
        if call.kind == "interruption"
        for turn in call.plan.request_data["behaviour"]["turns"]
        if "stop_after_ms" in turn
    ]


@pytest.mark.parametrize("sound", ["marker", "natural"])
def test_as_many_answers_and_stops_as_asked_for_over_the_whole_range(sound: Sound) -> None:
    calls = _design(sound=sound)
    answers, stops = _answers(calls), _stops(calls)
    assert (len(answers), len(stops)) == (60, 30)
    assert (min(answers), max(answers)) == (SHORTEST_MS, LONGEST_MS) == (120, 2500)
    assert (min(stops), max(stops)) == (SHORTEST_STOP_MS, LONGEST_STOP_MS) == (80, 1200)
    # Even on a logarithmic scale: each octave has its share.
    octaves = Counter(int(np.log2(answer / 120)) for answer in answers)
    assert all(9 <= octaves[octave] <= 18 for octave in range(4))


@pytest.fixture
def _quick_tones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design_module, "tone", functools.cache(design_module.tone))


@pytest.mark.usefixtures("_quick_tones")
def test_no_stop_is_planted_within_the_margin_of_500_ms() -> None:
    for interruptions in [*range(140), 251, 1000, 2000]:
        stops = _stops(_design(turns=1, interruptions=interruptions, calls=1))
        assert len(stops) == interruptions
        assert all(abs(stop - 500) > MARGIN_MS for stop in stops), interruptions


@pytest.mark.usefixtures("_quick_tones")
def test_no_call_has_more_than_fits_into_its_time() -> None:
    """The longest: a line, its answer, a barge-in, its answer; with pauses, about 14 s."""
    calls = _design(turns=2000, interruptions=2000, calls=1)
    assert (len(_answers(calls)), len(_stops(calls))) == (2000, 2000)
    for call in calls:
        each = 2 if call.kind == "interruption" else 1
        assert len(call.plan.script.lines) / each * 14 <= call.plan.limits.call_s


def test_stops_on_both_sides_of_500_ms_are_planted_close_to_it() -> None:
    stops = _stops(_design())
    assert set(AROUND_500) <= set(stops)
    assert any(20 < 500 - stop <= 30 for stop in stops)
    assert any(20 < stop - 500 <= 30 for stop in stops)


@settings(max_examples=30, deadline=None)
@given(turns=st.integers(1, 100), calls=st.integers(1, 8))
def test_calls_share_the_work_evenly_and_none_is_empty(turns: int, calls: int) -> None:
    designed = _design(turns=turns, interruptions=0, calls=calls)
    sizes = [len(call.plan.script.lines) for call in designed]
    assert sum(sizes) == turns
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == max(min(calls, turns), math.ceil(turns / MOST_PER_CALL))


def test_every_line_has_its_sound_and_every_turn_its_line() -> None:
    for call in _design(turns=5, interruptions=4):
        assert len(call.utterances) == len(call.plan.script.lines)
        turns = call.plan.request_data["behaviour"]["turns"]
        assert len(turns) == len(call.plan.script.lines)
        barge_ins = [line.barge_in_after_s is not None for line in call.plan.script.lines]
        if call.kind == "interruption":
            assert barge_ins == [False, True] * (len(barge_ins) // 2)
        else:
            assert not any(barge_ins)


def test_the_agent_understands_what_it_is_told() -> None:
    for sound in ("marker", "natural"):
        for call in _design(sound=sound, turns=6, interruptions=6):
            behaviour = parse_behaviour(call.plan.request_data["behaviour"])
            assert len(behaviour.turns) == len(call.utterances)
            for turn, utterance in zip(behaviour.turns, call.utterances, strict=True):
                # It must neither take a pause for the end nor miss the end.
                duration_ms = utterance.duration_s * 1000
                assert duration_ms - 60 <= turn.expect_ms < duration_ms


def test_what_is_said_long_enough_to_be_interrupted_is() -> None:
    """Barge-ins come 1 s after the onset; the slowest stop takes 1.2 s more."""
    for call in _design(turns=1, interruptions=6):
        if call.kind == "interruption":
            openings = call.plan.request_data["behaviour"]["turns"][::2]
            assert all(turn["say"]["tone_ms"] > 2500 for turn in openings)


def test_the_same_seed_gives_the_same_calls_and_another_one_another_order() -> None:
    one, again, other = _design(), _design(), _design(seed=2)
    assert [call.plan for call in one] == [call.plan for call in again]
    assert [call.plan.digest for call in one] != [call.plan.digest for call in other]
    assert sorted(_answers(one)) == sorted(_answers(other))
    assert _answers(one) != _answers(other)
    assert len({call.plan.call_id for call in one}) == len(one)


def test_two_preparations_of_a_call_give_the_same_packets() -> None:
    for sound in ("marker", "natural"):
        call = _design(sound=sound, turns=2, interruptions=0, calls=1)[0]
        same = _design(sound=sound, turns=2, interruptions=0, calls=1)[0]
        one, again = prepare(call, FakeTransport()), prepare(same, FakeTransport())
        assert [clip.sha256 for clip in one.clips] == [clip.sha256 for clip in again.clips]
        assert [clip.packets for clip in one.clips] == [clip.packets for clip in again.clips]
        assert one.background.packets == again.background.packets


def test_conditions_reach_every_call() -> None:
    conditions = ConditionsPlan(loss=0.03, delay_ms=40, jitter_ms=20)
    assert all(call.plan.conditions == conditions for call in _design(conditions=conditions))
