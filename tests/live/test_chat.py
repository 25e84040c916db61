"""Dialogues in text over HTTP: models on either side, behind a server that is there, fails, or goes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.calls.text.medium import TextMedium
from harness.models.language.metered import Limits
from harness.models.language.prices import Price
from harness.plans.benchmark import text_units
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from harness.records.call import CallRecord, CallStatus
from harness.runs.batch import Outcome, hold_all
from harness.runs.store import RunStore
from harness.scenarios.folders import load_entry
from tests.llm_server import Answer, say, serving_llm

pytestmark = pytest.mark.live

ENTRIES = [load_entry(f"cs-bank-complaint/{who}") for who in ("cooperative", "hesitant", "resistant")]
QUICK = Limits(attempt_s=5.0, retries=1, longest_wait_s=1.0)

Request = dict[str, Any]


def _hold(
    jobs: list[Unit], folder: Path, *, limits: Limits = QUICK, prices: dict[str, Price] | None = None
) -> tuple[Outcome, list[CallRecord]]:
    medium = TextMedium(jobs, limits=limits, prices=prices)
    plan = RunPlan(name="test", units=tuple(jobs))
    outcome = asyncio.run(hold_all(plan, RunStore(folder), medium=medium, parallel=2))
    return outcome, list(RunStore(folder).records())


def _turns_so_far(request: Request) -> int:
    """How often the model has spoken in this dialogue."""
    return sum(message["role"] == "assistant" for message in request["messages"])


def _said_by(*lines: str) -> Callable[[Request], Answer]:
    """A model that says its lines in turn."""
    return lambda request: say(lines[min(_turns_so_far(request), len(lines) - 1)], tokens=(100, 20))


AGENT = _said_by("Hello, this is the bank.", "It is about your complaint.", "Goodbye. [end of call]")


def test_a_model_plays_the_card_over_http_and_what_it_took_is_booked(tmp_path: Path) -> None:
    with serving_llm(AGENT) as server:
        jobs = text_units(ENTRIES, policy="agenda", agent="llm", models=[server.url])
        prices = {server.url: Price(input=10.0, output=100.0)}
        outcome, records = _hold(jobs, tmp_path, prices=prices)
        requests = server.requests
    assert set(outcome.statuses.values()) == {CallStatus.AGENT_HANGUP}
    for record, entry in zip(records, ENTRIES, strict=True):
        assert [turn.text for turn in record.turns if turn.speaker == "agent"] == [
            "Hello, this is the bank.",
            "It is about your complaint.",
            "Goodbye.",
        ]
        usage = record.agent_usage
        assert (usage.requests, usage.input_tokens, usage.output_tokens) == (3, 300, 60)
        assert usage.cost == pytest.approx(300 * 10e-6 + 60 * 100e-6)
        first = next(
            each for each in requests if entry.prompt().rstrip() in str(each["messages"][0]["content"])
        )
        assert first["messages"][0]["role"] == "system"
    # Everything that the model was told beside its card is what was said.
    last = max((each for each in requests), key=_turns_so_far)
    spoken = [message["content"] for message in last["messages"][1:]]
    assert spoken in [[turn.text for turn in record.turns[:-1]] for record in records]


def test_models_on_both_sides_talk_to_each_other(tmp_path: Path) -> None:
    caller = _said_by("Who is it?", "I see, thank you. Goodbye. [HANG UP: satisfied]")
    with serving_llm(AGENT) as agent_server, serving_llm(caller) as caller_server:
        jobs = text_units(
            ENTRIES[:1],
            policy="llm",
            caller_model=caller_server.url,
            agent="llm",
            models=[agent_server.url],
        )
        _, (record,) = _hold(jobs, tmp_path)
    assert record.status.took_place
    assert record.caller_usage.requests > 0
    assert record.agent_usage.requests > 0
    assert {turn.speaker for turn in record.turns} == {"agent", "caller"}
    assert any("Who is it?" in turn.text for turn in record.turns if turn.speaker == "caller")


def _gone_for(who: str, after: int, then: Answer) -> Callable[[Request], Answer]:
    """Plays the agent, but for one person's dialogue fails after so many turns."""
    prompt = next(entry for entry in ENTRIES if entry.id.endswith(who)).prompt().rstrip()

    def answer(request: Request) -> Answer:
        fails = prompt in str(request["messages"][0]["content"]) and _turns_so_far(request) >= after
        return then if fails else AGENT(request)

    return answer


@pytest.mark.parametrize(
    "then",
    [Answer(status=500), Answer(body=b"<html>"), Answer(hang_s=30), Answer(text="cut", cut_after=1)],
    ids=["500", "garbage", "hangs", "breaks off"],
)
def test_an_agent_that_fails_in_the_middle_spoils_its_own_dialogue_alone(
    tmp_path: Path, then: Answer
) -> None:
    with serving_llm(_gone_for("hesitant", 1, then)) as server:
        jobs = text_units(ENTRIES, policy="agenda", agent="llm", models=[server.url])
        # Of the others, which answer, none may be given up: only where nothing comes is waited for the end.
        attempt_s = 2.0 if then.hang_s else QUICK.attempt_s
        _, records = _hold(jobs, tmp_path, limits=QUICK.model_copy(update={"attempt_s": attempt_s}))
    assert [record.status for record in records] == [
        CallStatus.AGENT_HANGUP,
        CallStatus.AGENT_FAILED,
        CallStatus.AGENT_HANGUP,
    ]
    failed = records[1]
    assert failed.status_detail.startswith(server.url)
    assert [turn.text for turn in failed.turns if turn.speaker == "agent"] == ["Hello, this is the bank."]
    assert failed.agent_usage.failed_attempts > 0


def test_a_retry_is_in_the_timeline_and_counts_for_nobodys_time(tmp_path: Path) -> None:
    busy = iter([True])

    def answer(request: Request) -> Answer:
        if _turns_so_far(request) == 1 and next(busy, False):
            return Answer(status=429, headers={"Retry-After": "0"})
        return AGENT(request)

    with serving_llm(answer) as server:
        jobs = text_units(ENTRIES[:1], policy="agenda", agent="llm", models=[server.url])
        _, (record,) = _hold(jobs, tmp_path)
    assert record.status is CallStatus.AGENT_HANGUP
    assert record.agent_usage.failed_attempts == 1
    events = RunStore(tmp_path).read_events(record.plan.call_id)
    (retry,) = [event for event in events if event.kind == "retry"]
    assert (retry.side, retry.data["kind"]) == ("agent", "rate_limit")
    replies = [turn for turn in record.turns if turn.speaker == "agent"]
    before = record.turns[record.turns.index(replies[1]) - 1]
    assert replies[1].start_s == pytest.approx(before.end_s + 0.8, abs=0.002)


def test_a_caller_whose_model_is_gone_is_our_fault_and_the_run_goes_on(tmp_path: Path) -> None:
    def caller(request: Request) -> Answer:
        name = ENTRIES[1].persona.demographics.name
        gone = name and name in str(request["messages"][0]["content"])
        return Answer(status=503) if gone else say("Fine. Goodbye. [HANG UP: satisfied]")

    with serving_llm(caller) as server:
        jobs = text_units(ENTRIES, policy="llm", caller_model=server.url, agent="sop")
        _, records = _hold(jobs, tmp_path)
    assert [record.status is CallStatus.HARNESS_FAULT for record in records] == [False, True, False]
    assert "HTTP 503" in records[1].status_detail
    assert not records[1].status.took_place
