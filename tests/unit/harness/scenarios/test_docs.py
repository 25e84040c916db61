"""The page on writing scenarios: its files are what ``check`` accepts, its figures those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from harness.scenarios.content_check import check
from harness.scenarios.folders import load_entry
from harness.scenarios.rules.diversity import ALIKE_MAX, COPIED_MAX
from metrics.dialogue.task_flow import OVERLAP_THRESHOLD
from voice_sim.person.examples import items_of

PAGE = Path(__file__).parents[4] / "docs" / "scenarios.md"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The files of the page, as a reader would copy them."""
    found = re.findall(r"^`(\S+)`:\n\n```yaml\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert [name for name, _ in found] == [
        "scenarios/pizza/scenario.yaml",
        "scenarios/pizza/persona-resistant.yaml",
    ]
    for name, content in found:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path / "scenarios"


def test_the_minimal_files_are_accepted_as_they_stand(copied: Path) -> None:
    assert check([copied]).findings == []


def test_the_person_has_what_a_call_needs_to_read_like_one(copied: Path) -> None:
    persona = load_entry("pizza-callback/resistant", [copied]).persona
    assert persona.phrases.confirm_identity
    lines = [line for one in items_of(persona) for written in one.lines.values() for line in written]
    assert len(lines) + sum(map(len, persona.nothing.values())) >= 12


@pytest.mark.parametrize("strict", [False, True])
def test_a_person_without_examples_or_a_name_to_answer_to_is_noted_once(copied: Path, strict: bool) -> None:
    path = copied / "pizza" / "persona-resistant.yaml"
    written = yaml.safe_load(path.read_text())
    person = written["persona"]
    del person["phrases"]["confirm_identity"], person["nothing"]
    for item in (*person["facts"], *person["must_ask"]):
        del item["examples"]
    path.write_text(yaml.safe_dump(written))
    result = check([copied], strict=strict)
    notes = [finding.field for finding in result.findings if finding.severity == "warning"]
    assert sorted(notes) == ([] if strict else ["persona", "persona.phrases.confirm_identity"])
    if strict:  # said there item by item, as errors
        errors = {finding.field for finding in result.errors}
        assert {"persona.phrases.confirm_identity", "persona.must_ask.0.examples"} <= errors
    else:
        assert not result.errors


def test_examples_that_a_scenario_shares_are_examples(copied: Path) -> None:
    path, head = copied / "pizza" / "persona-resistant.yaml", copied / "pizza" / "scenario.yaml"
    written = yaml.safe_load(path.read_text())
    for item in (*written["persona"]["facts"], *written["persona"]["must_ask"]):
        del item["examples"]
    path.write_text(yaml.safe_dump(written))
    head.write_text(head.read_text() + "examples: {facts: {name: {a: [Who am I talking to?]}}}\n")
    assert check([copied]).findings == []


def test_they_make_a_prompt(copied: Path) -> None:
    prompt = load_entry("pizza-callback/resistant", [copied]).prompt()
    assert "I'm sorry your margherita took so long." in prompt
    assert "{" not in prompt


def test_strict_asks_for_what_the_benchmark_has(copied: Path) -> None:
    fields = {finding.field for finding in check([copied], strict=True).errors}
    assert {"agent.faq", "agent.sop", "persona.obstacles", "known_to_agent", "proper_nouns"} <= fields


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("requires: [identify]", "requires: [nobody]", "flow.nodes.2.requires"),
        ("steps: [close]", "steps: [offer]", "agent.sop.3"),
        ("Friday, January 10", "Monday, January 10", "agent.sop.3.say.0"),
        ('["flat tyre"]', '["parachute"]', "flow.nodes.3.evidence"),
        ("{dish}", "{food}", "record_fields"),
    ],
)
def test_a_mistake_in_ones_own_is_found_all_the_same(copied: Path, old: str, new: str, field: str) -> None:
    head = copied / "pizza" / "scenario.yaml"
    text = head.read_text()
    assert old in text
    head.write_text(text.replace(old, new))
    assert field in {finding.field for finding in check([copied]).errors}


def test_the_figures_on_the_page_are_those_of_the_code() -> None:
    page = PAGE.read_text()
    assert f"allowed: below {COPIED_MAX}" in page
    assert f"English below {ALIKE_MAX['en']}" in page
    assert f"below {ALIKE_MAX['zh']:.2f}" in page
    assert f"overlap by {OVERLAP_THRESHOLD} or more" in page
