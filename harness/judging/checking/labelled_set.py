"""Reads a labelled set: agent replies and whole dialogues, each with two labels, and how differences were
settled. The format is described in ``fixtures/judge/README.md``.

An item is about an entry of the scenarios (``cs-bank-complaint/hesitant``), or about a task that the set
brings itself (``tasks/*.yaml``; a name without a slash): a short prompt and a few nodes, for models that read
slowly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from harness._files.shipped import shipped_folder
from harness._files.validation import describe_validation_error
from harness._files.yaml_file import read_yaml
from harness.errors import UserError
from metrics.dialogue.task_flow import TaskFlow, flow_problems
from metrics.dialogue.verdicts import Dimension
from spoken_language.dialogue import Dialogue, DialogueTurn

OWN_SET = shipped_folder("judge")
HELD_OUT_SET = OWN_SET / "held_out"
"""Written apart from it, and used to change nothing: what a judge comes to on what it was not made with."""

ReplyLabel = Literal["0", "1", "2", "not_applicable"]
NodeOutcome = Literal["achieved", "not_achieved", "not_applicable"]

PARTS = ("tasks", "replies", "dialogues", "labels")
"""The folders of a set. Others beside them are sets of their own."""

_Id = Annotated[str, Field(pattern=r"^[a-z0-9_]+-[0-9]{2,4}$")]
_M = TypeVar("_M", bound=BaseModel)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Item(_Part):
    """What both kinds of items have. ``trait``: what makes it hard, or empty."""

    id: _Id
    entry: str
    trait: str = ""
    turns: tuple[DialogueTurn, ...] = Field(min_length=1, max_length=200)

    @model_validator(mode="before")
    @classmethod
    def _spread(cls, written: Any) -> Any:
        return _with_turns(written)

    @property
    def dialogue(self) -> Dialogue:
        return Dialogue(turns=self.turns)


class LabelledReply(_Item):
    """An item of ``replies/``: the last turn is the reply to judge."""

    dimension: Dimension

    @model_validator(mode="after")
    def _ends_with_the_agent(self) -> LabelledReply:
        if self.turns[-1].speaker != "agent":
            raise ValueError(f"{self.id}: the last turn is the reply to judge, so it is the agent's")
        return self


class LabelledDialogue(_Item):
    """An item of ``dialogues/``: a whole call."""


class ScoreLabel(_Part):
    """What one pass says of a reply."""

    score: ReplyLabel
    why: str = Field(min_length=1, max_length=1000)


class NodeLabel(_Part):
    """What one pass says of a node."""

    outcome: NodeOutcome
    turn: int | None = Field(default=None, ge=0)
    why: str = Field(min_length=1, max_length=1000)

    @field_validator("turn", mode="before")
    @classmethod
    def _no_turn(cls, written: Any) -> Any:
        return None if written in ("", "null", "~") else written


class OwnTask(_Part):
    """A task that a set brings itself: what the agent was given, and what its calls are judged by."""

    language: Literal["en", "zh"] = "en"
    domain: str = ""
    agent_prompt: str = Field(min_length=1, max_length=20_000)
    flow: TaskFlow

    @field_validator("flow")
    @classmethod
    def _sound(cls, flow: TaskFlow) -> TaskFlow:
        if broken := [
            f"{problem.field}: {problem.message}" for problem in flow_problems(flow) if problem.structural
        ]:
            raise ValueError("; ".join(broken))
        return flow


class _TaskFile(_Part):
    tasks: dict[str, OwnTask]


class _ReplyFile(_Part):
    items: tuple[LabelledReply, ...]


class _DialogueFile(_Part):
    items: tuple[LabelledDialogue, ...]


class _ScoreFile(_Part):
    labels: dict[str, ScoreLabel]


class _NodeFile(_Part):
    labels: dict[str, dict[str, NodeLabel]]


@dataclass(frozen=True, kw_only=True)
class JudgeSet:
    """A labelled set.

    Attributes:
        replies, dialogues: The items.
        tasks: Those that the set brings itself, by name.
        first, second, settled: Item id -> label; ``settled`` where the two passes differ.
        first_nodes, second_nodes, settled_nodes: Item id -> node -> label.
    """

    folder: Path
    replies: Sequence[LabelledReply]
    dialogues: Sequence[LabelledDialogue]
    tasks: Mapping[str, OwnTask]
    first: Mapping[str, ScoreLabel]
    second: Mapping[str, ScoreLabel]
    settled: Mapping[str, ScoreLabel]
    first_nodes: Mapping[str, Mapping[str, NodeLabel]]
    second_nodes: Mapping[str, Mapping[str, NodeLabel]]
    settled_nodes: Mapping[str, Mapping[str, NodeLabel]]

    def score_of(self, item: str) -> str:
        """The label of a reply that counts: what both passes say, or what was settled."""
        if item in self.settled:
            return self.settled[item].score
        return self.first[item].score

    def node_of(self, item: str, node: str) -> NodeLabel:
        """The label of a node that counts. Where both passes say ``achieved`` but cite different turns, the
        first one's turn stands."""
        settled = self.settled_nodes.get(item, {})
        return settled[node] if node in settled else self.first_nodes[item][node]

    @cached_property
    def dialogue_of(self) -> dict[str, str]:
        """Item id -> the dialogue that it is of, named by its first item. Items are of one dialogue where
        they are about the same entry and one begins with all turns of the other: several replies of a call,
        or one reply on several dimensions."""
        found: dict[str, str] = {}
        for kind in (self.replies, self.dialogues):
            first: _Item | None = None
            # What begins with the turns of an item stands right behind it in this order.
            for item in sorted(kind, key=lambda one: (one.entry, _said(one), one.id)):
                begun = first is not None and item.entry == first.entry
                if first is None or not begun or _said(item)[: len(first.turns)] != _said(first):
                    first = item
                found[item.id] = first.id
        return found

    def problems(self) -> list[str]:
        """What is missing or contradicts itself: labels without an item, items without two labels,
        differences that nobody settled, tasks that are not there."""
        return [*self._task_problems(), *self._reply_problems(), *self._dialogue_problems()]

    def _task_problems(self) -> Iterator[str]:
        for item in [*self.replies, *self.dialogues]:
            if "/" not in item.entry and item.entry not in self.tasks:
                yield f"{item.id}: {item.entry} is no entry (SCENARIO/USERTYPE) and no task in tasks/"
        for item in self.dialogues:
            if item.entry in self.tasks and item.id in self.first_nodes:
                nodes = {node.id for node in self.tasks[item.entry].flow.nodes}
                differ = sorted(nodes ^ set(self.first_nodes[item.id]))
                yield from (f"{item.id}, {node}: not both a node and labelled" for node in differ)

    def _reply_problems(self) -> Iterator[str]:
        ids = {item.id for item in self.replies}
        for name, labels in (("first", self.first), ("second", self.second)):
            yield from (f"{item}: no {name} label" for item in sorted(ids - set(labels)))
            yield from (f"{item}: {name} label, but no such item" for item in sorted(set(labels) - ids))
        for item in sorted(ids & set(self.first) & set(self.second)):
            differ = self.first[item].score != self.second[item].score
            if differ and item not in self.settled:
                yield f"{item}: the passes differ, and it is not settled"

    def _dialogue_problems(self) -> Iterator[str]:
        turns = {item.id: item.turns for item in self.dialogues}
        for name, labels in (("first", self.first_nodes), ("second", self.second_nodes)):
            yield from (f"{item}: no {name} labels" for item in sorted(set(turns) - set(labels)))
            yield from (
                f"{item}: {name} labels, but no such item" for item in sorted(set(labels) - set(turns))
            )
            for item in sorted(set(turns) & set(labels)):
                for node, label in labels[item].items():
                    if (label.outcome == "achieved") != (label.turn is not None):
                        yield f"{item}, {node}: {name}: {label.outcome} with turn {label.turn}"
                    elif label.turn is not None and not _is_agents(turns[item], label.turn):
                        yield f"{item}, {node}: {name}: turn {label.turn} is no turn of the agent"
        for item in sorted(set(turns) & set(self.first_nodes) & set(self.second_nodes)):
            one, other = self.first_nodes[item], self.second_nodes[item]
            yield from (f"{item}, {node}: labelled once only" for node in sorted(set(one) ^ set(other)))
            for node in sorted(set(one) & set(other)):
                if one[node].outcome != other[node].outcome and node not in self.settled_nodes.get(item, {}):
                    yield f"{item}, {node}: the passes differ, and it is not settled"


