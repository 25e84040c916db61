"""What the pages say of files that a reader writes: every key has a line, and the examples can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from harness.analysis.measures.table import MEASURES
from harness.plans.call import ConditionsPlan, Limits, VoicePlan
from harness.plans.plan import _PlanFile, _PlannedCall
from harness.plans.probes.expanding import ProbesWanted
from harness.plans.reach.spawn import SpawnPlan
from harness.plans.run import Load, Notify, Witness
from voice_sim.policies.script import LineSound, Script, ScriptLine

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def examples() -> list[tuple[str, str]]:
    """Every block of YAML, with the page and the line where it begins."""
    return [
        (f"{page.name}:{text[: block.start()].count(chr(10)) + 1}", block.group(1))
        for page in PAGES
        for text in [page.read_text(encoding="utf-8")]
        for block in re.finditer(r"```ya?ml\n(.*?)```", text, re.DOTALL)
    ]


@pytest.mark.parametrize(("where", "example"), examples())
def test_an_example_in_yaml_is_yaml(where: str, example: str) -> None:
    assert yaml.safe_load(example) is not None, where


class _WithExpectations(BaseModel):
    """Taken out of calls and lines before they are read."""

    expect: list[object] = []


class _Played(_WithExpectations):
    """Put in the place of a recording before a line is read."""

    play: str = ""


KEYS: dict[str, tuple[type[BaseModel], ...]] = {
    "the plan": (_PlanFile,),
    "a call": (_PlannedCall, _WithExpectations),
    "a script": (Script,),
    "a line": (ScriptLine, _Played),
    "a recording": (LineSound,),
    "limits": (Limits,),
    "a voice": (VoicePlan,),
    "conditions": (ConditionsPlan,),
    "probes": (ProbesWanted,),
    "`load`": (Load,),
    "`notify`": (Notify,),
    "`spawn`": (SpawnPlan,),
    "`witness`": (Witness,),
}


def named_in(text: str) -> list[str]:
    """What the first column of a part's tables names."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("part", KEYS)
def test_every_key_of_a_plan_has_a_line_and_no_other(part: str) -> None:
    page = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
    text = page.partition(f"\n## Of {part}\n")[2].partition("\n## ")[0]
    there = [field.alias or name for model in KEYS[part] for name, field in model.model_fields.items()]
    assert sorted(named_in(text)) == sorted(there)


def test_every_figure_that_a_gate_may_name_has_a_line_and_no_other() -> None:
    page = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    text = page.partition("\n## Every figure\n")[2].partition("\n## ")[0]
    assert sorted(named_in(text)) == sorted(MEASURES.parts)
