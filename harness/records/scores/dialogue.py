"""The text scores of a dialogue: a file of its own in text, a part of the scores of a call."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from harness.records.base import FileModel
from harness.records.scores.judging import JudgingUse
from metrics.dialogue.text_scores import TextScores
from spoken_language.dialogue import DialogueTurn


class DialogueScores(FileModel):
    """``RUN/dialogues/ID/scores.json`` of a dialogue in text, and the part ``text`` of a call's scores.

    Attributes:
        id: Of the dialogue or call.
        entry, domain, archetype: What it was about; empty where that is not known.
        competitor: Who was judged.
        status: How the dialogue ended.
        not_judged: Why there are no scores; empty where there are.
        notes: What qualifies them, for instance that the words are a transcript.
        turns: Of both sides, as they were judged: verdicts name them by position.
        judging: What the judgements took; None where nothing was judged, or nobody counted.
    """

    version: Literal[1] = 1
    id: str
    entry: str = ""
    domain: str = ""
    archetype: str = ""
    competitor: str = ""
    language: str = ""
    status: str = ""
    not_judged: str = ""
    notes: tuple[str, ...] = ()
    digest: str = ""
    turns: tuple[DialogueTurn, ...] = ()
    text: TextScores | None = None
    judging: JudgingUse | None = None

    @model_validator(mode="after")
    def _scores_or_reason(self) -> Self:
        if (self.text is None) != bool(self.not_judged):
            raise ValueError(f"dialogue {self.id}: needs either text scores or the reason in not_judged")
        return self
