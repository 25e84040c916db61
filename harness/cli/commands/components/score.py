"""``outboundeval score-asr`` and ``score-tts``: what they do."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import typer
from rich.progress import Progress

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.analysis.components.asr import kept_results, read_clips, recognise_all
from harness.analysis.components.asr_figures import asr_table
from harness.analysis.components.figures import ComponentTable
from harness.analysis.components.systems import open_recogniser
from harness.analysis.components.tts import open_voice, read_texts, speak_all
from harness.analysis.components.tts_figures import tts_table
from harness.analysis.instruments import Instruments
from harness.cli.options.components.score import ScoreAsrOptions, ScoreTtsOptions
from harness.cli.screen.components import print_table
from harness.cli.screen.console import print_json, progress_console, stderr, stdout
from harness.errors import EXIT_CHECK_FAILED, EXIT_OK, Interrupted, NotWritten, UserError
from harness.scoring.listening.ratings.voices import with_readable_opinions

GO_ON = "What was done is kept: the same command goes on from there."
MAX_SYSTEMS = 20
MAX_BYTES = 64_000_000


def score_asr(options: ScoreAsrOptions) -> None:
    """Has each recogniser hear each clip, and shows the table."""
    clips = read_clips(options.manifest)
    systems = {name: open_recogniser(name) for name in _once(options.asr, "--asr")}
    folder = options.out or _own_folder("asr", options.manifest)
    _check_kind(folder, "asr")
    try:
        with _progress(as_json=options.as_json) as on_progress:
            found = recognise_all(clips, systems, folder, on_progress=on_progress)
    except KeyboardInterrupt as cut:
        found = kept_results(clips, systems, folder)
        if any(found.values()):
            _show(asr_table(clips, systems, found, folder=str(folder)), folder, as_json=False, cut=True)
        raise Interrupted(GO_ON) from cut
    _end(asr_table(clips, systems, found, folder=str(folder)), folder, as_json=options.as_json)


def score_tts(options: ScoreTtsOptions) -> None:
    """Has each voice say each text, listens to it, and shows the table."""
    items = read_texts(options.texts, language=options.language)
    languages = tuple(dict.fromkeys(item.language for item in items))
    voices = {name: open_voice(name, languages) for name in _once(options.tts, "--tts")}
    folder = options.out or _own_folder("tts", options.texts)
    _check_kind(folder, "tts")
    instruments = Instruments()
    try:
        with _progress(as_json=options.as_json) as on_progress:
            found = speak_all(items, voices, folder, instruments, on_progress=on_progress)
    except KeyboardInterrupt as cut:
        found = speak_all(items, voices, folder, instruments, only_kept=True)
        if any(found.values()):
            table = tts_table(items, voices, found, instruments, folder=str(folder))
            _show(with_readable_opinions(table, folder), folder, as_json=False, cut=True)
        raise Interrupted(GO_ON) from cut
    table = with_readable_opinions(tts_table(items, voices, found, instruments, folder=str(folder)), folder)
    _end(table, folder, as_json=options.as_json)


def _check_kind(folder: Path, kind: str) -> None:
    """A folder has the results of recognisers or of voices: the table of one would replace the other's."""
    if folder.is_file():
        raise UserError(f"--out {folder}: is a file; give a folder")
    path = folder / "summary.json"
    if not path.exists():
        return
    before = read_model(path, ComponentTable, max_bytes=MAX_BYTES)
    if before.kind != kind:
        raise UserError(f"--out {folder}: holds a table of score-{before.kind}; give another folder")


def _end(table: ComponentTable, folder: Path, *, as_json: bool) -> None:
    _show(table, folder, as_json=as_json)
    failed = any(row.failed for row in table.rows)
    raise typer.Exit(EXIT_CHECK_FAILED if failed else EXIT_OK)


def _show(table: ComponentTable, folder: Path, *, as_json: bool, cut: bool = False) -> None:
    path = folder / "summary.json"
    try:
        write_model(path, table)
    except OSError as error:
        raise NotWritten.of(path, error) from error
    if as_json:
        print_json(table.model_dump(mode="json"))
    else:
        print_table(stderr if cut else stdout, table)


def _once(names: list[str], option: str) -> list[str]:
    once = list(dict.fromkeys(names))
    if len(once) > MAX_SYSTEMS:
        raise UserError(f"{option}: {len(once)} systems; the most is {MAX_SYSTEMS}")
    return once


def _own_folder(kind: str, listed: Path) -> Path:
    """By the list's name and content, so that the same command goes on and another list starts anew."""
    try:
        content = listed.read_bytes()
    except OSError as error:
        raise UserError(f"{listed}: cannot be read: {error.strerror or error}") from error
    return Path("runs") / f"{kind}-{listed.stem[:40]}-{hashlib.sha256(content).hexdigest()[:8]}"


class _progress:
    """A bar beside the result, while the ``with`` block works."""

    def __init__(self, *, as_json: bool) -> None:
        self._bar = Progress(console=progress_console(as_json=as_json), transient=True)

    def __enter__(self) -> Callable[[int, int], None]:
        self._bar.start()
        task = self._bar.add_task("", total=None)
        return lambda done, of: self._bar.update(task, completed=done, total=of)

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
