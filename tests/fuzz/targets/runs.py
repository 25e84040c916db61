"""Folders of runs: every file of one, read as a report and a score read it."""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.calls.voice.packet_times import PacketTimes
from harness.errors import UserError
from harness.records.witness import WITNESS_FILE, read_witnessed
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.runs.packets_file import read_packets
from harness.runs.reader import read_run
from harness.runs.store import RunStore
from tests.fuzz.targets.base import Target

A_RUN = Path(__file__).parents[2] / "old_runs" / "0.1.0" / "calls"
A_CALL = "answered"


RUN_FILES = {
    "r": "run.json",
    "m": "summary.json",
    "c": f"calls/{A_CALL}/call.json",
    "s": f"calls/{A_CALL}/scores.json",
    "t": f"calls/{A_CALL}/transcript.json",
    "l": f"calls/{A_CALL}/timeline.jsonl",
    "g": f"calls/{A_CALL}/guard.json",
}


def run_folder(data: bytes, folder: Path) -> None:
    """Kind: which file of a run (:data:`RUN_FILES`) holds the rest. Read, reported, and read for scoring."""
    run = folder / "run"
    (run / "calls" / A_CALL).mkdir(parents=True)
    for name in RUN_FILES.values():
        if (A_RUN / name).is_file():
            shutil.copy(A_RUN / name, run / name)
    (run / RUN_FILES.get(chr(data[0]) if data else "r", "run.json")).write_bytes(data[1:])
    read_run(run)
    store = RunStore(run)
    for reading in (
        lambda: list(store.records()),
        lambda: store.read_scores(A_CALL),
        lambda: store.read_events(A_CALL),
        lambda: build_report(run),
        lambda: write_junit(run),
    ):
        try:
            reading()
        except UserError:
            continue


def packets(data: bytes, folder: Path) -> PacketTimes:
    (folder / "packets.npz").write_bytes(data)
    return read_packets(folder / "packets.npz")[0]


def witness(data: bytes, folder: Path) -> None:
    """What a user's systems told, and what of it is an event of a call."""
    (folder / WITNESS_FILE).write_bytes(data)
    for told in read_witnessed(folder):
        # Only what was told while a call stood is asked for as an event of it (``told_of``).
        told.in_call(told.at_s).model_dump_json()


TARGETS = {
    "witness": Target(run=witness, form="lines"),
    "run_folder": Target(run=run_folder, form="json", kinds="".join(RUN_FILES)),
    "packets": Target(run=packets, form="bytes"),
}
