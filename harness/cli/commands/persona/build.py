"""``outboundeval persona build``: what it does. Its options: :mod:`harness.cli.options.persona.build`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import get_args

import typer
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from harness._files.outside_file import read_text
from harness.cli.ending import capped
from harness.cli.options.persona.build import BuildOptions
from harness.cli.own_folder import going_on
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.judging.reading.talks import read_talks
from harness.models.language import Cap, Limits, open_language_model, parse_price
from harness.scenarios.authoring.items import Tally
from harness.scenarios.authoring.seven_steps import Outcome, Watcher, run_build
from harness.scenarios.authoring.step_names import STEPS, Step
from harness.scenarios.authoring.steps import NEEDS_MODEL, Build
from harness.scenarios.catalogue import CATALOGUE, SubScenario
from spoken_language.outside_text import harmless
from voice_sim.authoring.identifiers.book import Term, TermKind

ATTEMPT_S = 600.0
"""A whole persona is some 4000 tokens; a model on one's own machine takes minutes for it."""
MAX_TERMS = 10_000
MAX_TERMS_BYTES = 2_000_000
_SHARED = "4-deidentify to 8-examples"


def build(options: BuildOptions) -> None:
    """Does the steps that are not done yet, and tells how each ended."""
    steps = _steps(options.only or [])
    if options.rate and options.model is None:
        raise UserError("--rate needs a language model: give --model NAME")
    if not options.sources and not options.out.is_dir():
        raise UserError(f"{options.out}: is no folder of an earlier build: give transcripts with --from")
    work = Build(
        root=options.out,
        talks=read_talks(options.sources) if options.sources else (),
        top=options.top,
        seed=options.seed,
        targets=_targets(options.to or []),
        terms=_read_terms(options.terms) if options.terms else (),
        rate_with_model=options.rate,
    )
    limits = Limits(run=Cap(cost=options.max_cost), concurrency=options.parallel, attempt_s=ATTEMPT_S)
    if options.model is None and steps and all(step in NEEDS_MODEL and step != "scale" for step in steps):
        raise UserError(f"{', '.join(steps)}: needs a language model: give --model NAME")
    shown = _StepProgress(as_json=options.as_json)
    with going_on(f"The same command with --out {options.out} goes on."), shown.progress:
        outcome, cost = asyncio.run(
            _run(
                work,
                steps,
                options.model,
                limits=limits,
                price=options.price,
                parallel=options.parallel,
                watcher=shown.watcher(),
            )
        )
    if options.as_json:
        print_json(_document(options.out, outcome, cost))
    else:
        _print_end(options.out, outcome, cost)
    if outcome.stopped:
        raise capped(outcome.stopped, hint=f"The same command with --out {options.out} goes on.")
    if outcome.failed:
        raise typer.Exit(EXIT_CHECK_FAILED)


async def _run(
    work: Build,
    steps: list[Step],
    model: str | None,
    *,
    limits: Limits,
    price: str | None,
    parallel: int,
    watcher: Watcher,
) -> tuple[Outcome, str]:
    if model is None:
        return await run_build(work, only=steps, parallel=parallel, watcher=watcher), ""
    tariff = parse_price(price) if price else None
    async with open_language_model(model, limits=limits, price=tariff) as opened:
        work.model = opened
        outcome = await run_build(work, only=steps, model_name=model, parallel=parallel, watcher=watcher)
        used = opened.usage
        return outcome, f"{used.requests} requests, {used.tokens} tokens, cost {used.cost_text()}"


def _steps(names: list[str]) -> list[Step]:
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        raise UserError(f"--only: there is no step '{unknown[0]}'; there are: {', '.join(STEPS)}")
    return [step for step in STEPS if step in names]


def _targets(ids: list[str]) -> list[SubScenario]:
    if ids == ["all"]:
        return list(CATALOGUE)
    known = {row.id: row for row in CATALOGUE}
    for name in ids:
        if name not in known:
            raise UserError(f"--to: there is no sub-scenario '{name}'; there are: {', '.join(known)}")
    return [known[name] for name in ids]


