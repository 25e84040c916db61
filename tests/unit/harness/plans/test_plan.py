"""Plan files: what they expand to, what is refused and with which words, and which seeds come out."""

from __future__ import annotations

import copy
import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import EXIT_WRONG_USE, UserError
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan, load_plan
from harness.plans.run import RunPlan, derive_seed
from voice_sim.policies.script import Script, ScriptLine

AGENT = "http://127.0.0.1:7860"


def _call(call_id: str, **fields: Any) -> dict[str, Any]:
    return {"id": call_id, "script": {"lines": [{"say": "Hello?"}]}} | fields


def _plan(*calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"agent": AGENT, "calls": list(calls)} | fields


def _refusal(content: dict[str, Any], **options: Any) -> str:
    with pytest.raises(UserError, match=r"plan\.yaml") as refused:
        expand_plan(content, where="plan.yaml", **options)
    assert refused.value.exit_code == EXIT_WRONG_USE
    return str(refused.value)


def test_the_example_of_the_module_s_docstring_is_a_plan(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(
        """
name: nightly
agent: http://127.0.0.1:7860
seed: 7
trials: 1
defaults:
  voice: {engine: piper, name: joe}
calls:
  - id: plain
    script: {lines: [{say: "Hello, who is this?"}]}
  - id: noisy
    conditions: {noise: {kind: speech_shaped, snr_db: 10}}
    script: {lines: [{say: "Could you repeat that?"}]}
"""
    )
    plan = load_plan(path)
    assert [call.call_id for call in plan.calls] == ["plain", "noisy"]
    assert plan.name == "nightly"
    plain, noisy = plan.calls
    assert plain.conditions.noise is None
    assert noisy.conditions.noise is not None
    assert noisy.conditions.noise.snr_db == 10
    assert {call.agent for call in plan.calls} == {AGENT}
    assert {call.agent for call in load_plan(path, agent="http://other:1").calls} == {"http://other:1"}


def test_defaults_are_merged_below_what_a_call_says_itself() -> None:
    content = _plan(
        _call("a"),
        _call("b", voice={"rate": 1.2}, limits={"call_s": 60}),
        defaults={"voice": {"name": "amy", "level_dbfs": -30}, "limits": {"silence_s": 5}, "language": "zh"},
    )
    before = copy.deepcopy(content)
    one, other = expand_plan(content).calls
    assert (one.voice.name, one.voice.rate, one.voice.level_dbfs) == ("amy", 1.0, -30)
    assert (other.voice.name, other.voice.rate, other.voice.level_dbfs) == ("amy", 1.2, -30)
    assert (other.limits.silence_s, other.limits.call_s) == (5, 60)
    assert one.language == "zh"
    assert content == before, "what was given is not changed"


def test_a_call_s_own_agent_comes_before_the_plan_s_and_the_command_line_s_before_both() -> None:
    content = _plan(_call("a", agent="http://own:1"), _call("b"))
    assert [call.agent for call in expand_plan(content).calls] == ["http://own:1", AGENT]
    assert {call.agent for call in expand_plan(content, agent="http://line:1").calls} == {"http://line:1"}


def test_trials_repeat_each_call_with_a_name_and_a_seed_of_its_own() -> None:
    plan = expand_plan(_plan(_call("a"), _call("a.1"), trials=3))
    assert [call.call_id for call in plan.calls] == ["a.1", "a.2", "a.3", "a.1.1", "a.1.2", "a.1.3"]
    assert [call.trial for call in plan.calls] == [0, 1, 2, 0, 1, 2]
    assert len({call.seed for call in plan.calls}) == 6
    assert len({call.digest for call in plan.calls}) == 6


_IDS = st.lists(
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,8}", fullmatch=True), min_size=1, max_size=6, unique=True
)


@given(ids=_IDS, more=_IDS, seed=st.integers(0, 2**31), trials=st.integers(1, 3))
def test_seeds_and_digests_stand_when_calls_are_added_or_moved(
    ids: list[str], more: list[str], seed: int, trials: int
) -> None:
    added = [one for one in more if one not in ids]
    small = expand_plan(_plan(*map(_call, ids), seed=seed, trials=trials))
    large = expand_plan(_plan(*map(_call, [*added, *reversed(ids)]), seed=seed, trials=trials))
    known = {call.call_id: (call.seed, call.digest) for call in large.calls}
    assert all(known[call.call_id] == (call.seed, call.digest) for call in small.calls)


@given(seed=st.integers(), call_id=st.text(max_size=20), trial=st.integers(0, 1000))
def test_a_seed_is_a_number_of_32_bits_and_always_the_same(seed: int, call_id: str, trial: int) -> None:
    one = derive_seed(seed, call_id, trial)
    assert 0 <= one < 2**32
    assert one == derive_seed(seed, call_id, trial)


