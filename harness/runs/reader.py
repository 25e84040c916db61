"""Reads a run folder for the report, and carries on where a file is missing or broken.

A report that refuses to open because one call left a torn file helps nobody. So every file is read by itself;
what cannot be read becomes a :class:`Problem` that the page prints, and the rest is shown. Files are outside
input: their size is bounded, their content validated, and a call id never leads out of the run folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from harness._files.json_file import BadJson, read_json
from harness._files.outside_file import check_within
from harness._files.validation import describe_validation_error
from harness.errors import UserError
from harness.plans.call import ID_PATTERN
from harness.records.call import CallRecord, CallStatus, Event
from harness.records.scores import CallScores, RunInfo, Summary, Transcript
from harness.records.timeline import TIMELINE, TimelineFile, read_timeline
from harness.runs.lock import holds_run
from spoken_language.outside_text import one_line

MAX_JSON_BYTES = 32_000_000
MAX_EVENTS = 20_000
MAX_CALLS = 10_000

AGAIN = "again"
"""The folder of a run's second attempts, a run of its own."""

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A file that could not be used: its path in the run folder, and why."""

    file: str
    what: str


@dataclass(frozen=True, kw_only=True)
class CallFiles:
    """What could be read of one call; None for what could not."""

    call_id: str
    record: CallRecord | None
    scores: CallScores | None
    transcript: Transcript | None
    events: tuple[Event, ...]
    audio: Path | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True, kw_only=True)
class RunFiles:
    """What could be read of a run; calls in the order in which they were placed."""

    folder: Path
    info: RunInfo | None
    summary: Summary | None
    calls: tuple[CallFiles, ...]
    problems: tuple[Problem, ...]

    @property
    def unplaced(self) -> tuple[str, ...]:
        """The planned calls of which nothing is known, in order: without a record, with one that cannot be
        read, or cut off at the terminal. Without ``run.json`` every call that has a folder was planned."""
        known = {
            call.call_id
            for call in self.calls
            if call.record is not None and call.record.status is not CallStatus.INTERRUPTED
        }
        planned = [call.call_id for call in self.calls] if self.info is None else self.info.call_ids
        return tuple(call_id for call_id in dict.fromkeys(planned) if call_id not in known)

    def check_not_pruned(self) -> None:
        """Of a run whose sound and words were taken out, ``summary.json`` is all that is left of its figures:
        made anew, it would have none.

        Raises:
            UserError: It is such a run.
        """
        spoken = [
            call for call in self.calls if call.record is not None and not call.record.status.nobody_spoke
        ]
        had_figures = (self.folder / "summary.json").is_file()
        if had_figures and spoken and not any(call.audio or call.scores for call in spoken):
            raise UserError(
                f"{self.folder}: its sound and words are not there any more (prune takes them out); its "
                "figures and its verdict stay as they are"
            )


def read_run(folder: Path) -> RunFiles:
    """Everything that is readable below ``folder``.

    Raises:
        UserError: There is neither a ``run.json`` nor a ``calls`` folder, so this is no run.
    """
    if not holds_run(folder):
        raise UserError(
            f"{folder}: no run: it has neither run.json nor calls/; give a folder that 'run' wrote"
        )
    problems: list[Problem] = []
    info = _read(folder, "run.json", RunInfo, problems)
    summary = _read(folder, "summary.json", Summary, problems)
    ids = list(_call_ids(folder, info, problems))
    if len(ids) > MAX_CALLS:
        problems.append(
            Problem(file="calls", what=f"only the first {MAX_CALLS} of {len(ids)} calls are read")
        )
    calls = tuple(_read_call(folder, call_id) for call_id in ids[:MAX_CALLS])
    return RunFiles(folder=folder, info=info, summary=summary, calls=calls, problems=tuple(problems))


def _call_ids(folder: Path, info: RunInfo | None, problems: list[Problem]) -> Iterator[str]:
    """The ids that ``run.json`` names, then folders that it does not name."""
    placed = sorted(path.name for path in (folder / "calls").glob("*") if path.is_dir())
    named = list(dict.fromkeys(info.call_ids)) if info else []
    for call_id in [*named, *(name for name in placed if name not in named)]:
        if re.fullmatch(ID_PATTERN, call_id):
            yield call_id
        else:
            problems.append(
                Problem(file="calls", what=f"{one_line(call_id, most=100)!r} is not a call id; left out")
            )


def _read_call(folder: Path, call_id: str) -> CallFiles:
    problems: list[Problem] = []
    where = f"calls/{call_id}"
    record = _read(folder, f"{where}/call.json", CallRecord, problems)
    if record is not None and record.plan.call_id != call_id:
        problems.append(Problem(file=f"{where}/call.json", what="belongs to another call; not used"))
        record = None
    # A call that never came about has no sound to score, so nothing is missing there.
    expected = record is None or record.connected_after_s is not None
    scores = _read(folder, f"{where}/scores.json", CallScores, problems, expected=expected)
    if scores is not None and scores.call_id != call_id:
        problems.append(Problem(file=f"{where}/scores.json", what="belongs to another call; not used"))
        scores = None
    audio = _recording(folder, f"{where}/audio.flac", problems, expected=expected)
    return CallFiles(
        call_id=call_id,
        record=record,
        scores=scores,
        transcript=_read(folder, f"{where}/transcript.json", Transcript, problems, expected=expected),
        events=_read_events(folder, f"{where}/{TIMELINE}", problems, expected=expected),
        audio=audio,
        problems=tuple(problems),
    )


def _read(
    folder: Path, name: str, model: type[_Model], problems: list[Problem], *, expected: bool = True
) -> _Model | None:
    try:
        content = read_json(folder / name, max_bytes=MAX_JSON_BYTES, within=folder)
        return model.model_validate(content)
    except FileNotFoundError:
        if expected:
            problems.append(Problem(file=name, what="is missing"))
    except ValidationError as error:
        described = describe_validation_error(error, where="cannot be used", most=1)
        problems.append(Problem(file=name, what=described.split("\n")[0][:300]))
    except BadJson as error:
        line = f"line {error.line}: " if error.line is not None else ""
        problems.append(Problem(file=name, what=f"cannot be used: {line}{error}"[:300]))
    except OSError as error:
        problems.append(Problem(file=name, what=f"cannot be read: {error.strerror or error}"[:300]))
    return None


def _read_events(folder: Path, name: str, problems: list[Problem], *, expected: bool) -> tuple[Event, ...]:
    timeline = TimelineFile()
    try:
        timeline = read_timeline(folder / name, most=MAX_EVENTS, within=folder)
    except FileNotFoundError:
        if expected:
            problems.append(Problem(file=name, what="is missing"))
    except OSError as error:
        problems.append(Problem(file=name, what=f"cannot be read: {error.strerror or error}"[:300]))
    if timeline.cut:
        problems.append(Problem(file=name, what=f"only its first {MAX_EVENTS} events are read"))
    if timeline.unusable_lines:
        problems.append(Problem(file=name, what=f"{timeline.unusable_lines} lines are not events; left out"))
    return timeline.events


def _recording(folder: Path, name: str, problems: list[Problem], *, expected: bool) -> Path | None:
    """Where the recording of a call lies; None where there is none that may be read."""
    path = folder / name
    if not path.is_file():
        if expected:
            problems.append(Problem(file=name, what="is missing"))
        return None
    try:
        check_within(path, folder)
    except OSError as error:
        problems.append(Problem(file=name, what=str(error.strerror)[:300]))
        return None
    return path
