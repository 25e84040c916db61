"""``outboundeval run --dry-run``: what a run would take and could see; no call is placed."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from harness.analysis.measures.units import unit_named
from harness.cli.screen.console import print_json, stdout
from harness.plans.run import RunPlan
from harness.runs.database.nights import nights
from harness.scoring.before_run import REPLY_S, Forecast, forecast


def dry_run(plan: RunPlan, *, store: str, as_json: bool) -> None:
    """Prints the forecast."""
    found = forecast(plan, _last_night(plan, store))
    if as_json:
        usage = found.usage.model_dump(mode="json") if found.usage is not None else None
        print_json({**asdict(found), "usage": usage, "run": plan.name})
        return
    _print(found)


def _last_night(plan: RunPlan, store: str) -> Path | None:
    """The newest run of the same calls, else of the same name, that is still there."""
    if "://" not in store and not Path(store).is_file():
        return None
    known = [night for night in nights(store) if night.there]
    same = [night for night in known if night.plan_digest == plan.digest]
    named = [night for night in known if night.name == plan.name]
    return (same or named)[-1].folder if same or named else None


def _print(found: Forecast) -> None:
    basis = (
        f"as in {found.from_night}" if found.from_night else f"estimated from the plan, {REPLY_S:g} s a reply"
    )
    stdout.print(
        f"{found.calls} calls, about {found.minutes:.0f} minutes one after the other ({basis})",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    if found.usage is not None and found.usage.requests:
        cost = (
            "cost not known" if found.usage.cost is None else f"{found.usage.cost:.2f} {found.usage.currency}"
        )
        tokens = f"{found.usage.input_tokens:,} tokens in, {found.usage.output_tokens:,} out"
        stdout.print(f"callers' language models: {tokens}, {cost}", highlight=False, markup=False)
    elif found.usage is not None:
        stdout.print("callers' language models: none", highlight=False, markup=False)
    if found.visible:
        table = Table(
            box=None, pad_edge=False, title="Smallest change that two such runs show", title_justify="left"
        )
        for heading in ("figure", "change", "groups", ""):
            table.add_column(heading, header_style="dim")
        for one in found.visible:
            unit = unit_named(one.unit)
            change = "" if one.change is None else f"{unit.number(one.change)} {unit.column}".rstrip()
            table.add_row(f"{one.label} {one.part}".rstrip(), change, str(one.groups), one.why_not)
        stdout.print(table)
    for note in found.notes:
        stdout.print(note, style="dim", highlight=False, markup=False, soft_wrap=True)
