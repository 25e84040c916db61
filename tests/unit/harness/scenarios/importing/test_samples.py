"""The official files themselves: all import, and every section's text is the same before and after."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from harness.scenarios.content_check import check
from harness.scenarios.folders import load_scenario
from harness.scenarios.importing.markdown import PART_NAMES, split_sections
from harness.scenarios.importing.official_format import import_paths, read_task
from tests.unit.harness.scenarios.importing.lossless import missing_in_fields, missing_verbatim

VARIABLE = "OUTBOUNDEVAL_XBENCH"


@pytest.fixture(scope="module")
def samples() -> list[Path]:
    """The official task files, which have no licence and so do not come with the product."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(f"the official task files are not here: name their folder in {VARIABLE}")
    files = sorted(Path(folder).rglob("task-*.md"))
    assert files, f"{VARIABLE}={folder} has no task-*.md"
    return files


def test_all_import_and_nothing_is_lost(samples: list[Path], tmp_path: Path) -> None:
    report = import_paths(samples, tmp_path)
    assert report.refused == []
    assert len(report.imported) == len(samples)
    for path, _, folder in report.imported:
        scenario = load_scenario(folder)  # as it was written, not as it was in memory
        text = path.read_text(encoding="utf-8-sig")
        assert missing_verbatim(text, scenario) == [], path.name
        assert missing_in_fields(scenario) == [], path.name


def test_what_was_imported_passes_the_checks(samples: list[Path], tmp_path: Path) -> None:
    import_paths(samples, tmp_path)
    assert check([tmp_path]).errors == []


def test_domain_and_user_type_come_from_the_name(samples: list[Path], tmp_path: Path) -> None:
    for path, scenario, _ in import_paths(samples, tmp_path).imported:
        domain, sub, _, kind = (int(part) for part in path.stem.removeprefix("task-").split("-"))
        assert scenario.domain.number == domain
        assert scenario.personas[0].archetype.number == kind
        assert scenario.id == path.stem
        assert 1 <= sub <= 5


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_shuffled_sections_and_changed_headings_give_the_same_scenario(
    samples: list[Path], tmp_path: Path, seed: int
) -> None:
    """Every file with its parts and sections in another order and every heading in another dress."""
    chance, ambiguous = random.Random(seed), []
    for path in samples:
        text = path.read_text(encoding="utf-8-sig")
        changed = _redressed(text, chance)
        (tmp_path / path.name).write_text(changed, encoding="utf-8")
        before, after = read_task(path), read_task(tmp_path / path.name)
        assert missing_verbatim(changed, after) == [], path.name
        assert missing_in_fields(after) == [], path.name
        if after.model_copy(update={"source": None}) != before.model_copy(update={"source": None}):
            ambiguous.append(path.name)
            assert after.source.notes, (
                path.name
            )  # a sub-heading that no rule knows now stands higher: reported
    assert len(ambiguous) <= len(samples) // 20


def _redressed(text: str, chance: random.Random) -> str:
    dresses = [
        *("# {}", "## {}", "### {}", "#### {}", "##### {}", "###### {}", "###{}", "### **{}**", "### 2、{}"),
        *("### （一）{}", "### {}：", "####  {} ####", "## 1.1 {}"),
    ]
    sections, pieces = split_sections(text), []
    for part, name in chance.sample(list(PART_NAMES.items()), 2):
        pieces.append(chance.choice(dresses).format(name))
        own = [section for section in sections if section.part == part]
        for section in chance.sample(own, len(own)):
            heading = section.heading.partition("（")[0] if chance.random() < 0.5 else section.heading
            gap = "\n" * chance.randint(1, 3)
            pieces.append(chance.choice(dresses).format(heading) + gap + section.text)
    return ("\n" * chance.randint(1, 3)).join(pieces)


def test_the_usual_sections_are_all_recognised(samples: list[Path], tmp_path: Path) -> None:
    for path, scenario, _ in import_paths(samples, tmp_path).imported:
        card, persona = scenario.agent, scenario.personas[0]
        assert all([card.role, card.core_task, card.target_profile, card.opening, card.termination]), (
            path.name
        )
        assert len(card.sop) >= 4, path.name
        assert len(card.faq) >= 3, path.name
        assert card.faq_notes == (), path.name
        assert persona.role, path.name
        assert persona.demographics.name or persona.role, path.name
        assert len(persona.style.good) >= 3, path.name
        assert len(persona.style.bad) >= 1, path.name
        assert len(persona.termination) >= 2, path.name
        assert persona.concerns.primary or persona.concerns.notes, path.name
        assert all(node.derived for node in scenario.flow.nodes), path.name
