"""Reads YAML that a stranger wrote: bounded, nothing but text, lists and mappings, each field with its line.

Scalars stay text (``- No`` is the word "No", ``3333`` keeps its digits), so what a writer sees is what the
model gets; pydantic turns text into the numbers, dates and booleans that a field asks for. A plan, which also
has fields that are handed on as they are, is read with ``typed``: a plain scalar that looks like a number, a
truth value or nothing is one. Dates stay text there as well, and so does ``12:30``.

Refused are anchors, aliases, repeated keys, nesting beyond :data:`MAX_DEPTH`, more values than a file of its
size has, and when typed tags, control characters and numbers that no computer counts with. The document is
built from the parser's events, one by one, so that what is refused was never held.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from harness._files.outside_file import read_text
from harness.errors import UserError
from spoken_language.outside_text import REPLACEMENT, harmless, one_line

MAX_BYTES = 1_000_000
MAX_DEPTH = 30
BYTES_A_VALUE = 16
"""A file of ``n`` bytes has at most ``n`` / 16 values, or :data:`ALWAYS_ALLOWED`: ``[,,,`` is no document."""
ALWAYS_ALLOWED = 100_000
MAX_DIGITS = 30
_TOO_DEEP_FOR_PARSER = "nesting depth"
"""Some versions of libyaml have a bound of their own, and look further ahead than to our first event."""

FieldPath = tuple[str | int, ...]

try:
    from yaml import CBaseLoader as _Loader
except ImportError:  # PyYAML without libyaml
    from yaml import BaseLoader as _Loader  # type: ignore[assignment]

_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NOTHING = ("", "~", "null", "Null", "NULL")
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+")
_REAL = re.compile(r"[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)([eE][-+][0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_EVENTS_OF_CONTENT = (yaml.NodeEvent, yaml.CollectionEndEvent, yaml.DocumentStartEvent)
_TEXT_TAGS = (None, "tag:yaml.org,2002:str", "!")


@dataclass(frozen=True, kw_only=True)
class YamlFile:
    """The content of a file, and where each field stands in it."""

    path: Path
    content: Any
    lines: dict[FieldPath, int]

    def line_of(self, field: FieldPath) -> int:
        """The 1-based line of a field, or of the nearest enclosing field that the file has."""
        while field and field not in self.lines:
            field = field[:-1]
        return self.lines.get(field, 1)


def read_yaml(path: Path, *, max_bytes: int = MAX_BYTES, typed: bool = False) -> YamlFile:
    """Reads one document.

    Raises:
        UserError: The file cannot be read, is too large, no UTF-8, no YAML, or holds what is refused; the
            message has file and line.
    """
    return parse_yaml(read_text(path, max_bytes=max_bytes), path=path, typed=typed)


def parse_yaml(text: str, *, path: Path, typed: bool = False) -> YamlFile:
    """The same for text that was read already; ``path`` is for the messages."""
    with _refusing(path):
        reader = _reader(text, path, typed=typed)
        content = reader.document(_events(text))
    return YamlFile(path=path, content=content, lines=reader.lines)


def read_field(path: Path, name: str) -> Any:
    """What stands under a name in the outermost mapping of a file; None where it has no such field.

    The file is parsed no further than that: to find one of many files by the field that they begin with
    takes no parsing of them all. What is broken behind the field is not seen.

    Raises:
        UserError: As :func:`read_yaml`, for what stands before the field.
    """
    text = read_text(path, max_bytes=MAX_BYTES)
    with _refusing(path):
        return _reader(text, path).field(name, _events(text))


def _reader(text: str, path: Path, *, typed: bool = False) -> _Reader:
    if re.fullmatch(r"\s*", text):
        raise UserError(f"{path}: is empty")
    return _Reader(path, typed=typed, most=max(ALWAYS_ALLOWED, len(text) // BYTES_A_VALUE))


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """What the parser says of a file, as an error that a person can mend."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        why = one_line(error.problem or error.context or "", most=200)
        if _TOO_DEEP_FOR_PARSER in why:
            raise UserError(f"{path}:{line}: nested deeper than {MAX_DEPTH} levels") from error
        raise UserError(f"{path}:{line}: not valid YAML: {why}") from error
    except (yaml.YAMLError, ValueError) as error:
        why = one_line(str(error).partition("\n")[0], most=200)
        raise UserError(f"{path}: not valid YAML: {why}") from error


def _events(text: str) -> Iterator[Any]:
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, _EVENTS_OF_CONTENT):
            yield event


