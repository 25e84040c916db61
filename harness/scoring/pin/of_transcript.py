"""A transcript, pinned: the caller's words in their order. Of timing it says nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.judging.reading.files import raw_dialogue, read_documents
from harness.scoring.pin.case import Case, case_id

MOST_CHARS = 2000
"""Of a line of a script."""


def pinned_transcript(path: Path) -> Case:
    """A plan in which the caller says what it says in a transcript, and every line is to be answered.

    Raises:
        UserError: It cannot be read, holds several dialogues, or the caller says nothing in it.
    """
    documents = read_documents(path)
    if len(documents) > 1:
        raise UserError(f"{path}: holds {len(documents)} dialogues; a case is made of one")
    raw = raw_dialogue(documents[0], str(path))
    lines: list[dict[str, Any]] = []
    for turn in raw.dialogue.turns:
        text = " ".join(turn.text.split())
        if turn.speaker != "caller" or not text:
            continue
        if len(text) > MOST_CHARS:
            raise UserError(f"{path}: a turn of the caller has {len(text)} characters; at most {MOST_CHARS}")
        lines.append({"say": text})
    if not lines:
        raise UserError(f"{path}: the caller says nothing in it")
    name = case_id(raw.id or path.stem)
    call = {
        "id": name,
        "title": f"pinned from {path.name}",
        "language": raw.language(str(path)),
        "script": {"wait_for_greeting": raw.dialogue.turns[0].speaker == "agent", "lines": lines},
        "expect": ["answered"],
    }
    return Case(content={"name": name, "calls": [call]})
