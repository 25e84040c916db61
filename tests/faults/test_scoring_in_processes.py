"""A process that listens is killed in the middle: it is told, and nothing that was kept is lost."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.analysis.cache import ANALYSIS_FILE
from harness.analysis.instruments import Instruments
from harness.scoring.beside import WORKER
from harness.scoring.run import RunScores, score_run
from tests.unit.harness.stand_ins.recorded import recorded_run

CALLS = ("one", "two", "three", "four")
WITHIN_S = 120.0


def scored(folder: Path, *, processes: int) -> RunScores:
    return score_run(
        recorded_run(folder, *CALLS, text="Pardon?"),
        instruments=Instruments(only=frozenset({"timing"})),
        on_progress=lambda _: None,
        processes=processes,
    )


def heard(folder: Path, call_id: str) -> Any:
    return json.loads((folder / "calls" / call_id / ANALYSIS_FILE).read_text(encoding="utf-8"))["parts"]


def listening() -> Iterator[int]:
    """Processes of ours that listen, and none of those that other tests beside have started."""
    for task in Path("/proc/self/task").iterdir():
        try:
            for child in (task / "children").read_text().split():
                if WORKER[-1].encode() in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                    yield int(child)
        except OSError:  # a thread or a process that has just ended
            continue


def kill_one_that_has_begun(killed: list[int], *, kept_in: Path) -> None:
    """Kills one when another has heard something: then both are at their work. Until then it is held up, or
    on a busy machine all might be heard before we look."""
    until = time.monotonic() + WITHIN_S
    held = None
    while time.monotonic() < until and not (held and any(kept_in.glob(f"calls/*/{ANALYSIS_FILE}"))):
        if held is None and (held := next(listening(), None)) is not None:
            os.kill(held, signal.SIGSTOP)
        time.sleep(0.001)
    if held is not None:
        os.kill(held, signal.SIGKILL)
        killed.append(held)


def test_one_that_is_killed_is_told_and_the_figures_are_those_of_one_process(tmp_path: Path) -> None:
    killed: list[int] = []
    folder = tmp_path / "killed"
    killer = threading.Thread(target=kill_one_that_has_begun, args=(killed,), kwargs={"kept_in": folder})
    killer.start()
    found = scored(folder, processes=2)
    killer.join()
    alone = scored(tmp_path / "alone", processes=1)
    assert len(killed) == 1
    assert [one for one in found.audio.problems if "was lost" in one]
    assert alone.audio.problems == []
    for call_id in CALLS:
        assert heard(folder, call_id) == heard(tmp_path / "alone", call_id)
    assert found.summary.metrics == alone.summary.metrics
    assert found.audio.calls == len(CALLS)


def test_all_killed_at_once_the_scoring_hears_for_itself(tmp_path: Path) -> None:
    def kill_all() -> None:
        until = time.monotonic() + WITHIN_S
        while time.monotonic() < until and len(found := sorted(set(listening()))) < 2:
            time.sleep(0.001)
        for process in found:
            os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=kill_all)
    killer.start()
    found = scored(tmp_path, processes=2)
    killer.join()
    assert [one for one in found.audio.problems if "was lost" in one]
    assert found.audio.calls == len(CALLS)
    assert all(heard(tmp_path, call_id) for call_id in CALLS)


def test_none_killed_none_told(tmp_path: Path) -> None:
    assert scored(tmp_path, processes=2).audio.problems == []