def _crc32(content: bytes) -> int:
    """CRC-32 bit by bit, as in ISO 3309: an implementation of its own."""
    remainder = 0xFFFFFFFF
    for byte in content:
        remainder ^= byte
        for _ in range(8):
            remainder = (remainder >> 1) ^ (0xEDB88320 if remainder & 1 else 0)
    return remainder ^ 0xFFFFFFFF


def test_seeds_are_the_same_on_every_machine_and_in_every_version() -> None:
    assert derive_seed(7, "plain", 0) == _crc32(b"7/plain/0") == 0x8BA1DEDA
    assert derive_seed(7, "plain", 1) == _crc32(b"7/plain/1") == 0xFCA6EE4C


def test_everything_that_decides_a_call_is_in_its_digest() -> None:
    base = CallPlan(call_id="a", agent=AGENT, script=Script(lines=(ScriptLine(say="x"),)))
    variants = [
        {"call_id": "b"},
        {"agent": "http://other:1"},
        {"script": Script(lines=(ScriptLine(say="y"),))},
        {"voice": {"rate": 1.1}},
        {"conditions": {"loss": 0.01}},
        {"limits": {"call_s": 10}},
        {"request_data": {"card": "x"}},
        {"seed": 1},
        {"trial": 1},
        {"language": "zh"},
    ]
    digests = {CallPlan.model_validate(base.model_dump() | variant).digest for variant in variants}
    assert len(digests | {base.digest}) == len(variants) + 1
    assert CallPlan.model_validate_json(base.model_dump_json()).digest == base.digest


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"calls": []}, "calls"),
        ({}, "calls"),
        (_plan(_call("a"), agnet="x"), "agnet"),
        (_plan(_call("a", scirpt={})), "calls[0]: scirpt"),
        (_plan(_call("a"), {"id": "b"}), "calls[1]: script"),
        (_plan(_call("../etc")), "calls[0]: id"),
        (_plan(_call("")), "calls[0]: id"),
        (_plan(_call(".hidden")), "calls[0]: id"),
        (_plan(_call("a\n")), "calls[0]: id"),
        (_plan(_call("x" * 81)), "calls[0]: id"),
        (_plan(_call("a"), _call("a")), "calls[1].id: 'a' is there already"),
        (_plan(_call("a"), _call("A")), "calls[1].id: 'A' is there already as 'a'; ids must differ by more"),
        (_plan(_call("a", script={"lines": []})), "script.lines"),
        (_plan(_call("a", conditions={"loss": 0.9})), "conditions.loss"),
        (_plan(_call("a", limits={"call_s": 0})), "limits.call_s"),
        (_plan(_call("a"), trials=0), "trials"),
        (_plan(_call("a"), defaults={"nothing": 1}), "nothing"),
    ],
)
def test_a_slip_is_named_with_its_place(content: dict[str, Any], words: str) -> None:
    message = _refusal(content)
    assert message.startswith("plan.yaml")
    assert words in message


def test_all_slips_of_a_call_are_told_at_once() -> None:
    message = _refusal(_plan({"id": "a", "script": {"lines": [{"say": ""}]}, "limits": {"call_s": -1}}))
    assert "script.lines.0" in message
    assert "limits.call_s" in message


def test_a_plan_without_an_agent_says_how_to_name_one() -> None:
    assert "--agent URL" in _refusal({"calls": [_call("a")]})


@pytest.mark.parametrize(
    "data",
    [{"due": datetime.date(2026, 11, 3)}, {"x": float("nan")}, {"x": [{1, 2}]}, {"name": "a\ud800"}],
)
def test_request_data_that_no_agent_can_be_told_is_refused_before_any_call(data: dict[str, Any]) -> None:
    message = _refusal(_plan(_call("a", request_data=data)))
    assert "calls[0]: request_data" in message


def test_request_data_that_is_json_is_kept_as_it_is() -> None:
    data = {"card": {"steps": ["a", 1, None, 2.5, True], "name": "Zoë 张"}}
    [call] = expand_plan(_plan(_call("a", request_data=data))).calls
    assert json.loads(json.dumps(call.request_data)) == data


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (b"calls: [", "not valid YAML"),
        (b"- 1\n- 2\n", "not list"),
        (b"", "is empty"),
        (b"~", "not NoneType"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"x" * 2_000_001, "the most that is read is 2000000"),
    ],
)
def test_a_file_that_is_no_plan_is_named(tmp_path: Path, written: bytes, words: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_bytes(written)
    with pytest.raises(UserError, match=words) as refused:
        load_plan(path)
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.yaml"):
        load_plan(tmp_path / "nowhere.yaml")


def test_a_yaml_file_can_run_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text("calls: !!python/object/apply:os.system ['true']")
    with pytest.raises(UserError, match=r"plan\.yaml:1: the tag tag:yaml.org,2002:python/.* is not allowed"):
        load_plan(path)


def test_a_run_is_the_same_after_a_trip_through_json() -> None:
    plan = expand_plan(_plan(_call("a"), _call("b", request_data={"k": 1}), trials=2, seed=3))
    assert RunPlan.model_validate_json(plan.model_dump_json()) == plan
