"""The official files themselves: all import, and every section's text is the same before and after."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.importing.official_format import import_paths
from harness.scenario_checks import check
from harness.scenario_files import load_scenario
from tests.unit.harness.lossless import missing_in_fields, missing_verbatim

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
