"""The language model judge over HTTP: every way in which a server can fail has its outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli import app
from harness.language_models import Limits, open_language_model
from metrics.dialogue.judging import judge_session
from metrics.dialogue.language_model import LanguageModelJudge
from metrics.dialogue.verdicts import Dimension, ReplyVerdict
from metrics.score import Status
from tests.llm_server import Answer, say, serving_llm
from tests.unit.metrics.dialogue.sessions import dialogue, flow, node

pytestmark = pytest.mark.live

CALL = dialogue("A: Hello, is that Mr. Zhang?", "C: Yes.", "A: Sorry about the fee.", "C: Oh.")
FLOW = flow(node("greet", key=True), node("sorry"))
GOOD = json.dumps({"applicable": True, "score": 2, "reason": "fine", "quote": ""})
QUICK = Limits(attempt_s=1.0, retries=1, longest_wait_s=0.2)


async def reply(*answers: Answer) -> tuple[ReplyVerdict, int]:
    """The verdict, and how many requests it took."""
    with serving_llm(*answers) as server:
        async with open_language_model(server.url, limits=QUICK) as model:
            judge = LanguageModelJudge(model=model, name=model.name)
            verdict = await judge.judge_reply(
                CALL, 2, Dimension.COHERENCE, agent_prompt="Briefing.", language="en"
            )
        return verdict, len(server.requests)


@pytest.mark.parametrize(
    ("answers", "why", "requests"),
    [
        ([say('{"verdict": "good"}')], "the answer does not fit", 3),
        ([say(GOOD.replace("2", "3"))], "the answer does not fit", 3),
        ([say("Sure! This reply is great.")], "the answer does not fit", 3),
        ([say(GOOD[:20], finish_reason="length")], "the answer was cut off: Model token limit", 1),
        ([say("", finish_reason="content_filter")], "the model refused to answer", 1),
        ([Answer(status=429, headers={"Retry-After": "0"})], "no answer", 2),
        ([Answer(status=500)], "no answer", 2),
        ([Answer(status=401)], "no answer", 1),
        ([Answer(hang_s=30)], "no answer in time", 2),
        ([Answer(body=b"<html>")], "no answer", 1),
        ([Answer(text=GOOD, cut_after=1)], "no answer", 2),
    ],
    ids=[
        "wrong schema",
        "score 3",
        "prose",
        "truncated",
        "refused",
        "rate limit",
        "server error",
        "no key",
        "hangs",
        "garbage",
        "broken connection",
    ],
)
async def test_a_server_that_does_not_answer_fails_the_verdict(
    answers: list[Answer], why: str, requests: int
) -> None:
    verdict, asked = await reply(*answers)
    assert (verdict.outcome, verdict.score) == ("failed", None)
    assert verdict.reason.startswith(why)
    assert asked == requests


async def test_a_server_that_recovers_is_asked_again() -> None:
    verdict, asked = await reply(Answer(status=429, headers={"Retry-After": "0"}), say(GOOD))
    assert (verdict.outcome, verdict.score, asked) == ("scored", 2, 2)


async def test_a_perfect_judge_over_a_whole_session_and_a_dimension_that_always_fails() -> None:
    nodes = [
        {"node": "greet", "outcome": "achieved", "turn": 0, "quote": "is that Mr. Zhang", "reason": ""},
        {"node": "sorry", "outcome": "achieved", "turn": 2, "quote": "Sorry about the fee", "reason": ""},
    ]

    def answer(request: dict[str, Any]) -> Answer:
        question = json.dumps(request["messages"])
        if "- greet: " in question:
            return say(json.dumps({"verdicts": nodes}))
        if "Dimension: safety" in question:
            return Answer(status=500)
        return say(GOOD)

    with serving_llm(answer) as server:
        limits = Limits(attempt_s=5.0, retries=0)
        async with open_language_model(server.url, limits=limits) as model:
            judge = LanguageModelJudge(model=model, name=model.name)
            scores = await judge_session(judge, CALL, FLOW, agent_prompt="Briefing.", language="en")
        # The schema goes to the server with every request, at temperature 0.
        assert {request["temperature"] for request in server.requests} == {0}
        assert {request["response_format"]["type"] for request in server.requests} == {"json_schema"}
    assert scores.score("tfc").value == pytest.approx(1.0)
    assert scores.failed == 2
    assert scores.score("gic_safety").status is Status.FAILED
    assert scores.score("gic_naturalness").value == pytest.approx(1.0)


def test_scoring_a_transcript_again_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A 4-turn transcript: one question for the flow, two replies on eight dimensions."""
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))
    transcript = {
        "agent_prompt": "Briefing.",
        "flow": {"nodes": [one.model_dump(mode="json") for one in FLOW.nodes]},
        "turns": [turn.model_dump() for turn in CALL.turns],
    }
    path = tmp_path / "call.json"
    path.write_text(json.dumps(transcript), encoding="utf-8")
    nodes = [
        {"node": "greet", "outcome": "achieved", "turn": 0, "quote": "is that Mr. Zhang", "reason": ""},
        {"node": "sorry", "outcome": "not_achieved", "reason": "never said"},
    ]

    def answer(request: dict[str, Any]) -> Answer:
        is_flow = "- greet: " in json.dumps(request["messages"])
        return say(json.dumps({"verdicts": nodes}) if is_flow else GOOD)

    with serving_llm(answer) as server:
        arguments = ["score", str(path), "--judge", server.url]
        first = CliRunner().invoke(app, arguments)
        assert first.exit_code == 0, first.output
        assert len(server.requests) == 17
        assert "0 of 17 judgements were kept from before (0 %)" in first.output
        again = CliRunner().invoke(app, arguments)
        assert len(server.requests) == 17
        assert "17 of 17 judgements were kept from before (100 %)" in again.output
        document = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    # Key 1 of 1, all 1 of 2: Cov = 0.7 + 0.15 = 0.85; Proc 1; TFC = 0.7 x 0.85 + 0.3 = 0.895; GIC 1;
    # Final = 0.55 x 0.895 + 0.45 = 0.94225.
    assert document["metrics"]["tfc"]["value"] == pytest.approx(0.895)
    assert document["metrics"]["final"]["value"] == pytest.approx(0.94225)
