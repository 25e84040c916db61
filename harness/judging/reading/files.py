"""Reads dialogues from files: JSON, JSONL, YAML or plain text. The formats are in ``docs/text-scores.md``.

Somebody else wrote the file, for another tool perhaps: many names for the same thing are understood, what is
not understood is an error that says where it stands and what would be, and keys that play no part are
ignored and named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from harness._files.json_file import BadJson, parse_json, place_of
from harness._files.outside_file import read_text
from harness._files.yaml_file import parse_yaml
from harness.errors import UserError
from harness.judging.material import DialogueMaterial, joined_turns
from harness.judging.reading.sides import swapped_sides
from harness.judging.reading.turns import ReadTurns, Speakers, read_turns, turns_of_text
from harness.scenarios.folders import load_entry
from harness.scenarios.scenario import Entry
from metrics.dialogue.evidence import words
from metrics.dialogue.task_flow import TaskFlow, flow_problems
from spoken_language.dialogue import Dialogue
from spoken_language.outside_text import harmless, one_line

MAX_BYTES = 50_000_000
MAX_DIALOGUES = 5000

SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".txt", ".md")
"""What ``score`` takes for a transcript by its name."""

_TURNS = ("turns", "messages", "dialogue", "dialog", "conversation", "transcript", "history")
_SCENARIO = ("scenario", "entry", "scenario_id", "task")
_PROMPT = ("agent_prompt", "system_prompt", "prompt", "system")
_ID = ("id", "call_id", "dialogue_id", "conversation_id", "name")
_KNOWN = {*_TURNS, *_SCENARIO, *_PROMPT, *_ID, "archetype", "language", "domain", "flow", "speakers", "model"}
_HAN_SHARE = 0.3


def read_dialogues(
    path: Path, *, text: str | None = None, scenario: str | None = None, folders: Sequence[Path] = ()
) -> list[DialogueMaterial]:
    """Every dialogue of a file, ready to be judged.

    Args:
        path: The file; its suffix says what it is.
        text: Its content, where it does not come from a file (standard input).
        scenario: Id of the entry that they are about (``cs-bank-complaint/hesitant``), before whatever the
            file says.
        folders: Where scenarios are, in place of our own.

    Raises:
        UserError: It cannot be read or understood; the message says where and why.
    """
    documents = _documents(path, _read(path) if text is None else text)
    if not documents:
        raise UserError(f"{path}: holds no dialogue")
    if len(documents) > MAX_DIALOGUES:
        raise UserError(f"{path}: {len(documents)} dialogues; the most that is read is {MAX_DIALOGUES}")
    entries = _Entries(folders)
    found = []
    for number, document in enumerate(documents, 1):
        place = f"{path}: dialogue {number}" if len(documents) > 1 else str(path)
        name = f"{path.stem}-{number}" if len(documents) > 1 else path.stem
        found.append(_material(document, place, name=name, scenario=scenario, entries=entries))
    return found


@dataclass(frozen=True, kw_only=True)
class RawDialogue:
    """A dialogue as it stands in a file, and the keys beside its turns."""

    head: dict[str, Any]
    turns: ReadTurns
    dialogue: Dialogue

    @property
    def id(self) -> str:
        """Empty where the file gives none."""
        return _name(_first(self.head, _ID))

    @property
    def about(self) -> str:
        """The entry that it names; empty where it names none."""
        return _scenario_of(self.head) or ""

    def language(self, place: str) -> Literal["en", "zh"]:
        """As the file says, or as the words look."""
        return _language(self.head, self.dialogue, place)


def read_documents(path: Path, *, text: str | None = None) -> list[Any]:
    """What a file holds, one document a dialogue, not yet understood.

    Raises:
        UserError: It cannot be read, holds nothing or too much.
    """
    documents = _documents(path, _read(path) if text is None else text)
    if not documents:
        raise UserError(f"{path}: holds no dialogue")
    if len(documents) > MAX_DIALOGUES:
        raise UserError(f"{path}: {len(documents)} dialogues; the most that is read is {MAX_DIALOGUES}")
    return documents


def raw_dialogue(document: Any, place: str) -> RawDialogue:
    """The turns of a document, whatever they are about.

    Raises:
        UserError: There are none, or they cannot be understood.
    """
    head: dict[str, Any]
    turns: Any
    if isinstance(document, str):
        head, turns = turns_of_text(document, place)
    elif isinstance(document, list):
        head, turns = {}, document
    elif isinstance(document, dict):
        head, turns = document, _first(document, _TURNS)
    else:
        raise UserError(f"{place}: must be a mapping with 'turns', or a list of turns")
    if isinstance(turns, str):
        turns = turns_of_text(turns, place, own=head.get("speakers"))[1]
    if not isinstance(turns, list):
        raise UserError(f"{place}: has no 'turns' (a list of {{speaker: agent, text: ...}})")
    read = read_turns(turns, place, Speakers(head.get("speakers"), place))
    return RawDialogue(head=head, turns=read, dialogue=joined_turns(read.turns))


def _read(path: Path) -> str:
    return read_text(path, max_bytes=MAX_BYTES)


# ---- from a file to documents


def _documents(path: Path, text: str) -> list[Any]:
    if not text.strip():
        raise UserError(f"{path}: is empty")
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        return _json_lines(path, text)
    if suffix == ".json" or (suffix not in SUFFIXES and text.lstrip()[:1] in ("{", "[")):
        return _json(path, text)
    if suffix in (".yaml", ".yml"):
        return _several(parse_yaml(text, path=path).content)
    return [harmless(text)]


def _json(path: Path, text: str) -> list[Any]:
    try:
        return _several(parse_json(text))
    except BadJson as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and lines[0].rstrip().endswith("}") and "Extra data" in str(error):
            return _json_lines(path, text)
        raise UserError(f"{place_of(path, error)}: {error}") from error


def _json_lines(path: Path, text: str) -> list[Any]:
    documents = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            documents.append(parse_json(line))
        except BadJson as error:
            raise UserError(f"{path}:{number}: {error}") from error
        if len(documents) > MAX_DIALOGUES:
            raise UserError(f"{path}: more than {MAX_DIALOGUES} dialogues; that is the most that is read")
    return documents


def _several(content: Any) -> list[Any]:
    """A list of turns is one dialogue; a list of dialogues is several."""
    if isinstance(content, dict) and isinstance(content.get("dialogues"), list):
        return list(content["dialogues"])
    if not isinstance(content, list):
        return [content]
    nested = [one for one in content if isinstance(one, list) or (isinstance(one, dict) and _has_turns(one))]
    return content if nested else [content]


def _has_turns(document: dict[str, Any]) -> bool:
    return any(isinstance(document.get(key), list) for key in _TURNS)


# ---- from a document to material


class _Entries:
    """Entries by id, each read once: a file may have thousands of dialogues about a few."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._read: dict[str, Entry] = {}

    def entry(self, entry_id: str) -> Entry:
        if entry_id not in self._read:
            self._read[entry_id] = load_entry(entry_id, self._folders)
        return self._read[entry_id]


