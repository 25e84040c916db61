"""``--scenario``, ``--policy`` and ``--llm`` of call and run: the plan that they stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.calls.callers import policy_of
from harness.cli.commands import call as call_command
from harness.cli.commands import report as report_command
from harness.cli.commands import run as run_command
from harness.cli.main import app
from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan
from voice_sim.policies.base import ThinkingPolicy

AGENT = "http://127.0.0.1:9"
ENTRY = "cs-bank-complaint/hesitant"


class _Stop(Exception):
    """Enough is known."""


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> list[RunPlan]:
    """The plans that would have been placed."""
    plans: list[RunPlan] = []

    def place(plan: RunPlan, *_: Any, **__: Any) -> Any:
        plans.append(plan)
        raise _Stop

    monkeypatch.setattr(call_command, "place", place)
    monkeypatch.setattr(run_command, "place", place)
    return plans


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["call", "--scenario", ENTRY, "--interrupt", "wait"], "--interrupt"),
        (["call", "--scenario", ENTRY, "--speak-first"], "--speak-first"),
        (["call", "--plan", "plan.yaml", "--wait-for-greeting"], "--wait-for-greeting"),
        (["call", "--plan", "plan.yaml", "--noise-kind", "babble"], "--noise-kind"),
        (["call", "--say", "hi", "--id", "a"], "--id names a call of a plan file"),
        (["run", "plan.yaml", "--trials", "3"], "trials and a seed of its own"),
        (["run", "plan.yaml", "--seed", "0"], "trials and a seed of its own"),
        (["score", ".", "--scenario", ENTRY], "--scenario and --from are for transcripts"),
        (["score", ".", "--language", "zh"], "--language and --caller are for a sound file"),
        (["score", "talk.txt", "--caller", "right"], "--language and --caller are for a sound file"),
        (["pin", "run/a", "--caller", "left"], "--language and --caller are for a recording"),
        (["pin", "talk.txt", "--language", "en"], "--language and --caller are for a recording"),
    ],
    ids=lambda one: " ".join(one[::2]) if isinstance(one, list) else "",
)
def test_an_option_that_would_do_nothing_is_refused(
    options: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call = {"id": "a", "script": {"lines": [{"say": "hi"}]}}
    Path("plan.yaml").write_text(json.dumps({"agent": AGENT, "calls": [call]}))
    Path("talk.txt").write_text("Agent: Hello?\nCaller: Hello.\n")
    Path("run").mkdir()
    assert words in _refusal(*options)


def test_dialogues_in_text_have_no_markdown_of_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_command, "is_chat_run", lambda _: True)
    assert "--markdown is for calls" in _refusal("report", str(tmp_path), "--markdown")


@pytest.mark.parametrize(("options", "waits"), [([], True), (["--speak-first"], False)])
def test_the_agent_speaks_first_where_nothing_else_is_said(
    options: list[str], waits: bool, placed: list[RunPlan]
) -> None:
    CliRunner().invoke(app, ["call", "--agent", AGENT, "--say", "hi", *options])
    [call] = placed[0].calls
    assert call.script is not None
    assert call.script.wait_for_greeting is waits


def _refusal(*args: str) -> str:
    result = CliRunner().invoke(app, [*args])
    assert isinstance(result.exception, UserError), result.output
    return str(result.exception)


def test_a_person_is_called_by_the_scenario_s_name(placed: list[RunPlan]) -> None:
    CliRunner().invoke(app, ["call", "--agent", AGENT, "--scenario", ENTRY, "--noise", "10"])
    [call] = placed[0].calls
    assert (call.call_id, call.policy, call.agent) == ("cs-bank-complaint.hesitant", "agenda", AGENT)
    assert call.conditions.noise is not None


def test_a_language_model_plays_the_person(placed: list[RunPlan]) -> None:
    CliRunner().invoke(app, ["call", "--agent", AGENT, "--scenario", ENTRY, "--llm", "openai:x"])
    [call] = placed[0].calls
    assert (call.policy, call.language_model) == ("llm", "openai:x")


def test_a_run_needs_no_plan_file(placed: list[RunPlan]) -> None:
    options = ["--agent", AGENT, "--scenario", "cs-bank-complaint/*", "--scenario", "fin-*/hesitant"]
    CliRunner().invoke(app, ["run", *options, "--trials", "2", "--seed", "4"])
    calls = placed[0].calls
    assert len(calls) == len({call.call_id for call in calls})
    assert {call.trial for call in calls} == {0, 1}
    assert sum(call.call_id.startswith("cs-bank-complaint.") for call in calls) == 10
    assert all(".hesitant" in call.call_id for call in calls if call.call_id.startswith("fin-"))
    CliRunner().invoke(app, ["run", *options, "--trials", "2", "--seed", "5"])
    assert {call.digest for call in calls}.isdisjoint(call.digest for call in placed[1].calls)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--scenario", ENTRY, "--say", "hi"], "--plan, --scenario or --say"),
        (["--policy", "agenda"], "give --scenario"),
        (["--llm", "openai:x", "--say", "hi"], "give --scenario"),
        (["--scenario", "cs-bank-complaint/*"], "stands for 5 calls"),
        (["--scenario", ENTRY, "--policy", "llm"], "language_model"),
        (["--scenario", ENTRY, "--policy", "parrot"], "policy"),
        (["--scenario", "nothing/hesitant"], "no scenario 'nothing'"),
    ],
)
def test_what_does_not_go_together_is_said(placed: list[RunPlan], options: list[str], words: str) -> None:
    assert words in _refusal("call", "--agent", AGENT, *options)
    assert placed == []


def test_a_run_of_nobody_is_refused(placed: list[RunPlan]) -> None:
    assert "give a plan file, --scenario or --probes" in _refusal("run", "--agent", AGENT)
    assert "leave out" in _refusal("run", "plan.yaml", "--scenario", ENTRY)
    assert "no agent to call" in _refusal("run", "--scenario", ENTRY)


def test_the_caller_is_made_from_the_plan() -> None:
    calls = [
        {"scenario": ENTRY, "understanding": "words"},
        {"id": "b", "scenario": ENTRY, "policy": "llm", "language_model": "test"},
    ]
    agenda, by_model = (
        policy_of(plan, model=object()) for plan in expand_plan({"agent": AGENT, "calls": calls}).calls
    )
    assert not isinstance(agenda, ThinkingPolicy)
    assert isinstance(by_model, ThinkingPolicy)
    assert agenda.hears_words
    assert by_model.hears_words
