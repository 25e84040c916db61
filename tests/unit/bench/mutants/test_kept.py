"""What is listed beside the modules that make figures is there: modules, tests, and changes."""

from __future__ import annotations

import pytest

from bench.mutants import kept
from bench.mutants.changes import changes_of
from bench.mutants.kept import ROOT, path_of, reasons_of

MODULES = kept.tests_of_modules()


def test_the_tests_of_a_module_are_there() -> None:
    assert [test for tests in MODULES.values() for test in tests if not (ROOT / test).is_file()] == []


def test_reasons_are_for_modules_of_the_list() -> None:
    listed = {path.stem for path in (ROOT / "bench/mutants/equivalent").glob("*.yaml")}
    assert listed
    assert listed <= set(MODULES)


@pytest.mark.long
@pytest.mark.parametrize("module", [module for module in MODULES if reasons_of(module)])
def test_a_reason_is_for_a_change_that_can_be_made(module: str) -> None:
    """One for a line that was written anew since excuses nothing, and hides that the new one needs none."""
    made = {change.id for change in changes_of(path_of(module).read_text(encoding="utf-8"), module)}
    assert set(reasons_of(module)) - made == set()
