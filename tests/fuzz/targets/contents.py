"""What calls are to be about: plans, scenarios, task files of others."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random
from unittest.mock import patch

from harness._files.shipped import shipped_folder
from harness.plans.plan import load_plan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.suite import SUITE_FILE, Size
from harness.scenarios import folders
from harness.scenarios.folders import PERSONA_PATTERN, SCENARIO_FILE, load_scenario, read_folder
from harness.scenarios.importing.official_format import import_paths
from tests.fuzz.targets.base import Target

AGENT = "http://127.0.0.1:1"


_SCENARIO = shipped_folder("scenarios") / "en" / "customer_service" / "bank_complaint"


def plan(data: bytes, folder: Path) -> None:
    """The scenarios are one only, here or in the folder ``scenarios``: reading all of ours takes a second,
    and under coverage more than an input may."""
    (folder / "scenarios").symlink_to(_SCENARIO)
    (folder / "plan.yaml").write_bytes(data)
    with patch.object(folders, "library_root", lambda: _SCENARIO):
        load_plan(folder / "plan.yaml", agent=AGENT)


def scenario(data: bytes, folder: Path) -> None:
    """Kind ``s``: its head; ``p``: a person."""
    _scenario_with(SCENARIO_FILE if data[:1] == b"s" else None, data[1:], folder)


def _scenario_with(name: str | None, content: bytes, folder: Path) -> None:
    people = sorted(path.name for path in _SCENARIO.glob(PERSONA_PATTERN))[:2]
    for one in (SCENARIO_FILE, *people):
        shutil.copy(_SCENARIO / one, folder / one)
    (folder / (name or people[0])).write_bytes(content)
    read_folder(folder)
    load_scenario(folder)


def importer(data: bytes, folder: Path) -> None:
    task = folder / "task-1-4-7-4.md"
    task.write_bytes(data)
    import_paths([task], folder / "out", force=True)


def suite(data: bytes, folder: Path) -> None:
    """A probe suite of somebody's own, and the calls of both its sizes."""
    (folder / SUITE_FILE).write_bytes(data)
    sizes: tuple[Size, ...] = ("quick", "full")
    probe_suite = load_suite(f"{folder}/")
    for size in sizes:
        probe_suite.calls(size=size, random=Random(0))


TARGETS = {
    "plan": Target(run=plan, form="yaml"),
    "scenario": Target(run=scenario, form="yaml", kinds="sp"),
    "suite": Target(run=suite, form="yaml"),
    "importer": Target(run=importer, form="text"),
}
