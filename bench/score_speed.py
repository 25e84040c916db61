"""What scoring costs, before and now: ``python -m bench.score_speed RUN [RUN...] --against REV``.

Scores copies of kept runs with the code of a commit and of the tree that one stands in, in turns: everything
by one process and by as many as there are cores, then when somebody speaks, the words, and the sound of
voices each alone. Nothing is kept from before, and the start of the program and the report's page count.

Told in seconds a minute of sound: of processor time, of all processes together, and by the clock, with the
load at the end, because others may have been at work. Then what came out, call by call: whether each stretch
of speech and each turn is the same to the bit, how many words are others, and the largest difference of a
rating. Exit code 1 where timing is not the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.same_results.trees import Tree, checked_out, standing_in
from harness.analysis.cache import ANALYSIS_FILE, CacheFile
from harness.records.scores import CallScores
from harness.runs.store import RunStore

WAYS: dict[str, tuple[str, ...]] = {
    "all, one process": ("--processes", "1"),
    "all, every core": (),
    "timing alone": ("--only", "timing"),
    "words alone": ("--only", "words", "--processes", "1"),
    "sound alone": ("--only", "sound", "--processes", "1"),
}
ONE, EVERY = "all, one process", "all, every core"
TIMING = {"turns", "interruptions"}
"""Of ``scores.json``, what is of when somebody speaks alone."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Seconds a minute of sound, and how many others wanted a core at the end."""

    processor_s: float
    clock_s: float
    load: float


@dataclass(kw_only=True)
class Unlike:
    """What two scorings of the same calls have that is not the same."""

    calls: int = 0
    timing: list[str] = field(default_factory=list)
    words: int = 0
    words_unlike: int = 0
    ratings: int = 0
    largest: float = 0.0

    def told(self) -> str:
        timing = "timing the same to the bit" if not self.timing else f"TIMING UNLIKE in {self.timing[:5]}"
        return (
            f"{self.calls} calls: {timing}; {self.words_unlike} of {self.words} words unlike; "
            f"{self.ratings} ratings, {self.largest:.2g} apart at most"
        )


def main() -> None:
    arguments = _arguments()
    console = Console(soft_wrap=True)
    minutes = sum(record.duration_s for run in arguments.runs for record in _records(run)) / 60
    with tempfile.TemporaryDirectory(prefix="score-speed-") as temporary:
        work = Path(temporary)
        with checked_out(arguments.against, work) as before, standing_in(work) as now:
            trees = {arguments.against[:12]: before, "now": now}
            ways = [way for way in WAYS if not arguments.way or way in arguments.way]
            table = Table("what", "code", "processor s/min", "clock s/min", "load")
            for way in ways:
                for name, tree in trees.items():
                    cost = _scored(tree, arguments.runs, way, minutes)
                    table.add_row(
                        way, name, f"{cost.processor_s:.2f}", f"{cost.clock_s:.2f}", f"{cost.load:.1f}"
                    )
                    console.print(f"{way}, {name}: {cost}", style="dim")
            console.print(f"{minutes:.1f} minutes of sound")
            console.print(table)
            compared = {
                f"{arguments.against[:12]} and now": (before, EVERY, now, EVERY),
                "now by one process and by several": (now, ONE, now, EVERY),
            }
            good = True
            for what, (one, one_way, other, other_way) in compared.items():
                if one_way in ways and other_way in ways:
                    found = _unlike(
                        _kept(one, one_way, arguments.runs), _kept(other, other_way, arguments.runs)
                    )
                    good = good and found.calls > 0 and not found.timing
                    console.print(f"{what}: {found.told()}")
    raise SystemExit(0 if good else 1)


def _scored(tree: Tree, runs: list[Path], way: str, minutes: float) -> Cost:
    """Scores copies of the runs in which nothing is kept."""
    processor_s = clock_s = 0.0
    for run, copy in zip(runs, _kept(tree, way, runs), strict=True):
        shutil.copytree(run, copy)
        for call in (copy / "calls").iterdir():
            for kept in (ANALYSIS_FILE, "scores.json", "transcript.json"):
                (call / kept).unlink(missing_ok=True)
        began, used = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
        tree.outboundeval("score", str(copy), "--json", *WAYS[way], ends_with=(0, 1))
        now = getrusage(RUSAGE_CHILDREN)
        clock_s += time.perf_counter() - began
        processor_s += now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return Cost(processor_s=processor_s / minutes, clock_s=clock_s / minutes, load=os.getloadavg()[0])


def _kept(tree: Tree, way: str, runs: list[Path]) -> list[Path]:
    return [tree.work / way.replace(", ", "-").replace(" ", "-") / f"{i}" for i in range(len(runs))]


def _records(run: Path) -> Iterator[Any]:
    store = RunStore(run)
    for call in sorted((run / "calls").iterdir()):
        record = store.read_record(call.name)
        if record is not None and store.recording(call.name) is not None:
            yield record


def _unlike(before: list[Path], now: list[Path]) -> Unlike:
    found = Unlike()
    for one, other in zip(before, now, strict=True):
        for call in sorted((one / "calls").iterdir()):
            with suppress(FileNotFoundError):
                _compare(call, other / "calls" / call.name, found)
    return found


def _compare(one: Path, other: Path, found: Unlike) -> None:
    parts, others = (_parts(folder) for folder in (one, other))
    scores, other_scores = (
        CallScores.model_validate_json((folder / "scores.json").read_bytes()).model_dump(include=TIMING)
        for folder in (one, other)
    )
    found.calls += 1
    speech = {name for name in parts | others if name.startswith("speech")}
    if not speech or any(parts.get(name) != others.get(name) for name in speech) or scores != other_scores:
        found.timing.append(one.name)
    for name in sorted((parts | others).keys() - speech):
        if name.startswith("words"):
            first, second = (list(_words(some.get(name))) for some in (parts, others))
            same = sum(
                block.size for block in SequenceMatcher(None, first, second, False).get_matching_blocks()
            )
            found.words += len(first)
            found.words_unlike += max(len(first), len(second)) - same
        else:
            first, second = (list(_numbers(some.get(name))) for some in (parts, others))
            found.ratings += len(first)
            apart = [abs(a - b) for a, b in zip(first, second, strict=True)]
            found.largest = max(found.largest, *apart, 0.0)


def _parts(call: Path) -> dict[str, Any]:
    file = CacheFile.model_validate_json((call / ANALYSIS_FILE).read_bytes())
    return {name: part.result for name, part in file.parts.items()}


def _words(heard: Any) -> Iterator[str]:
    for segment in (heard or {}).get("segments", ()):
        yield from (word["word"] for word in segment["words"])


def _numbers(result: Any) -> Iterator[float]:
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, list):
        for inner in result:
            yield from _numbers(inner)
    elif isinstance(result, float):
        yield result


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.score_speed",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("runs", nargs="+", type=lambda text: Path(text).resolve(), metavar="RUN")
    parser.add_argument("--against", metavar="REV", default="HEAD")
    parser.add_argument("--way", action="append", choices=list(WAYS))
    return parser.parse_args()


if __name__ == "__main__":
    main()
