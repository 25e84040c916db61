"""Which words heard belong to which words said."""

from __future__ import annotations

from collections.abc import Sequence

from harness.records.call import SpokenUtterance
from harness.records.scores import TranscriptLine
from metrics.recognition.attribution import VERSION as SHARED_OUT
from metrics.recognition.error_rate import Utterance
from metrics.recognition.normalize import NORMALIZATION_VERSION

TRANSCRIPT_VERSION = f"{NORMALIZATION_VERSION}.{SHARED_OUT}"
"""Of an error rate of the agent's own transcripts: by which rules words are the same, and whose words they
are."""


def against_said(
    spoken: Sequence[SpokenUtterance], heard: Sequence[TranscriptLine], call_id: str
) -> list[Utterance]:
    """Each utterance of the caller with all that was heard of it; keys are no words."""
    return [
        Utterance(
            call_id=call_id,
            reference=one.text,
            hypothesis=" ".join(line.text for line in heard if line.utterance == one.index),
            start_s=one.start_s,
            end_s=one.end_s,
        )
        for one in spoken
        if not one.pressed
    ]


def against_agent_text(lines: Sequence[TranscriptLine], call_id: str) -> list[Utterance]:
    """Each stretch of agent speech with the sentences that the agent reports to have finished in it.

    A stretch that was interrupted holds words that were never reported as spoken; it is left out.
    """
    texts = [line for line in lines if line.source == "agent_text"]
    pairs = []
    for heard in (line for line in lines if line.source == "whisper" and line.side == "agent"):
        # A sentence is reported as spoken a moment after its last sound.
        own = [text for text in texts if heard.start_s < text.end_s <= heard.end_s + 0.6]
        if own and abs(own[-1].end_s - heard.end_s) <= 0.6:
            pairs.append(
                Utterance(
                    call_id=call_id,
                    reference=" ".join(text.text for text in own),
                    hypothesis=heard.text,
                    start_s=heard.start_s,
                    end_s=heard.end_s,
                )
            )
    return pairs
