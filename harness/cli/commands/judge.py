"""``outboundeval judge``."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.cli.options.shared import AsJson
from harness.cli.screen.console import print_json, progress_console, stderr, stdout
from harness.errors import EXIT_CHECK_FAILED
from harness.judging.cache import VerdictStore
from harness.judging.checking.agreement_check import (
    MAX_FAILED_SHARE,
    PAPER_NODES,
    PAPER_REPLIES,
    JudgeCheck,
    check_judge,
    keep_check,
    percent,
)
from harness.judging.checking.labelled_set import HELD_OUT_SET, OWN_SET, JudgeSet, read_judge_set, set_folder
from harness.judging.checking.progress import duration, told_failures
from harness.judging.judges import ATTEMPT_S, QUESTION_S, RULES, JudgeChoice
from harness.models.language.metered import Limits
from harness.models.language.prices import read_prices

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Judges of the words: how often one is right."
)


@app.callback()
def _judge() -> None:
    """Judges of the words: how often one is right."""


@app.command()
def check(
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            help=f"{RULES} (the default), or a language model: PROVIDER:MODEL, http://HOST:PORT/v1 or "
            "local:NAME. Several make a panel.",
        ),
    ] = None,
    samples: Annotated[int, typer.Option(help="Ask a language model so often, as a panel.")] = 1,
    labelled_set: Annotated[
        str | None,
        typer.Option(
            "--set",
            help="Another labelled set: short (short briefings, for small models), held_out, or a folder.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Only so many replies of each dimension, balanced over scores and domains, and so many "
            "dialogues: a quick look, no estimate of the whole set.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, max=3600, help="Seconds for one question, with all that is tried again.")
    ] = QUESTION_S,
    parallel: Annotated[int, typer.Option(min=1, max=200, help="Questions open at once.")] = 8,
    prices: Annotated[
        Path | None, typer.Option(help="YAML file with prices of models, for the cost.")
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Ask everything again; the answers take the place of what was kept."),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="List every disagreement with both arguments.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Have a judge judge a labelled set, and say how often it agrees, with intervals.

    The result is kept and printed beside scores by this judge in this version. Beside it stand the paper's
    figures (5.1.5), and how well the two passes of labels agree with each other. Where more than 5 % of the
    verdicts failed, nothing is kept and the exit code is 1.

    The rules are also checked on the set that was held out, since they were written with the other one; of a
    language model that is asked for by --set held_out.

    Example: outboundeval judge check --judge rules

    Answers are kept as they come: after Ctrl-C the same command goes on where it was.

    Example: outboundeval judge check --judge openai:gpt-4.1 --parallel 16

    Example: outboundeval judge check --judge local:qwen2.5-coder-1.5b --set short
    """
    choice = JudgeChoice(
        names=judge or (RULES,),
        samples=samples,
        limits=Limits(attempt_s=min(timeout, ATTEMPT_S), concurrency=parallel),
        question_s=timeout,
        prices=read_prices(prices) if prices else {},
        store=VerdictStore(fresh=fresh),
    )
    folders = [set_folder(labelled_set)] if labelled_set else [OWN_SET]
    if not labelled_set and not choice.models:
        folders.append(HELD_OUT_SET)
    console = progress_console(as_json=as_json)
    sets = [read_judge_set(folder) for folder in folders]
    began_s = time.monotonic()
    try:
        results = [
            asyncio.run(_checked(choice, labelled, console, parallel=parallel, limit=limit))
            for labelled in sets
        ]
    except KeyboardInterrupt:
        if choice.models:
            without = ", without --fresh," if fresh else ""
            stderr.print(
                f"the answers so far are kept: the same command{without} goes on from there", highlight=False
            )
        raise
    took_s = time.monotonic() - began_s
    paths = [
        keep_check(result, held_out=folder == HELD_OUT_SET) if folder in (OWN_SET, HELD_OUT_SET) else None
        for folder, result in zip(folders, results, strict=True)
    ]
    if as_json:
        document = results[0].model_dump(mode="json")
        for held_out in results[1:]:
            document["held_out"] = held_out.model_dump(mode="json")
        print_json(document)
        for line in choice.problems():
            stderr.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)
    else:
        for folder, result in zip(folders, results, strict=True):
            if folder == HELD_OUT_SET:
                stdout.print(
                    "\n[bold]held out[/]: written apart, and used to change nothing", highlight=False
                )
            _print_check(result, verbose=verbose)
        stdout.print(f"judged in {duration(took_s)}", style="dim", highlight=False)
        for line in choice.told():
            stdout.print(line, style="dim", markup=False, highlight=False)
        for path in filter(None, paths):
            stdout.print(
                f"kept for reports: {path}", style="dim", markup=False, highlight=False, soft_wrap=True
            )
    for result in results:
        if result.too_many_failed:
            stderr.print(_why_not_kept(result), style="red", markup=False, highlight=False, soft_wrap=True)
            raise typer.Exit(EXIT_CHECK_FAILED)


