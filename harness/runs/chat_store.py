"""The folder of a run of dialogues: ``RUN/run.json`` and one folder each below ``RUN/dialogues``.

Written at once when a dialogue has ended; ``dialogue.json`` comes last, so one that has it is complete::

    for record in ChatStore(Path("runs/benchmark")).records():
        print(record.plan.dialogue_id, record.status, len(record.dialogue.turns))
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness._files.atomic_file import read_model, write_model
from harness.errors import UserError
from harness.records.call import Event
from harness.records.dialogue import ChatRecord, ChatStatus, HeldDialogue
from harness.records.timeline import TIMELINE, read_events, write_timeline


class ChatRunInfo(BaseModel):
    """``run.json`` of a run of dialogues.

    Attributes:
        kind: Tells it from a run of calls.
        competitors: What is ranked, in the order given: models, or an agent's own name.
        policy, caller_model: Who the caller was, for all of them.
        dialogue_ids: All that were planned, in order.
        finished_at: Empty until all have been held.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["chat"] = "chat"
    name: str
    started_at: str
    finished_at: str = ""
    outboundeval: str
    plan_digest: str
    agent: str
    competitors: tuple[str, ...]
    policy: str
    caller_model: str = ""
    trials: int
    seed: int
    dialogue_ids: tuple[str, ...]
    versions: dict[str, str] = Field(default_factory=dict)


class ChatStore:
    """The folder of one run. Creates what is missing; overwrites only what it is told to write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def dialogue_folder(self, dialogue_id: str) -> Path:
        return self.folder / "dialogues" / dialogue_id

    def write_info(self, info: ChatRunInfo) -> None:
        """Raises UserError where the folder cannot be written."""
        try:
            write_model(self.folder / "run.json", info)
        except OSError as error:
            raise UserError(f"{self.folder}: cannot be written: {error.strerror or error}") from error

    def read_info(self) -> ChatRunInfo | None:
        """What an earlier start of this run left; None where there was none.

        Raises:
            UserError: ``run.json`` is that of another kind of run, or damaged.
        """
        path = self.folder / "run.json"
        if not path.is_file():
            return None
        if not is_chat_run(self.folder):
            raise UserError(f"{self.folder}: holds no dialogues in text but a run of calls")
        return read_model(path, ChatRunInfo)

    def write(self, held: HeldDialogue) -> None:
        """Everything of a dialogue that has ended, in place of what an earlier attempt left.

        Raises:
            UserError: The folder cannot be written.
        """
        folder = self.dialogue_folder(held.record.plan.dialogue_id)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for stale in ("scores.json", "guard.json"):
                (folder / stale).unlink(missing_ok=True)
            write_timeline(folder / TIMELINE, held.events)
            write_model(folder / "dialogue.json", held.record)
        except OSError as error:
            raise UserError(f"{folder}: cannot be written: {error.strerror or error}") from error

    def read(self, dialogue_id: str) -> ChatRecord | None:
        """One dialogue; None where it has not been held yet or cannot be read."""
        path = self.dialogue_folder(dialogue_id) / "dialogue.json"
        if not path.is_file():
            return None
        try:
            return read_model(path, ChatRecord)
        except UserError:
            return None

    def records(self) -> Iterator[ChatRecord]:
        """Every dialogue that came to an end, in the order of the plan; failed ones too, see their status.

        Raises:
            UserError: The folder holds no run of dialogues.
        """
        info = self.read_info()
        if info is None:
            raise UserError(f"{self.folder}: holds no run of dialogues (there is no run.json)")
        for dialogue_id in info.dialogue_ids:
            record = self.read(dialogue_id)
            if record is not None and record.status is not ChatStatus.INTERRUPTED:
                yield record

    def read_events(self, dialogue_id: str) -> list[Event]:
        """The timeline; lines that cannot be read are left out."""
        return read_events(self.dialogue_folder(dialogue_id) / TIMELINE)


class _Kind(BaseModel):
    kind: str = ""


def is_chat_run(folder: Path) -> bool:
    """Whether a folder holds a run of dialogues in text."""
    try:
        return read_model(folder / "run.json", _Kind).kind == "chat"
    except UserError:
        return False
