"""``outboundeval score``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.commands.options import AsJson, print_json, progress_console, stdout
from harness.errors import UserError
from harness.instruments import Instruments
from harness.pipeline import score_and_report
from harness.scoring import RecordingScores, score_recording
from harness.terminal import print_metrics, print_summary, print_turns

app = typer.Typer()


@app.command()
def score(
    source: Annotated[Path, typer.Argument(help="Folder of a run, or a sound file (WAV, FLAC, OGG, MP3).")],
    as_json: AsJson = False,
    language: Annotated[Literal["en", "zh"], typer.Option(help="Spoken language of a sound file.")] = "en",
    caller: Annotated[
        Literal["left", "right"], typer.Option(help="The channel of a stereo recording that has the caller.")
    ] = "left",
) -> None:
    """Score a run again, a stereo call recording from anywhere, or a clip of one voice.

    A stereo recording gives timing, words and voice quality; a mono clip its NISQA values and transcript.

    Example: outboundeval score call.wav --caller left --json
    """
    instruments = Instruments()
    if source.is_dir():
        outcome = score_and_report(source, instruments=instruments, console=progress_console(as_json=as_json))
        if as_json:
            print_json(outcome.summary.model_dump(mode="json"))
        else:
            print_summary(stdout, outcome.summary, outcome.records, outcome.report)
        return
    if not source.is_file():
        raise UserError(f"{source}: there is no such file or folder")
    result = score_recording(
        source, instruments=instruments, language=language, caller_is_left=caller == "left"
    )
    if as_json:
        print_json(result.as_json())
    else:
        _print_recording(result)


def _print_recording(result: RecordingScores) -> None:
    stdout.print(f"[bold]{result.source}[/] ({result.kind})", highlight=False)
    if result.kind == "stereo":
        print_turns(stdout, result.scores)
    for line in result.transcript.lines:
        who = line.side if result.kind == "stereo" else "voice"
        stdout.print(f"  {line.start_s:7.2f}  {who:6}  {line.text}", highlight=False, markup=False)
    print_metrics(stdout, result.metrics)
    for clip in result.scores.clips:
        for warning in clip.warnings:
            stdout.print(
                f"  {clip.start_s:.2f}-{clip.end_s:.2f} s: {warning}", style="yellow", highlight=False
            )
