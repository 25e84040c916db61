"""``python -m bench.same_results REV [--against REV2] [--run FOLDER] [--only STEP] [--explained FILE]``

Runs what is decided by seeds and by kept recordings in two trees, with this interpreter, and compares: plans,
texts, the caller's decisions, statuses, verdicts, figures. Prints a table and the first differences; exit
code 1 where one is on no list of explained ones (``explained.yaml`` beside this file).

``REV`` is checked out into a worktree of its own, and so is ``--against``; without it, it is the tree that
one stands in, with what is not committed yet. ``--run`` names the folder of a run of calls whose recordings
are to be scored by both. ``--work FOLDER`` keeps what came out, and what a commit came to before is taken
from there.
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.same_results.differences import Difference, Explained, differences, load_explained
from bench.same_results.steps import STEPS, Inputs, outcome_of
from bench.same_results.trees import Tree, checked_out, standing_in

SHOWN = 12
"""So many differences of a step are printed."""


def main() -> None:
    arguments = _arguments()
    console = Console(soft_wrap=True)
    inputs = Inputs(run=arguments.run.resolve() if arguments.run else None)
    chosen = [name for name in STEPS if not arguments.only or name in arguments.only]
    if inputs.run is None and "calls scored" in chosen:
        chosen.remove("calls scored")
        console.print("no --run FOLDER: recordings are not scored", style="yellow")
    explained = load_explained(arguments.explained)
    table = Table("what", "compared", "equal", "different", "of them explained", title=_title(arguments))
    told: list[tuple[str, list[Difference]]] = []
    with tempfile.TemporaryDirectory(prefix="same-results-") as temporary:
        work = (arguments.work or Path(temporary)).resolve()
        with checked_out(arguments.rev, work) as before, _other(arguments.against, work) as now:
            for name in chosen:
                console.print(f"{name} …", style="dim")
                first, second = (outcome_of(name, tree, inputs) for tree in (before, now))
                unlike = {item: differences(first.get(item), second.get(item)) for item in first | second}
                different = {item: found for item, found in unlike.items() if found}
                unexplained = [
                    one._replace(item=item)
                    for item, found in different.items()
                    for one in found
                    if not explained.covers(name, item, one)
                ]
                left = {one.item for one in unexplained}
                table.add_row(
                    name,
                    str(len(unlike)),
                    str(len(unlike) - len(different)),
                    str(len(different)),
                    str(len(different) - len(left)),
                )
                if unexplained or not unlike:
                    told.append((name, unexplained))
    _print(console, table, told, explained)
    raise SystemExit(1 if told else 0)


def _print(
    console: Console, table: Table, told: list[tuple[str, list[Difference]]], explained: Explained
) -> None:
    for name, unexplained in told:
        console.print(f"\n{name}: {len(unexplained) or 'nothing was compared, no'} differences", style="bold")
        for one in unexplained[:SHOWN]:
            console.print(f"  {one.item}: {one.path}", markup=False, highlight=False)
            console.print(f"    before  {one.before}\n    now     {one.now}", markup=False, highlight=False)
    console.print(table)
    for one, count in explained.used():
        console.print(f"explained, {count} times: {one}", markup=False, highlight=False)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.same_results",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("rev", metavar="REV")
    parser.add_argument("--against", metavar="REV2")
    parser.add_argument("--run", type=Path, metavar="FOLDER")
    parser.add_argument("--only", action="append", choices=list(STEPS))
    parser.add_argument("--explained", type=Path, default=Path(__file__).parent / "explained.yaml")
    parser.add_argument("--work", type=Path, metavar="FOLDER")
    return parser.parse_args()


def _title(arguments: argparse.Namespace) -> str:
    return f"{arguments.rev} → {arguments.against or 'this tree'}"


def _other(rev: str | None, work: Path) -> AbstractContextManager[Tree]:
    return standing_in(work) if rev is None else checked_out(rev, work)


if __name__ == "__main__":
    main()
