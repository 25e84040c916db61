"""``outboundeval persona realism``: ``judge`` by a model, ``export`` and ``import`` for people,
``report``."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic_ai.exceptions import UsageLimitExceeded
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from harness._files.atomic_file import read_model, write_model, write_text
from harness.cli.options.shared import AsJson
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.judging.cache import VerdictStore
from harness.judging.people.answers import read_ratings
from harness.judging.people.realism.answers import missing, verdicts_of
from harness.judging.people.realism.sheet import PARTS, Part, RealismKey, make_sheet
from harness.judging.people.sheet import write_sheet
from harness.judging.reading.talks import read_talks
from harness.models.language import Cap, Limits, open_language_model, parse_price
from voice_sim.realism.judging import judge as judge_talks
from voice_sim.realism.judging import questions
from voice_sim.realism.pairing import Pair, drawn, pairs_of
from voice_sim.realism.tables import as_data, markdown
from voice_sim.realism.verdicts import Verdicts
from voice_sim.talk import Talk

app = typer.Typer(
    no_args_is_help=True,
    help="Is the simulated person taken for a real one? Judged by a language model and by people.",
)

_SHOWN = 10

Human = Annotated[
    list[Path],
    typer.Option("--human", help="Dialogues with real persons: transcript files, folders, or chat runs."),
]
Simulated = Annotated[
    list[Path], typer.Option("--simulated", help="Dialogues with the simulated person, in the same forms.")
]
Sample = Annotated[
    int | None, typer.Option(min=1, help="So many of each kind, drawn with the seed. Default: all.")
]
Seed = Annotated[int, typer.Option(help="Of what is drawn, of the pairs and of the order.")]


@app.command()
def judge(
    human: Human,
    simulated: Simulated,
    model: Annotated[str, typer.Option("--model", help="Language model that judges.")],
    out: Annotated[Path, typer.Option("--out", help="File for its verdicts (.json); 'report' reads it.")],
    sample: Sample = None,
    seed: Seed = 0,
    parallel: Annotated[int, typer.Option(min=1, max=100, help="So many questions at once.")] = 4,
    price: Annotated[str | None, typer.Option(help="IN,OUT per million tokens, for the cost.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop when this much was spent.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a language model: a score of 0-9, human or not, and which of two is human, each pair in both
    orders.

    Answers are kept: the same command after Ctrl-C goes on, and costs nothing for what was asked.

    Example: outboundeval persona realism judge --human real/ --simulated runs/benchmark
    --model openai:gpt-4.1 --out realism/gpt.json
    """
    real, made, pairs = _sets(human, simulated, sample, seed)
    limits = Limits(run=Cap(cost=max_cost), concurrency=parallel)
    console = progress_console(as_json=as_json)
    answers = VerdictStore()
    bar = Progress(
        TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    )

    async def ask() -> tuple[Verdicts, str]:
        tariff = parse_price(price) if price else None
        async with open_language_model(model, limits=limits, price=tariff) as opened:
            task = bar.add_task("", total=questions(len(real), len(made), len(pairs)))
            found = await judge_talks(
                opened,
                real,
                made,
                pairs,
                name=opened.name,
                answers=answers,
                parallel=parallel,
                on_done=lambda: bar.advance(task),
            )
            used = opened.usage
            return found, f"{used.requests} requests, {used.tokens} tokens, cost {used.cost_text()}"

    try:
        with bar:
            verdicts, cost = asyncio.run(ask())
    except UsageLimitExceeded as error:
        raise UserError(
            f"{error}; what was answered is kept: the same command with a higher cap goes on",
            exit_code=EXIT_CHECK_FAILED,
        ) from error
    _write(out, verdicts)
    _show([verdicts], seed=seed, as_json=as_json)
    console.print(f"{out}; {cost}", style="dim", highlight=False, markup=False)
    for line in answers.problems():
        console.print(line, style="yellow", highlight=False, markup=False, soft_wrap=True)
    if not any(one.score is not None for one in verdicts.scored):
        raise typer.Exit(EXIT_CHECK_FAILED)


@app.command()
def export(
    human: Human,
    simulated: Simulated,
    out: Annotated[
        Path, typer.Option("--out", help="The page (.html); its table (.csv) is written beside it.")
    ],
    key: Annotated[
        Path | None, typer.Option("--key", help="Where the key goes. Default: PAGE-key/PAGE.json, beside it.")
    ] = None,
    ask: Annotated[list[str] | None, typer.Option(help=f"Only this: {', '.join(PARTS)}.")] = None,
    sample: Sample = None,
    seed: Seed = 0,
) -> None:
    """Make a blind sheet for people: one page that works from disk, and the same as a table.

    Give raters the page or the table, and nothing else: the key says where each dialogue comes from.

    Example: outboundeval persona realism export --human real/ --simulated runs/benchmark --sample 20
    --out realism/sheet.html
    """
    if out.suffix.lower() != ".html":
        raise UserError(f"--out {out}: the page's name ends in .html")
    real, made, pairs = _sets(human, simulated, sample, seed)
    key_file = key or out.parent / f"{out.stem}-key" / f"{out.stem}.json"
    if key_file.resolve() == out.with_suffix(".json").resolve():
        raise UserError(f"--key {key_file}: stands where raters may save their answers; name another folder")
    made_key = make_sheet(real, made, pairs, parts=_parts(ask or []), seed=seed)
    files = write_sheet(made_key.sheet, out)
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


@app.command("import")
def import_(
    answers: Annotated[list[Path], typer.Argument(help="What raters saved: one file each, JSON or CSV.")],
    key: Annotated[Path, typer.Option("--key", help="The key that 'export' wrote.")],
    out: Annotated[Path, typer.Option("--out", help="File for the verdicts (.json); 'report' reads it.")],
    partial: Annotated[
        bool, typer.Option("--partial", help="Take sheets that are not answered to the end.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read the raters' files back, hold every answer to the sheet, and print the tables.

    Example: outboundeval persona realism import answers-*.json --key realism/sheet-key/sheet.json
    --out realism/people.json
    """
    known = read_model(key, RealismKey)
    ratings = read_ratings(answers, known.sheet)
    left = list(missing(known, ratings))
    if left and not partial:
        told = "; ".join(
            f"'{rater}' left out {len(items)}: {', '.join(items[:_SHOWN])}" + " ..." * (len(items) > _SHOWN)
            for rater, items in left
        )
        raise UserError(f"{told} (--partial takes what is there)")
    verdicts = verdicts_of(known, ratings)
    _write(out, verdicts)
    _show([verdicts], seed=known.seed, as_json=as_json)


@app.command()
def report(
    verdicts: Annotated[list[Path], typer.Argument(help="Files that 'judge' and 'import' wrote.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Also write FILE.md, and the same as data beside it (.json).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the tables of the paper's section 4.4 (1, 2, 3) with intervals and tests.

    Example: outboundeval persona realism report realism/gpt.json realism/people.json --out realism/tables.md
    """
    found = [read_model(path, Verdicts) for path in verdicts]
    if out is not None:
        if out.suffix.lower() != ".md":
            raise UserError(f"--out {out}: the file's name ends in .md")
        _write_text(out, "\n".join(markdown(one) for one in found))
        _write_text(out.with_suffix(".json"), json.dumps(_data(found), ensure_ascii=False, indent=1) + "\n")
    _show(found, seed=0, as_json=as_json)


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
        raise UserError(f"{path}: cannot be written: {error.strerror or error}") from error


def _write_text(path: Path, text: str) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror or error}") from error
