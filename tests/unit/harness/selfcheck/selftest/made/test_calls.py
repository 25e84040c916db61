"""A made call is as long as the caller would have waited."""

from __future__ import annotations

from random import Random

import pytest

from harness.analysis.probes.replies import ANSWERS_WITHIN_S
from harness.plans.call import CallPlan
from harness.selfcheck.selftest.made.calls import MadeLine, made_call, shipped_clip
from voice_sim.policies.script import Script, ScriptLine

PLAN = CallPlan(
    call_id="one", agent="http://127.0.0.1:7860", script=Script(lines=(ScriptLine(say="Hello?"),))
)


@pytest.mark.parametrize("last", ["refund", None])
def test_behind_the_last_line_there_is_time_for_an_answer(last: str | None) -> None:
    answered = MadeLine(
        said="Hello?", sound=shipped_clip("question"), wrote="Hello?", reply=shipped_clip("refund")
    )
    silent = MadeLine(said="Hello?", sound=shipped_clip("question"), wrote="Hello?", reply=None)
    made = made_call(PLAN, [answered, silent if last is None else answered], random=Random(1))
    assert made.record.utterances[-1].end_s + ANSWERS_WITHIN_S <= made.record.duration_s
