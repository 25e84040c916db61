"""Options of ``outboundeval listen``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class ListenExportOptions:
    """Write a listening page: clips of the agent's voice for people to rate, in one file without a network.

    Raters open the page in a browser, rate clip after clip, and send back the file that it saves. What a clip
    is stands in RUN/listening/key-SHEET.json, which stays with you.

    Example: outboundeval listen export runs/nightly --clips 24 --out listen.html
    """

    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Folder of a scored run of calls; of several: one page for all of them. Or one folder of "
            "score-tts, whose voices are heard side by side."
        ),
    ]
    out: Annotated[Path, typer.Option(help="The page.")] = Path("listen.html")
    method: Annotated[
        Literal["acr", "ccr"],
        typer.Option(
            help="acr: each clip, 5 excellent to 1 bad. ccr: clips of two runs or voices in pairs, -3 to 3."
        ),
    ] = "acr"
    clips: Annotated[
        int,
        typer.Option(
            min=1, max=300, help="So many clips (pairs for ccr) over all runs, or as many as there are."
        ),
    ] = 24
    seed: Annotated[int, typer.Option(help="The same seed makes the same page of the same runs.")] = 0
    headphones: Annotated[
        bool,
        typer.Option(
            "--headphones/--no-headphones",
            help="Test first whether raters wear headphones; set aside who does not.",
        ),
    ] = True
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class ListenImportOptions:
    """Read back what raters saved: who listened, and 'mos' of the run with its interval.

    Give all files of a page together, those that were taken in before, too; --replace puts out raters whose
    files are not given. Raters who did not listen are set aside by rules that were fixed before anybody
    rated, and printed with the reason. One wrong file stops the import, and nothing is written.

    Example: outboundeval listen import runs/nightly listening-*.json
    """

    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN... FILE...",
            help="Folders of runs that the page has clips of, then the raters' files.",
        ),
    ]
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Put out raters of the page whose files are not given this time."),
    ] = False
    as_json: AsJson = False
