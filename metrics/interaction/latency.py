"""End-to-end response latency (paper, Table 14): first agent speech received - last user speech sent.

Both ends are voiced samples at the wire. Negative when the agent starts before the user has finished;
never clamped. A turn without a believable figure says why instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from metrics.detection.line_echo import LineEcho, doubt
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import Talk

VERSION = "4"
"""1 took the caller's own voice, come back on the agent's channel, for an answer; 2 had no latency for one
behind a chime; 3 did not say between what a latency lies that cannot be told."""
GAP_REACH_S = 0.025
"""A loss that ends this close before an onset may hide it: a decoder that missed the packet with the onset
comes up to its level only within the next one (Opus, 30 onsets at each of three rates: heard up to 24 ms
after the loss). Longer quiet after the loss rules that out."""
MAX_HIDDEN_S = 0.012
"""A shorter loss widens the error bar, and only to one side: the onset may be so much earlier. One frame of
20 ms moved onsets by 3 to 40 ms, and no sound tells by how much: then the onset is indeterminate."""
WORD_S = 0.1
FIRST_WORD_REACH_S = 0.6
"""A loss of at least a word's length may hide a first word and the pause after it, if speech is heard again
within the second."""
STILL_TALKING_S = 0.2
HIDES_AN_ANSWER_S = 0.3
"""A stretch of lost audio, or of nothing but an echo, as long as this may hide a whole short answer."""


@dataclass(frozen=True, kw_only=True)
class UserUtterance:
    """What the user said: first and last voiced sample as sent, in call seconds."""

    index: int
    start_s: float
    end_s: float


@dataclass(frozen=True, kw_only=True)
class ResponseLatency:
    """The agent's answer to one utterance. ``latency_s`` is None unless ``status`` is measured."""

    index: int
    status: Status
    latency_s: float | None = None
    between_s: tuple[float, float] | None = None
    """Of an answer whose latency cannot be told: it is no shorter and no longer, as far as that is known."""
    answer: Talk | None = None
    reason: str = ""
    hidden_s: float = 0.0
    """How much earlier the answer may have begun, behind audio that never arrived."""
    tone: Span | None = None
    """The first chime or beep between the utterance and the answer, which is none of it."""


def response_latencies(
    utterances: Sequence[UserUtterance],
    talks: Sequence[Talk],
    *,
    gaps: Sequence[Span] = (),
    sounds: Sequence[Span] = (),
    tones: Sequence[Span] = (),
    echo: LineEcho | None = None,
    call_end_s: float,
) -> list[ResponseLatency]:
    """The latency of the answer to each utterance, in order.

    The answer is the first agent speech that begins after the utterance has begun, goes on beyond its end,
    and comes before the next utterance. Speech that lies wholly inside the utterance (an "uh-huh") is none.

    Args:
        utterances: In order of time.
        talks: The agent's speech, in order of time.
        gaps: Agent audio that never arrived.
        sounds: All that the energy detector hears of the agent, speech or not; for the reasons.
        tones: Those of them that are surely no speech.
        echo: Of the caller's voice: where nothing but that followed, for long enough, an answer may have been
            taken for it.
        call_end_s: When the call ended.
    """
    results = []
    for position, utterance in enumerate(utterances):
        until_s = utterances[position + 1].start_s if position + 1 < len(utterances) else call_end_s
        found = _answer_to(utterance, talks, gaps=gaps, sounds=sounds, echo=echo, until_s=until_s)
        onset_s = until_s if found.answer is None else found.answer.span.start_s
        tone = next((one for one in tones if utterance.end_s <= one.start_s < onset_s), None)
        results.append(replace(found, tone=tone))
    return results


def _answer_to(
    utterance: UserUtterance,
    talks: Sequence[Talk],
    *,
    gaps: Sequence[Span],
    sounds: Sequence[Span],
    echo: LineEcho | None,
    until_s: float,
) -> ResponseLatency:
    for talk in talks:
        begins_before = talk.span.start_s <= utterance.start_s
        if begins_before and talk.span.end_s > utterance.end_s + STILL_TALKING_S:
            return ResponseLatency(
                index=utterance.index,
                status=Status.INDETERMINATE,
                reason="the agent spoke on without a break, so its answer has no onset of its own",
            )
        if begins_before or talk.span.end_s <= utterance.end_s:
            continue
        if talk.span.start_s >= until_s:
            break
        return _measured(utterance, talk, gaps)
    wait = Span(start_s=utterance.end_s, end_s=max(until_s, utterance.end_s))
    if echo is not None and echo.covers_s(wait) >= HIDES_AN_ANSWER_S:
        reason = f"nothing else followed, and {doubt(echo.path, 'onset')}"
        return ResponseLatency(index=utterance.index, status=Status.INDETERMINATE, reason=reason)
    waited_s = until_s - utterance.end_s
    heard = next((sound.start_s for sound in sounds if utterance.end_s < sound.start_s < until_s), None)
    no_speech = "" if heard is None else f"; there is sound from {heard:.1f} s on, but it is no speech"
    return ResponseLatency(
        index=utterance.index,
        status=Status.NOT_APPLICABLE,
        reason=(
            f"no answer within {waited_s:.1f} s, until the caller spoke again or the call ended{no_speech}"
        ),
    )


def _measured(utterance: UserUtterance, talk: Talk, gaps: Sequence[Span]) -> ResponseLatency:
    onset_s = talk.span.start_s
    hidden_s = max((onset_s - gap.start_s for gap in gaps if _may_hide(gap, utterance, onset_s)), default=0.0)
    if talk.onset_doubt:
        between_s = None
        if talk.onset_in is not None:
            earliest_s = min(talk.onset_in.start_s, onset_s - hidden_s)
            latest_s = max(talk.onset_in.end_s, onset_s)
            between_s = (earliest_s - utterance.end_s, latest_s - utterance.end_s)
        return ResponseLatency(
            index=utterance.index,
            status=Status.INDETERMINATE,
            between_s=between_s,
            answer=talk,
            reason=talk.onset_doubt,
        )
    if hidden_s > MAX_HIDDEN_S:
        return ResponseLatency(
            index=utterance.index,
            status=Status.INDETERMINATE,
            between_s=(onset_s - hidden_s - utterance.end_s, onset_s - utterance.end_s),
            answer=talk,
            reason=f"audio lost on the way may hide up to {hidden_s * 1000:.0f} ms of the answer's beginning",
            hidden_s=hidden_s,
        )
    return ResponseLatency(
        index=utterance.index,
        status=Status.MEASURED,
        latency_s=onset_s - utterance.end_s,
        answer=talk,
        hidden_s=hidden_s,
    )


def _may_hide(gap: Span, utterance: UserUtterance, onset_s: float) -> bool:
    """Whether the answer may have begun in what never arrived."""
    reach_s = GAP_REACH_S
    if gap.duration_s >= WORD_S and gap.end_s > utterance.end_s:
        reach_s = FIRST_WORD_REACH_S
    return gap.overlap_s(Span(start_s=onset_s - reach_s, end_s=onset_s)) > 0
