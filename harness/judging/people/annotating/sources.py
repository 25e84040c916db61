"""Where dialogues to rate come from, and where a judge's verdicts on them are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness._files.json_file import BadJson, place_of, read_json, read_model
from harness._files.validation import describe_validation_error
from harness.errors import UserError
from harness.judging.material import DialogueMaterial, of_call, of_chat
from harness.judging.reading.files import read_dialogues
from harness.records.scores import DialogueScores, Transcript
from harness.runs.store import RunStore, is_chat_run
from metrics.dialogue.verdicts import NodeVerdict, ReplyVerdict

MAX_BYTES = 500_000_000


class Judged(BaseModel):
    """What a judge made of one dialogue. ``digest``: over everything that it saw."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    digest: str
    judge: str
    judge_version: str
    nodes: tuple[NodeVerdict, ...] = ()
    replies: tuple[ReplyVerdict, ...] = ()


def dialogues_of(
    source: Path, *, scenario: str | None = None, folders: Sequence[Path] = ()
) -> list[DialogueMaterial]:
    """The dialogues of a run (of calls or in text) or of a file of transcripts.

    Raises:
        UserError: There are none, or they cannot be read.
    """
    if not source.is_dir():
        return read_dialogues(source, scenario=scenario, folders=folders)
    if scenario is not None:
        raise UserError(f"{source}: --scenario is for transcripts; a run knows what its calls were about")
    if is_chat_run(source):
        return [of_chat(record) for record in RunStore(source).records()]
    store = RunStore(source)
    found = []
    for call_id in _call_ids(store):
        record = store.read_record(call_id)
        path = store.call_folder(call_id) / "transcript.json"
        transcript = read_model(path, Transcript) if path.is_file() else Transcript()
        material = of_call(record, transcript) if record is not None else None
        if material is not None:
            found.append(material)
    return found


def verdicts_of(source: Path) -> dict[str, Judged]:
    """A judge's verdicts by dialogue: of a scored run, or of what ``score FILE --json`` printed.

    Raises:
        UserError: There are none, or they cannot be read.
    """
    found = _of_run(source) if source.is_dir() else _of_json(source)
    if not found:
        raise UserError(f"{source}: no dialogue has been judged; run: outboundeval score {source}")
    return {one.id: one for one in found}


def _call_ids(store: RunStore) -> Sequence[str]:
    info = store.read_info()
    if info is None:
        raise UserError(f"{store.folder}: no run: there is no run.json")
    return info.call_ids


def _of_run(folder: Path) -> list[Judged]:
    scored: list[DialogueScores] = []
    if is_chat_run(folder):
        chats = RunStore(folder)
        for record in chats.records():
            path = chats.call_folder(record.plan.call_id) / "scores.json"
            if path.is_file():
                scored.append(read_model(path, DialogueScores))
    else:
        store = RunStore(folder)
        calls = (store.read_scores(call_id) for call_id in _call_ids(store))
        scored = [one.text for one in calls if one is not None and one.text is not None]
    return [
        Judged(
            id=one.id,
            digest=one.digest,
            judge=one.text.judge,
            judge_version=one.text.judge_version,
            nodes=one.text.nodes,
            replies=one.text.replies,
        )
        for one in scored
        if one.text is not None
    ]


class _PrintedJudge(BaseModel):
    name: str = ""
    version: str = ""


class _PrintedDialogue(BaseModel):
    id: str
    digest: str = ""
    nodes: tuple[NodeVerdict, ...] = ()
    replies: tuple[ReplyVerdict, ...] = ()


class _Printed(BaseModel):
    """The parts of what ``score --json`` prints that matter here."""

    judge: _PrintedJudge
    dialogues: tuple[_PrintedDialogue, ...] = Field(max_length=100_000)


def _of_json(path: Path) -> list[Judged]:
    try:
        printed = _Printed.model_validate(read_json(path, max_bytes=MAX_BYTES))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        told = "\n".join(describe_validation_error(error, where=str(path)).split("\n")[:5])
        raise UserError(f"{told}\n(it should be what 'outboundeval score FILE --json' prints)") from error
    except BadJson as error:
        raise UserError(f"{place_of(path, error)}: {error}") from error
    return [
        Judged(
            id=one.id,
            digest=one.digest,
            judge=printed.judge.name,
            judge_version=printed.judge.version,
            nodes=one.nodes,
            replies=one.replies,
        )
        for one in printed.dialogues
        if one.nodes or one.replies
    ]
