"""What a caller understands, at the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from harness.cli.screen.console import stdout
from harness.selfcheck.understanding.check import DEVELOPMENT, HELD_OUT, Figures, LanguageFigures, Way
from harness.selfcheck.understanding.figures import AS_MEANT_AT_LEAST, FALSE_AT_MOST, Share, Tried
from harness.selfcheck.understanding.labelled import sets_root
from harness.selfcheck.understanding.one_line import Near, TakenFor
from voice_sim.person.examples import Item, items_of, what_items_are
from voice_sim.person.persona import Persona

_OUR_SETS = {HELD_OUT: "nothing was set by it", DEVELOPMENT: "the thresholds were set on it"}
SHOWN = 5
"""Items that a line was not taken for."""


def print_set(folder: Path, figures: Sequence[LanguageFigures], *, misses: bool) -> None:
    """The figures of one set."""
    told = _OUR_SETS[folder.name] if folder.parent == sets_root() else str(folder)
    stdout.print(f"\n[bold]{escape(folder.name)}[/]: {escape(told)}", highlight=False, soft_wrap=True)
    for one in figures:
        stdout.print(
            f"\n[bold]{one.language}[/]: {one.lines} lines to {one.entries} people, understood by "
            f"{escape(', '.join(one.here.understanding))}",
            highlight=False,
        )
        stdout.print(_table(one))
        bars = f"bars: as meant at least {AS_MEANT_AT_LEAST:.2f}, false at most {FALSE_AT_MOST:.2f}"
        stdout.print(
            f"{bars}: {'[green]met[/]' if one.passes else '[red]missed[/]'}", highlight=False, soft_wrap=True
        )
        for tried in one.here.missed if misses else ():
            stdout.print(f"  {_miss_line(tried)}", highlight=False, markup=False, soft_wrap=True)
    left = sum(len(one.here.missed) for one in figures)
    if left and not misses:
        stdout.print(f"{left} lines not taken as meant; --misses lists them", style="dim", highlight=False)


def _table(one: LanguageFigures) -> Table:
    """Fits into 80 columns: what cue phrases alone come to stands below each row."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", no_wrap=True)
    for heading in ("n", "as meant", "false", "false on nothing"):
        table.add_column(heading, header_style="dim", no_wrap=True, justify="right")
    kinds = [(kind, one.here.kinds[kind], one.by_words.kinds[kind]) for kind in one.here.kinds]
    for name, here, words in [("all", one.here.whole, one.by_words.whole), *kinds]:
        if not here.as_meant.n and not here.false.hits and not words.false.hits:
            continue
        table.add_row(name, str(here.as_meant.n), *_cells(here))
        table.add_row("  by cues", "", *_cells(words), style="dim")
    whole = one.here.whole
    table.add_row("n", "", str(whole.as_meant.n), str(whole.false.n), str(whole.false_on_nothing.n))
    return table


def _cells(figures: Figures) -> tuple[str, str, str]:
    return _shown(figures.as_meant), _shown(figures.false), _shown(figures.false_on_nothing)


def _shown(share: Share) -> str:
    interval = share.interval
    if share.value is None or interval is None:
        return "-"
    return f"{share.value:.3f} [{interval.low:.2f}, {interval.high:.2f}]"


def _miss_line(tried: Tried) -> str:
    meant, taken = _names(tried.line.means), _names(tried.taken)
    return f"{tried.line.entry}: “{tried.line.says}” means {meant}, taken for {taken}"


def _names(items: Iterable[Item]) -> str:
    return ", ".join(sorted(map(str, items))) or "nothing"


def set_document(folder: Path, figures: Sequence[LanguageFigures], *, misses: bool) -> dict[str, Any]:
    """The same as JSON."""
    languages = {
        one.language: {
            "lines": one.lines,
            "entries": one.entries,
            "passes": one.passes,
            "here": _way_document(one.here, misses=misses),
            "by_words": _way_document(one.by_words, misses=False),
        }
        for one in figures
    }
    return {"set": folder.name, "folder": str(folder), "languages": languages}


def _way_document(way: Way, *, misses: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "understanding": list(way.understanding),
        **_figures_document(way.whole),
        "kinds": {kind: _figures_document(figures) for kind, figures in way.kinds.items()},
    }
    if misses:
        document["misses"] = [
            {
                "entry": one.line.entry,
                "says": one.line.says,
                "means": sorted(map(str, one.line.means)),
                "taken": sorted(map(str, one.taken)),
            }
            for one in way.missed
        ]
    return document


