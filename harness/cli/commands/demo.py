"""``outboundeval demo``: what it does. Its options: :mod:`harness.cli.options.demo`."""

from __future__ import annotations

import time
from pathlib import Path

from harness._files.shipped import shipped_folder
from harness.analysis.instruments import Instruments
from harness.cli.ending import end, end_where_cut_off
from harness.cli.options.demo import DemoOptions
from harness.cli.own_folder import own_folder
from harness.cli.screen.console import stdout
from harness.cli.screen.nightly.verdict import print_verdict
from harness.cli.screen.scores import print_summary
from harness.cli.steps_of_calls import place, score_and_report
from harness.paths import new_run_folder
from harness.plans.plan import load_plan
from harness.runs.batch import Outcome
from harness.selfcheck.reference_agents import serving

PLAN = shipped_folder("plans") / "demo.yaml"


def demo(options: DemoOptions) -> None:
    """Serves the agent, places the calls, scores and reports them."""
    began = time.monotonic()
    folder = options.out if options.out is not None else new_run_folder("demo")
    with own_folder(
        folder, doing="demo", console=stdout, go_on=f"Go on with: outboundeval demo --out {folder}"
    ):
        outcome = _demo(folder)
    stdout.print(f"[dim]{time.monotonic() - began:.0f} s in all[/]", highlight=False)
    end(outcome)


def _demo(folder: Path) -> Outcome:
    stdout.print("Starting the pipecat reference agent (speech detection, Whisper, Piper) …")
    with serving("pipecat") as address:
        plan = load_plan(PLAN, agent=address)
        outcome = place(plan, folder, console=stdout, live=True)
    end_where_cut_off(outcome)
    # The agent has ended: scoring has the machine to itself.
    scored = score_and_report(folder, instruments=Instruments(), console=stdout)
    print_summary(stdout, scored.summary, scored.records, scored.report)
    print_verdict(stdout, scored.verdict)
    return outcome