def _material(
    document: Any, place: str, *, name: str, scenario: str | None, entries: _Entries
) -> DialogueMaterial:
    raw = raw_dialogue(document, place)
    head, read, dialogue = raw.head, raw.turns, raw.dialogue
    notes = list(read.notes)
    if ignored := sorted(str(key) for key in head if key not in _KNOWN):
        notes.append(f"ignored: {', '.join(one_line(key, most=60) for key in ignored[:10])}")
    if len(dialogue.turns) < len(read.turns):
        notes.append("pieces that one side said in a row are one turn")
    given = _text(_first(head, _PROMPT))
    flow = head.get("flow")
    wanted = scenario or _scenario_of(head)
    if wanted is not None:
        entry = entries.entry(wanted)
        about = DialogueMaterial(
            id=name,
            entry=entry.id,
            domain=entry.scenario.domain,
            archetype=entry.persona.archetype.value,
            language=entry.scenario.language,
            agent_prompt=given or entry.prompt(),
            flow=entry.flow if flow is None or scenario else _flow(flow, place),
            dialogue=dialogue,
        )
    elif flow is not None:
        if not (given or read.system):
            notes.append(
                "no agent_prompt: nobody knows what the agent was told, so much may count as invented"
            )
        about = DialogueMaterial(
            id=name,
            domain=_name(head.get("domain")),
            archetype=_name(head.get("archetype")),
            language=_language(head, dialogue, place),
            agent_prompt=given or read.system,
            flow=_flow(flow, place),
            dialogue=dialogue,
        )
    else:
        raise UserError(
            f"{place}: does not say what the call was about: add 'scenario: cs-bank-complaint/hesitant' (see "
            "'outboundeval scenarios list'), a 'flow' of your own, or --scenario on the command line"
        )
    if hint := swapped_sides(dialogue, about.flow):
        notes.append(hint)
    return replace(
        about,
        id=_name(_first(head, _ID)) or name,
        competitor=_name(head.get("model")),
        status="transcript",
        notes=tuple(notes),
    )


def _scenario_of(head: dict[str, Any]) -> str | None:
    named = _name(_first(head, _SCENARIO))
    archetype = _name(head.get("archetype"))
    if not named:
        return None
    return f"{named}/{archetype}" if archetype and "/" not in named else named


def _flow(content: Any, place: str) -> TaskFlow:
    if isinstance(content, list):
        content = {"nodes": content}
    try:
        flow = TaskFlow.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = one_line(".".join(map(str, first["loc"])), most=200) or "(the flow)"
        raise UserError(f"{place}: flow: {where}: {one_line(first['msg'], most=400)}") from error
    if broken := [problem for problem in flow_problems(flow) if problem.structural]:
        told = "; ".join(f"{problem.field}: {problem.message}" for problem in broken[:5])
        raise UserError(f"{place}: flow: {told}")
    return flow


def _language(head: dict[str, Any], dialogue: Dialogue, place: str) -> Literal["en", "zh"]:
    named = _name(head.get("language")).lower()
    if named.startswith("zh"):
        return "zh"
    if named.startswith("en"):
        return "en"
    if named:
        raise UserError(f"{place}: language '{named[:40]}' is not known; there are: en, zh")
    said = [word for turn in dialogue.turns for word in words(turn.text)]
    return "zh" if sum(not word.isascii() for word in said) > _HAN_SHARE * len(said) else "en"


def _first(head: dict[str, Any], keys: Sequence[str]) -> Any:
    return next((head[key] for key in keys if head.get(key) is not None), None)


def _text(value: Any) -> str:
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _name(value: Any) -> str:
    return one_line(_text(value), most=200)
