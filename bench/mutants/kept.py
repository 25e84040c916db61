"""What was found about each change: kept between runs, and the list of those that change nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEPT = ROOT / ".mutants"
MODULES = HERE / "modules.yaml"
EQUIVALENT = HERE / "equivalent"
"""A folder with one file a module: pairs of a change's text and why no input tells it from the module."""


def tests_of_modules() -> dict[str, list[str]]:
    """Module -> the test files that have to hold it."""
    table: dict[str, list[str]] = yaml.safe_load(MODULES.read_text(encoding="utf-8"))
    return table


def path_of(module: str) -> Path:
    return ROOT.joinpath(*module.split(".")).with_suffix(".py")


def reasons_of(module: str) -> dict[str, str]:
    """The id of each change that is listed as equivalent -> its reason."""
    path = EQUIVALENT / f"{module}.yaml"
    if not path.is_file():
        return {}
    reasons: dict[str, str] = {}
    for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
        for change in entry["changes"]:
            reasons[f"{module}:{change}"] = entry["why"]
    return reasons


@dataclass(kw_only=True)
class Kept:
    """Outcomes of one module's changes, valid for one text of the module and of its tests.

    Attributes:
        outcomes: Change id -> ``killed``, ``killed by time`` or ``open``.
    """

    module: str
    source: str
    tests: str
    outcomes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, module: str, tests: Sequence[str], *, keep_killed: bool = False) -> Kept:
        """What is known of the module as it is now.

        Args:
            keep_killed: What tests killed before stays killed though the tests have changed since: quick,
                and right as long as tests were only added.
        """
        source, digest = _digest([path_of(module)]), _digest([ROOT / test for test in tests])
        path = KEPT / f"{module}.json"
        known: Mapping[str, object] = json.loads(path.read_text()) if path.is_file() else {}
        kept = cls(module=module, source=source, tests=digest)
        if known.get("source") == source:
            outcomes: dict[str, str] = known["outcomes"]  # type: ignore[assignment]
            if known.get("tests") == digest:
                kept.outcomes = outcomes
            elif keep_killed:
                kept.outcomes = {one: outcome for one, outcome in outcomes.items() if outcome != "open"}
        return kept

    def save(self) -> None:
        KEPT.mkdir(exist_ok=True)
        value = {"source": self.source, "tests": self.tests, "outcomes": self.outcomes}
        (KEPT / f"{self.module}.json").write_text(json.dumps(value, indent=1))


def _digest(paths: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
