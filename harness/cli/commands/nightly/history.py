"""``outboundeval history``: what it does. Its options: :mod:`harness.cli.options.nightly.history`."""

from __future__ import annotations

from dataclasses import asdict

from harness._files.self_contained_page import write_page
from harness.cli.options.nightly.history import HistoryOptions
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.screen.nightly.history import print_history
from harness.errors import UserError
from harness.reports.history import beside, history_page
from harness.runs.database.index import rebuild
from harness.runs.database.nights import names, nights
from harness.runs.database.opening import shown_store
from harness.scoring.history import branches, listen_to
from harness.scoring.history import history as over_nights


def history(options: HistoryOptions) -> None:
    """Reads the store, filling it first where that was asked for, and shows what it holds."""
    console = progress_console(as_json=options.as_json)
    if options.anew:
        if not options.rebuild:
            raise UserError("--rebuild: give the folders of the runs, for instance runs/*")
        for _, why in rebuild(options.store, options.rebuild):
            if why:
                console.print(f"left out: {why}", style="yellow", markup=False, soft_wrap=True)
    elif options.rebuild:
        raise UserError("folders of runs go with --rebuild")
    known = nights(options.store, name=options.name, branch=options.branch)
    if not known:
        raise UserError(f"{shown_store(options.store)}: {_none(options)}")
    name = options.name or known[-1].name
    chosen = [night for night in known if night.name == name]
    series = over_nights(chosen)
    listen = listen_to(options.store, chosen, series)
    page = None
    if options.page is not None:
        page = write_page(
            options.page,
            history_page(name, chosen, series, link=beside(options.page.parent), listen=listen),
        )
    if options.as_json:
        document = {
            "store": shown_store(options.store),
            "name": name,
            "nights": [
                {
                    "run": str(night.folder),
                    "started_at": night.started_at,
                    "word": night.word,
                    "agent": night.agent,
                    "revision": night.revision,
                    "branch": night.branch,
                }
                for night in chosen
            ],
            "figures": [asdict(one) for one in series],
            "page": str(page) if page else None,
        }
        print_json(document)
        return
    print_history(stdout, name, chosen, series, listen)
    if page is not None:
        stdout.print(f"Page: {page}", soft_wrap=True, highlight=False, markup=False)


def _none(options: HistoryOptions) -> str:
    """What there is no run of, and what to do."""
    asked = [
        *([f"of the name {options.name}"] if options.name else []),
        *([f"of the branch {options.branch}"] if options.branch else []),
    ]
    there = branches(nights(options.store, name=options.name)) if options.branch else {}
    if there:
        return f"holds no run {' and '.join(asked)}; its branches are {', '.join(there)}"
    if options.name and (others := names(options.store)):
        return f"holds no run {' and '.join(asked)}; its names are {', '.join(others)}"
    return (
        f"holds no run {' and '.join(asked)}".rstrip()
        + "; fill it with: outboundeval history --rebuild runs/*"
    )
