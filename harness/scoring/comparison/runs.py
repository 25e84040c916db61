"""Two run folders compared, and the relative gates of a run against its baseline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.analysis.measures.table import catalogue
from harness.errors import UserError
from harness.plans.checks.gates import Gate
from harness.records.comparison import Comparison
from harness.records.verdict import CheckResult
from harness.runs.database.instrument import instrument_digest
from harness.runs.database.nights import last_green
from harness.runs.database.opening import store_beside
from harness.runs.lock import holds_run
from harness.scoring.comparison.decide import changes, gate_results
from harness.scoring.comparison.instruments import differences, of_both, run_info
from harness.scoring.comparison.pairs import paired
from harness.scoring.gates.decide import (
    Relative,
    nothing_to_compare_with,
    read_checks,
    read_verdict,
    undecided,
)
from harness.scoring.gates.held_to import HeldCall, held_calls

LAST_GREEN = "last green"
_ON = f"{LAST_GREEN} on "
"""Before the name of a branch."""

WATCHED = (
    ("response_latency_ms", ""),
    ("response_latency_ms", "p95"),
    ("response_rate", ""),
    ("interruption_stop_rate", ""),
    ("wer", ""),
    ("final", ""),
)
"""What is compared where nobody names gates: few, because each more makes all of them blinder."""


def compare_runs(
    baseline: Path, candidate: Path, *, gates: Sequence[Gate] = (), every_figure: bool = False
) -> Comparison:
    """Compares the calls that two runs share.

    Args:
        gates: Relative ones, which then decide; without any the watched figures do: worse is red.
        every_figure: Look at all that we measure in place of the watched ones.

    Raises:
        UserError: A folder is no run.
    """
    sides = [held_calls(folder) for folder in (baseline, candidate)]
    pairing = paired(*sides)
    before, after = of_both(baseline, candidate, pairing)
    instruments = differences(before.instrument, after.instrument)
    wanted = (
        [(name, "") for name, entry in catalogue().items() if not entry.claimed]
        if every_figure
        else list(WATCHED)
    )
    figures = [
        one
        for one in changes(wanted, pairing, instruments=instruments)
        if one.groups or (one.figure, one.part) in WATCHED[:3]
    ]
    results = gate_results(gates, pairing, instruments=instruments)
    if gates:
        failed = any(one.result == "failed" for one in results)
        open_ = any(one.red for one in results)
    else:
        failed = any(one.word == "worse" for one in figures)
        open_ = bool(instruments or pairing.lost_more()) or not any(
            one.word != "inconclusive" for one in figures
        )
    return Comparison(
        baseline=str(baseline),
        candidate=str(candidate),
        pairs=len(pairing.pairs),
        left_out=pairing.left_out,
        instruments=instruments,
        changed=(*differences(before.agent, after.agent), *differences(before.machine, after.machine)),
        figures=tuple(figures),
        gates=tuple(results),
        word="failed" if failed else "inconclusive" if open_ else "passed",
    )


def relative_to(baseline: str, candidate: Path, *, store: str = "") -> Relative:
    """How relative gates of a run are decided: against the folder of another run, the last green one that the
    store knows, or nothing.

    Raises:
        UserError: The baseline is no run, or is the run itself.
    """
    if not baseline:
        return nothing_to_compare_with
    if is_last_green(baseline):
        return against_last_green(baseline, store, candidate)
    folder = Path(baseline)
    if not holds_run(folder):
        raise UserError(f"{folder}: the baseline is no run; give the folder that 'run' wrote")
    if folder.resolve() == candidate.resolve():
        raise UserError(f"{folder}: a run cannot be its own baseline")
    return against(folder, candidate)


def relative_as_before(candidate: Path) -> Relative:
    """How relative gates of a run that is scored again are decided: against what they were compared with, or
    what the run's own checks name where they were compared with nothing yet.

    Raises:
        UserError: The checks cannot be read, or the run is named as its own baseline.
    """
    earlier = read_verdict(candidate)
    named = earlier.baseline if earlier is not None else ""
    if not named:
        named = read_checks(candidate).baseline
        if not named or is_last_green(named):
            return relative_to(named, candidate, store=store_beside(candidate))
    baseline = Path(named)
    if holds_run(baseline):
        return relative_to(named, candidate)

    def gone(gates: Sequence[Gate], _: Sequence[HeldCall]) -> tuple[list[CheckResult], str, str]:
        told = f"the baseline {baseline} is not there any more"
        results = [CheckResult(name=gate.text, of="gate", result="inconclusive", told=told) for gate in gates]
        return results, str(baseline), ""

    return gone


def is_last_green(baseline: str) -> bool:
    """Whether a baseline is written as ``last green`` or ``last green on BRANCH``."""
    return baseline == LAST_GREEN or baseline.startswith(_ON)


def last_green_before(baseline: str, store: str, candidate: Path) -> Path | None:
    """The run that ``last green`` (``last green on BRANCH``) stands for beside a candidate: none that began
    after it. None: there is none.

    Raises:
        UserError: The store cannot be read.
    """
    info = run_info(candidate)
    if info is None:
        return None
    return last_green(
        store,
        plan_digest=info.plan_digest,
        instrument=instrument_digest(info.versions, info.outboundeval),
        address=", ".join(info.agents)[:1000],
        but=candidate,
        until=info.started_at,
        branch=baseline.removeprefix(LAST_GREEN).removeprefix(" on ").strip(),
    )


def against_last_green(baseline: str, store: str, candidate: Path) -> Relative:
    """Against the newest run of the same calls, by the same instrument, that passed."""

    def decided(gates: Sequence[Gate], calls: Sequence[HeldCall]) -> tuple[list[CheckResult], str, str]:
        if not gates:
            return nothing_to_compare_with(gates, calls)
        found = last_green_before(baseline, store, candidate)
        if found is not None:
            return against(found, candidate)(gates, calls)
        where = baseline.removeprefix(LAST_GREEN)
        why = f"no green run{where} of these calls by this instrument yet: " + (
            "one of that branch will be the baseline"
            if where
            else "this one is the next baseline if it passes"
        )
        return [undecided(gate, why) for gate in gates], "", why

    return decided


def against(baseline: Path, candidate: Path) -> Relative:
    """Decides relative gates of a run against the run in ``baseline``."""

    def decided(gates: Sequence[Gate], calls: Sequence[HeldCall]) -> tuple[list[CheckResult], str, str]:
        if not gates:
            return [], "", ""
        pairing = paired(held_calls(baseline), calls)
        before, after = of_both(baseline, candidate, pairing)
        instruments = differences(before.instrument, after.instrument)
        return gate_results(gates, pairing, instruments=instruments), str(baseline.resolve()), ""

    return decided
