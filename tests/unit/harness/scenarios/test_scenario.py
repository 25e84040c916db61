"""Scenarios as data: placeholders, the prompt, and writing and reading anything that the schema allows."""

from __future__ import annotations

import datetime
import string
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from harness.scenarios.agent_card import AgentCard, CallEnding, FaqEntry, SopBranch, SopStep
from harness.scenarios.catalogue import CATALOGUE, Domain, Orientation, find
from harness.scenarios.folders import load_scenario, write_scenario
from harness.scenarios.scenario import Callee, KeyValue, Scenario, Source, fill_phrase, placeholders
from metrics.dialogue.task_flow import Branch, FlowNode, TaskFlow
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import (
    Background,
    Behaviour,
    Concerns,
    Cooperation,
    Demographics,
    Ending,
    ExtraSection,
    Fact,
    Manner,
    MustAsk,
    Obstacle,
    Persona,
    Phrases,
    Style,
    Trigger,
    Triggers,
)


def _scenario() -> Scenario:
    card = AgentCard(
        role="Li Ming of Changjiang Bank",
        core_task="Reach {customer_name}.",
        target_profile=("{customer_name} owes {amount}.",),
        sop=(SopStep(id="open", title="Open", say=("Is that {salutation}?",)),),
        opening="Hello {salutation}.",
        termination=(CallEnding(outcome="success", when="Done.", closing=("Bye {salutation}.",)),),
    )
    node = FlowNode(
        id="open",
        criterion="Greets {salutation}.",
        steps=("open",),
        evidence=("owe + {amount}",),
        branch=Branch(when="{amount} is disputed.", cues=("not {amount}",)),
    )
    return Scenario(
        id="cs-test",
        domain=Domain.CUSTOMER_SERVICE,
        sub_scenario="bank_complaint",
        language="en",
        title="Test",
        core_objective="Test.",
        orientation=Orientation.EMOTION_REPAIR,
        reference_date=datetime.date(2025, 1, 8),
        record_fields={"customer_name": "name", "salutation": "form", "amount": "sum"},
        proper_nouns=("Changjiang Bank",),
        key_values=(KeyValue(value="January 13"),),
        agent=card,
        flow=TaskFlow(nodes=(node,)),
        callees=(
            Callee(
                record={
                    "customer_name": KeyValue(value="Sun Li"),
                    "salutation": KeyValue(value="Mrs. Sun"),
                    "amount": KeyValue(value="88 yuan", spoken=("eighty-eight yuan",)),
                },
                known_to_agent=("A retired teacher.",),
                persona=Persona(archetype=Archetype.HESITANT, language="en", role="Sun Li"),
            ),
        ),
    )


def test_an_entry_has_the_record_filled_in_everywhere() -> None:
    entry = _scenario().entry(Archetype.HESITANT)
    assert entry.id == "cs-test/hesitant"
    assert entry.card.opening == "Hello Mrs. Sun."
    assert entry.card.target_profile == ("Sun Li owes 88 yuan.", "A retired teacher.")
    assert entry.flow.nodes[0].criterion == "Greets Mrs. Sun."
    assert entry.flow.nodes[0].evidence == ("owe + 88 yuan | eighty-eight yuan",)
    assert entry.flow.nodes[0].branch == Branch(
        when="88 yuan is disputed.", cues=("not 88 yuan | eighty-eight yuan",)
    )
    assert entry.proper_nouns == ("Changjiang Bank", "Sun Li")
    assert [value.value for value in entry.key_values] == ["January 13", "88 yuan"]
    assert placeholders([entry.card.model_dump(), entry.flow.model_dump()]) == set()


def test_there_is_no_entry_without_its_person() -> None:
    with pytest.raises(KeyError, match="resistant"):
        _scenario().entry(Archetype.RESISTANT)


def test_entries_come_in_the_papers_order() -> None:
    scenario = _scenario()
    others = [
        scenario.callees[0].model_copy(
            update={"persona": scenario.callees[0].persona.model_copy(update={"archetype": archetype})}
        )
        for archetype in reversed(Archetype)
    ]
    shuffled = scenario.model_copy(update={"callees": tuple(others)})
    assert [entry.persona.archetype for entry in shuffled.entries()] == list(Archetype)


