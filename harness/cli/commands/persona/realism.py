"""``outboundeval persona realism``: what it does. Its options: :mod:`harness.cli.options.persona.realism`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import typer
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from harness._files.atomic_file import write_model, write_text
from harness._files.json_file import read_model
from harness.cli.ending import capped
from harness.cli.options.persona.realism import (
    RealismExportOptions,
    RealismImportOptions,
    RealismJudgeOptions,
    RealismReportOptions,
)
from harness.cli.own_folder import going_on
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import EXIT_CHECK_FAILED, NotWritten, UserError
from harness.judging.cache import VerdictStore
from harness.judging.people.answers import read_ratings
from harness.judging.people.realism.answers import missing, verdicts_of
from harness.judging.people.realism.parts import PARTS, Part
from harness.judging.people.realism.sheet import RealismKey, make_sheet
from harness.judging.people.sheet import write_sheet
from harness.judging.reading.talks import read_talks
from harness.models.language import Cap, CapExceeded, Limits, open_language_model, parse_price
from voice_sim.realism.judging import judge as judge_talks
from voice_sim.realism.judging import questions
from voice_sim.realism.pairing import Pair, drawn, pairs_of
from voice_sim.realism.tables import as_data, markdown
from voice_sim.realism.verdicts import Verdicts
from voice_sim.talk import Talk

_SHOWN = 10


def judge(options: RealismJudgeOptions) -> None:
    """Asks the model, writes its verdicts and shows the tables."""
    real, made, pairs = _sets(options.human, options.simulated, options.sample, options.seed)
    limits = Limits(run=Cap(cost=options.max_cost), concurrency=options.parallel)
    console = progress_console(as_json=options.as_json)
    answers = VerdictStore()
    bar = Progress(
        TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    )

    async def ask() -> tuple[Verdicts, str]:
        tariff = parse_price(options.price) if options.price else None
        async with open_language_model(options.model, limits=limits, price=tariff) as opened:
            task = bar.add_task("", total=questions(len(real), len(made), len(pairs)))
            found = await judge_talks(
                opened,
                real,
                made,
                pairs,
                name=opened.name,
                answers=answers,
                parallel=options.parallel,
                on_done=lambda: bar.advance(task),
            )
            used = opened.usage
            return found, f"{used.requests} requests, {used.tokens} tokens, cost {used.cost_text()}"

    try:
        with going_on("What was answered is kept: the same command goes on."), bar:
            verdicts, cost = asyncio.run(ask())
    except CapExceeded as error:
        hint = "What was answered is kept: the same command with a higher cap goes on."
        console.print(
            f"{error.message}. {hint}", style="yellow", highlight=False, markup=False, soft_wrap=True
        )
        raise capped(error.message, hint=hint) from error
    _write(options.out, verdicts)
    _show([verdicts], seed=options.seed, as_json=options.as_json)
    console.print(f"{options.out}; {cost}", style="dim", highlight=False, markup=False)
    for line in answers.problems():
        console.print(line, style="yellow", highlight=False, markup=False, soft_wrap=True)
    if not any(one.score is not None for one in verdicts.scored):
        raise typer.Exit(EXIT_CHECK_FAILED)


def export(options: RealismExportOptions) -> None:
    """Writes page, table and key."""
    if options.out.suffix.lower() != ".html":
        raise UserError(f"--out {options.out}: the page's name ends in .html")
    real, made, pairs = _sets(options.human, options.simulated, options.sample, options.seed)
    key_file = options.key or options.out.parent / f"{options.out.stem}-key" / f"{options.out.stem}.json"
    if key_file.resolve() == options.out.with_suffix(".json").resolve():
        raise UserError(f"--key {key_file}: stands where raters may save their answers; name another folder")
    made_key = make_sheet(real, made, pairs, parts=_parts(options.ask or []), seed=options.seed)
    files = write_sheet(made_key.sheet, options.out)
    _write(key_file, made_key)
    count = len(made_key.sheet.items)
    stdout.print(
        f"{count} items: {', '.join(map(str, files))}", highlight=False, markup=False, soft_wrap=True
    )
    stdout.print(
        f"{key_file}: the key; keep it from the raters, 'realism import' needs it",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )


def import_(options: RealismImportOptions) -> None:
    """Reads the answers, writes the verdicts and shows the tables."""
    known = read_model(options.key, RealismKey)
    ratings = read_ratings(options.answers, known.sheet)
    left = list(missing(known, ratings))
    if left and not options.partial:
        told = "; ".join(
            f"'{rater}' left out {len(items)}: {', '.join(items[:_SHOWN])}" + " ..." * (len(items) > _SHOWN)
            for rater, items in left
        )
        raise UserError(f"{told} (--partial takes what is there)")
    verdicts = verdicts_of(known, ratings)
    _write(options.out, verdicts)
    _show([verdicts], seed=known.seed, as_json=options.as_json)


def report(options: RealismReportOptions) -> None:
    """Shows the tables, and writes them where they are asked for."""
    found = [read_model(path, Verdicts) for path in options.verdicts]
    if options.out is not None:
        if options.out.suffix.lower() != ".md":
            raise UserError(f"--out {options.out}: the file's name ends in .md")
        _write_text(options.out, "\n".join(markdown(one) for one in found))
        _write_text(
            options.out.with_suffix(".json"), json.dumps(_data(found), ensure_ascii=False, indent=1) + "\n"
        )
    _show(found, seed=0, as_json=options.as_json)


def _data(found: list[Verdicts], *, seed: int = 0) -> dict[str, Any]:
    return {"realism": [as_data(one, seed=seed) for one in found]}


def _sets(
    human: list[Path], simulated: list[Path], sample: int | None, seed: int
) -> tuple[list[Talk], list[Talk], list[Pair]]:
    real = drawn(read_talks(human), sample, seed=seed)
    made = drawn(read_talks(simulated), sample, seed=seed + 1)
    pairs = pairs_of(real, made, seed=seed)
    if not pairs:
        raise UserError("no human dialogue has a simulated one in its language beside it: nothing to compare")
    return real, made, pairs


def _parts(names: list[str]) -> tuple[Part, ...]:
    if unknown := [name for name in names if name not in PARTS]:
        raise UserError(f"--ask: '{unknown[0]}' is none of {', '.join(PARTS)}")
    return tuple(part for part in PARTS if part in names) or PARTS


def _show(found: list[Verdicts], *, seed: int, as_json: bool) -> None:
    if as_json:
        print_json(_data(found, seed=seed))
        return
    for one in found:
        stdout.print(Markdown(markdown(one, seed=seed)))


def _write(path: Path, content: Verdicts | RealismKey) -> None:
    try:
        write_model(path, content)
    except OSError as error:
        raise NotWritten.of(path, error) from error


def _write_text(path: Path, text: str) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        raise NotWritten.of(path, error) from error
