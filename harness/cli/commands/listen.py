"""``outboundeval listen``: what it does. Its options: :mod:`harness.cli.options.people.listen`."""

from __future__ import annotations

from harness._files.self_contained_page import write_page
from harness.cli.options.people.listen import ListenExportOptions
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import UserError
from harness.scoring.listening.key import write_key
from harness.scoring.listening.making import make_page
from harness.scoring.listening.page import listening_page


def export(options: ListenExportOptions) -> None:
    """Draws the clips, and writes the page and its key."""
    if options.out.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"{options.out}: is to be a page: give it a name that ends in .html")
    with progress_console(as_json=options.as_json).status("cutting the clips"):
        made = make_page(
            options.runs,
            method=options.method,
            clips=options.clips,
            seed=options.seed,
            headphones=options.headphones,
        )
        # The key first: a page whose key could not be written must go to nobody.
        keys = [write_key(run, key) for run, key in zip(options.runs, made.keys, strict=True)]
        page = write_page(options.out, listening_page(made.sheet, made.sounds))
    size_mb = page.stat().st_size / 1e6
    level_dbov = made.keys[0].level_dbov
    if options.as_json:
        print_json(
            {
                "page": str(page),
                "keys": [str(path) for path in keys],
                "sheet": made.sheet.id,
                "method": options.method,
                "clips": made.clips,
                "calls": made.calls,
                "items": len(made.sheet.items),
                "level_dbov": level_dbov,
                "megabytes": round(size_mb, 1),
            }
        )
        return
    what = "clips" if options.method == "acr" else "pairs"
    asked = len(made.sheet.items)
    lines = [
        f"{made.clips} {what} from {made.calls} calls, {asked} items in all, at {level_dbov:.1f} dBov",
        f"for raters: {page} ({size_mb:.1f} MB)",
        *(f"for you alone: {path}" for path in keys),
    ]
    if made.clips < options.clips:
        lines.insert(1, f"there are no more: {options.clips} were asked for")
    for line in lines:
        stdout.print(line, markup=False, highlight=False, soft_wrap=True)
    stdout.print(
        f"when they are back: outboundeval listen import {options.runs[0]} listening-*.json",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
