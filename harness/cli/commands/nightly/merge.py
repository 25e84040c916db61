"""``outboundeval merge``: what it does. Its options: :mod:`harness.cli.options.nightly.merge`."""

from __future__ import annotations

import typer
from rich.console import Console

from harness.analysis.instruments import Instruments
from harness.cli.commands.nightly.telling import index_run, tell_others
from harness.cli.options.nightly.merge import MergeOptions
from harness.cli.own_folder import own_folder
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.screen.nightly.verdict import print_verdict
from harness.cli.screen.scores import print_summary
from harness.cli.steps_of_calls import score_and_report
from harness.runs.database.opening import store_beside
from harness.runs.elsewhere.merge import Merged, merge_shards
from harness.runs.store import RunStore
from harness.scoring.comparison.runs import relative_to
from harness.scoring.gates.decide import read_checks

_SHOWN = 5


def merge(options: MergeOptions) -> None:
    """Merges, says what is missing, and scores; ends with the verdict's exit code."""
    console = progress_console(as_json=options.as_json)
    go_on = f"Go on with: the same command and --out {options.out}"
    with own_folder(options.out, doing="merge", console=console, go_on=go_on):
        merged = merge_shards(options.runs, options.out, incomplete=options.incomplete)
        for told in (
            _listed("shards that are missing", [str(place) for place in merged.missing]),
            _listed("calls that were not placed", merged.not_placed),
        ):
            if told:
                console.print(told, style="yellow", markup=False, highlight=False, soft_wrap=True)
        if not options.score:
            document = {"run": str(options.out), "calls": merged.calls, "not_placed": list(merged.not_placed)}
            if options.as_json:
                print_json(document)
            else:
                told = f"{merged.calls} calls of {len(options.runs)} shards: {options.out}"
                stdout.print(told, markup=False, highlight=False, soft_wrap=True)
            return
        _score(merged, options, console)


def _score(merged: Merged, options: MergeOptions, console: Console) -> None:
    """As 'run' ends, with the whole: a shard is no night, and nobody is told of one."""
    store = options.store or store_beside(options.out)
    scored = score_and_report(
        options.out,
        instruments=Instruments(),
        console=console,
        relative=relative_to(read_checks(options.out).baseline, options.out, store=store),
    )
    if options.as_json:
        verdict = scored.verdict.model_dump(mode="json")
        print_json(scored.summary.model_dump(mode="json") | {"verdict": verdict})
    else:
        print_summary(stdout, scored.summary, scored.records, scored.report)
        print_verdict(stdout, scored.verdict)
    index_run(store, options.out, console)
    tell_others(
        options.out,
        info=RunStore(options.out).read_info(),
        store=store,
        notify=merged.notify,
        otel=merged.otel,
        console=console,
    )
    raise typer.Exit(scored.verdict.exit_code)


def _listed(what: str, names: list[str] | tuple[str, ...]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{what}: {', '.join(names[:_SHOWN])}{more}"
