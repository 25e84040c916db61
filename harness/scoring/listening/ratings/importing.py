"""Takes what raters said into a run: ratings into ``scores.json``, the figure into ``summary.json``.

Everything is read and held to the page before anything is written.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.analysis.call import scorable
from harness.analysis.components.figures import ComponentTable
from harness.errors import NotWritten
from harness.records.scores import CallScores, Summary
from harness.records.scores.listening import Listened, ListenedClip
from harness.runs.reader import read_run
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import summarize_guarded
from harness.scoring.listening.key import FOLDER, ListeningKey, Place, read_key
from harness.scoring.listening.ratings.answers import RaterFile, hold_to_page
from harness.scoring.listening.ratings.result import (
    MAX_RESULT_BYTES,
    ListeningResult,
    read_results,
    result_of,
)
from harness.scoring.listening.ratings.screening import Screened, screened
from harness.scoring.listening.ratings.voices import with_opinions
from harness.scoring.listening.voices import is_of_components, table_of, voices_in


@dataclass(frozen=True, kw_only=True)
class Import:
    """What is about to be written into one run.

    Attributes:
        changed: Scores of the calls whose ratings are others now.
        problems: Ratings that have no place any more, in words.
        left_out: Raters of the page, by name, who were taken in before and are not among the files.
    """

    store: RunStore
    key: ListeningKey
    result: ListeningResult
    changed: tuple[CallScores, ...]
    problems: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def prepared(run: Path, files: Sequence[RaterFile], paths: Sequence[Path]) -> Import:
    """Reads a run, and decides what the files of a page's raters make of it.

    Raises:
        UserError: The run has no key of the page, a file does not fit it, or its words were pruned.
    """
    key = read_key(run, files[0].sheet)
    hold_to_page(files, paths, key)
    raters = [screened(one, key) for one in files]
    store = RunStore(run)
    if is_of_components(run):
        # Those of other pages count as well: what is wrong with them is told before anything is written.
        read_results(run)
        return Import(
            store=store,
            key=key,
            result=result_of(key, raters, imported_at=_now()),
            changed=(),
            problems=tuple(_of_other_sounds(key, run)),
            left_out=_left_out(result_path(run, key.sheet.id), files),
        )
    new = _ratings(key, [one for one in raters if one.counts]) if key.sheet.method == "acr" else {}
    changed, problems = [], []
    files_of_run = read_run(run)
    files_of_run.check_not_pruned()
    for call in files_of_run.calls:
        given = new.pop(call.call_id, None)
        if call.scores is None:
            if given:
                problems.append(f"{call.call_id}: was not scored; its {_count(given[1])} do not count")
            continue
        before, sha256 = call.scores.listening, ""
        if given is not None:
            recording = store.recording(call.call_id)
            sha256 = given[0].recording_sha256
            if recording is None or recording.sha256 != sha256:
                now = "has no recording any more" if recording is None else "has another recording now"
                problems.append(f"{call.call_id}: {now}; its {_count(given[1])} do not count")
                given = None
        now_rated = _put(before, key.sheet.id, sha256, given[1] if given is not None else ())
        if now_rated != before:
            changed.append(call.scores.model_copy(update={"listening": now_rated}))
    problems += [
        f"{call_id}: is not in this run any more; its {_count(one[1])} do not count"
        for call_id, one in new.items()
    ]
    return Import(
        store=store,
        key=key,
        result=result_of(key, raters, imported_at=_now()),
        changed=tuple(changed),
        problems=tuple(problems),
        left_out=_left_out(result_path(run, key.sheet.id), files),
    )


def _now() -> str:
    """With all its digits, so that of two imports one is the later."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")


def _of_other_sounds(key: ListeningKey, folder: Path) -> Iterator[str]:
    """Of voices: rated clips that have another sound now."""
    if key.sheet.method != "acr":
        return
    voices = {one.name: one for one in voices_in(folder)}
    for item in key.of_kind("clip"):
        [place] = key.items[item].places
        name = key.runs[place.run]
        if name not in voices or voices[name].sha256(place.call_id) != place.recording_sha256:
            yield f"{name}, {place.call_id}: is not there any more as it was heard; its ratings do not count"


def written_of_voices(one: Import) -> ComponentTable:
    """Writes what raters said of voices: the result, and the table with ``mos`` of each voice.

    Raises:
        NotWritten: The folder cannot be written.
    """
    folder = one.store.folder
    _write(result_path(folder, one.key.sheet.id), one.result)
    table = with_opinions(table_of(folder), folder)
    _write(folder / "summary.json", table)
    return table


def _write(path: Path, model: BaseModel) -> None:
    try:
        write_model(path, model)
    except OSError as error:
        raise NotWritten.of(path, error) from error


def written(one: Import) -> Summary:
    """Writes it: the ratings of each call, the result, the run's summary.

    Raises:
        NotWritten: The folder cannot be written.
    """
    for scores in one.changed:
        one.store.write_scores_only(scores)
    _write(result_path(one.store.folder, one.key.sheet.id), one.result)
    run = read_run(one.store.folder)
    records = [call.record for call in run.calls if call.record is not None]
    scored = [
        call.scores
        for call in run.calls
        if call.record is not None and call.scores is not None and scorable(call.record.status)
    ]
    name = run.info.name if run.info else one.store.folder.name
    summary = summarize_guarded(one.store, records, scored, run=name)
    one.store.write_summary(summary)
    return summary


def result_path(run: Path, sheet: str) -> Path:
    """Where the result of a page lies."""
    return run / FOLDER / f"result-{sheet}.json"


def _left_out(before: Path, files: Sequence[RaterFile]) -> tuple[str, ...]:
    """Who is in the page's earlier result, and not among the files.

    Raises:
        UserError: It is there, and cannot be read.
    """
    if not before.exists():
        return ()
    given = {one.code for one in files}
    return tuple(
        one.name
        for one in read_model(before, ListeningResult, max_bytes=MAX_RESULT_BYTES).raters
        if one.code not in given
    )


Given = tuple[Place, list[ListenedClip]]


def _ratings(key: ListeningKey, counted: Sequence[Screened]) -> dict[str, Given]:
    """Call -> a place in its recording, and what was said of the call's clips."""
    found: dict[str, Given] = {}
    for item in key.of_kind("clip"):
        [place] = key.items[item].places
        if place.run != key.this_run:
            continue
        ratings = found.setdefault(place.call_id, (place, []))[1]
        ratings += [
            ListenedClip(
                start_s=place.start_s,
                end_s=place.end_s,
                rater=one.file.code,
                value=one.values[item],
                sheet=key.sheet.id,
            )
            for one in counted
            if item in one.values
        ]
    return found


def _put(before: Listened | None, sheet: str, sha256: str, new: Sequence[ListenedClip]) -> Listened | None:
    """What a call keeps: what came from this page before goes; of a stretch that one rater rated on two pages
    the rating that is imported last stays."""
    kept: list[ListenedClip] = []
    if before is not None and (not new or before.recording_sha256 == sha256):
        again = {(one.rater, one.start_s, one.end_s) for one in new}
        kept = [
            one
            for one in before.ratings
            if one.sheet != sheet and (one.rater, one.start_s, one.end_s) not in again
        ]
    ratings = (*kept, *new)
    if not ratings:
        return None
    return Listened(
        recording_sha256=sha256 if new or before is None else before.recording_sha256, ratings=ratings
    )


def _count(ratings: Sequence[ListenedClip] | Mapping[str, object]) -> str:
    return f"{len(ratings)} rating{'' if len(ratings) == 1 else 's'}"
