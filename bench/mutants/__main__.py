"""``python -m bench.mutants [--seed N] [--n 25 | --all] [--modules NAME ...]``: do tests hold the figures?

From each module of ``modules.yaml`` so many changes are drawn (``changes.py`` has the kinds), each is made
alone, and the module's own tests are run. A change that no test notices is *open*, unless ``equivalent/``
lists it with the reason why no input can tell it from the module. Prints a table and the open ones, writes
them as JSON.

What was found is kept in ``.mutants`` for as long as module and tests are the same: a run that was broken off
goes on, and another seed tries only what was not tried.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.mutants.changes import Change, changes_of
from bench.mutants.kept import KEPT, ROOT, Kept, path_of, reasons_of, tests_of_modules

WANTED = 0.95
MOST_EQUIVALENT = 0.12
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class NotTried(Exception):
    """Nothing can be said of a module, and why."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One module: what became of the changes that were drawn."""

    module: str
    possible: int
    made: int
    killed: int
    equivalent: dict[str, str]
    open: list[str]

    @property
    def share(self) -> float:
        """Killed of those that are not equivalent."""
        different = self.killed + len(self.open)
        return self.killed / different if different else 1.0


def main() -> None:
    arguments = _arguments()
    console = Console(soft_wrap=True, stderr=True)
    table = tests_of_modules()
    unknown = [name for name in arguments.modules if name not in table]
    if unknown:
        raise SystemExit(f"not in modules.yaml: {', '.join(unknown)}; known: {', '.join(table)}")
    chosen = arguments.modules or list(table)
    lock = threading.Lock()

    def tried(module: str) -> Result | None:
        try:
            result = _result(module, table[module], arguments)
        except NotTried as error:
            console.print(f"{module}: {error}", style="red")
            return None
        with lock:
            console.print(f"{module}: {result.killed} of {result.made} killed", style="dim")
        return result

    with ThreadPoolExecutor(arguments.workers) as pool:
        every = list(pool.map(tried, chosen))
    results = [result for result in every if result is not None]
    out = arguments.json or KEPT / "last.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(_document(results, arguments), indent=1, ensure_ascii=False))
    Console(width=120).print(_shown(results, arguments))
    for result in results:
        for one in result.open:
            print(f"open: {one}")
    made = sum(result.made for result in results)
    different = sum(result.killed + len(result.open) for result in results)
    killed = sum(result.killed for result in results)
    enough = (
        len(results) == len(every)
        and killed >= WANTED * different
        and made - different <= MOST_EQUIVALENT * made
    )
    raise SystemExit(0 if enough else 1)


def _result(module: str, tests: Sequence[str], arguments: argparse.Namespace) -> Result:
    changes = changes_of(path_of(module).read_text(encoding="utf-8"), module)
    drawn = changes
    if not arguments.all and len(changes) > arguments.n:
        drawn = random.Random(f"{arguments.seed} {module}").sample(changes, arguments.n)
    reasons = reasons_of(module)
    for gone in set(reasons) - {change.id for change in changes}:
        print(f"equivalent/{module}.yaml: no change of it (any more): {gone}", file=sys.stderr)
    kept = Kept.load(module, tests, keep_killed=arguments.keep_killed)
    missing = [change for change in drawn if change.id not in kept.outcomes]
    if not arguments.try_equivalent:
        missing = [change for change in missing if change.id not in reasons]
    if missing:
        _try(module, tests, missing, kept)
    outcomes = [(change.id, kept.outcomes.get(change.id, "equivalent")) for change in drawn]
    equivalent = {one: reasons[one] for one, _ in outcomes if one in reasons}
    wrong = [one for one, outcome in outcomes if one in reasons and outcome.startswith("killed")]
    if wrong:
        raise NotTried(f"listed as equivalent, yet a test tells it apart: {wrong}")
    return Result(
        module=module,
        possible=len(changes),
        made=len(drawn),
        killed=sum(outcome.startswith("killed") for _, outcome in outcomes),
        equivalent=equivalent,
        open=[one for one, outcome in outcomes if outcome == "open" and one not in reasons],
    )


def _try(module: str, tests: Sequence[str], changes: Sequence[Change], kept: Kept) -> None:
    asked = {
        "module": module,
        "path": str(path_of(module)),
        "tests": list(tests),
        "changes": [(change.place, change.variant) for change in changes],
    }
    with subprocess.Popen(
        [sys.executable, "-m", "bench.mutants.trial"],
        cwd=ROOT,
        env={**os.environ, **_ONE_THREAD},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(asked))
        process.stdin.close()
        for line in process.stdout:
            answer = json.loads(line)
            if not answer.get("green", True):
                raise NotTried("its tests fail on the unchanged module")
            if "n" in answer:
                kept.outcomes[changes[answer["n"]].id] = answer["outcome"]
                kept.save()
    if process.returncode != 0:
        raise NotTried(f"its trial broke off ({process.returncode})")


def _shown(results: Sequence[Result], arguments: argparse.Namespace) -> Table:
    drawn = "all changes" if arguments.all else f"{arguments.n} changes a module, seed {arguments.seed}"
    table = Table("module", "possible", "made", "killed", "equivalent", "open", "killed, %", title=drawn)
    for result in results:
        table.add_row(*_row(result.module, [result]))
    table.add_section()
    table.add_row(*_row("all", results))
    return table


def _row(name: str, results: Sequence[Result]) -> list[str]:
    killed = sum(result.killed for result in results)
    left = sum(len(result.open) for result in results)
    numbers = [
        sum(result.possible for result in results),
        sum(result.made for result in results),
        killed,
        sum(len(result.equivalent) for result in results),
        left,
    ]
    return [name, *map(str, numbers), f"{100 * killed / (killed + left):.1f}" if killed + left else "-"]


def _document(results: Sequence[Result], arguments: argparse.Namespace) -> dict[str, object]:
    return {
        "seed": None if arguments.all else arguments.seed,
        "modules": [
            {
                "module": result.module,
                "possible": result.possible,
                "made": result.made,
                "killed": result.killed,
                "share": round(result.share, 4),
                "equivalent": result.equivalent,
                "open": result.open,
            }
            for result in results
        ],
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--n", type=int, default=25, help="so many changes of each module [25]")
    parser.add_argument("--all", action="store_true", help="every change there is: 8000, hours")
    parser.add_argument("--modules", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--workers", type=int, default=2, help="so many modules at once")
    parser.add_argument("--json", type=Path, help="where the result is written [.mutants/last.json]")
    parser.add_argument(
        "--keep-killed", action="store_true", help="what was killed stays so though tests changed since"
    )
    parser.add_argument(
        "--try-equivalent", action="store_true", help="run the listed ones, too: each must survive"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
