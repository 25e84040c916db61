"""Reads YAML that a stranger wrote: bounded, every scalar as text, and every field with its line.

Scalars stay text (``- No`` is the word "No", ``3333`` keeps its digits), so what a writer sees is what the
model gets; pydantic turns text into the numbers, dates and booleans that a field asks for. Anchors, aliases
and repeated keys are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from harness.errors import UserError

MAX_BYTES = 1_000_000
MAX_DEPTH = 30

FieldPath = tuple[str | int, ...]

try:
    from yaml import CBaseLoader as _Loader
except ImportError:  # PyYAML without libyaml
    from yaml import BaseLoader as _Loader  # type: ignore[assignment]


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


def read_yaml(path: Path, *, max_bytes: int = MAX_BYTES) -> YamlFile:
    """Reads one document.

    Raises:
        UserError: The file cannot be read, is too large, no UTF-8, no YAML, or uses anchors or repeated keys;
            the message has file and line.
    """
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise UserError(f"{path}: {size} bytes; the most that is read is {max_bytes}")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    if re.fullmatch(r"\s*", text):
        raise UserError(f"{path}: is empty")
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{path}:{line}: not valid YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UserError(f"{path}: not valid YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        raise UserError(f"{path}: is empty")
    lines: dict[FieldPath, int] = {}
    content = _content(node, (), lines, path, set())
    return YamlFile(path=path, content=content, lines=lines)


def _content(node: Any, field: FieldPath, lines: dict[FieldPath, int], path: Path, seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    lines.setdefault(field, line)
    if len(field) > MAX_DEPTH:
        raise UserError(f"{path}:{line}: nested deeper than {MAX_DEPTH} levels")
    if id(node) in seen:
        raise UserError(f"{path}:{line}: YAML anchors and aliases are not allowed; write the value out")
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_content(item, (*field, i), lines, path, seen) for i, item in enumerate(node.value)]
    mapping: dict[str, Any] = {}
    for key, value in node.value:
        key_line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise UserError(f"{path}:{key_line}: a key must be a plain word")
        if key.value in mapping:
            raise UserError(f"{path}:{key_line}: '{key.value}' is there twice")
        lines[(*field, key.value)] = key_line
        mapping[key.value] = _content(value, (*field, key.value), lines, path, seen)
    return mapping
