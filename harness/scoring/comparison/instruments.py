"""What measured a run, and what else could have changed: ours, the agent's, the machine's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.records.run import RunInfo
from harness.scoring.comparison.pairs import Pairing
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


def of_both(baseline: Path, candidate: Path, pairing: Pairing) -> tuple[Circumstances, Circumstances]:
    """How two runs came about, by what both sides of a pair measured: a call that only one of them has, or a
    figure that only one of them could tell of it, makes no other instrument."""
    first = [pair[0] for pair in pairing.pairs]
    second = [pair[1] for pair in pairing.pairs]
    return circumstances(baseline, first, partners=second), circumstances(candidate, second, partners=first)


def circumstances(
    folder: Path, calls: Sequence[HeldCall], *, partners: Sequence[HeldCall] = ()
) -> Circumstances:
    """What is known of how a run came about.

    Args:
        partners: What each call is compared with; then only what both have counts.
    """
    info = run_info(folder)
    instrument: dict[str, str] = {}
    if info is not None:
        instrument = {"outboundeval": info.outboundeval}
        instrument |= {name: same_instrument_version(name, one) for name, one in info.versions.items()}
    measured: dict[str, set[str]] = {}
    bars: set[str] = set()
    for place, call in enumerate(calls):
        both = _measured_with(partners[place]).keys() if partners else None
        for name, value in _measured_with(call).items():
            if both is None or name in both:
                measured.setdefault(name, set()).add(value)
        if call.files.scores is not None and call.files.scores.calibration is not None:
            note = call.files.scores.calibration
            bars.add(f"{note.transport}: {note.response_p95_ms} / {note.interruption_p95_ms} ms")
    instrument |= {name: " / ".join(sorted(values)) for name, values in measured.items()}
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


def _measured_with(call: HeldCall) -> dict[str, str]:
    """Of a call: detectors, versions of figures, and the judge."""
    scores = call.files.scores
    if scores is None:
        return {}
    found = {f"detector {name}": setting for name, setting in scores.detectors.items()}
    found |= {f"version of {one.metric}": one.version for one in scores.scores if one.value is not None}
    if scores.text is not None and scores.text.text is not None:
        found["judge"] = f"{scores.text.text.judge} {scores.text.text.judge_version}"
    return found


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