def set_folder(name: str) -> Path:
    """The folder of a set by name (one that ships: ``short``, ``held_out``), or by path.

    Raises:
        UserError: There is neither.
    """
    shipped = {path.name: path for path in sorted(OWN_SET.iterdir()) if _is_set(path)}
    if name in shipped:
        return shipped[name]
    if (path := Path(name)).is_dir():
        return path
    raise UserError(
        f"{name}: there is no such folder, and no labelled set of that name; these ship: {', '.join(shipped)}"
    )


def read_judge_set(folder: Path = OWN_SET) -> JudgeSet:
    """The set in a folder.

    Raises:
        UserError: A file cannot be read or is no such file; or the set is incomplete, with everything that is
            wrong.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder; a labelled set is described in its README")
    replies = _all(folder / "replies", _ReplyFile, "items")
    dialogues = _all(folder / "dialogues", _DialogueFile, "items")
    tasks = _all(folder / "tasks", _TaskFile, "tasks")
    first = _all(folder / "labels/first/replies", _ScoreFile, "labels")
    second = _all(folder / "labels/second/replies", _ScoreFile, "labels")
    first_nodes = _all(folder / "labels/first/dialogues", _NodeFile, "labels")
    second_nodes = _all(folder / "labels/second/dialogues", _NodeFile, "labels")
    items = [(path, item.id) for files in (replies, dialogues) for path, file in files for item in file.items]
    twice = [*_twice(items), *_twice([(path, name) for path, file in tasks for name in file.tasks])]
    for scores in (first, second):
        twice += _twice([(path, item) for path, file in scores for item in file.labels])
    for nodes in (first_nodes, second_nodes):
        twice += _twice([(path, item) for path, file in nodes for item in file.labels])
    if twice:
        raise UserError(f"{folder}: an item, task or label is there twice:\n" + "\n".join(twice[:20]))
    found = JudgeSet(
        folder=folder,
        replies=[item for _, file in replies for item in file.items],
        dialogues=[item for _, file in dialogues for item in file.items],
        tasks={name: task for _, file in tasks for name, task in file.tasks.items()},
        first={item: label for _, file in first for item, label in file.labels.items()},
        second={item: label for _, file in second for item, label in file.labels.items()},
        settled=_settled(folder / "labels/settled/replies.yaml"),
        first_nodes={item: label for _, file in first_nodes for item, label in file.labels.items()},
        second_nodes={item: label for _, file in second_nodes for item, label in file.labels.items()},
        settled_nodes=_settled_nodes(folder / "labels/settled/dialogues.yaml"),
    )
    if not found.replies and not found.dialogues:
        raise UserError(f"{folder}: holds no labelled replies and no labelled dialogues")
    if problems := found.problems():
        raise UserError(f"{folder}: the labelled set is not complete:\n" + "\n".join(problems[:20]))
    return found


def _is_set(folder: Path) -> bool:
    return folder.name not in PARTS and (folder / "labels").is_dir()


def _twice(names: Iterable[tuple[Path, str]]) -> list[str]:
    """The names that something before already has, with the files of both."""
    seen: dict[str, Path] = {}
    found = []
    for path, name in names:
        before = seen.get(name)
        if before is None:
            seen[name] = path
        else:
            found.append(
                f"{name}: twice in {path}" if before == path else f"{name}: in {before} and in {path}"
            )
    return found


def _settled(path: Path) -> dict[str, ScoreLabel]:
    return _one(path, _ScoreFile, "labels").labels if path.is_file() else {}


def _settled_nodes(path: Path) -> dict[str, dict[str, NodeLabel]]:
    return _one(path, _NodeFile, "labels").labels if path.is_file() else {}


def _all(folder: Path, model: type[_M], field: str) -> list[tuple[Path, _M]]:
    """The files of a folder, each with its path."""
    if not folder.is_dir():
        return []
    return [(path, _one(path, model, field)) for path in sorted(folder.glob("*.yaml"))]


def _one(path: Path, model: type[_M], field: str) -> _M:
    try:
        return model.model_validate({field: read_yaml(path).content})
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=str(path))) from error


def _with_turns(written: Any) -> Any:
    """``- {agent: "..."}`` as speaker and text."""
    if not isinstance(written, dict) or not isinstance(written.get("turns"), list):
        return written
    turns = []
    for turn in written["turns"]:
        if isinstance(turn, dict) and len(turn) == 1:
            [(speaker, text)] = turn.items()
            turns.append({"speaker": speaker, "text": text})
        else:
            turns.append(turn)
    return {**written, "turns": turns}


def _said(item: _Item) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in item.turns]


def _is_agents(turns: Sequence[DialogueTurn], turn: int) -> bool:
    return turn < len(turns) and turns[turn].speaker == "agent"
