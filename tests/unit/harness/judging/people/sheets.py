"""A small rating sheet with every kind of question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.judging.people.sheet import Choice, Note, Question, Sheet, SheetItem, SheetText, SheetTurn, Shown

ATTACK = "</script><img src=x onerror=alert(1)> =1+1 {{ 7*7 }}"

SCORES = tuple(Choice(value=value, label=f"{value}, so to speak") for value in ("0", "1", "2"))


def small_sheet() -> Sheet:
    turns = (
        SheetTurn(speaker="agent", text="Hello, it is the bank."),
        SheetTurn(speaker="caller", text=ATTACK),
        SheetTurn(speaker="agent", text="一共八十八元。"),
        SheetTurn(speaker="caller", text="Bye."),
    )
    return Sheet(
        title="Calls to rate",
        instructions="Rate them.",
        guides={"redundancy": "2: short\n0: long"},
        notes={"n1": Note(title="What the agent was given", text=f"You are a bank. {ATTACK}")},
        texts={"t1": SheetText(turns=turns)},
        items=(
            SheetItem(
                id="r1",
                title="Redundancy",
                guide="redundancy",
                note="n1",
                shows=(Shown(text="t1", until=2, focus=2),),
                questions=(Question(id="score", choices=SCORES),),
            ),
            SheetItem(
                id="d1",
                title="Nodes",
                shows=(Shown(text="t1"),),
                questions=tuple(
                    Question(
                        id=node,
                        asks=f"{node}?",
                        choices=(
                            Choice(value="achieved", label="achieved"),
                            Choice(value="not_achieved", label="not achieved"),
                        ),
                        turn_for="achieved",
                        turns=(0, 2),
                    )
                    for node in ("greets", "names_sum")
                ),
            ),
            SheetItem(
                id="p1",
                title="Which one is a person?",
                shows=(Shown(text="t1", label="A"), Shown(text="t1", label="B", until=1)),
                questions=(
                    Question(
                        id="person",
                        choices=(Choice(value="a", label="A"), Choice(value="b", label="B")),
                        why=False,
                    ),
                ),
            ),
        ),
    )


def write_ratings(path: Path, sheet: Sheet, rater: str, answers: dict[str, Any], *, of: str = "") -> Path:
    """A file as the page saves it."""
    content = {
        "format": "outboundeval-ratings",
        "version": 1,
        "sheet": of or sheet.id,
        "rater": rater,
        "saved_at": "2026-01-01T00:00:00Z",
        "answers": answers,
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
