"""Writes what raters said as a labelled set (``fixtures/judge/README.md``), for ``judge check --set``.

The first two raters of a point are its two passes; where people together say something else than the first,
their label goes to ``labels/settled``. What cannot be in such a set is left out and counted: points with one
rater only, points that are not settled, dialogues about no known entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from harness._files.atomic_file import write_text
from harness.errors import NotWritten, UserError
from harness.judging.checking.labelled_set import read_judge_set
from harness.judging.people.annotating.key import NODES, SheetKey
from harness.judging.people.annotating.labels import Label, Point
from harness.judging.people.sheet import SheetTurn
from harness.scenarios.folders import load_entry
from metrics.dialogue.task_flow import TaskFlow

ITEMS_PER_FILE = 40
MAX_TURNS = 200
NO_ARGUMENT = "(no argument given)"


@dataclass(kw_only=True)
class WrittenSet:
    """``folder``: None where there was nothing to write. ``left_out``: reason -> points."""

    folder: Path | None = None
    replies: int = 0
    dialogues: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(kw_only=True)
class _Group:
    """Items of one file, and their labels by pass."""

    items: list[dict[str, Any]] = field(default_factory=list)
    first: dict[str, Any] = field(default_factory=dict)
    second: dict[str, Any] = field(default_factory=dict)


def write_labelled_set(key: SheetKey, points: Sequence[Point], folder: Path) -> WrittenSet:
    """Writes the set and reads it back.

    Raises:
        UserError: The folder holds something already, or cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder}: there is one from an earlier import; name another folder with --out")
    left_out: Counter[str] = Counter()
    flows = _Flows()
    usable = []
    for point in points:
        if why := _why_not(key, point, flows):
            left_out[why] += 1
        else:
            usable.append(point)
    replies, settled = _replies(key, [point for point in usable if point.place.what != NODES])
    dialogues, settled_nodes = _dialogues(key, usable, left_out)
    written = WrittenSet(
        replies=sum(len(group.items) for group in replies.values()),
        dialogues=sum(len(group.items) for group in dialogues.values()),
        left_out=dict(left_out),
    )
    if not replies and not dialogues:
        return written
    try:
        _write(folder, "replies", replies, settled)
        _write(folder, "dialogues", dialogues, settled_nodes)
    except OSError as error:
        raise NotWritten.of(folder, error) from error
    read_judge_set(folder)
    written.folder = folder
    return written


class _Flows:
    """The flows of the entries that there are, each read once."""

    def __init__(self) -> None:
        self._known: dict[str, TaskFlow | None] = {}

    def get(self, entry: str) -> TaskFlow | None:
        if entry not in self._known:
            try:
                self._known[entry] = load_entry(entry).flow
            except UserError:
                self._known[entry] = None
        return self._known[entry]


def _why_not(key: SheetKey, point: Point, flows: _Flows) -> str:
    if len(point.given) < 2:
        return "rated once only"
    if point.people is None:
        return "raters differ, and nobody settled it"
    flow = flows.get(point.place.entry)
    if flow is None:
        return "about no entry of the library"
    if point.place.what == NODES and {one.id for one in point.item.questions} != {
        one.id for one in flow.nodes
    }:
        return "the entry's flow has changed since the sheet was made"
    shown = point.item.shows[0]
    turns = key.sheet.texts[shown.text].turns
    if (len(turns) if shown.until is None else shown.until + 1) > MAX_TURNS:
        return f"more than {MAX_TURNS} turns"
    return ""


def _replies(key: SheetKey, points: Iterable[Point]) -> tuple[dict[str, _Group], dict[str, Any]]:
    groups: dict[str, _Group] = {}
    settled = {}
    for point in points:
        group = groups.setdefault(point.place.what, _Group())
        id = f"{point.place.what}-{len(group.items) + 1:02d}"
        first, second = list(point.given.values())[:2]
        group.items.append({"id": id, "dimension": point.place.what, **_content(key, point)})
        group.first[id], group.second[id] = _score(first), _score(second)
        if point.people is not None and _is_settled(first, second, point.people):
            settled[id] = _score(point.people)
    return groups, settled


def _dialogues(
    key: SheetKey, usable: Sequence[Point], left_out: Counter[str]
) -> tuple[dict[str, _Group], dict[str, Any]]:
    by_item: dict[str, list[Point]] = {}
    for point in usable:
        if point.place.what == NODES:
            by_item.setdefault(point.item.id, []).append(point)
    groups: dict[str, _Group] = {}
    settled = {}
    for points in by_item.values():
        if len(points) < len(points[0].item.questions):
            left_out["a node of the same dialogue cannot be used"] += len(points)
            continue
        domain = re.sub(r"[^a-z0-9_]+", "_", points[0].place.domain.lower()) or "dialogue"
        group = groups.setdefault(domain, _Group())
        id = f"{domain}-{len(group.items) + 1:02d}"
        group.items.append({"id": id, **_content(key, points[0])})
        first, second, other = {}, {}, {}
        for point in points:
            node = point.question.id
            one, another = list(point.given.values())[:2]
            first[node], second[node] = _outcome(one), _outcome(another)
            if point.people is not None and _is_settled(one, another, point.people):
                other[node] = _outcome(point.people)
        group.first[id], group.second[id] = first, second
        if other:
            settled[id] = other
    return groups, settled


def _is_settled(first: Label, second: Label, people: Label) -> bool:
    return first.value != second.value or people.value != first.value


def _content(key: SheetKey, point: Point) -> dict[str, Any]:
    shown = point.item.shows[0]
    turns = key.sheet.texts[shown.text].turns
    last = len(turns) if shown.until is None else shown.until + 1
    return {
        "entry": point.place.entry,
        "trait": "",
        "turns": [_turn(turn) for turn in turns[:last]],
    }


def _turn(turn: SheetTurn) -> dict[str, Any]:
    if not turn.planted:
        return {turn.speaker: turn.text}
    return {"speaker": turn.speaker, "text": turn.text, "planted": list(turn.planted)}


def _score(label: Label) -> dict[str, str]:
    return {"score": label.value, "why": label.why or NO_ARGUMENT}


def _outcome(label: Label) -> dict[str, Any]:
    turn = {} if label.turn is None else {"turn": label.turn}
    return {"outcome": label.value, **turn, "why": label.why or NO_ARGUMENT}


def _write(folder: Path, kind: str, groups: Mapping[str, _Group], settled: Mapping[str, Any]) -> None:
    for name, group in groups.items():
        for part in range(0, len(group.items), ITEMS_PER_FILE):
            items = group.items[part : part + ITEMS_PER_FILE]
            file = name if part == 0 else f"{name}-{part // ITEMS_PER_FILE + 1}"
            _dump(folder / kind / f"{file}.yaml", items)
            for which, labels in (("first", group.first), ("second", group.second)):
                path = folder / "labels" / which / kind / f"{file}.yaml"
                _dump(path, {item["id"]: labels[item["id"]] for item in items})
    if settled:
        _dump(folder / "labels" / "settled" / f"{kind}.yaml", dict(settled))


def _dump(path: Path, content: Any) -> None:
    write_text(path, yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100))
