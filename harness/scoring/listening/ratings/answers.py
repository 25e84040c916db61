"""Reads what raters saved (``listening-NAME.json``), and holds every field to the page.

A file may have been edited by whoever sent it: its size is bounded, and what the page cannot have written is
refused with the file and the item. Example::

    {"format": "outboundeval-listening", "version": 1, "sheet": "0123456789abcdef", "rater": "Zoë",
     "saved_at": "2026-01-01T10:00:00Z", "order": ["q002", "q001"], "tones": [1, 3, 2, 2, 1, 3],
     "answers": {"q002": {"value": 4, "heard": 1}}}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.records.base import FileModel
from harness.scoring.listening.key import ListeningKey
from harness.scoring.listening.order import order_of, rater_code
from harness.scoring.listening.sheet import MAX_ITEMS, SCALES, ItemId, SheetId
from spoken_language.outside_text import one_line

MAX_BYTES = 1_000_000
MAX_FILES = 1000
MAX_PROBLEMS = 5

Rater = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
Strict = Annotated[int, Field(strict=True)]


class Answer(FileModel):
    """To one item. ``heard``: how often it was played to its end."""

    value: Annotated[Strict, Field(ge=-100, le=100)]
    heard: Annotated[Strict, Field(ge=0, le=100_000)]


class RaterFile(FileModel):
    """One rater's file.

    Attributes:
        order: Every item of the page, as it came.
        tones: Which tone was said to be the softest, trial after trial.
        answers: What is absent was not rated.
    """

    format: Literal["outboundeval-listening"]
    version: Literal[1]
    sheet: SheetId
    rater: Rater
    saved_at: Annotated[str, StringConstraints(max_length=64)] = ""
    order: Annotated[tuple[ItemId, ...], Field(max_length=MAX_ITEMS)]
    tones: Annotated[tuple[Annotated[Strict, Field(ge=1, le=3)], ...], Field(max_length=20)]
    answers: Annotated[dict[ItemId, Answer], Field(max_length=MAX_ITEMS)]

    @field_validator("rater")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        if one_line(name) != name:
            raise ValueError("is no name on one line")
        return name

    @property
    def code(self) -> str:
        """What stands for the rater in ``scores.json``."""
        return rater_code(self.rater)


def read_files(paths: Sequence[Path]) -> list[RaterFile]:
    """The files of one page, in their order.

    Raises:
        UserError: One cannot be read or is no such file; they are of several pages, or two by one rater.
    """
    if not paths:
        raise UserError("no file of a rater was given: the page saves listening-NAME.json")
    if len(paths) > MAX_FILES:
        raise UserError(f"{len(paths)} files of raters; at most {MAX_FILES} are read at once")
    found: list[RaterFile] = []
    by_code: dict[str, Path] = {}
    for path in paths:
        one = read_model(path, RaterFile, max_bytes=MAX_BYTES)
        if one.code in by_code:
            raise UserError(
                f"{path}: there is another file by '{one_line(one.rater, most=60)}', {by_code[one.code]}: "
                "give each rater's last file only"
            )
        by_code[one.code] = path
        found.append(one)
    # Where one is of another page than all others, it is that one which is out of place.
    [(page, _), *others] = Counter(one.sheet for one in found).most_common()
    if others:
        apart = [
            f"{path} (page {one.sheet})" for path, one in zip(paths, found, strict=True) if one.sheet != page
        ]
        shown = ", ".join(apart[:MAX_PROBLEMS]) + (", …" if len(apart) > MAX_PROBLEMS else "")
        raise UserError(f"not of page {page}, as the others are: {shown}; import them one page at a time")
    return found


def hold_to_page(files: Sequence[RaterFile], paths: Sequence[Path], key: ListeningKey) -> None:
    """Does nothing where every answer is one that the page can have given.

    Raises:
        UserError: One is not; the message has the file and what is wrong.
    """
    for path, one in zip(paths, files, strict=True):
        problems = list(_problems(one, key))
        if problems:
            shown = problems[:MAX_PROBLEMS]
            if len(problems) > len(shown):
                shown.append(f"and {len(problems) - len(shown)} more")
            raise UserError("\n".join(f"{path}: {problem}" for problem in shown))


def _problems(one: RaterFile, key: ListeningKey) -> Iterator[str]:
    sheet = key.sheet
    order = order_of([item.id for item in sheet.items], sheet=sheet.id, rater=one.rater)
    if one.order != order.items:
        who = one_line(one.rater, most=60)
        yield f"the order is not the one that the page gives to '{who}': the file was changed"
    if len(one.tones) > len(sheet.tones):
        yield f"{len(one.tones)} answers about tones; the page has {len(sheet.tones)}"
    scale = SCALES[sheet.method]
    for item, answer in one.answers.items():
        if item not in key.items:
            yield f"item {item}: the page has no such item"
        elif answer.value not in scale:
            yield f"item {item}: {answer.value} is not on the scale of {min(scale)} to {max(scale)}"
        elif answer.heard < 1:
            yield f"item {item}: was rated, and never heard to its end"
