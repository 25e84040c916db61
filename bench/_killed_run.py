"""One run that is killed several times and completed in the end, and what is found wrong on the way."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import yaml

from harness.analysis.call import scorable
from harness.records.call import CallStatus

KILLS = ("run", "worker", "score")
CALLS = 6
BEGINS_S = 8.0
CALL_S = 8.0
WRITES_S = 0.6
"""How long a start takes until it calls, a call until the next one, and the end of a call until it is
written: on an idle machine, roughly. Kills are spread over them."""
SCORES_S = 40.0
ENDS_S = 1800.0
LEFT_BEHIND_S = 10.0
KEPT = ("call.json", "timeline.jsonl", "audio.flac", "packets.npz")
"""What a finished call has: nothing of it may change any more."""

Files = dict[str, str]
"""File -> SHA-256."""


@dataclass(kw_only=True)
class KilledRun:
    """See the module's docstring.

    Attributes:
        kinds: What is killed, one after the other; of :data:`KILLS`.
        killed: Kills that were done, by kind.
        counts: Calls by what became of them.
        faults: What is wrong, in words; ``fault_kinds`` is the kind of each.
    """

    folder: Path
    agent: str
    log: Path
    kinds: list[str]
    seed: int
    command: tuple[str, ...] = (sys.executable, "-m", "harness.cli.main")
    killed: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    fault_kinds: list[str] = field(default_factory=list)
    _finished: dict[str, Files] = field(default_factory=dict)
    _placed: Counter[str] = field(default_factory=Counter)
    _starts: int = 0

    def live(self) -> None:
        """Kills and goes on as planned, completes the run, and looks at what came of it."""
        self.folder.mkdir(parents=True)
        plan = {"name": self.folder.name, "calls": [self._call(number) for number in range(CALLS)]}
        (self.folder / "plan.yaml").write_text(yaml.safe_dump(plan), encoding="utf-8")
        chance = random.Random(self.seed)
        place = ("run", "plan.yaml", "--out", "run", "--no-score")
        for kind in self.kinds:
            if kind != "score" and len(self._finished) == CALLS:
                continue
            if kind == "score" and len(self._finished) < CALLS:
                self._complete(place)
            with self._started(*(("score", "run") if kind == "score" else place)) as process:
                self._kill(kind, process, chance)
        self._complete(place)
        if "score" in self.kinds:
            self._complete(("score", "run"))
            for call in self._calls():
                if self._has_figures(call) and not (self._folder_of(call) / "scores.json").is_file():
                    self._fault("not scored", f"{call} has no scores in the end")
        self._look_at_the_end()

    def _has_figures(self, call: str) -> bool:
        """What our own side spoilt (a busy machine) has none, and is no fault here."""
        path = self._folder_of(call) / "call.json"
        if not path.is_file():
            return True
        return scorable(CallStatus(json.loads(path.read_text(encoding="utf-8"))["status"]))

    # --- what is done

    def _kill(self, kind: str, process: subprocess.Popen[bytes], chance: random.Random) -> None:
        moment = chance.random()
        if kind == "score":
            self._wait(process, chance.uniform(0, SCORES_S))
        elif kind == "run" and moment < 0.15:
            self._wait(process, chance.uniform(0, BEGINS_S))
        elif kind == "run" and moment < 0.55:
            self._wait_for("over", process)
            self._wait(process, chance.uniform(0, WRITES_S))
        else:
            self._wait_for("placed", process)
            self._wait(process, chance.uniform(0, CALL_S))
        workers = _children(process)
        if kind == "worker":
            for worker in workers:
                with contextlib.suppress(psutil.NoSuchProcess):
                    worker.kill()
            self.killed[kind] += bool(workers)
            self._ends(process)
            workers = []
        elif process.poll() is None:
            process.kill()
            process.wait()
            self.killed[kind] += 1
        self._look(cut_off=True)
        _, alive = psutil.wait_procs(workers, LEFT_BEHIND_S)
        if alive:
            self._fault("left behind", f"{len(alive)} processes outlived the one that started them")

    def _complete(self, arguments: tuple[str, ...]) -> None:
        with self._started(*arguments) as process:
            self._ends(process)
        self._look(cut_off=False)

    def _ends(self, process: subprocess.Popen[bytes]) -> None:
        try:
            code = process.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            self._fault("hangs", f"start {self._starts} had not ended after {ENDS_S:g} s")
            return
        # 1: a call failed, for instance where we killed who listens for it. That is its result.
        if code not in (0, 1):
            self._fault("exit code", f"start {self._starts} ended with {code}: {self._said()[-300:]!r}")

    @contextlib.contextmanager
    def _started(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        self._starts += 1
        said = self.folder / f"said-{self._starts}.txt"
        before = self._placements()
        with said.open("wb") as output:
            process = subprocess.Popen(
                [*self.command, *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if "Traceback" in self._said():
            self._fault("traceback", f"start {self._starts}: {self._said()[-300:]!r}")
        for name, count in (self._placements() - before).items():
            if count > 1:
                self._fault("placed twice", f"{name} was placed {count} times by start {self._starts}")

    def _wait_for(self, what: str, process: subprocess.Popen[bytes]) -> None:
        """Until the agent notes this of one more call, or the process has ended."""
        before = self._noted(what)
        while process.poll() is None and self._noted(what) == before:
            time.sleep(0.02)

    def _wait(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)

    # --- what is found

    def _look(self, *, cut_off: bool) -> None:
        """What was finished before must still be there, and must not have been placed again."""
        placed = self._placements()
        now = {call: files for call in self._calls() if (files := self._files(call))}
        for call, files in self._finished.items():
            if now.get(call) != files:
                differ = [name for name, was in files.items() if now.get(call, {}).get(name) != was]
                self._fault("lost", f"{call} was finished, and {', '.join(differ)} is not the same any more")
            if placed[self._name(call)] > self._placed[self._name(call)]:
                self._fault("placed twice", f"{call} was finished, and placed again")
        if cut_off:
            self.counts["finished"] += len(now)
            again = [call for call in self._calls() if call not in now and placed[self._name(call)]]
            new = [call for call in again if placed[self._name(call)] > self._placed[self._name(call)]]
            self.counts["cut off"] += len(new)
            self.counts["cut off unwritten"] += sum(self._was_over(call) for call in new)
        self._finished, self._placed = now, placed

    def _look_at_the_end(self) -> None:
        self.counts["calls"] += CALLS
        self.counts["complete"] += len(self._finished)
        for call in self._calls():
            if call not in self._finished:
                self._fault("not complete", f"{call} has no record in the end")

    def _fault(self, kind: str, what: str) -> None:
        self.fault_kinds.append(kind)
        self.faults.append(f"{kind}: {what}")

    def _said(self) -> str:
        return (self.folder / f"said-{self._starts}.txt").read_text(encoding="utf-8", errors="replace")

    def _files(self, call: str) -> Files:
        """The files of a call that is finished; none of one that is not."""
        folder = self._folder_of(call)
        try:
            status = json.loads((folder / "call.json").read_bytes())["status"]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._fault("torn", f"{call}: its record cannot be read: {error}")
            return {}
        if status == "interrupted":
            return {}
        found = {name: folder / name for name in KEPT if (folder / name).is_file()}
        return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()}

    # --- the agent's own log

    def _placements(self) -> Counter[str]:
        return Counter(str(line["name"]) for line in self._lines() if line["what"] == "placed")

    def _noted(self, what: str) -> int:
        return sum(line["what"] == what for line in self._lines())

    def _was_over(self, call: str) -> bool:
        """Whether the call that was placed last had been hung up."""
        own = [line["what"] for line in self._lines() if line["name"] == self._name(call)]
        return bool(own) and own[-1] == "over"

    def _lines(self) -> list[dict[str, object]]:
        prefix = f"{self.folder.name}/"
        lines = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines() if line]
        return [line for line in lines if str(line["name"]).startswith(prefix)]

    # --- the plan

    def _calls(self) -> list[str]:
        return [f"call-{number}" for number in range(CALLS)]

    def _name(self, call: str) -> str:
        return f"{self.folder.name}/{call}"

    def _folder_of(self, call: str) -> Path:
        return self.folder / "run" / "calls" / call

    def _call(self, number: int) -> dict[str, object]:
        call = f"call-{number}"
        return {
            "id": call,
            "agent": self.agent,
            "request_data": {"name": self._name(call), "speaks_s": 1.0, "quiet_s": 2.0},
            "script": {"lines": [{"say": "Hello there.", "pause_s": 0.2}], "hang_up_after_s": 0.2},
            "limits": {"connect_s": 20.0, "call_s": 20.0},
        }


def _children(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
