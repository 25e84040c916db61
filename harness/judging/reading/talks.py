"""Dialogues from transcript files and from runs of ``chat``, as they were said, whatever they are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.errors import UserError
from harness.judging.material import joined_turns
from harness.judging.reading.files import SUFFIXES, raw_dialogue, read_documents
from harness.runs.store import RunStore, is_chat_run
from spoken_language.dialogue import Dialogue
from voice_sim.talk import Talk

MAX_TALKS = 5000


def read_talks(paths: Sequence[Path]) -> list[Talk]:
    """All dialogues of files, of folders of files, and of chat runs; their ids are unique.

    Dialogues without a word of the caller's, and those of a run that did not take place, are left out.

    Raises:
        UserError: A path holds no dialogue, or something in it cannot be understood.
    """
    found: list[Talk] = []
    for path in paths:
        here = list(_of_path(path))
        if not here:
            raise UserError(f"{path}: holds no dialogue in which the caller says anything")
        found += here
        if len(found) > MAX_TALKS:
            raise UserError(f"{path}: more than {MAX_TALKS} dialogues together")
    seen: Counter[str] = Counter()
    unique = []
    for talk in found:
        seen[talk.id] += 1
        number = seen[talk.id]
        unique.append(talk if number == 1 else talk.model_copy(update={"id": f"{talk.id}#{number}"}))
    return unique


def _of_path(path: Path) -> Iterator[Talk]:
    if path.is_dir():
        if is_chat_run(path):
            yield from _of_run(path)
            return
        files = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        if not files:
            raise UserError(f"{path}: holds no transcripts ({', '.join(SUFFIXES)}) and is no run of 'chat'")
        for file in files:
            yield from _of_file(file)
        return
    if not path.exists():
        raise UserError(f"{path}: there is no such file or folder")
    yield from _of_file(path)


def _of_run(folder: Path) -> Iterator[Talk]:
    for record in RunStore(folder).records():
        if record.status.took_place:
            task = record.plan.about
            dialogue = joined_turns(record.dialogue.turns)
            talk = _talk(record.plan.call_id, task.language, task.entry, dialogue)
            if talk is not None:
                yield talk


def _of_file(path: Path) -> Iterator[Talk]:
    documents = read_documents(path)
    for number, document in enumerate(documents, 1):
        several = len(documents) > 1
        place = f"{path}: dialogue {number}" if several else str(path)
        raw = raw_dialogue(document, place)
        name = raw.id or (f"{path.stem}-{number}" if several else path.stem)
        talk = _talk(name, raw.language(place), raw.about, raw.dialogue)
        if talk is not None:
            yield talk


def _talk(name: str, language: str, about: str, dialogue: Dialogue) -> Talk | None:
    if not any(turn.speaker == "caller" and turn.text for turn in dialogue.turns):
        return None
    return Talk(
        id=name[:200],
        language="zh" if language == "zh" else "en",
        about=about[:200],
        turns=dialogue.turns,
    )
