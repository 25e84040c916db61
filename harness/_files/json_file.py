"""Reads JSON that a stranger wrote: bounded, every text harmless, every number one that can be counted with.

What JSON of other tools may hold and ours does not use is refused with words: ``NaN`` and ``Infinity`` (no
JSON at all), numbers beyond a double or of more than :data:`MAX_DIGITS` digits, a key twice, nesting beyond
:data:`MAX_DEPTH`, more than :data:`MAX_VALUES` values. Files of a run, transcripts, answers of servers and
messages of agents all come through here.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from harness._files.outside_file import read_bytes
from harness._files.validation import describe_validation_error
from harness.errors import UserError
from spoken_language.outside_text import harmless, is_harmless, one_line

MAX_BYTES = 32_000_000
MAX_DEPTH = 100
MAX_VALUES = 2_000_000
"""Counted by the commas and brackets of the text: ``[[],[],`` would take a hundred times its length."""
MAX_DIGITS = 40
MAX_PROBLEMS = 5

_Model = TypeVar("_Model", bound=BaseModel)
_ESCAPED = re.compile(r"\\u")


class BadJson(ValueError):
    """A text is no JSON that is read here. ``line``: where, counted from 1; None where that is not known."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.line = line


def parse_json(content: str | bytes) -> Any:
    """What a JSON text says, its texts and keys harmless.

    Raises:
        BadJson: It is none, or holds what the module's docstring names.
    """
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    except UnicodeDecodeError as error:
        raise BadJson(f"is not UTF-8 text (byte {error.start})") from error
    if text.count(",") + text.count("[") + text.count("{") > MAX_VALUES:
        raise BadJson(f"holds more than {MAX_VALUES} values")
    try:
        found = json.loads(
            text,
            parse_int=_integer,
            parse_float=_real,
            parse_constant=_no_number,
            object_pairs_hook=_mapping,
        )
    except json.JSONDecodeError as error:
        raise BadJson(f"not valid JSON: {error.msg}", error.lineno) from error
    except RecursionError as error:
        raise BadJson("not valid JSON: nested too deeply") from error
    # A text without escapes whose characters are all harmless has nothing to clean.
    clean = _ESCAPED.search(text) is None and is_harmless(text)
    return _bounded(found, MAX_DEPTH, clean=clean)


def read_json(path: Path, *, max_bytes: int = MAX_BYTES, within: Path | None = None) -> Any:
    """What a JSON file says; see :func:`parse_json` and :func:`harness._files.outside_file.read_bytes`.

    Raises:
        OSError: It cannot be read, is no plain file, too large, or leads out of ``within``.
        BadJson: It is no JSON that is read here.
    """
    return parse_json(read_bytes(path, max_bytes=max_bytes, within=within))


def read_model(
    path: Path, model: type[_Model], *, max_bytes: int = MAX_BYTES, within: Path | None = None
) -> _Model:
    """What a JSON file holds.

    Raises:
        UserError: It cannot be read, or holds something else; the message has the file and the first fields.
    """
    try:
        return model.model_validate(read_json(path, max_bytes=max_bytes, within=within))
    except ValidationError as error:
        problems = describe_validation_error(error, where=f"{path}: cannot be read").split("\n")
        raise UserError("\n".join(problems[:MAX_PROBLEMS])) from error
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    except BadJson as error:
        raise UserError(f"{place_of(path, error)}: cannot be read: {error}") from error


def place_of(path: Path, error: BadJson) -> str:
    """File and, where it is known, line of what is wrong."""
    return f"{path}:{error.line}" if error.line is not None else str(path)


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadJson(f"a number of {len(digits)} digits; at most {MAX_DIGITS}")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BadJson(f"{one_line(digits, most=40)} is larger than any number that is counted with")
    return number


def _no_number(name: str) -> float:
    raise BadJson(f"not valid JSON: {name} is no number")


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise BadJson(f"the key '{one_line(key, most=60)}' is there twice")
        seen.add(key)
    return found


def _bounded(value: Any, depth: int, *, clean: bool) -> Any:
    """The value with its texts and keys harmless, where they are not known to be; changed in place."""
    if isinstance(value, str):
        return value if clean else harmless(value)
    if not isinstance(value, dict | list):
        return value
    if depth == 0:
        raise BadJson(f"nested deeper than {MAX_DEPTH} levels")
    inside = list(enumerate(value)) if isinstance(value, list) else list(value.items())
    for key, one in inside:
        if not clean or isinstance(one, dict | list):
            value[key] = _bounded(one, depth - 1, clean=clean)
    if isinstance(value, dict) and not clean and not all(map(is_harmless, value)):
        named = {harmless(key): one for key, one in value.items()}
        if len(named) < len(value):
            raise BadJson("two keys differ in characters only that are not seen")
        return named
    return value
