"""Lists that people write: one item a line, as JSONL, CSV or TSV.

CSV and TSV have a head line that names the columns. An empty cell is a column that is not there. What is
wrong is told with file and line, and nothing is done before every line is right.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from harness._files.json_file import BadJson, parse_json
from harness._files.outside_file import read_text
from harness._files.validation import describe_validation_error
from harness.errors import UserError
from spoken_language.outside_text import harmless, one_line

MAX_BYTES = 32_000_000
MAX_ROWS = 20_000
MAX_CELL_CHARS = 20_000
MAX_TOLD = 5
"""Wrong lines that are named; more are counted."""
ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"

_SUFFIXES = {".jsonl": "", ".ndjson": "", ".csv": ",", ".tsv": "\t"}
_Item = TypeVar("_Item", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line: what its columns hold, and where it stands (counted from 1)."""

    line: int
    cells: Mapping[str, Any]


def read_items(
    path: Path, item: type[_Item], *, also_lines: bool = False, besides: Mapping[str, Any] | None = None
) -> list[_Item]:
    """Every item of a list; an item without an ``id`` is called after its line.

    Args:
        item: What a row has to be; its fields are the columns.
        also_lines: A ``.txt`` is read, too: each line that is not blank is an item's ``text``.
        besides: Cells that every row has, where it does not say otherwise.

    Raises:
        UserError: The file cannot be read or is of another kind, or lines are wrong: the first are named.
    """
    rows = _rows(path, also_lines=also_lines)
    if not rows:
        raise UserError(f"{path}: holds no item; write one a line")
    found: list[_Item] = []
    wrong: list[str] = []
    seen: dict[str, int] = {}
    for row in rows:
        cells = {"id": f"line-{row.line}", **(besides or {}), **row.cells}
        try:
            found.append(item.model_validate(cells))
        except ValidationError as error:
            wrong.append(describe_validation_error(error, where=f"{path}:{row.line}").split("\n")[0])
            continue
        name = str(cells["id"])
        if name in seen:
            wrong.append(f"{path}:{row.line}: the id '{name}' is that of line {seen[name]}; give another")
        seen[name] = row.line
    if wrong:
        more = f"\nand {len(wrong) - MAX_TOLD} more lines" if len(wrong) > MAX_TOLD else ""
        raise UserError("\n".join(wrong[:MAX_TOLD]) + more)
    return found


_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]+")


def language_problem(text: str, language: str) -> str:
    """Why a text cannot be in its language, where that is plain to see; else empty."""
    if language == "en" and len(_HAN.findall(text)) > len(_LATIN.findall(text)):
        return "text: is Chinese, and 'language' says en (as it does where it is left out): give zh"
    if language == "zh" and not _HAN.search(text) and len(_LATIN.findall(text)) > 1:
        return "text: has no Chinese in it, and 'language' says zh"
    return ""


def _rows(path: Path, *, also_lines: bool) -> list[Row]:
    kind = path.suffix.lower()
    if kind not in _SUFFIXES and not (also_lines and kind == ".txt"):
        known = ", ".join([*_SUFFIXES, *([".txt"] if also_lines else [])])
        raise UserError(f"{path}: a list is one of {known}")
    text = read_text(path, max_bytes=MAX_BYTES)
    if kind == ".txt":
        lines = [Row(line=number, cells={"text": harmless(line.strip())}) for number, line in _lines(text)]
    elif _SUFFIXES[kind]:
        lines = _of_table(path, text, _SUFFIXES[kind])
    else:
        lines = [_of_json(path, number, line) for number, line in _lines(text)]
    if len(lines) > MAX_ROWS:
        raise UserError(f"{path}: {len(lines)} items; the most is {MAX_ROWS}: make several lists of it")
    return lines


def _lines(text: str) -> list[tuple[int, str]]:
    # Not splitlines(): a line separator inside a JSON text is no end of a line.
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _of_json(path: Path, number: int, line: str) -> Row:
    try:
        cells = parse_json(line)
    except BadJson as error:
        raise UserError(f"{path}:{number}: {error}; each line is a JSON object of its own") from error
    if not isinstance(cells, dict):
        raise UserError(f'{path}:{number}: each line is a JSON object, as in {{"text": "…"}}')
    return Row(line=number, cells=cells)


def _of_table(path: Path, text: str, delimiter: str) -> list[Row]:
    rows: list[Row] = []
    # In a TSV a quotation mark is a character like any other.
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = [one_line(cell.strip(), most=40) for cell in cells]
                _check_head(path, names)
                continue
            if len(cells) > len(names):
                raise UserError(
                    f"{path}:{reader.line_num}: {len(cells)} cells under {len(names)} columns; "
                    "put a text that holds the separator into quotation marks"
                )
            told = {name: harmless(cell.strip()) for name, cell in zip(names, cells, strict=False)}
            too_long = [name for name, cell in told.items() if len(cell) > MAX_CELL_CHARS]
            if too_long:
                raise UserError(f"{path}:{reader.line_num}: '{too_long[0]}' is longer than {MAX_CELL_CHARS}")
            rows.append(Row(line=reader.line_num, cells={name: cell for name, cell in told.items() if cell}))
    except csv.Error as error:
        raise UserError(f"{path}:{reader.line_num}: is no table: {error}") from error
    return rows


def _check_head(path: Path, names: list[str]) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice or not all(re.fullmatch(r"[a-z_]{1,40}", name) for name in names):
        raise UserError(f"{path}: its first line names the columns, each once, as in 'id,audio,text'")
