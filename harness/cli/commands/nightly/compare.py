"""``outboundeval compare``: what it does. Its options: :mod:`harness.cli.options.nightly.compare`."""

from __future__ import annotations

from pathlib import Path

import typer
from pydantic import ValidationError

from harness._files.validation import describe_validation_error
from harness.cli.options.nightly.compare import CompareOptions
from harness.cli.screen.console import print_json, stdout
from harness.cli.screen.nightly.comparison import print_comparison
from harness.errors import EXIT_CHECK_FAILED, EXIT_OK, UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.gates import Gate
from harness.runs.database.opening import shown_store, store_beside
from harness.runs.store import is_chat_run
from harness.scoring.comparison.runs import compare_runs, is_last_green, last_green_before
from harness.scoring.gates.decide import read_checks
from harness.scoring.gates.limits import check_known


def compare(options: CompareOptions) -> None:
    """Compares the runs and ends with the exit code that the comparison has."""
    baseline = _baseline(options)
    for folder in (baseline, options.candidate):
        if is_chat_run(folder):
            raise UserError(f"{folder}: is a run of dialogues in text; 'outboundeval report' ranks those")
    gates = _gates(options.gate) if options.gate else read_checks(options.candidate).relative
    found = compare_runs(baseline, options.candidate, gates=gates, every_figure=options.every_figure)
    if options.as_json:
        print_json(found.model_dump(mode="json"))
    else:
        print_comparison(stdout, found)
    raise typer.Exit(EXIT_OK if found.word == "passed" else EXIT_CHECK_FAILED)


def _baseline(options: CompareOptions) -> Path:
    """The folder that was named, or that of the last green run.

    Raises:
        UserError: The store has no such run.
    """
    if not is_last_green(options.baseline):
        return Path(options.baseline)
    store = options.store or store_beside(options.candidate)
    found = last_green_before(options.baseline, store, options.candidate)
    if found is None:
        raise UserError(
            f"{shown_store(store)}: knows no run that '{options.baseline}' stands for: of the same calls, at "
            "the same address, by the same instrument"
        )
    return found


def _gates(written: list[str]) -> tuple[Gate, ...]:
    try:
        gates = tuple(Gate.model_validate(text) for text in written)
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where="--gate")) from error
    if any(gate.kind != "relative" for gate in gates):
        raise UserError("--gate: two runs are compared by 'FIGURE: not worse by NUMBER'")
    check_known(Checks(gates=gates), where="--gate")
    return gates
