"""The language model judge over HTTP: every way in which a server can fail has its outcome."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.errors import UserError
from harness.models.language import Limits, open_language_model
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
TWICE = Limits(attempt_s=30.0, retries=1, longest_wait_s=0.2)
HANGING = TWICE.model_copy(update={"attempt_s": 2.0})
"""Where the limit is to be reached. Elsewhere it is not: a first request takes seconds on a busy machine."""


async def reply(*answers: Answer) -> tuple[ReplyVerdict, int]:
    """The verdict, and how many requests it took."""
    limits = HANGING if any(answer.hang_s for answer in answers) else TWICE
    with serving_llm(*answers) as server:
        async with open_language_model(server.url, limits=limits) as model:
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
        limits = Limits(attempt_s=30.0, retries=0)
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


NODES = [
    {"node": "greet", "outcome": "achieved", "turn": 0, "quote": "is that Mr. Zhang", "reason": ""},
    {"node": "sorry", "outcome": "not_achieved", "reason": "never said"},
]


def written_call(folder: Path) -> Path:
    """A 4-turn transcript: one question for the flow, two replies on eight dimensions."""
    transcript = {
        "agent_prompt": "Briefing.",
        "flow": {"nodes": [one.model_dump(mode="json") for one in FLOW.nodes]},
        "turns": [turn.model_dump() for turn in CALL.turns],
    }
    path = folder / "call.json"
    path.write_text(json.dumps(transcript), encoding="utf-8")
    return path


def judging(reply: str) -> Callable[[dict[str, Any]], Answer]:
    """Judges the flow by ``NODES``, and each reply by this."""

    def answer(request: dict[str, Any]) -> Answer:
        is_flow = "- greet: " in json.dumps(request["messages"])
        return say(json.dumps({"verdicts": NODES}) if is_flow else reply)

    return answer


def scored(path: Path, url: str, *options: str) -> tuple[dict[str, Any], str]:
    """The document, and what was said beside it."""
    ran = CliRunner().invoke(app, ["score", str(path), "--judge", url, "--json", *options])
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout), ran.stderr


def test_another_model_behind_the_same_port_is_another_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))
    path, replies = written_call(tmp_path), {"one": GOOD, "two": GOOD.replace("2", "1")}

    def answer(request: dict[str, Any]) -> Answer:
        return judging(replies[request["model"]])(request)

    with serving_llm(answer) as server:
        for model, gic, asked in (("one", 1.0, 17), ("two", 0.5, 34), ("one", 1.0, 34)):
            server.model = model
            document, _ = scored(path, server.url)
            assert document["metrics"]["gic"]["value"] == pytest.approx(gic)
            assert document["judge"]["name"] == f"{server.url}#{model}"
            assert len(server.requests) == asked
        # The name with its model is the same judge.
        scored(path, f"{server.url}#two")
        assert len(server.requests) == 34
        twice = CliRunner().invoke(
            app, ["score", str(path), "--judge", server.url, "--judge", f"{server.url}#one"]
        )
    assert isinstance(twice.exception, UserError)
    assert "is on the panel already" in str(twice.exception)


@pytest.mark.parametrize("listed", ["a" * 301, "red\x1b[31m", ""])
async def test_a_server_that_lists_no_proper_name_is_refused(listed: str) -> None:
    with serving_llm() as server:
        server.model = listed
        with pytest.raises(UserError, match="name the model yourself"):
            async with open_language_model(server.url):
                pass


def test_what_was_asked_afresh_is_what_the_next_scoring_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge changes its mind; the new verdicts were paid for and must not give way to the old ones."""
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))
    path, minds = written_call(tmp_path), [GOOD]

    def answer(request: dict[str, Any]) -> Answer:
        return judging(minds[-1])(request)

    with serving_llm(answer) as server:
        assert scored(path, server.url)[0]["metrics"]["gic"]["value"] == pytest.approx(1.0)
        minds.append(GOOD.replace("2", "1"))
        fresh, _ = scored(path, server.url, "--fresh")
        assert fresh["metrics"]["gic"]["value"] == pytest.approx(0.5)
        assert fresh["kept"]["judgements"]["kept"] == 0
        again, _ = scored(path, server.url)
        assert again["metrics"]["gic"]["value"] == pytest.approx(0.5)
        assert again["kept"]["judgements"]["kept"] == 17
        assert len(server.requests) == 34


def test_a_kept_judgement_that_was_changed_by_hand_is_asked_again_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))
    path = written_call(tmp_path)
    with serving_llm(judging(GOOD.replace("2", "1"))) as server:
        scored(path, server.url)
        for kept in (tmp_path / "cache/judgements").rglob("*.json"):
            kept.write_text(kept.read_text().replace('\\"score\\":1', '\\"score\\":2'))
        again, told = scored(path, server.url)
        assert len(server.requests) == 17 + 16  # the flow has no score in it
    assert again["metrics"]["gic"]["value"] == pytest.approx(0.5)
    assert "16 kept judgements are not as they were written" in told


def test_scoring_a_transcript_again_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))
    path = written_call(tmp_path)
    with serving_llm(judging(GOOD)) as server:
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
