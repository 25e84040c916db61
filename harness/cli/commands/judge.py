"""``outboundeval judge check``: what it does. Its options: :mod:`harness.cli.options.judge`."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape

from harness.cli.options.judge import JudgeCheckOptions
from harness.cli.own_folder import going_on
from harness.cli.screen.console import print_json, progress_console, stderr, stdout
from harness.cli.screen.judge_check import print_check
from harness.errors import EXIT_CHECK_FAILED
from harness.judging.cache import VerdictStore
from harness.judging.checking.agreement_check import check_judge
from harness.judging.checking.judge_check import MAX_FAILED_SHARE, JudgeCheck, keep_check
from harness.judging.checking.labelled_set import HELD_OUT_SET, OWN_SET, JudgeSet, read_judge_set, set_folder
from harness.judging.checking.progress import duration, told_failures
from harness.judging.defaults import ATTEMPT_S, RULES
from harness.judging.judges import JudgeChoice
from harness.models.language.metered import Limits
from harness.models.language.prices import read_prices


def check(options: JudgeCheckOptions) -> None:
    """Has the judge judge the sets, keeps what came out, and shows it."""
    choice = JudgeChoice(
        names=options.judge or (RULES,),
        samples=options.samples,
        limits=Limits(attempt_s=min(options.timeout, ATTEMPT_S), concurrency=options.parallel),
        question_s=options.timeout,
        prices=read_prices(options.prices) if options.prices else {},
        store=VerdictStore(fresh=options.fresh),
    )
    folders = [set_folder(options.labelled_set)] if options.labelled_set else [OWN_SET]
    if not options.labelled_set and not choice.models:
        folders.append(HELD_OUT_SET)
    began_s = time.monotonic()
    results = _judge_all(choice, [read_judge_set(folder) for folder in folders], options)
    took_s = time.monotonic() - began_s
    paths = [
        keep_check(result, held_out=folder == HELD_OUT_SET) if folder in (OWN_SET, HELD_OUT_SET) else None
        for folder, result in zip(folders, results, strict=True)
    ]
    if options.as_json:
        print_json(_document(results))
        _print_lines(choice.problems(), console=stderr, style="yellow")
    else:
        for folder, result in zip(folders, results, strict=True):
            if folder == HELD_OUT_SET:
                stdout.print(
                    "\n[bold]held out[/]: written apart, and used to change nothing", highlight=False
                )
            print_check(result, verbose=options.verbose)
        stdout.print(f"judged in {duration(took_s)}", style="dim", highlight=False)
        for line in choice.told():
            stdout.print(line, style="dim", markup=False, highlight=False)
        _print_lines([f"kept for reports: {path}" for path in paths if path], console=stdout, style="dim")
    for result in results:
        if result.too_many_failed:
            _print_lines([_why_not_kept(result)], console=stderr, style="red")
            raise typer.Exit(EXIT_CHECK_FAILED)


def _judge_all(choice: JudgeChoice, sets: Sequence[JudgeSet], options: JudgeCheckOptions) -> list[JudgeCheck]:
    console = progress_console(as_json=options.as_json)
    without = ", without --fresh," if options.fresh else ""
    with going_on(
        f"The answers so far are kept: the same command{without} goes on from there."
        if choice.models
        else "Give the same command again."
    ):
        return [
            asyncio.run(_checked(choice, labelled, console, parallel=options.parallel, limit=options.limit))
            for labelled in sets
        ]


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


def _document(results: Sequence[JudgeCheck]) -> dict[str, Any]:
    document = results[0].model_dump(mode="json")
    for held_out in results[1:]:
        document["held_out"] = held_out.model_dump(mode="json")
    return document


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


def _print_lines(lines: Iterable[str], *, console: Console, style: str) -> None:
    for line in lines:
        console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)
