"""Parts of a run for several machines: each call in one of them."""

from __future__ import annotations

import pytest

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.run import RunPlan
from harness.runs.elsewhere.shard import shard_of
from voice_sim.policies.script import Script, ScriptLine

SCRIPT = Script(lines=(ScriptLine(say="Hello?"),))


def _plan(calls: int) -> RunPlan:
    return RunPlan.of(
        "night",
        (
            CallPlan(call_id=f"c{number}", agent="http://127.0.0.1:1", script=SCRIPT)
            for number in range(calls)
        ),
    )


@pytest.mark.parametrize(("calls", "shards"), [(10, 3), (4, 4), (7, 1)])
def test_every_call_is_in_one_shard(calls: int, shards: int) -> None:
    whole = _plan(calls)
    parts = [shard_of(whole, f"{place}/{shards}") for place in range(1, shards + 1)]
    assert sorted(call.call_id for part in parts for call in part.calls) == sorted(
        call.call_id for call in whole.calls
    )
    assert {part.shard.plan_digest for part in parts if part.shard} == {whole.digest}
    assert len({part.digest for part in parts}) == shards, "a shard's folder takes no other shard"


def test_a_shard_has_the_same_calls_with_the_same_seeds() -> None:
    whole = _plan(5)
    assert shard_of(whole, "2/2").units == whole.units[1::2]


@pytest.mark.parametrize("written", ["0/3", "4/3", "1", "a/b", "1/0", "-1/2", "1/2/3", "1/9999", " 1/2"])
def test_what_is_no_shard_is_told(written: str) -> None:
    with pytest.raises(UserError, match="give i/n"):
        shard_of(_plan(3), written)


def test_a_shard_without_calls_is_told() -> None:
    with pytest.raises(UserError, match="the plan has 3 calls, none for this one"):
        shard_of(_plan(3), "4/5")