def test_an_unknown_placeholder_stays_and_is_found() -> None:
    assert fill_phrase("{nobody} + x", {}) == "{nobody} + x"
    assert placeholders({"a": ["{one} and {two}", ("{one}",)], "b": 3}) == {"one", "two"}


@pytest.mark.parametrize(
    ("language", "today"), [("en", "Wednesday, 2025-01-08"), ("zh", "2025年1月8日，星期三")]
)
def test_the_prompt_has_all_seven_fields_and_the_day(language: str, today: str) -> None:
    card = AgentCard(
        role="ROLE",
        core_task="TASK",
        target_profile=("PROFILE",),
        sop=(
            SopStep(
                id="a",
                title="TITLE",
                say=("SAY",),
                guidance=("GUIDE",),
                branches=(SopBranch(kind="busy", when="WHEN", say=("BUSY",), then="THEN"),),
            ),
        ),
        sop_notes=("SOP NOTE",),
        faq=(FaqEntry(question="QUESTION", answer="ANSWER"),),
        faq_notes=("FAQ NOTE",),
        opening="OPENING",
        termination=(CallEnding(outcome="deferred", when="LATER", closing=("CLOSING",)),),
        extra_sections=(ExtraSection(heading="HEADING", text="EXTRA"),),
    )
    prompt = card.prompt(language=language, reference_date=datetime.date(2025, 1, 8))  # type: ignore[arg-type]
    words = "ROLE TASK PROFILE TITLE SAY GUIDE WHEN BUSY THEN QUESTION ANSWER OPENING LATER CLOSING EXTRA"
    for word in [*words.split(), "SOP NOTE", "FAQ NOTE", today]:
        assert word in prompt, word


def test_an_imported_step_is_said_once_in_the_prompt() -> None:
    step = SopStep(id="a", title="T", say=("quoted",), text='- "quoted"')
    card = AgentCard(role="r", core_task="t", sop=(step,), opening="o", termination=())
    assert card.prompt().count("quoted") == 1


def test_the_catalogue_is_that_of_tables_8_to_13() -> None:
    assert len(CATALOGUE) == 30
    assert len({row.id for row in CATALOGUE}) == 30
    assert all([row.domain for row in CATALOGUE].count(domain) == 5 for domain in Domain)
    assert [domain.number for domain in Domain] == [1, 2, 3, 4, 5, 6]
    row = find(Domain.FINANCE, "account_security")
    assert row is not None
    assert (row.id, row.number) == ("fin-account-security", 3)
    assert find(Domain.SALES, "account_security") is None
    assert Domain.RESEARCH.orientation is Orientation.NEUTRALITY_MAINTENANCE


@pytest.mark.parametrize("number", [0, 7])
def test_there_is_no_seventh_domain(number: int) -> None:
    with pytest.raises(ValueError, match="1-6"):
        Domain.from_number(number)


# Anything that the schema allows, written and read back

_SIGNS = st.sampled_from(
    [*"abcXYZ019 :#-'\"{}[]&*!|>%@`,?\\\n\t", "é", "张", "强", "“", "”", "🙂", "　", "~", "="]
)
_FREE = st.text(st.one_of(_SIGNS, st.characters(exclude_categories=("C", "Z"))), max_size=40)
_LINE = _FREE.map(str.strip).filter(bool)
_CUE = _LINE.map(lambda line: f"cue {line.replace('|', '/').replace('+', '-')}")
"""No part of it is empty: others are refused before a call."""
_TEXT = _FREE.map(str.strip)
_NAME = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
_SLUG = st.text(string.ascii_lowercase, min_size=1, max_size=8)