def _figures_document(figures: Figures) -> dict[str, Any]:
    return {
        name: {
            "value": share.value,
            "hits": share.hits,
            "n": share.n,
            "ci95": [share.interval.low, share.interval.high] if share.interval else None,
        }
        for name, share in (
            ("as_meant", figures.as_meant),
            ("false", figures.false),
            ("false_on_nothing", figures.false_on_nothing),
        )
    }


def print_examples(entry: str, persona: Persona) -> None:
    """Every item of a person with its example lines by author."""
    stdout.print(f"[bold]{escape(entry)}[/]: {escape(persona.demographics.name)}", highlight=False)
    about = what_items_are(persona)
    for one in items_of(persona):
        _print_item(str(one.item), about[one.item], one.lines, cues=len(one.cues))
    _print_item("nothing", "means nothing to this person", persona.nothing, cues=None)


def _print_item(name: str, about: str, lines: Any, *, cues: int | None) -> None:
    told = f", {cues} cue phrases" if cues is not None else ""
    count = sum(map(len, lines.values()))
    stdout.print(
        f"\n[bold cyan]{escape(name)}[/]  {escape(about)}  [dim]{count} examples{told}[/]",
        highlight=False,
        soft_wrap=True,
    )
    for author, said in lines.items():
        for line in said:
            stdout.print(f"  {author:5} {line}", highlight=False, markup=False, soft_wrap=True)


def examples_document(entry: str, persona: Persona) -> dict[str, Any]:
    """The same as JSON."""
    about = what_items_are(persona)
    items = [
        {
            "item": str(one.item),
            "about": about[one.item],
            "cues": list(one.cues),
            "examples": {author: list(lines) for author, lines in one.lines.items()},
        }
        for one in items_of(persona)
    ]
    nothing = {author: list(lines) for author, lines in persona.nothing.items()}
    return {"entry": entry, "items": items, "nothing": nothing}


def print_taken_for(persona: Persona, found: TakenFor) -> None:
    """What a line would be taken for, and what it came near to."""
    about = what_items_are(persona)
    taken = [one for one in found.candidates if one.taken]
    if not taken:
        stdout.print("taken for [bold]nothing[/]", highlight=False)
    others = [one for one in found.candidates if not one.taken][:SHOWN]
    for one in [*taken, *others]:
        verdict = "[bold green]taken for[/]" if one.taken else "[dim]not taken for[/]"
        stdout.print(
            f"{verdict} [bold cyan]{escape(str(one.item))}[/] {one.probability:.2f}  "
            f"{escape(about[one.item])}",
            highlight=False,
            soft_wrap=True,
        )
        _print_near(one.nearest)
    stdout.print("[dim]means nothing to this person:[/]", highlight=False)
    _print_near(found.nothing)
    stdout.print(
        f"taken from {found.taken_from:.2f}; a second item from {found.also_from:.2f}, one that goes with "
        f"the first (an obstacle with the question that brings it up) from {found.beside_from:.2f}; right "
        "after a question of the person's own, its answer needs less",
        style="dim",
        highlight=False,
        soft_wrap=True,
    )
    stdout.print(f"by cue phrases alone: {_names(found.by_words)}", highlight=False)


def _print_near(nearest: Sequence[Near]) -> None:
    for near in nearest:
        text = f"   {near.cosine:.3f} {near.author:5} {near.line}"
        stdout.print(text, highlight=False, markup=False, soft_wrap=True)


def taken_for_document(entry: str, says: str, found: TakenFor) -> dict[str, Any]:
    """The same as JSON, with all items."""
    return {
        "entry": entry,
        "says": says,
        "taken": [str(one.item) for one in found.candidates if one.taken],
        "by_words": [str(item) for item in found.by_words],
        "thresholds": {
            "taken_from": found.taken_from,
            "also_from": found.also_from,
            "beside_from": found.beside_from,
        },
        "items": [
            {
                "item": str(one.item),
                "probability": round(one.probability, 4),
                "taken": one.taken,
                "nearest": [asdict(near) for near in one.nearest],
            }
            for one in found.candidates
        ],
        "nothing": [asdict(near) for near in found.nothing],
    }