def _why_not_kept(result: JudgeCheck) -> str:
    told = [
        f"{one.failed} of {one.n} {name} have no verdict "
        f"({told_failures(Counter(result.failures.get(name, {})))})"
        for name, one in (("replies", result.replies), ("nodes", result.nodes))
        if one.failed
    ]
    return (
        f"this says nothing about the judge {result.judge}, and is not kept: "
        f"{'; '.join(told) or 'nothing was judged'}. At most {100 * MAX_FAILED_SHARE:.0f} % of either may "
        "fail; what was kept before stays. Look at key, quota and server (or --timeout), then give the "
        "same command again: only what failed is asked again. A model that fails by itself is no judge."
    )


async def _checked(
    choice: JudgeChoice, labelled: JudgeSet, console: Console, *, parallel: int, limit: int | None
) -> JudgeCheck:
    async with choice.opened() as judge:
        with console.status("judging the labelled set") as status:
            return await check_judge(
                judge,
                labelled,
                parallel=parallel,
                limit=limit,
                on_progress=lambda progress: status.update(f"judging: {escape(progress.told())}"),
            )


def _print_check(result: JudgeCheck, *, verbose: bool) -> None:
    stdout.print(f"[bold]{escape(result.judge)}[/] {escape(result.judge_version)}", highlight=False)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)  # fits into 80 columns
    table.add_column("", no_wrap=True)
    for name in ("n", "failed"):
        table.add_column(name, justify="right")
    for name in ("agrees", "kappa", "weighted", "passes agree"):
        table.add_column(name)
    rows = [*result.dimensions.items(), ("all replies", result.replies), ("nodes", result.nodes)]
    for name, one in rows:
        people = result.people.get(name)
        table.add_row(
            name,
            str(one.n),
            str(one.failed),
            percent(one),
            _two(one.kappa),
            _two(one.weighted_kappa),
            percent(people) if people is not None else "",
        )
    stdout.print(table)
    _print_counts(result)
    stdout.print(_told_intervals(result), style="dim", highlight=False)
    if result.turns.n:
        stdout.print(f"achieved nodes with the same turn cited: {percent(result.turns)}, n {result.turns.n}")
    for language, groups in result.by_language.items() if len(result.by_language) > 1 else ():
        told = ", ".join(f"{what} {percent(one)} (n {one.n})" for what, one in groups.items())
        stdout.print(f"{language}: {told}", highlight=False, markup=False)
    if result.not_claimed:
        stdout.print(f"not claimed by this judge: {', '.join(result.not_claimed)}", highlight=False)
    stdout.print(
        f"The paper reports {100 * PAPER_NODES:.0f} % for nodes and {100 * PAPER_REPLIES:.0f} % for replies.",
        style="dim",
        highlight=False,
    )
    _print_confusions(result)
    _print_disagreements(result, verbose=verbose)


def _told_intervals(result: JudgeCheck) -> str:
    """How the intervals were found: what is of one dialogue is not independent."""
    told = []
    for name, one in (("replies", result.replies), ("nodes", result.nodes)):
        if one.dialogues is not None:
            told.append(f"{name} by resampling dialogues ({one.dialogues})")
        elif one.n:
            told.append(f"{name} Wilson, each of a dialogue of its own")
    return f"95 % intervals: {'; '.join(told)}" if told else "nothing was compared"


def _print_counts(result: JudgeCheck) -> None:
    """How much of the set was judged, and why there is no verdict where there is none."""
    if result.replies_in_set is not None and result.dialogues_in_set is not None:
        stdout.print(
            f"judged {result.replies.n} of {result.replies_in_set} replies and {result.dialogues} of "
            f"{result.dialogues_in_set} dialogues ({result.nodes.n} nodes)",
            highlight=False,
        )
    if result.partial:
        stdout.print(
            "a balanced sample: of each dimension about as many replies of each score, not as often as in "
            "the set, so what agrees here is no estimate of the whole set",
            highlight=False,
        )
    for name, one in (("replies", result.replies), ("nodes", result.nodes)):
        if one.failed:
            reasons = told_failures(Counter(result.failures.get(name, {})))
            stdout.print(f"failed {one.failed} of {one.n} {name}: {reasons}", highlight=False, markup=False)


def _print_confusions(result: JudgeCheck) -> None:
    for name, one in (("replies", result.replies), ("nodes", result.nodes)):
        wrong = [
            (count, label, judged)
            for label, row in one.confusion.items()
            for judged, count in row.items()
            if label != judged
        ]
        if wrong:
            told = ", ".join(
                f"{label} taken for {judged} {count}x" for count, label, judged in sorted(wrong)[::-1]
            )
            stdout.print(f"{name}: {told}", highlight=False, markup=False)


def _print_disagreements(result: JudgeCheck, *, verbose: bool) -> None:
    count = sum(one.n - one.agreed for one in (result.replies, result.nodes))
    listed = len(result.disagreements)
    for one in result.disagreements if verbose else ():
        trait = f" ({one.trait})" if one.trait else ""
        stdout.print(f"\n{one.item}{trait}, {one.what}: {one.label}, judged {one.judged}", markup=False)
        stdout.print(f"  label: {one.why}", style="dim", markup=False, highlight=False)
        stdout.print(f"  judge: {one.judge_why}", style="dim", markup=False, highlight=False)
    which = "them" if listed == count else f"the first {listed}"
    if count and not verbose:
        stdout.print(f"{count} disagreements; -v lists {which}", style="dim", highlight=False)
    elif count > listed:
        stdout.print(f"\n{count} disagreements, of which these are the first {listed}", style="dim")


def _two(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
