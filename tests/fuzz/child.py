"""Runs one target without end, in a process of its own: ``python -m tests.fuzz.child TARGET --work FOLDER``.

Where atheris is installed (libFuzzer for Python) inputs that reach new lines of our code are kept and broken
further; elsewhere inputs are broken by chance alone. Before each input is tried it lies in
``FOLDER/current``, so that whoever watches knows what it was that took the process with it. ``FOLDER/told``
has the figures.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
import json
import logging
import random
import shutil
import sys
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.fuzz.findings import SLOW_S, keep, of_error
from tests.fuzz.mutations import MAX_BYTES, mutate
from tests.fuzz.targets.base import REFUSALS, Target

OURS = ("harness", "spoken_language", "voice_sim", "yaml")
"""What is led by coverage. ``metrics`` is not: of each comparison of arrays in what it watches atheris
keeps the arrays (300 kB for each second of sound), which soon looks like a leak of ours."""
CURRENT, TOLD = "current", "told"
TELL_EACH_S = 0.5


class Trial:
    """Tries inputs on a target and keeps account.

    Args:
        package: Where the target is: a package like ``tests.fuzz.targets``.
    """

    def __init__(self, name: str, *, work: Path, findings: Path, package: str) -> None:
        self.target: Target = import_module(package).target_named(name)
        self._name = name
        self._work = work
        self._findings = findings
        self._room = work / "room"
        self.inputs = 0
        self.refused = 0
        self.slowest_s = 0.0
        self._told_s = 0.0
        # What took the process with it once would take it again.
        self._known = {hashlib.sha256(path.read_bytes()).digest() for path in findings.glob("*.input")}

    def try_one(self, data: bytes) -> None:
        if hashlib.sha256(data).digest() in self._known:
            return
        (self._work / CURRENT).write_bytes(data)
        shutil.rmtree(self._room, ignore_errors=True)
        self._room.mkdir()
        began_s = time.process_time()
        try:
            self.target.run(data, self._room)
        except REFUSALS:
            self.refused += 1
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            cause, told = of_error(error)
            self._keep("traceback", cause, told, data)
        took_s = time.process_time() - began_s
        # The first input pays for what is loaded when it is first needed.
        if self.inputs and took_s > SLOW_S:
            self._keep("slow", "slow", f"{took_s:.1f} s of processor time", data)
        self.inputs += 1
        self.slowest_s = max(self.slowest_s, took_s if self.inputs > 1 else 0.0)
        self._tell()

    def _keep(self, kind: str, cause: str, told: str, data: bytes) -> None:
        keep(self._findings, target=self._name, kind=kind, cause=cause, told=told, data=data)

    def _tell(self, *, now: bool = False) -> None:
        if now or time.monotonic() - self._told_s > TELL_EACH_S:
            self._told_s = time.monotonic()
            told = {"inputs": self.inputs, "refused": self.refused, "slowest_s": round(self.slowest_s, 3)}
            part = self._work / f"{TOLD}.part"
            part.write_text(json.dumps(told), encoding="utf-8")
            part.replace(self._work / TOLD)


def led_by_coverage(
    atheris: Any, trial: Trial, *, corpus: Path, seeds: Path, seed: int, seconds: float
) -> None:
    """libFuzzer's loop, with our mutations beside its own."""
    target = trial.target

    def mutator(data: bytes, max_size: int, number: int) -> bytes:
        if number % 8 == 0:
            return bytes(atheris.Mutate(data, max_size))
        broken = mutate(bytes(data), form=target.form, kinds=target.kinds, chance=random.Random(number))
        return broken[:max_size]

    atheris.Setup(
        [
            "fuzz",
            str(corpus),
            str(seeds),
            f"-max_len={MAX_BYTES}",
            f"-max_total_time={max(1, round(seconds))}",
            f"-seed={seed}",
            "-len_control=0",
            "-rss_limit_mb=0",
            # Time is kept by us and by whoever watches; 0 would be taken at its word.
            "-timeout=86400",
            f"-artifact_prefix={corpus.parent}/",
            "-print_final_stats=0",
            "-verbosity=0",
        ],
        trial.try_one,
        custom_mutator=mutator,
    )
    atheris.Fuzz()


def led_by_chance(trial: Trial, *, seeds: Path, seed: int, seconds: float) -> None:
    """Breaks what there is to begin with, again and again, and now and then what was broken before."""
    chance = random.Random(seed)
    pool = [path.read_bytes() for path in sorted(seeds.iterdir())] or [b""]
    for data in pool:
        trial.try_one(data)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        data = mutate(chance.choice(pool), form=trial.target.form, kinds=trial.target.kinds, chance=chance)
        trial.try_one(data)
        if chance.random() < 0.01 and len(pool) < 2000:
            pool.append(data)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.fuzz.child")
    parser.add_argument("target")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--findings", type=Path, required=True)
    parser.add_argument("--seeds", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package", default="tests.fuzz.targets")
    parser.add_argument("--by-chance", action="store_true")
    given = parser.parse_args()
    # What a target prints is for whoever ran a command; here it would only fill the disk.
    logging.disable()
    warnings.simplefilter("ignore")
    atheris = None
    if not given.by_chance:
        with contextlib.suppress(ImportError):
            atheris = import_module("atheris")
    corpus = given.work / "corpus"
    for folder in (corpus, given.findings):
        folder.mkdir(parents=True, exist_ok=True)
    if atheris is None:
        trial = Trial(given.target, work=given.work, findings=given.findings, package=given.package)
        led_by_chance(trial, seeds=given.seeds, seed=given.seed, seconds=given.seconds)
        trial._tell(now=True)
        return
    # The targets, too: libFuzzer forgets a seed that reaches nothing that it can see.
    with atheris.instrument_imports(include=[*OURS, given.package], enable_loader_override=False):
        trial = Trial(given.target, work=given.work, findings=given.findings, package=given.package)
    gc.freeze()
    led_by_coverage(atheris, trial, corpus=corpus, seeds=given.seeds, seed=given.seed, seconds=given.seconds)


if __name__ == "__main__":
    main()
    sys.exit(0)