def _read_terms(path: Path) -> list[Term]:
    lines = harmless(read_text(path, max_bytes=MAX_TERMS_BYTES)).split("\n")
    kinds = get_args(TermKind)
    found = []
    for line in lines[:MAX_TERMS]:
        kind, colon, text = line.partition(":")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if colon and kind.strip() in kinds:
            found.append(Term(kind=kind.strip(), text=text.strip()))  # type: ignore[arg-type]
        else:
            found.append(Term(kind="other", text=line.strip()))
    if len(lines) > MAX_TERMS:
        raise UserError(f"{path}: {len(lines)} lines; the most that is read is {MAX_TERMS}")
    if empty := next((term for term in found if not term.text), None):
        raise UserError(f"{path}: a line says '{empty.kind}:' and nothing behind it")
    return found


class _StepProgress:
    """A line for each step, and how far the present one is."""

    def __init__(self, *, as_json: bool) -> None:
        self._console = progress_console(as_json=as_json)
        self.progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._task = self.progress.add_task("", total=0, visible=False)

    def watcher(self) -> Watcher:
        return Watcher(
            on_begun=self._begun,
            on_done=lambda step, name: self.progress.advance(self._task),
            on_ended=self._ended,
            on_skipped=self._skipped,
        )

    def _begun(self, step: Step, count: int) -> None:
        self.progress.reset(self._task, total=count, description=_title(step), visible=True)

    def _ended(self, step: Step, tally: Tally) -> None:
        parts = [
            f"{len(names)} {what}"
            for what, names in (("made", tally.made), ("kept", tally.done_before), ("by hand", tally.by_hand))
            if names
        ]
        if tally.failed:
            parts.append(f"[red]{len(tally.failed)} failed[/]")
        self._console.print(f"{_title(step)}  {', '.join(parts) or 'nothing to do'}", highlight=False)
        for name, why in tally.failed.items():
            self._console.print(f"   [red]{escape(name)}[/]: {escape(why)}", highlight=False)
        for name, problems in tally.problems.items():
            shown = "; ".join(problems[:3]) + (
                f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
            )
            self._console.print(f"   [yellow]{escape(name)}[/]: {escape(shown)}", highlight=False)

    def _skipped(self, step: Step, why: str) -> None:
        self._console.print(f"{_title(step)}  [dim]{escape(why)}[/]", highlight=False, soft_wrap=True)


def _title(step: Step) -> str:
    return f"{STEPS.index(step) + 1} {step:<10}"


def _print_end(out: Path, outcome: Outcome, cost: str) -> None:
    for name, problems in outcome.sets.items():
        if not problems:
            stdout.print(
                f"{name}: five different people, each true to its user type", highlight=False, markup=False
            )
        for problem in problems:
            stdout.print(f"{name}: {problem}", highlight=False, markup=False, soft_wrap=True)
    if outcome.stopped:
        stdout.print(f"stopped: {outcome.stopped}; the same command with --out {out} goes on", markup=False)
    if cost:
        stdout.print(cost, style="dim", highlight=False)
    tell = f"{out}: share {_SHARED} alone, and look at them first; the rest and private/ hold the originals"
    stdout.print(tell, style="dim", highlight=False, soft_wrap=True, markup=False)


def _document(out: Path, outcome: Outcome, cost: str) -> dict[str, object]:
    return {
        "folder": str(out),
        "steps": {
            step: {
                "made": tally.made,
                "kept": tally.done_before,
                "by_hand": tally.by_hand,
                "failed": tally.failed,
                "problems": {name: list(found) for name, found in tally.problems.items()},
            }
            for step, tally in outcome.tallies.items()
        },
        "skipped": outcome.skipped,
        "sets": outcome.sets,
        "stopped": outcome.stopped,
        "usage": cost,
    }
