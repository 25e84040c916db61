"""What the agent said after a line of a probe, and what it wrote of that line, from every source."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.timing import never_arrived
from harness.records.call import CallStatus, SpokenUtterance
from harness.records.scores import TranscriptLine
from harness.records.timeline import MESSAGES_DROPPED
from metrics.spans import Span
from metrics.speech import Talk

ANSWERS_WITHIN_S = 2.0
"""Where the caller waited for less than this, nobody can say that no answer came."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the agent said after a line, before the caller said anything more.

    Attributes:
        spoke: It said anything.
        own, heard: Its words as it tells them itself, and as our recogniser heard them; None: not known, or
            they may be in messages that were dropped.
        waited_s: How long there was time for it.
        lost: Some of its sound never arrived, or the connection was lost before the caller spoke again.
        span: From its first to its last sample; None: it said nothing.
    """

    spoke: bool
    own: str | None
    heard: str | None
    waited_s: float
    lost: bool
    span: Span | None = None


def transcript_of(lines: Sequence[TranscriptLine], utterance: SpokenUtterance) -> str:
    """What the agent itself wrote of a line."""
    return " ".join(
        line.text for line in lines if line.source == "agent_asr" and line.utterance == utterance.index
    )


def lost_messages(material: CallMaterial) -> bool:
    """Whether messages of the agent about its words were dropped: what is not there may have been in them."""
    return any(one.kind == MESSAGES_DROPPED and one.source == "wire" for one in material.events)


def ended_first(material: CallMaterial, utterance: SpokenUtterance) -> bool:
    """Whether the call was over before a transcript of a line, or an answer to it, is to be expected; not
    where its end is not known."""
    return bool(material.end_s) and utterance.end_s > material.end_s - ANSWERS_WITHIN_S


def reply_to(
    material: CallMaterial,
    utterance: SpokenUtterance,
    lines: Sequence[TranscriptLine],
    talks: Sequence[Talk],
    *,
    recognised: bool,
    passing_over: Collection[int] = (),
) -> Reply:
    """The reply to a line.

    Args:
        lines: Of the transcript, from every source.
        talks: The agent's speech.
        recognised: Our own recogniser listened to the agent.
        passing_over: Utterances, by their index, that do not end the reply.
    """
    after = [
        one.start_s
        for one in material.utterances
        if one.start_s > utterance.start_s and one.index not in passing_over
    ]
    until_s = min(after, default=max(material.end_s, utterance.end_s))
    own = [talk.span for talk in talks if utterance.start_s <= talk.span.start_s < until_s]
    heard = [
        line.text
        for line in lines
        if line.side == "agent" and line.source == "whisper" and any(_begins_in(line, one) for one in own)
    ]
    told = [
        line.text
        for line in lines
        if line.source == "agent_text"
        and utterance.end_s < line.end_s <= until_s + ANSWERS_WITHIN_S
        and line.start_s < until_s
    ]
    wait = Span(start_s=utterance.end_s, end_s=max(until_s, utterance.end_s))
    knows = any(line.source == "agent_text" for line in lines)
    return Reply(
        spoke=bool(own),
        own=" ".join(told) if knows and (told or not lost_messages(material)) else None,
        heard=" ".join(heard) if recognised else None,
        waited_s=wait.duration_s,
        lost=any(gap.overlap_s(wait) > 0 for gap in never_arrived(material.gaps))
        or (not after and material.ending.status is CallStatus.CONNECTION_LOST),
        span=Span(start_s=own[0].start_s, end_s=max(one.end_s for one in own)) if own else None,
    )


def _begins_in(line: TranscriptLine, talk: Span) -> bool:
    return talk.start_s - 0.2 <= line.start_s < talk.end_s
