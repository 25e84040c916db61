"""All scenarios that sipp plays to our user agent, each with the fault that makes it go wrong.

``python -m tests.live.telephone.matrix [--table docs/sip.md]`` plays each of them twice, as it is and with
its fault planted, and fails where one does not go right, or one with its fault does. Four minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.selfcheck.calibration.page import put_into
from tests.live.telephone.calling import Called, place
from tests.live.telephone.faults import told
from tests.live.telephone.scenario import Scenario
from tests.live.telephone.sipp import Played, Sipp
from tests.live.telephone.table_in_calls import IN_CALLS
from tests.live.telephone.table_of_calls import CALLS
from tests.live.telephone.table_of_refusals import REFUSALS

SCENARIOS: Mapping[str, Scenario] = {**CALLS, **REFUSALS, **IN_CALLS}
PAGE = Path(__file__).parents[3] / "docs" / "sip.md"
BEGIN, END = "<!-- sipp scenarios: begin -->", "<!-- sipp scenarios: end -->"


def play(one: Scenario, folder: Path) -> tuple[Played, Called]:
    """A scenario, played to its end."""

    async def played() -> tuple[Played, Called]:
        with Sipp(folder, one.steps, tcp=one.tcp) as sipp:
            called = await place(one.call, sipp.port)
            return await sipp.played(), called

    return asyncio.run(played())


def went_right(one: Scenario, played: Played, called: Called) -> bool:
    """Whether sipp got what it waited for, and all else is as it should be."""
    try:
        return played.right and one.check(played, called)
    except IndexError:
        # A message that should be there is not.
        return False


def went_right_with_a_fault(one: Scenario, folder: Path) -> bool:
    """The same, where a fault is planted, which may be too much for our own side as well."""
    try:
        played, called = play(one, folder)
    except (AssertionError, AttributeError, TypeError):
        return False
    return went_right(one, played, called)


def row(name: str) -> str:
    """A scenario's row in the page."""
    return f"| {name} | {told(SCENARIOS[name].fault)} |"


def table() -> str:
    """All of them, between markers."""
    rows = "\n".join(row(name) for name in SCENARIOS)
    return f"{BEGIN}\n| what sipp plays | it goes wrong where our user agent … |\n|---|---|\n{rows}\n{END}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="matrix", description=__doc__)
    parser.add_argument("--table", type=Path, help="put the table into this page")
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, one) in enumerate(SCENARIOS.items()):
            plain = went_right(one, *play(one, Path(folder) / f"{number}"))
            with pytest.MonkeyPatch.context() as patch:
                one.fault(patch)
                noticed = not went_right_with_a_fault(one, Path(folder) / f"{number}-fault")
            bad += not (plain and noticed)
            print(
                f"{'right' if plain else 'WRONG'}, {'red' if noticed else 'NOT NOTICED'}: {name}", flush=True
            )
    print(f"{len(SCENARIOS)} scenarios, each with its fault: {len(SCENARIOS) - bad} as they should be")
    if options.table is not None:
        put_into(options.table, table(), begin=BEGIN, end=END)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