def _some(
    items: st.SearchStrategy[Any], most: int = 3, *, least: int = 0
) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def _build(model: type[BaseModel], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(lambda **values: model.model_validate(values), **fields)


_ENDING = _build(Ending, when=_LINE, cues=_some(_CUE), say=_some(_LINE))
_TRIGGER = _build(Trigger, when=_LINE, cues=_some(_CUE), say=_some(_LINE))
_PERSONA = _build(
    Persona,
    archetype=st.sampled_from(Archetype),
    language=st.just("en"),
    role=_TEXT,
    scenario=_TEXT,
    demographics=_build(
        Demographics, name=_TEXT, age=st.none() | st.integers(16, 100), gender=st.sampled_from([None, "male"])
    ),
    background=_build(Background, experiences=_some(_LINE), before_call=_TEXT, notes=_some(_LINE)),
    concerns=_build(Concerns, primary=_some(_LINE), latent=_some(_LINE)),
    behaviour=_build(Behaviour, environment=_some(_LINE)),
    style=_build(Style, good=_some(_LINE), bad=_some(_LINE)),
    manner=_build(Manner, pace=st.sampled_from(["slow", "normal", "fast"])),
    must_ask=_some(_build(MustAsk, id=_NAME, ask=_some(_LINE, least=1), answerable=st.booleans())),
    obstacles=_some(_build(Obstacle, id=_NAME, when=_LINE, say=_some(_LINE), overcome_by=_TEXT)),
    triggers=_build(Triggers, positive=_some(_TRIGGER), negative=_some(_TRIGGER)),
    cooperation=_some(_build(Cooperation, when=_LINE, needs=_some(_NAME), gives=_TEXT)),
    hang_up=_some(_ENDING),
    termination=_some(_ENDING),
    facts=_some(_build(Fact, key=_NAME, value=_LINE, share=st.sampled_from(["freely", "never"]))),
    phrases=_build(Phrases, pick_up=_some(_LINE), goodbye=_some(_LINE)),
    extra_sections=_some(_build(ExtraSection, heading=_LINE, text=_TEXT)),
)
_CARD = _build(
    AgentCard,
    role=_TEXT,
    core_task=_TEXT,
    target_profile=_some(_LINE),
    sop=_some(
        _build(
            SopStep,
            id=_NAME,
            title=_LINE,
            say=_some(_LINE),
            text=_TEXT,
            branches=_some(
                _build(SopBranch, kind=st.sampled_from(["busy", "other"]), when=_LINE, say=_some(_LINE))
            ),
        )
    ),
    faq=_some(_build(FaqEntry, question=_LINE, answer=_LINE)),
    opening=_TEXT,
    termination=_some(_build(CallEnding, outcome=st.sampled_from(["success", "unspecified"]), when=_TEXT)),
)


@st.composite
def _scenarios(draw: st.DrawFn) -> Scenario:
    ids = draw(st.lists(_NAME, min_size=1, max_size=4, unique=True))
    nodes = tuple(
        FlowNode(
            id=name,
            criterion=draw(_LINE),
            key=draw(st.booleans()),
            requires=tuple(ids[:place]),
            branch=draw(st.none() | st.builds(Branch, when=_LINE)),
            derived=draw(st.booleans()),
        )
        for place, name in enumerate(ids)
    )
    people = draw(st.lists(_PERSONA, min_size=1, max_size=2, unique_by=lambda persona: persona.archetype))
    return Scenario(
        id=draw(_SLUG),
        domain=draw(st.sampled_from(Domain)),
        sub_scenario=draw(_SLUG),
        language="en",
        title=draw(_LINE),
        core_objective=draw(_TEXT),
        orientation=draw(st.sampled_from(Orientation)),
        reference_date=draw(st.dates()),
        proper_nouns=draw(_some(_LINE)),
        key_values=draw(_some(_build(KeyValue, value=_LINE, spoken=_some(_LINE)))),
        agent=draw(_CARD),
        flow=TaskFlow(nodes=nodes),
        source=draw(_build(Source, kind=st.sampled_from(["written", "imported"]), notes=_some(_LINE))),
        callees=tuple(Callee(known_to_agent=draw(_some(_LINE)), persona=persona) for persona in people),
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_scenarios())
def test_what_is_written_is_read_back_the_same(scenario: Scenario) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_scenario(scenario, Path(folder))
        read = load_scenario(Path(folder))
    order = list(Archetype)
    written = sorted(scenario.callees, key=lambda callee: order.index(callee.persona.archetype))
    again = sorted(read.callees, key=lambda callee: order.index(callee.persona.archetype))
    assert read.model_copy(update={"callees": ()}) == scenario.model_copy(update={"callees": ()})
    assert again == written


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_scenarios())
def test_json_is_read_back_the_same(scenario: Scenario) -> None:
    assert Scenario.model_validate_json(scenario.model_dump_json()) == scenario
