"""What a language model says is taken as a judgement, and only with a quote that was said."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.unit.voice_sim.guard.people import call
from voice_sim.guard.check import judged
from voice_sim.guard.faults.model_check import ModelCheck, check_with_model

SESSION = call("A: Hello, this is the bank.", "C: My brother died in that bank last winter.")


def _says(*findings: dict[str, Any]) -> FunctionModel:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        tool = info.output_tools[0].name
        return ModelResponse(parts=[ToolCallPart(tool_name=tool, args={"findings": list(findings)})])

    return FunctionModel(answer)


def _check(model: FunctionModel) -> ModelCheck:
    return asyncio.run(check_with_model(SESSION, model))


def test_a_quoted_finding_is_kept_as_a_suspicion() -> None:
    finding = {"kind": "invented_fact", "turn": 1, "quote": "my brother died", "why": "no such brother"}
    checked = _check(_says(finding))
    assert [(f.kind, f.turn, f.certain) for f in checked.findings] == [("invented_fact", 1, False)]
    assert judged(list(checked.findings)).verdict == "suspected"


def test_quotes_that_nobody_said_are_dropped_and_counted() -> None:
    checked = _check(
        _says(
            {"kind": "invented_fact", "turn": 1, "quote": "my sister died", "why": ""},
            {"kind": "role_flip", "turn": 0, "quote": "this is the bank", "why": "said by the agent"},
            {"kind": "role_flip", "turn": 9, "quote": "My brother", "why": "no such turn"},
        )
    )
    assert checked == ModelCheck(dropped=3)


def test_an_answer_that_fits_no_schema_is_a_failure_with_a_reason() -> None:
    chatter = FunctionModel(lambda messages, info: ModelResponse(parts=[TextPart(content="Fine!")]))
    checked = _check(chatter)
    assert checked.findings == ()
    assert checked.failed
