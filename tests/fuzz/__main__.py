"""``python -m tests.fuzz [--seconds 600] [--target NAME ...]``: fuzzes all targets and prints what was found.

The time is shared among the targets, two of which run at once. Findings lie in ``--out`` (default: a
temporary folder that is named), each with its input and what it did. The exit code is 1 where there are any.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.findings import BIG_MB, SLOW_S
from tests.fuzz.watch import Fuzzed, fuzz

CORPUS = Path(__file__).parent / "corpus"
NAMES = tuple(sorted(path.name for path in CORPUS.iterdir() if path.is_dir()))
AT_ONCE = 2


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600.0, help="for all targets together")
    parser.add_argument("--target", action="append", choices=NAMES)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by-chance", action="store_true", help="without coverage, even with atheris")
    given = parser.parse_args()
    targets = given.target or list(NAMES)
    at_once = min(AT_ONCE, os.cpu_count() or 1)
    each_s = given.seconds * at_once / len(targets)
    out = given.out or Path(tempfile.mkdtemp(prefix="fuzz-"))
    by_chance = given.by_chance or find_spec("atheris") is None
    led = "by chance: atheris is not installed" if by_chance else "led by coverage (atheris)"
    print(f"{len(targets)} targets, {each_s:.0f} s each, {led}; findings: {out}", flush=True)
    print(HEADER, flush=True)

    def one(target: str) -> Fuzzed:
        fuzzed = fuzz(
            target,
            seconds=each_s,
            seeds=CORPUS / target,
            work=out / target,
            seed=given.seed,
            by_chance=by_chance,
        )
        print(row(fuzzed), flush=True)
        return fuzzed

    with ThreadPoolExecutor(at_once) as threads:
        done = list(threads.map(one, targets))
    found = [finding for fuzzed in done for finding in fuzzed.found or ()]
    for finding in found:
        print(f"\n{finding.target}: {finding.kind}: {finding.cause} ({finding.input})\n{finding.told}")
    inputs = sum(fuzzed.inputs for fuzzed in done)
    print(
        f"{inputs} inputs, {len(found)} findings (a traceback, more than {SLOW_S:g} s of processor time, "
        f"more than {BIG_MB:g} MB)"
    )
    return 1 if found or any(not fuzzed.inputs for fuzzed in done) else 0


HEADER = "target           inputs  refused      new  slowest s  most MB  findings"


def row(fuzzed: Fuzzed) -> str:
    return (
        f"{fuzzed.target:14s}  {fuzzed.inputs:7d}  {fuzzed.refused:7d}  {fuzzed.by_coverage:7d}"
        f"  {fuzzed.slowest_s:9.2f}  {fuzzed.most_mb:7.0f}  {len(fuzzed.found or ()):8d}"
    )


if __name__ == "__main__":
    sys.exit(main())
