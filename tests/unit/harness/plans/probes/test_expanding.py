"""From a suite to calls: sizes, seeds, controls, and what the plan keeps of what is planted."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.probes.expanding import (
    ProbesWanted,
    minutes_of,
    probe_calls,
    probes_named,
    seconds_of,
)
from harness.plans.probes.sounds import AFTER_OVER_S
from metrics.interaction.restraint import REPLY_WITHIN_S

AGENT = "http://127.0.0.1:7860"


def calls(size: str = "quick", seed: int = 0, **more: Any) -> list[dict[str, Any]]:
    wanted = ProbesWanted.model_validate({"suite": "restraint", "size": size} | more)
    return probe_calls([wanted], seed=seed)


def plans(**content: Any) -> tuple[CallPlan, ...]:
    return expand_plan({"agent": AGENT, **content}).calls


def places(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for call in found for one in call["probe"]["planted"]]


def test_quick_takes_three_minutes_at_most_and_has_every_kind() -> None:
    for seed in range(20):
        found = calls(seed=seed)
        assert sum(map(seconds_of, found)) <= 180
        sounds = [one for one in places(found) if not one.get("control")]
        over = {one["kind"] for one in sounds if one["place"] == "over_agent"}
        assert len(over) == 6
        assert any(one["place"] == "in_silence" for one in sounds)
        assert any(one.get("control") for one in places(found))


def test_few_is_one_call_with_a_place_without_a_sound() -> None:
    for seed in range(10):
        (call,) = calls("few", seed=seed)
        there = call["probe"]["planted"]
        assert [bool(one.get("control")) for one in there].count(True) == 1
        assert len({one["kind"] for one in there if not one.get("control")}) == 3
        assert call["language"] == "en"
        assert seconds_of(call) <= 45


def test_full_has_every_sound_at_both_places() -> None:
    found = calls("full")
    sounds = [one for one in places(found) if not one.get("control")]
    english = {
        (one["item"], one["place"])
        for call in found
        if call["language"] == "en"
        for one in call["probe"]["planted"]
        if not one.get("control")
    }
    assert len(english) == 40
    chinese = len(sounds) - len(english)
    assert chinese >= len(sounds) / 3
    assert sum(bool(one.get("control")) for one in places(found)) >= len(sounds) / 4


def test_the_same_seed_gives_the_same_calls() -> None:
    assert calls(seed=3) == calls(seed=3)
    assert calls(seed=3) != calls(seed=4)


def test_a_planted_sound_is_the_line_that_is_named() -> None:
    for plan in plans(probes=["restraint"]):
        assert plan.probe is not None
        assert plan.script is not None
        for one in plan.probe.planted:
            line = plan.script.lines[one.line]
            if one.control:
                assert line.kind == "turn"
                assert line.sound is None
                continue
            assert line.sound is not None
            assert line.sound.words == "heard"
            assert line.sound.path.stem == one.item
            assert len(line.sound.sha256) == 64
            assert line.kind == ("backchannel" if one.place == "over_agent" else "aside")
            assert plan.script.lines[one.line - 1].kind == "turn"


def test_the_caller_waits_for_a_reply_to_what_was_heard_over_the_agent() -> None:
    assert AFTER_OVER_S > REPLY_WITHIN_S
    for plan in plans(probes=["restraint"]):
        assert plan.script is not None
        lines = plan.script.lines
        for sound, after in pairwise(lines):
            if sound.kind == "backchannel":
                assert after.pause_s == AFTER_OVER_S
        assert plan.script.hang_up_after_s > REPLY_WITHIN_S


def test_probes_stand_beside_other_calls() -> None:
    plain = {"id": "plain", "script": {"lines": [{"say": "Hello."}]}}
    found = plans(calls=[plain], probes=[{"suite": "restraint", "seed": 9}])
    assert found[0].call_id == "plain"
    assert found[0].probe is None
    assert [one.call_id for one in found[1:]] == [one["id"] for one in calls(seed=9)]
    assert minutes_of(found[:1]) == ""
    told = minutes_of(found)
    assert told.startswith("probes: 4 calls with 14 places, of which 3 are without a sound; about ")
    assert told.endswith("one after the other, if the agent answers after 1.5 s and speaks for 4 s")


def test_own_recordings_replace_a_kind(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "real.wav", np.sin(np.arange(16_000) / 5), 16_000)
    found = calls(sounds={"cough": str(tmp_path)})
    items = {one["item"] for one in places(found) if one["kind"] == "cough"}
    assert items == {"cough-own-1"}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (["nothing"], "there is no probe suite 'nothing'"),
        (["restraint", "restraint"], "each suite once"),
        ([{"suite": "restraint", "size": "huge"}], "size"),
        ([{"suite": "restraint", "sounds": {"barking": "x"}}], "restraint has no 'barking'"),
        ([{"suite": "restraint", "sounds": {"cough": "not-there"}}], "is no folder with recordings"),
    ],
)
def test_what_is_wrong_is_told(written: list[Any], told: str) -> None:
    with pytest.raises(UserError, match=told):
        plans(probes=written)


def test_names_on_the_command_line() -> None:
    assert probes_named("restraint, attention:full") == [
        {"suite": "restraint", "size": "quick"},
        {"suite": "attention", "size": "full"},
    ]
    for text, told in (
        ("restraint:big", "sizes are few, quick and full"),
        (" , ", "name of a suite is wanted"),
    ):
        with pytest.raises(UserError, match=told):
            probes_named(text)


def test_a_plan_without_probes_has_the_digest_that_it_had() -> None:
    plan = plans(calls=[{"id": "a", "script": {"lines": [{"say": "Hello."}]}}])[0]
    planted = {
        "suite": "x",
        "version": "1",
        "planted": [{"item": "i", "line": 0, "kind": "k", "place": "in_silence"}],
    }
    probe = CallPlan.model_validate(plan.model_dump() | {"probe": planted})
    assert probe.digest != plan.digest
    assert CallPlan.model_validate(plan.model_dump()).digest == plan.digest


@pytest.mark.parametrize("suite", ["restraint", "echo", "attention", "symbols", "rate", "noise", "rejection"])
def test_the_calls_of_a_suite_do_not_wait_for_a_greeting_where_the_plan_says_so(suite: str) -> None:
    found = plans(probes=[suite], defaults={"script": {"wait_for_greeting": False}})
    assert found
    for call in found:
        assert call.script is not None
        assert not call.script.wait_for_greeting
        assert call.script.lines[0].barge_in_after_s is None
