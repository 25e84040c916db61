"""Where two documents differ, and which differences are explained."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import yaml

RELATIVE = 1e-9
SHOWN_CHARS = 200


class Difference(NamedTuple):
    """One value that is not the same: where in the item, and both as JSON, cut to a line."""

    path: str
    before: str
    now: str
    item: str = ""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """A difference that is meant to be: patterns (``*``) of a step, an item, a place in it and of both
    values, as JSON; and why."""

    step: str = "*"
    item: str = "*"
    path: str = "*"
    before: str = "*"
    now: str = "*"
    why: str

    def __str__(self) -> str:
        return f"{self.step} / {self.item} / {self.path}: {self.why}"


@dataclass
class Explained:
    """Those of a file, and how often each was met."""

    entries: tuple[Explanation, ...]
    _met: Counter[Explanation] = field(default_factory=Counter)

    def covers(self, step: str, item: str, difference: Difference) -> bool:
        for one in self.entries:
            place = ((step, one.step), (item, one.item), (difference.path, one.path))
            values = ((difference.before, one.before), (difference.now, one.now))
            if all(fnmatchcase(text, pattern) for text, pattern in (*place, *values)):
                self._met[one] += 1
                return True
        return False

    def used(self) -> list[tuple[Explanation, int]]:
        return [(one, self._met[one]) for one in self.entries]


def load_explained(path: Path) -> Explained:
    """A YAML list of ``{step, item, path, before, now, why}``; all but ``why`` may be left out."""
    content = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    return Explained(tuple(Explanation(**one) for one in content))


def differences(before: Any, now: Any) -> list[Difference]:
    """Every place where two JSON documents differ; numbers may by one part in a thousand million."""
    return list(_differences(before, now, ""))


def _differences(before: Any, now: Any, path: str) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name in before | now:
            one, other = before.get(name), now.get(name)
            # A field that is new and empty says what a missing one said.
            if (name in before and name in now) or not (_is_empty(one) and _is_empty(other)):
                yield from _differences(one, other, f"{path}.{name}" if path else str(name))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for position, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _differences(one, other, f"{path}[{position}]")
    elif not _same(before, now):
        yield Difference(path, _shown(before), _shown(now))


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _same(before: Any, now: Any) -> bool:
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (before, now))
    if numbers:
        return math.isclose(before, now, rel_tol=RELATIVE, abs_tol=RELATIVE)
    return bool(before == now)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + " …"
