"""Takes sound and words out of old runs; figures, verdicts and the store stay.

Sound is ``audio.flac`` and the pages that carry it. Words are everything in which a person or an agent is
quoted: transcripts, timelines, what was heard and judged, answers of backends, what those told during calls,
what a started agent printed, and the pages. A call's ``call.json`` stays (it has our caller's own words), as
do ``run.json`` and ``summary.json``. A verdict keeps its results without what was quoted. A run whose words
are gone cannot be scored or compared call by call any more; its figures stay in the store.
"""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness._files.outside_file import check_within
from harness.errors import NotWritten, UserError
from harness.records.run import RunInfo
from harness.records.verdict import VERDICT_FILE, Verdict
from harness.records.witness import WITNESS_FILE
from harness.runs.lock import AGENT_LOG
from harness.runs.store import AUDIO_FILE

PRUNED = "(the words were pruned)"
KEPT_OF_A_CALL = frozenset({"call.json", "packets.npz"})
_PAGES = ("report", "junit.xml")
_QUOTING = (AGENT_LOG, WITNESS_FILE)
"""Of the run as a whole: an agent prints what it hears and says, a backend tells what it was told."""


@dataclass(frozen=True, kw_only=True)
class Pruned:
    """What was, or would be, taken out of a run."""

    folder: Path
    audio: int = 0
    words: int = 0
    why_not: str = ""


def prune(
    folders: Sequence[Path],
    *,
    now: datetime.datetime,
    keep_audio_days: float | None,
    keep_words_days: float | None,
    dry: bool = False,
) -> Iterator[Pruned]:
    """Each run with what was taken out of it; a run that did not finish is left alone.

    Raises:
        NotWritten: A file cannot be removed.
    """
    for folder in folders:
        try:
            info = read_model(folder / "run.json", RunInfo, within=folder)
            age_days = (now - datetime.datetime.fromisoformat(info.started_at)).total_seconds() / 86_400
        except (UserError, ValueError, TypeError) as error:
            yield Pruned(folder=folder, why_not=str(error) or "its age is not known")
            continue
        if info.kind != "calls" or info.finished_at is None:
            yield Pruned(folder=folder, why_not="is no finished run of calls")
            continue
        audio = keep_audio_days is not None and age_days > keep_audio_days
        words = keep_words_days is not None and age_days > keep_words_days
        if audio or words:
            yield _pruned(folder, audio=audio or words, words=words, dry=dry)


def _pruned(folder: Path, *, audio: bool, words: bool, dry: bool) -> Pruned:
    files = [path for path in _files_of_calls(folder) if path.name == AUDIO_FILE] if audio else []
    texts = []
    if words:
        texts = [path for path in _files_of_calls(folder) if path.name not in KEPT_OF_A_CALL | {AUDIO_FILE}]
        texts += _files_that_quote(folder)
    if not dry:
        try:
            for path in (*files, *texts):
                path.unlink()
            _without_pages(folder)
            if words:
                _without_quotes(folder)
        except OSError as error:
            raise NotWritten.of(folder, error) from error
    return Pruned(folder=folder, audio=len(files), words=len(texts))


def _files_of_calls(folder: Path) -> Iterator[Path]:
    """Those below ``calls``, of second and earlier attempts too; no link is followed."""
    for root in (folder / "calls", folder / "again" / "calls"):
        for path in sorted(root.rglob("*")) if root.is_dir() and not root.is_symlink() else ():
            if path.is_file() and not path.is_symlink():
                check_within(path, folder)
                yield path


def _files_that_quote(folder: Path) -> Iterator[Path]:
    for root in (folder, folder / "again"):
        for name in _QUOTING if not root.is_symlink() else ():
            path = root / name
            if path.is_file() and not path.is_symlink():
                check_within(path, folder)
                yield path


def _without_pages(folder: Path) -> None:
    for root in (folder, folder / "again"):
        for name in _PAGES:
            path = root / name
            if path.is_symlink():
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def _without_quotes(folder: Path) -> None:
    for root in (folder, folder / "again"):
        path = root / VERDICT_FILE
        if not path.is_file():
            continue
        verdict = read_model(path, Verdict, within=folder)
        checks = [
            one.model_copy(update={"told": PRUNED, "first_attempts": ""}) if one.of == "expect" else one
            for one in verdict.checks
        ]
        write_model(path, verdict.model_copy(update={"checks": tuple(checks)}))
