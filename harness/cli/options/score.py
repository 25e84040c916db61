"""Options of ``outboundeval score``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """Score a run again, a recording or clip from anywhere, or the transcript of a dialogue.

    A stereo recording gives timing, words and voice quality; a mono clip its NISQA values and transcript; a
    transcript task flow compliance, interaction capability and the final score (docs/text-scores.md).

    Example: outboundeval score call.wav --caller left --json

    Example: outboundeval score call.txt --scenario cs-bank-complaint/hesitant
    """

    source: Annotated[
        Path,
        typer.Argument(
            help="Folder of a run (calls or dialogues in text), a sound file (WAV, FLAC, OGG, MP3), or a "
            "transcript (JSON, JSONL, YAML, TXT; - reads one from standard input)."
        ),
    ]
    as_json: AsJson = False
    language: Annotated[
        Literal["en", "zh"] | None, typer.Option(help="Spoken language of a sound file. Default: en.")
    ] = None
    caller: Annotated[
        Literal["left", "right"] | None,
        typer.Option(help="The channel of a stereo recording that has the caller. Default: left."),
    ] = None
    scenario: Annotated[
        str | None,
        typer.Option(
            metavar="ENTRY", help="What a transcript is about, for instance cs-bank-complaint/hesitant."
        ),
    ] = None
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Scenarios in this folder instead of our own.")
    ] = None
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            help="Who judges the words: rules (the default; offline, not comparable with published "
            "figures) or a language model: PROVIDER:MODEL, http://HOST:PORT/v1, local:NAME. Several make "
            "a panel.",
        ),
    ] = None
    samples: Annotated[int, typer.Option(help="Ask a language model so often, as a panel.")] = 1
    parallel: Annotated[
        int, typer.Option(min=1, max=200, help="Questions to a judge that are open at once.")
    ] = 8
    prices: Annotated[Path | None, typer.Option(help="YAML file with prices of models, for the cost.")] = None
    only: Annotated[
        str | None,
        typer.Option(
            metavar="KINDS",
            help="Of a run: measure this alone, for instance timing or words,text (timing, words, sound, "
            "text). Of the rest what was measured before is used.",
        ),
    ] = None
    caller_words: Annotated[
        bool,
        typer.Option(
            "--caller-words",
            help="Of a run: transcribe the caller, too, for caller_intelligibility_wer: its words are known.",
        ),
    ] = False
    processes: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="That listen to a run at the same time. Default: one a core."),
    ] = None
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh",
            help="Listen to every recording and ask a language model everything again, whatever was kept; "
            "what comes of it takes the place of that.",
        ),
    ] = False
