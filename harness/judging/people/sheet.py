"""A sheet on which people rate dialogues: one HTML page that works from disk, and the same items as a CSV.

The page keeps the answers in the browser and saves them to a file (``answers`` reads it back). It
asks whatever the sheet asks: a score, a label for each of several points, one of two dialogues::

    sheet = Sheet(title="…", instructions="…", texts={"t1": SheetText(turns=…)}, items=(SheetItem(…),))
    write_sheet(sheet, Path("sheet.html"))

What a rater must not know (who said it, what a judge made of it) must not be in the sheet: all of it is in
the page. It belongs in a key file of whoever made the sheet.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness._files.atomic_file import write_text
from harness._files.self_contained_page import render, write_page
from harness.errors import NotWritten
from spoken_language.dialogue import Planted
from spoken_language.outside_text import one_line

MAX_ITEMS = 5000

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$")]

CSV_COLUMNS = ("item", "question", "title", "asked", "choices", "shown", "guide", "answer", "turn", "why")
"""A rater who prefers a table fills in the last three."""

MAX_CELL_CHARS = 30_000
"""Spreadsheets hold no more in a cell."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SheetTurn(_Part):
    """``speaker`` is shown as it is; ``agent`` and ``caller`` also have a colour each. A sheet is named after
    its content: one without planted places keeps its name."""

    speaker: str
    text: str
    planted: Planted = ()


class SheetText(_Part):
    """A dialogue, kept once however many items show it."""

    turns: tuple[SheetTurn, ...]


class Note(_Part):
    """Something to unfold, for instance what the agent was given."""

    title: str
    text: str


class Shown(_Part):
    """What an item shows of a dialogue.

    Attributes:
        text: Which.
        label: Above it, where an item shows several.
        until: The last turn that is shown; None: all.
        focus: The turn that it is about; it is marked.
    """

    text: Name
    label: str = ""
    until: int | None = Field(default=None, ge=0)
    focus: int | None = Field(default=None, ge=0)


class Choice(_Part):
    """A possible answer. A value of one letter or digit is also its key on the keyboard."""

    value: Name
    label: str


class Question(_Part):
    """One question of an item.

    Attributes:
        asks: Shown above the choices; may be empty where the item's title says it.
        turn_for: With this answer a turn has to be named.
        turns: Those that may be named.
        why: Whether a line of argument is asked for.
    """

    id: Name
    asks: str = ""
    choices: tuple[Choice, ...] = Field(min_length=2, max_length=20)
    turn_for: str = ""
    turns: tuple[int, ...] = ()
    why: bool = True

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices)


class SheetItem(_Part):
    """One thing to rate. ``guide`` and ``note`` name entries of the sheet."""

    id: Name
    title: str
    guide: str = ""
    note: str = ""
    shows: tuple[Shown, ...] = Field(min_length=1, max_length=10)
    questions: tuple[Question, ...] = Field(min_length=1, max_length=100)

    def question(self, question_id: str) -> Question | None:
        return next((one for one in self.questions if one.id == question_id), None)


class Sheet(_Part):
    """Everything on the page, in the order in which it is asked.

    Attributes:
        guides: How to judge: for instance the rubric of a dimension.
        notes: To unfold beside items.
        texts: The dialogues.
    """

    title: str
    instructions: str = ""
    guides: dict[Name, str] = Field(default_factory=dict)
    notes: dict[Name, Note] = Field(default_factory=dict)
    texts: dict[Name, SheetText] = Field(default_factory=dict)
    items: tuple[SheetItem, ...] = Field(min_length=1, max_length=MAX_ITEMS)

    @model_validator(mode="after")
    def _refers_to_what_is_there(self) -> Self:
        ids = [item.id for item in self.items]
        if len(set(ids)) != len(ids):
            raise ValueError("two items have the same id")
        for item in self.items:
            if item.guide and item.guide not in self.guides:
                raise ValueError(f"item {item.id}: there is no guide '{item.guide}'")
            if item.note and item.note not in self.notes:
                raise ValueError(f"item {item.id}: there is no note '{item.note}'")
            if missing := [shown.text for shown in item.shows if shown.text not in self.texts]:
                raise ValueError(f"item {item.id}: there is no text '{missing[0]}'")
        return self

    @property
    def id(self) -> str:
        """Sixteen hex digits over everything in it: answers belong to one sheet."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    def item(self, item_id: str) -> SheetItem | None:
        return next((one for one in self.items if one.id == item_id), None)


def write_sheet(sheet: Sheet, page: Path) -> list[Path]:
    """Writes the page, and the CSV beside it.

    Raises:
        NotWritten: A file cannot be.
    """
    table = page.with_suffix(".csv")
    write_page(page, sheet_page(sheet))
    try:
        write_text(table, sheet_csv(sheet))
    except OSError as error:
        raise NotWritten.of(table, error) from error
    return [page, table]


def sheet_page(sheet: Sheet) -> str:
    """The page as HTML."""
    content = {"id": sheet.id, **sheet.model_dump(mode="json")}
    return render(
        "sheet.html.j2",
        folder=Path(__file__).parent / "sheet_page",
        styles=["page.css", "sheet.css"],
        scripts=["sheet.js"],
        sheet=content,
    )


def sheet_csv(sheet: Sheet) -> str:
    """The items as a table, one question a row, with a byte order mark for spreadsheets."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["sheet", *CSV_COLUMNS])
    for item in sheet.items:
        shown = "\n\n".join(_in_words(sheet, one) for one in item.shows)
        for question in item.questions:
            choices = " | ".join(f"{choice.value} ({choice.label})" for choice in question.choices)
            row = [item.id, question.id, item.title, question.asks, choices, shown]
            row += [sheet.guides.get(item.guide, ""), "", "", ""]
            writer.writerow([sheet.id, *map(_plain_cell, row)])
    return "\ufeff" + out.getvalue()


def _in_words(sheet: Sheet, shown: Shown) -> str:
    return "\n".join([shown.label, *_lines(sheet, shown)] if shown.label else _lines(sheet, shown))


def _lines(sheet: Sheet, shown: Shown) -> Iterator[str]:
    turns = sheet.texts[shown.text].turns
    last = len(turns) - 1 if shown.until is None else shown.until
    for number, turn in enumerate(turns[: last + 1]):
        mark = ">> " if number == shown.focus else ""
        yield f"{mark}[{number}] {turn.speaker}: {one_line(turn.text)}"


def _plain_cell(text: str) -> str:
    """Text that a spreadsheet holds, and does not take for a formula. A long one loses its beginning."""
    if len(text) > MAX_CELL_CHARS:
        text = "(beginning left out) " + text[-MAX_CELL_CHARS + 30 :]
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
