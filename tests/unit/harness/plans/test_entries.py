"""Plans that name a person of the benchmark: what a call takes from them, and what the plan says itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.scenarios.folders import library_root, load_entry
from harness.scenarios.person_called import person_called
from voice_sim.person.examples import without_examples
from voice_sim.person.manners import manners_of

AGENT = "http://127.0.0.1:9"
ENTRY = "cs-bank-complaint/hesitant"


def _calls(*calls: dict[str, Any], **plan: Any) -> tuple[CallPlan, ...]:
    return expand_plan({"agent": AGENT, "calls": list(calls), **plan}).calls


def test_a_scenario_makes_a_whole_call() -> None:
    [call] = _calls({"scenario": ENTRY})
    entry = load_entry(ENTRY)
    assert call.call_id == "cs-bank-complaint.hesitant"
    assert (call.policy, call.script, call.language) == ("agenda", None, "en")
    assert call.task is not None
    assert call.task.persona == person_called(entry)
    assert without_examples(call.task.persona).facts == without_examples(entry.persona).facts
    assert call.task.agent_prompt == entry.prompt()
    assert "Sun Li" in call.task.agent_prompt
    assert "hesitant" in call.title
    manners = manners_of(entry.persona.archetype, entry.persona.manner)
    assert call.limits.silence_s == manners.give_up_after_s
    assert call.limits.prompt_s == manners.prompt_after_s
    told = call.request_data
    assert (told["scenario"], told["language"], told["prompt"]) == (ENTRY, "en", entry.prompt())
    assert told["card"]["opening"] == entry.card.opening
    again = CallPlan.model_validate_json(call.model_dump_json())
    assert again == call
    assert again.digest == call.digest


def test_what_the_plan_says_itself_comes_first() -> None:
    [call] = _calls(
        {
            "id": "mine",
            "scenario": ENTRY,
            "title": "own",
            "voice": {"engine": "espeak", "name": "en-gb", "rate": 1.3},
            "limits": {"silence_s": 4, "call_s": 30},
            "request_data": {"card": "fee_complaint"},
        }
    )
    assert (call.call_id, call.title) == ("mine", "own")
    assert (call.voice.engine, call.voice.name, call.voice.rate) == ("espeak", "en-gb", 1.3)
    assert (call.limits.silence_s, call.limits.call_s) == (4, 30)
    assert call.limits.prompt_s is not None, "what it does not say is the person's"
    assert call.request_data == {"card": "fee_complaint"}


def test_patterns_stand_for_every_entry_that_matches() -> None:
    ids = [call.call_id for call in _calls({"scenarios": ["cs-bank-complaint/*", "*complaint/hesitant"]})]
    types = ["cooperative", "analytical", "hesitant", "resistant", "efficient"]
    assert ids == [f"cs-bank-complaint.{one}" for one in types]
    of_plan = expand_plan({"agent": AGENT, "scenarios": ["cs-bank-complaint/*"]}).calls
    assert [call.call_id for call in of_plan] == ids
    assert len({call.digest for call in of_plan}) == len({call.seed for call in of_plan}) == 5
    trials = expand_plan({"agent": AGENT, "scenarios": [ENTRY], "trials": 2}).calls
    assert [call.call_id for call in trials] == [
        "cs-bank-complaint.hesitant.1",
        "cs-bank-complaint.hesitant.2",
    ]
    named = _calls({"id": "x", "scenario": "cs-bank-complaint/*"})
    assert named[0].call_id == "x.cs-bank-complaint.cooperative"


def test_the_whole_benchmark_is_one_pattern() -> None:
    calls = expand_plan({"agent": AGENT, "scenarios": ["*/*"]}).calls
    assert sum(call.language == "en" for call in calls) == 150
    assert {call.policy for call in calls} == {"agenda"}


def test_a_script_may_be_said_to_an_agent_whose_task_is_known() -> None:
    [call] = _calls({"scenario": ENTRY, "script": {"lines": [{"say": "Hello?"}]}})
    assert call.policy == "script"
    assert call.script is not None
    assert call.task is not None
    assert call.voice.rate == 1.0, "a script is nobody's way of speaking"


def test_scenarios_of_one_s_own_are_found_beside_the_plan() -> None:
    folder = library_root() / "en" / "customer_service"
    plan = {"agent": AGENT, "scenario_folders": [folder.name], "scenarios": ["*/efficient"]}
    calls = expand_plan(plan, folder=folder.parent).calls
    assert len(calls) == 5
    assert all(call.call_id.startswith("cs-") for call in calls)


def test_everything_about_the_person_is_in_the_digest() -> None:
    [base] = _calls({"scenario": ENTRY})
    assert base.task is not None
    changed = [
        base.model_copy(update={"policy": "llm", "language_model": "openai:x"}),
        base.model_copy(update={"task": base.task.model_copy(update={"agent_prompt": "other"})}),
        base.model_copy(update={"limits": base.limits.model_copy(update={"prompt_s": 1.0})}),
    ]
    assert len({base.digest, *(one.digest for one in changed)}) == 4


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"id": "a"}, "give the call a script, or a scenario"),
        ({"script": {"lines": [{"say": "x"}]}}, "give the call a name"),
        ({"scenario": "cs-nothing/hesitant"}, "no scenario 'cs-nothing'"),
        ({"scenario": "cs-bank-complaint/angry"}, "has the user types"),
        ({"scenario": "zz-*/*"}, "no scenario matches 'zz-*/*'"),
        ({"scenario": ENTRY, "policy": "llm"}, "language_model"),
        ({"scenario": ENTRY, "language_model": "openai:x"}, "language_model"),
        ({"scenario": ENTRY, "policy": "script"}, "script"),
        ({"id": "a", "policy": "agenda", "script": {"lines": [{"say": "x"}]}}, "script"),
        ({"scenario": ENTRY, "policy": "parrot"}, "policy"),
    ],
)
def test_a_slip_is_named_with_its_place(call: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=r"calls\[0\]") as refused:
        _calls(call)
    assert words in str(refused.value)


def test_a_scenario_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match="nowhere"):
        expand_plan(
            {"agent": AGENT, "scenario_folders": ["nowhere"], "scenarios": ["*/*"]}, folder=Path("/tmp")
        )
