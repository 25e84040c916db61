"""``RUN/calls/ID/transcript.json``: what each side said and was heard to say."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.records.base import FileModel, Seconds
from harness.records.call import Side

TranscriptSource = Literal["said", "whisper", "agent_asr", "agent_text"]


class TranscriptWord(FileModel):
    """A word with its time; ``probability`` is the recogniser's own, None where it gives none."""

    word: str
    start_s: Seconds
    end_s: Seconds
    probability: float | None = Field(default=None, ge=0.0, le=1.0)


class TranscriptLine(FileModel):
    """What one source says that one side said.

    Attributes:
        side: Who spoke.
        source: "said": the text that our caller meant to say. "whisper": our own transcript of the audio.
            "agent_asr": the agent's own transcript of the caller. "agent_text": the agent's own text.
        utterance: For the caller's side: the utterance it belongs to, as in ``CallRecord.utterances``.
    """

    side: Side
    source: TranscriptSource
    start_s: Seconds
    end_s: Seconds
    text: str
    words: list[TranscriptWord] = Field(default_factory=list)
    utterance: int | None = None


class Transcript(FileModel):
    """All lines of a call, ordered by ``start_s``."""

    lines: list[TranscriptLine] = Field(default_factory=list)