class _Reader:
    """Builds a document from its events."""

    def __init__(self, path: Path, *, typed: bool, most: int) -> None:
        self.lines: dict[FieldPath, int] = {}
        self._path = path
        self._typed = typed
        self._most = most
        self._values = 0

    def document(self, events: Iterator[Any]) -> Any:
        first = next(events, None)
        second = next(events, None)
        if first is None or second is None:
            raise UserError(f"{self._path}: is empty")
        content = self._content(second, (), events)
        if (more := next(events, None)) is not None:
            raise self._refused(more, "not valid YAML: a second document; one file holds one")
        return content

    def field(self, name: str, events: Iterator[Any]) -> Any:
        """What stands under a name in the outermost mapping; None where it has none, or there is none."""
        next(events, None)
        if (outermost := next(events, None)) is None:
            raise UserError(f"{self._path}: is empty")
        self._count(outermost)
        if not isinstance(outermost, yaml.MappingStartEvent):
            return None
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            found = self._key(key)
            value = self._content(next(events), (found,), events)
            if found == name:
                return value
        return None

    def _content(self, event: Any, field: FieldPath, events: Iterator[Any]) -> Any:
        self.lines.setdefault(field, event.start_mark.line + 1)
        if len(field) > MAX_DEPTH:
            raise self._refused(event, f"nested deeper than {MAX_DEPTH} levels")
        self._count(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, field)
        if isinstance(event, yaml.SequenceStartEvent):
            found: list[Any] = []
            while not isinstance(item := next(events), yaml.SequenceEndEvent):
                found.append(self._content(item, (*field, len(found)), events))
            return found
        mapping: dict[str, Any] = {}
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            name = self._key(key)
            if name in mapping:
                raise self._refused(key, f"'{one_line(name, most=60)}' is there twice")
            self.lines[(*field, name)] = key.start_mark.line + 1
            mapping[name] = self._content(next(events), (*field, name), events)
        return mapping

    def _key(self, event: Any) -> str:
        self._count(event)
        if not isinstance(event, yaml.ScalarEvent):
            raise self._refused(event, "a key must be a plain word")
        return one_line(self._text(event))

    def _scalar(self, event: Any, field: FieldPath) -> Any:
        text = self._text(event)
        if not self._typed or not event.implicit[0] or event.tag is not None:
            return text
        if text in _NOTHING:
            return None
        if text.lower() in _TRUTH and text in (text.lower(), text.upper(), text.capitalize()):
            return _TRUTH[text.lower()]
        place = ".".join(map(str, field)) or "(the document)"
        if _INTEGER.fullmatch(text):
            if len(text) > MAX_DIGITS:
                raise self._refused(event, f"{place}: a number of {len(text)} digits; at most {MAX_DIGITS}")
            return int(text.replace("_", ""), 0)
        if _REAL.fullmatch(text) or _NOT_FINITE.fullmatch(text):
            number = math.nan if len(text) > 100 else _number(text)
            if not math.isfinite(number):
                raise self._refused(
                    event, f"{place}: {one_line(text, most=40)} is no number that can be used"
                )
            return number
        return text

    def _text(self, event: Any) -> str:
        """A scalar's text, harmless. What a tag would make of it is nobody's business."""
        raw: str = event.value
        text = harmless(raw)
        if self._typed and REPLACEMENT in text and REPLACEMENT not in raw:
            raise self._refused(event, f"a control character stands in {one_line(raw, most=60)!r}")
        if self._typed and event.tag not in _TEXT_TAGS:
            raise self._refused(event, f"the tag {one_line(event.tag, most=60)} is not allowed")
        return text

    def _count(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise self._refused(event, "YAML anchors and aliases are not allowed; write the value out")
        if self._typed and not isinstance(event, yaml.ScalarEvent) and event.tag not in (None, "!"):
            raise self._refused(event, f"the tag {one_line(event.tag, most=60)} is not allowed")
        self._values += 1
        if self._values > self._most:
            raise self._refused(event, f"more than {self._most} values")

    def _refused(self, event: Any, why: str) -> UserError:
        return UserError(f"{self._path}:{event.start_mark.line + 1}: {why}")


def _number(text: str) -> float:
    return math.nan if _NOT_FINITE.fullmatch(text) else float(text.replace("_", ""))
