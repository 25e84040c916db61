"""What measured a run, and what else could have changed: ours, the agent's, the machine's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.records.run import RunInfo
from harness.scoring.gates.held_to import HeldCall
from harness.versions import same_instrument_version


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """Of a run: name -> value, each a text.

    Attributes:
        instrument: Ours: figures of two instruments are never compared silently.
        agent: What the agent says that it is, and where it was called.
        machine: Where we called from.
    """

    instrument: dict[str, str]
    agent: dict[str, str]
    machine: dict[str, str]


def circumstances(folder: Path, calls: Sequence[HeldCall]) -> Circumstances:
    """What is known of how a run came about."""
    info = run_info(folder)
    instrument: dict[str, str] = {}
    if info is not None:
        instrument = {"outboundeval": info.outboundeval}
        instrument |= {name: same_instrument_version(name, one) for name, one in info.versions.items()}
    detectors: dict[str, set[str]] = {}
    versions: dict[str, set[str]] = {}
    bars: set[str] = set()
    for call in calls:
        scores = call.files.scores
        if scores is None:
            continue
        for name, setting in scores.detectors.items():
            detectors.setdefault(f"detector {name}", set()).add(setting)
        for score in scores.scores:
            if score.value is not None:
                versions.setdefault(f"version of {score.metric}", set()).add(score.version)
        if scores.text is not None and scores.text.text is not None:
            judge = f"{scores.text.text.judge} {scores.text.text.judge_version}"
            versions.setdefault("judge", set()).add(judge)
        if scores.calibration is not None:
            note = scores.calibration
            bars.add(f"{note.transport}: {note.response_p95_ms} / {note.interruption_p95_ms} ms")
    for found in (detectors, versions):
        instrument |= {name: " / ".join(sorted(values)) for name, values in found.items()}
    names = sorted({call.record.agent_name for call in calls if call.record.agent_name})
    machine = {"error bar": " / ".join(sorted(bars))} if bars else {}
    if info is not None and info.machine is not None:
        machine |= {"machine": info.machine.platform, "cores": str(info.machine.cpu_count)}
    if info is not None:
        # Patch releases that make no other figure: told, as everything that is another.
        patches = {name: one for name, one in info.versions.items() if instrument[name] != one}
        machine |= patches
    return Circumstances(
        instrument=instrument,
        agent={
            "agent": " / ".join(names),
            "address": " / ".join(info.agents if info is not None else ()),
        },
        machine=machine,
    )


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> tuple[str, ...]:
    """What is not the same, in words. What only one side tells is no difference of a kind that can be named:
    a figure that was not measured has no version."""
    return tuple(
        f"{name}: {one[name] or 'not told'}, then {other[name] or 'not told'}"
        for name in sorted(one.keys() & other.keys())
        if one[name] != other[name]
    )


def run_info(folder: Path) -> RunInfo | None:
    """``run.json``; None where it is missing or cannot be read."""
    try:
        return read_model(folder / "run.json", RunInfo, within=folder)
    except UserError:
        return None
