"""Calls in which the agent's own voice comes back to it, drawn from the suite that comes along."""

from __future__ import annotations

from typing import Any

import pytest

from harness.plans.plan import expand_plan
from harness.plans.probes.expanding import ProbesWanted, probe_calls, seconds_of


def calls(size: str = "quick", seed: int = 0) -> list[dict[str, Any]]:
    return probe_calls([ProbesWanted.model_validate({"suite": "echo", "size": size})], seed=seed)


def ways(found: list[dict[str, Any]], language: str) -> list[tuple[float, float] | None]:
    echoes = [call.get("conditions", {}).get("echo") for call in found if call["language"] == language]
    return [None if one is None else (one["level_db"], one["delay_ms"]) for one in echoes]


def test_quick_takes_three_minutes_and_has_every_level_and_delay_and_a_call_without() -> None:
    for seed in range(10):
        found = calls(seed=seed)
        assert sum(map(seconds_of, found)) <= 180
        english = ways(found, "en")
        assert {way[0] for way in english if way} == {-20, -30, -40}
        assert {way[1] for way in english if way} == {80, 150, 300}
        assert english.count(None) == 1
        assert [way[0] for way in ways(found, "zh") if way] == [-20]


def test_full_has_each_with_each_and_a_third_as_many_without() -> None:
    found = calls("full")
    for language in ("en", "zh"):
        there = ways(found, language)
        assert len({way for way in there if way}) == 9
        assert there.count(None) == 3


def test_few_is_a_call_with_and_one_without() -> None:
    assert [way is None for way in ways(calls("few"), "en")] == [False, True]
    assert {call["language"] for call in calls("few")} == {"en"}


@pytest.mark.parametrize("size", ["few", "quick", "full"])
def test_a_place_is_an_answer_and_says_whether_anything_comes_back(size: str) -> None:
    content = {"agent": "http://127.0.0.1:7860", "probes": [{"suite": "echo", "size": size}]}
    for call in expand_plan(content).calls:
        assert call.probe is not None
        assert call.script is not None
        assert [one.line for one in call.probe.planted] == list(range(len(call.script.lines)))
        for one in call.probe.planted:
            assert not one.is_line
            assert one.control == (call.conditions.echo is None)
            if call.conditions.echo is not None:
                assert one.after_s == pytest.approx(call.conditions.echo.delay_ms / 1000)
