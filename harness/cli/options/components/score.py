"""Options of ``outboundeval score-asr`` and ``score-tts``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.cli.options.shared import AsJson

OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="Folder for what is found; the same one goes on where it was cut off. Default: one in runs/, "
        "by the name and content of the list.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ScoreAsrOptions:
    """Try recognisers on clips whose words are known: error rates, entities, speed, with intervals.

    The list has an item a line (JSONL, CSV or TSV): audio, text, language and more; see
    docs/score-components.md. Recognisers: whisper/base, whisper/FOLDER, livekit/PLUGIN/MODEL.

    Example: outboundeval score-asr clips.jsonl --asr whisper/base --asr livekit/openai/whisper-1
    """

    manifest: Annotated[Path, typer.Argument(help="The list; its audio lies beside it or below.")]
    asr: Annotated[list[str], typer.Option("--asr", metavar="NAME", help="A recogniser; may be repeated.")]
    out: OutFolder = None
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class ScoreTtsOptions:
    """Try voices on a list of texts: how well they are understood, how they sound, how fast they are.

    The list is JSONL, CSV or TSV with a column 'text', or a .txt with a text a line; see
    docs/score-components.md. Voices: piper/joe, kokoro/jf_alpha, espeak/en-us, livekit/PLUGIN/VOICE.

    Example: outboundeval score-tts lines.txt --tts piper/joe --tts espeak/en-us
    """

    texts: Annotated[Path, typer.Argument(help="The list.")]
    tts: Annotated[list[str], typer.Option("--tts", metavar="NAME", help="A voice; may be repeated.")]
    language: Annotated[
        Literal["en", "zh"] | None,
        typer.Option("--language", help="Of a .txt (default: en); in a table it is a column."),
    ] = None
    out: OutFolder = None
    as_json: AsJson = False
