"""``outboundeval probes``: list, show, check."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from harness.cli.failures import Ended
from harness.cli.lazily import LazyGroup
from harness.cli.screen.answer import print_json
from harness.cli.screen.console import Screen
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.plans.probes.expanding import ProbesWanted, items_of, probe_calls, seconds_of
from harness.plans.probes.forms import load_suite
from harness.plans.probes.other_voice import OtherVoiceSuite
from harness.plans.probes.planted import SECONDS_ASSUME
from harness.plans.probes.read_aloud import ReadAloudSuite
from harness.plans.probes.spoken import SpokenSuite
from harness.plans.probes.suite import suite_names
from harness.selfcheck.probes import ClipCheck, check_suite
from harness.selfcheck.suites.other_voice import check_other_voices
from harness.selfcheck.suites.read_aloud import check_read_aloud
from harness.selfcheck.suites.spoken import check_spoken


class _Group(LazyGroup):
    """Says a user's mistake without a traceback, also where this group runs on its own."""

    table = {}  # noqa: RUF012  (of the base class: a constant)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            Screen(stderr=True, soft_wrap=True).print(f"[red]error:[/] {escape(str(error))}", highlight=False)
            raise Ended.by(error) from None


app = typer.Typer(
    name="probes",
    cls=_Group,
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Probe suites: calls in which something is planted, so that scoring finds what the agent did.",
)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the plan that a size is drawn with; 0 is the default.")]
Name = Annotated[str, typer.Argument(help="Name of a suite, or a folder with a suite.yaml.")]


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """Lists the suites that come along, with the minutes that each size takes.

    Example: outboundeval probes list
    """
    found = [_about(name) for name in suite_names()]
    if as_json:
        print_json({"suites": found})
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("suite", "version", "items", "quick", "full", ""):
        table.add_column(heading, header_style="dim")
    for one in found:
        sizes = [
            f"{one[size]['places']} places, {one[size]['minutes']:.1f} min" for size in ("quick", "full")
        ]
        table.add_row(one["name"], one["version"], str(one["items"]), *sizes, escape(one["summary"]))
    Screen().print(table)
    Screen(soft_wrap=True).print(f"Minutes are of calls one after the other, {SECONDS_ASSUME}.", style="dim")


