"""Reads what raters made of a sheet: the JSON that its page saves, or its CSV filled in.

Whoever sends such a file may have edited it, so it is bounded, and every answer is held to the sheet; what is
wrong is said with the rater's name and the item.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from harness._files.json_file import BadJson, place_of, read_json
from harness._files.outside_file import read_text
from harness._files.validation import describe_validation_error
from harness.errors import UserError
from harness.judging.people.sheet import CSV_COLUMNS, MAX_ITEMS, Name, Question, Sheet
from spoken_language.outside_text import harmless

FORMAT = "outboundeval-ratings"
MAX_BYTES = 20_000_000
MAX_CSV_BYTES = 200_000_000  # it has the dialogues in every row
MAX_PROBLEMS = 20
MAX_WHY = 1000

Rater = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
Why = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_WHY)]


class Answer(BaseModel):
    """To one question. ``turn`` where the answer has to name one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: Annotated[str, StringConstraints(max_length=100)]
    turn: int | None = Field(default=None, ge=0)
    why: Why = ""


class Ratings(BaseModel):
    """One rater's file. ``answers``: item -> question -> answer; what was not answered is absent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["outboundeval-ratings"]
    version: Literal[1]
    sheet: Annotated[str, StringConstraints(max_length=64)]
    rater: Rater
    saved_at: Annotated[str, StringConstraints(max_length=64)] = ""
    answers: dict[Name, dict[Name, Answer]] = Field(max_length=MAX_ITEMS)

    def answer(self, item: str, question: str) -> Answer | None:
        return self.answers.get(item, {}).get(question)


def read_ratings(paths: Sequence[Path], sheet: Sheet) -> list[Ratings]:
    """What each rater answered, in the order of the files.

    Raises:
        UserError: A file cannot be read, is no such file, belongs to another sheet, or has answers that the
            sheet does not allow; two files are by the same rater; nobody answered anything.
    """
    found = [_read(path, sheet) for path in paths]
    names = Counter(one.rater.casefold() for one in found)
    for one, path in zip(found, paths, strict=True):
        if names[one.rater.casefold()] > 1:
            raise UserError(
                f"{path}: there is another file by the rater '{one.rater}'; give each rater's last file only"
            )
        if problems := list(_problems(one, sheet)):
            shown = problems[:MAX_PROBLEMS]
            if len(problems) > len(shown):
                shown.append(f"and {len(problems) - len(shown)} more")
            raise UserError(f"{path}: " + f"\n{path}: ".join(shown))
    if not any(one.answers for one in found):
        raise UserError("nothing has been answered in " + ", ".join(str(path) for path in paths))
    return found


def _read(path: Path, sheet: Sheet) -> Ratings:
    if path.suffix.lower() == ".csv":
        return _of_csv(path, sheet)
    try:
        found = Ratings.model_validate(read_json(path, max_bytes=MAX_BYTES))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    except BadJson as error:
        raise UserError(
            f"{place_of(path, error)}: {error}\n(is it a file that the sheet's page saved?)"
        ) from error
    except ValidationError as error:
        raise UserError(f"{_told(error, path)}\n(is it a file that the sheet's page saved?)") from error
    if found.sheet != sheet.id:
        raise UserError(f"{path}: belongs to another sheet ({found.sheet}); this key is of {sheet.id}")
    return found


def _of_csv(path: Path, sheet: Sheet) -> Ratings:
    """A table that was filled in. The rater is the file's name."""
    text = harmless(read_text(path, max_bytes=MAX_CSV_BYTES))
    separator = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    missing = {"sheet", *CSV_COLUMNS} - set(rows.fieldnames or ())
    if missing:
        raise UserError(f"{path}: lacks the columns {', '.join(sorted(missing))}")
    answers: dict[str, dict[str, Any]] = {}
    try:
        for row in rows:
            if row["sheet"] != sheet.id:
                of = str(row["sheet"])[:40]
                raise UserError(f"{path}: line {rows.line_num}: belongs to another sheet ({of})")
            if not (row["answer"] or "").strip():
                continue
            given = answers.setdefault(row["item"] or "", {})
            if row["question"] in given:
                raise UserError(f"{path}: line {rows.line_num}: item {row['item']} is answered twice")
            turn = (row["turn"] or "").strip() or None
            given[row["question"] or ""] = {
                "value": (row["answer"] or "").strip(),
                "turn": turn,
                "why": row["why"] or "",
            }
        return Ratings.model_validate(
            {"format": FORMAT, "version": 1, "sheet": sheet.id, "rater": path.stem[:60], "answers": answers}
        )
    except csv.Error as error:
        raise UserError(f"{path}: line {rows.line_num}: {error}") from error
    except ValidationError as error:
        raise UserError(_told(error, path)) from error


def _problems(ratings: Ratings, sheet: Sheet) -> Iterator[str]:
    items = {item.id: item for item in sheet.items}
    who = f"rater '{ratings.rater}'"
    for item_id, answers in ratings.answers.items():
        item = items.get(item_id)
        if item is None:
            yield f"{who}, item {item_id}: the sheet has no such item"
            continue
        for question_id, answer in answers.items():
            question = item.question(question_id)
            if question is None:
                yield f"{who}, item {item_id}: it has no question '{question_id}'"
            elif problem := _problem(answer, question):
                asked = f", {question_id}" if len(item.questions) > 1 else ""
                yield f"{who}, item {item_id}{asked}: {problem}"


def _problem(answer: Answer, question: Question) -> str:
    if answer.value not in question.values:
        return f"'{answer.value[:40]}' is no answer; there are: {', '.join(question.values)}"
    if question.turn_for and answer.value == question.turn_for:
        if answer.turn is None:
            return f"'{answer.value}' needs the turn"
        if answer.turn not in question.turns:
            return f"turn {answer.turn} is none of {', '.join(map(str, question.turns))}"
    elif answer.turn is not None:
        return f"'{answer.value}' names turn {answer.turn}, but goes without one"
    return ""


def _told(error: ValidationError, path: Path) -> str:
    lines = describe_validation_error(error, where=str(path)).split("\n")
    more = [f"and {len(lines) - MAX_PROBLEMS} more"] if len(lines) > MAX_PROBLEMS else []
    return "\n".join([line[:400] for line in lines[:MAX_PROBLEMS]] + more)
