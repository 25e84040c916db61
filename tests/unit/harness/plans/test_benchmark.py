from __future__ import annotations

import re
from typing import Any

import pytest

from harness.cli import entry_patterns as chat_select
from harness.cli.entry_patterns import many_entries, one_entry
from harness.errors import UserError
from harness.plans.benchmark import text_units
from harness.plans.call import Limits
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from tests.unit.harness.stand_ins.chatting import entry, library
from voice_sim.person.archetypes import Archetype

ENTRIES = [entry("cs-bank-complaint/hesitant"), entry("cs-bank-complaint/resistant")]


def test_every_entry_meets_every_model_as_often_as_asked_the_models_side_by_side() -> None:
    jobs = text_units(ENTRIES, policy="agenda", agent="llm", models=["a:x", "b:y"], trials=2)
    assert [job.plan.call_id for job in jobs] == [
        "a-x.cs-bank-complaint.hesitant.1",
        "b-y.cs-bank-complaint.hesitant.1",
        "a-x.cs-bank-complaint.resistant.1",
        "b-y.cs-bank-complaint.resistant.1",
        "a-x.cs-bank-complaint.hesitant.2",
        "b-y.cs-bank-complaint.hesitant.2",
        "a-x.cs-bank-complaint.resistant.2",
        "b-y.cs-bank-complaint.resistant.2",
    ]
    assert [job.plan.competitor for job in jobs[:2]] == ["a:x", "b:y"]


def test_every_model_meets_the_same_person_in_the_same_mood_and_another_trial_another() -> None:
    jobs = text_units(ENTRIES, policy="agenda", agent="llm", models=["a:x", "b:y"], trials=2, seed=7)
    seeds: dict[tuple[str, int], set[int]] = {}
    for job in jobs:
        seeds.setdefault((job.plan.task.entry, job.plan.trial), set()).add(job.plan.seed)
    assert [len(each) for each in seeds.values()] == [1, 1, 1, 1]
    all_seeds = {seed for each in seeds.values() for seed in each}
    assert len(all_seeds) == 4
    other = text_units(ENTRIES, policy="agenda", agent="llm", models=["a:x"], trials=2, seed=8)
    assert {job.plan.seed for job in other}.isdisjoint(all_seeds)


@pytest.mark.parametrize(
    "models",
    [
        ["http://127.0.0.1:8000/v1#qwen", "http://127.0.0.1:8000/v1?qwen"],
        ["openai:GPT", "openai:gpt"],
        ["…", "../.."],
        ["m" * 100 + "1", "m" * 100 + "2"],
    ],
)
def test_names_of_models_become_names_of_folders_that_stay_apart(models: list[str]) -> None:
    jobs = text_units(ENTRIES[:1], policy="agenda", agent="llm", models=models)
    ids = [job.plan.call_id.lower() for job in jobs]
    assert len(set(ids)) == 2
    assert not any("/" in each or each.startswith(".") or len(each) > 120 for each in ids)


def _digest(units: list[Unit]) -> str:
    return RunPlan(name="any", units=tuple(units)).digest


def test_the_digest_covers_all_that_decides_a_dialogue() -> None:
    made: dict[str, Any] = {"policy": "agenda", "agent": "llm", "models": ["a:x"]}
    digests = [
        _digest(jobs)
        for jobs in (
            text_units(ENTRIES[:1], **made),
            text_units(ENTRIES[1:], **made),
            text_units(ENTRIES[:1], seed=1, **made),
            text_units(ENTRIES[:1], temperature=0.7, **made),
            text_units(ENTRIES[:1], **made | {"policy": "llm", "caller_model": "c:z"}),
            text_units(ENTRIES[:1], limits=Limits(turns=9), **made),
        )
    ]
    assert len(set(digests)) == len(digests)
    assert digests[0] == _digest(text_units(ENTRIES[:1], **made))


# --- choosing entries


@pytest.fixture(autouse=True)
def library_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_select, "load_library", library)


def test_one_entry_by_name() -> None:
    assert one_entry("fin-loan-collection/efficient").id == "fin-loan-collection/efficient"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cs-bank-complain/hesitant", "did you mean cs-bank-complaint/hesitant"),
        ("bank-complaint/resistant", "cs-bank-complaint/resistant"),
        ("cs-bank-complaint", "say who answers the phone, one of: cs-bank-complaint/cooperative, "),
        ("cs-bank-complaint/angry", "cs-bank-complaint/efficient"),
        ("xyzzy", "an id looks like cs-bank-complaint/hesitant"),
        ("", "an id looks like"),
    ],
)
def test_a_name_that_stands_for_nothing_gets_the_ones_that_come_closest(name: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        one_entry(name)


def test_entries_pass_every_filter() -> None:
    found = many_entries(only=["cs-*/*", "fin-*/resistant"], archetype=Archetype.RESISTANT)
    assert len(found) == 10
    assert {entry.persona.archetype for entry in found} == {Archetype.RESISTANT}
    assert [entry.id.partition("-")[0] for entry in found] == ["cs"] * 5 + ["fin"] * 5
    assert len(many_entries()) == 150
    chinese = many_entries(language="zh")
    assert {entry.scenario.language for entry in chinese} == {"zh"}
    assert len(many_entries(language="all")) == 150 + len(chinese)


def test_filters_that_leave_nothing_say_so() -> None:
    with pytest.raises(UserError, match=r"--only 'xy-\*': no entry has such an id"):
        many_entries(only=["cs-*/*", "xy-*"])
    with pytest.raises(UserError, match="leave one out"):
        many_entries(only=["cs-bank-complaint-zh/*"], language="en")