@app.command("show")
def show_command(name: Name, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Shows the items of a suite, and which of them the quick size has with a plan's seed.

    Example: outboundeval probes show restraint
    """
    suite = load_suite(name)
    quick = items_of(probe_calls([ProbesWanted.model_validate({"suite": name})], seed=seed))
    if as_json:
        print_json(suite.model_dump(mode="json") | {"drawn": {"seed": seed, "quick": quick}})
        return
    screen = Screen(soft_wrap=True)
    about = _about(name)
    screen.print(escape(f"{suite.name} {suite.version}: {suite.summary}"), highlight=False)
    for size in ("quick", "full"):
        told = about[size]
        screen.print(
            f"{size}: {told['calls']} calls, {told['places']} places"
            + (f", of which {told['controls']} without a sound" if told["controls"] else "")
            + f", about {told['minutes']:.1f} minutes one after the other, {SECONDS_ASSUME}",
            highlight=False,
        )
    for told_of in suite.described():
        screen.print(escape(told_of), highlight=False)
    screen.print(escape(f"quick, with the seed {seed}: {', '.join(quick)}"), highlight=False)


@app.command("check")
def check_command(name: Name, as_json: AsJson = False) -> None:
    """Listens to every sound and voice of a suite: level, words, and how much of it detectors call speech.

    A sound at the wrong level, or whose words cannot be heard in it, fails; a kind of which no detector calls
    anything speech gives no figure of an agent that listens by one. Of a suite that is read aloud, which has
    no sounds, its readings are checked: words alone, and sentences that can be told apart.

    Example: outboundeval probes check restraint
    """
    suite = load_suite(name)
    if isinstance(suite, SpokenSuite):
        _check_spoken(suite, as_json=as_json)
        return
    if isinstance(suite, OtherVoiceSuite):
        _check_other_voices(suite, as_json=as_json)
        return
    if isinstance(suite, ReadAloudSuite):
        _check_read_aloud(suite, as_json=as_json)
        return
    checked = check_suite(suite)
    if as_json:
        print_json({"suite": checked.suite, "clips": [one.document() for one in checked.clips]})
    else:
        _print_check(checked.clips)
        for note in checked.notes:
            Screen(soft_wrap=True).print(escape(note), highlight=False)
    if any(one.problem for one in checked.clips):
        raise typer.Exit(EXIT_CHECK_FAILED)


def _check_spoken(suite: SpokenSuite, *, as_json: bool) -> None:
    checked, notes = check_spoken(suite)
    if as_json:
        print_json({"suite": suite.name, "settings": [one.document() for one in checked]})
    else:
        table = Table(box=None, pad_edge=False)
        for heading in ("setting", "language", "lines", "SNR dB", "words wrong", ""):
            table.add_column(heading, header_style="dim")
        for one in checked:
            table.add_row(
                escape(one.setting),
                one.language,
                str(one.lines),
                "" if one.snr_db is None else f"{one.snr_db:.1f} ({one.wanted_db:g})",
                "" if one.rate is None else f"{one.rate:.2f}",
                f"[red]{escape(one.problem)}[/]" if one.problem else "[green]ok[/]",
            )
        Screen().print(table)
        for note in notes:
            Screen(soft_wrap=True).print(escape(note), highlight=False)
    if any(one.problem for one in checked):
        raise typer.Exit(EXIT_CHECK_FAILED)


def _check_other_voices(suite: OtherVoiceSuite, *, as_json: bool) -> None:
    checked = check_other_voices(suite)
    if as_json:
        others = [one.document() for one in checked.others]
        told = {"others": others, "problems": checked.problems, "notes": checked.notes}
        print_json({"suite": suite.name, **told})
    else:
        table = Table(box=None, pad_edge=False)
        for heading in ("other voice", "ratio off by", "of it heard", "words", ""):
            table.add_column(heading, header_style="dim")
        for one in checked.others:
            table.add_row(
                one.other,
                f"{one.off_db:+.1f} dB",
                f"{one.kept:.0%}",
                escape(", ".join(one.words)),
                f"[red]{escape(one.problem)}[/]" if one.problem else "[green]ok[/]",
            )
        Screen().print(table)
        for problem in checked.problems:
            Screen(soft_wrap=True).print(f"[red]{escape(problem)}[/]", highlight=False)
        for note in checked.notes:
            Screen(soft_wrap=True).print(escape(note), highlight=False)
    if not checked.usable:
        raise typer.Exit(EXIT_CHECK_FAILED)


def _check_read_aloud(suite: ReadAloudSuite, *, as_json: bool) -> None:
    checked = check_read_aloud(suite)
    if as_json:
        print_json({"suite": suite.name, "kinds": [one.document() for one in checked]})
    else:
        table = Table(box=None, pad_edge=False)
        for heading in ("kind", "language", "items", "judged", "readings", "wrong", ""):
            table.add_column(heading, header_style="dim")
        for one in checked:
            counts = (one.items, one.judged, one.readings, one.wrong)
            table.add_row(
                escape(one.kind),
                one.language,
                *map(str, counts),
                f"[red]{escape(one.problem)}[/]" if one.problem else "[green]ok[/]",
            )
        Screen().print(table)
    if any(one.problem for one in checked):
        raise typer.Exit(EXIT_CHECK_FAILED)


def _about(name: str) -> dict[str, Any]:
    suite = load_suite(name)
    about: dict[str, Any] = {
        "name": suite.name,
        "version": suite.version,
        "summary": suite.summary,
        "items": suite.item_count,
    }
    for size in ("quick", "full"):
        calls = probe_calls([ProbesWanted.model_validate({"suite": name, "size": size})])
        planted = [one for call in calls for one in call["probe"].get("planted", ())]
        asked = sum(
            len(call["probe"].get(what, ())) for call in calls for what in ("asked", "attended", "to_read")
        )
        if any("attended" in call["probe"] for call in calls):
            # A dialogue is counted, and not once more what falls into the agent's speech in it.
            planted = []
        about[size] = {
            "calls": len(calls),
            "places": len(planted) + asked,
            "controls": sum(bool(one.get("control")) for one in planted),
            "minutes": sum(map(seconds_of, calls)) / 60,
        }
    return about


def _print_check(clips: list[ClipCheck]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("item", "seconds", "level dBFS", "Silero", "webrtcvad", "words heard", ""):
        table.add_column(heading, header_style="dim")
    for one in clips:
        mark = f"[red]{escape(one.problem)}[/]" if one.problem else "[green]ok[/]"
        table.add_row(
            one.item,
            f"{one.length_s:.2f}",
            f"{one.level_dbfs:.1f}",
            f"{one.silero:.0%}",
            f"{one.webrtcvad:.0%}",
            one.words_told,
            mark,
        )
    Screen().print(table)
