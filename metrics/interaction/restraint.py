"""Whether an agent kept its place when something was heard that was not meant for it.

A **false stop**: the agent was speaking when the sound began, and fell silent (0.6 s of quiet or more) within
1 s of it, no sooner than anybody can react (60 ms). A **false reply**: it began to speak after the sound, no
later than 2 s after the sound's end (where the sound fell into its speech and that outlasted it: than 2 s
after the end of that speech), before the caller said anything else. An agent that ends or pauses by itself
looks the same, so the same is asked at places of the same kind without a sound.

Source: the paper's Table 14 asks that an agent attend to its caller alone; the bounds are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics.detection.line_echo import LineEcho, doubt
from metrics.interaction.interruption import MIN_REACTION_S, NOTICE_LATE_S, AgentNotices
from metrics.interaction.latency import HIDES_AN_ANSWER_S
from metrics.spans import Span
from metrics.speech import TALK_GAP_S, Talk

STOP_WITHIN_S = 1.0
REPLY_WITHIN_S = 2.0
TOO_SHORT = "the call ended or the caller went on before 2 s had passed"


@dataclass(frozen=True, kw_only=True)
class Restraint:
    """What an agent did about one sound.

    Attributes:
        over_agent: The agent was speaking when the sound began.
        stopped: It fell silent for it. None: it was not speaking, or nobody can tell; ``reason`` says why.
        replied: It answered it. None: nobody can tell.
        stop_s, reply_s: When.
    """

    over_agent: bool
    stopped: bool | None = None
    replied: bool | None = None
    stop_s: float | None = None
    reply_s: float | None = None
    reason: str = ""


def restraint(
    sound: Span,
    talks: Sequence[Talk],
    *,
    until_s: float,
    lost: Sequence[Span] = (),
    notices: AgentNotices | None = None,
    echo: LineEcho | None = None,
) -> Restraint:
    """What the agent did about a sound, or about nothing at the same place.

    Args:
        sound: First and last sample of the sound as sent, in call seconds.
        talks: The agent's speech in the call.
        until_s: When the caller spoke next, or the call ended: what the agent says from then on is no reply
            to the sound.
        lost: Agent audio that never arrived: where it may hide an end or a beginning, there is no verdict.
        notices: What the agent itself reported about interruptions in the call: one that reported some, and
            none here, ended by itself, unless some of its messages were dropped.
        echo: Of the caller's sounds: where nothing but that followed, for long enough, a reply may have been
            taken for it.
    """
    into = next((one for one in talks if one.span.start_s < sound.start_s < one.span.end_s), None)
    ends_s = into.span.end_s if into is not None else sound.start_s
    window = Span(start_s=sound.start_s, end_s=max(sound.end_s, ends_s) + REPLY_WITHIN_S)
    if any(gap.overlap_s(window) > 0.0 for gap in lost):
        return Restraint(over_agent=into is not None, reason="audio of the agent was lost there")
    hidden = _hidden(into, sound, talks, min(window.end_s, until_s), echo)
    if hidden:
        return Restraint(over_agent=into is not None, reason=hidden)
    if into is None:
        reply_s = _reply(talks, sound.start_s, min(sound.end_s + REPLY_WITHIN_S, until_s))
        # Not the whole time was to be had, and nothing came in it.
        open_end = reply_s is None and until_s < sound.end_s + REPLY_WITHIN_S
        return Restraint(
            over_agent=False,
            replied=None if open_end else reply_s is not None,
            reply_s=reply_s,
            reason=TOO_SHORT if open_end else "",
        )
    stopped, why = _stopped(sound, into, until_s, notices or AgentNotices())
    if stopped is None:
        return Restraint(over_agent=True, reason=why)
    by_s = max(sound.end_s, ends_s) + REPLY_WITHIN_S
    reply_s = _reply(talks, ends_s, min(by_s, until_s))
    return Restraint(
        over_agent=True,
        stopped=stopped,
        replied=None if reply_s is None and until_s < by_s else reply_s is not None,
        stop_s=ends_s if stopped else None,
        reply_s=reply_s,
        reason=why or (TOO_SHORT if reply_s is None and until_s < by_s else ""),
    )


def _stopped(sound: Span, into: Talk, until_s: float, notices: AgentNotices) -> tuple[bool | None, str]:
    after_s = into.span.end_s - sound.start_s
    if after_s < MIN_REACTION_S:
        return None, "the agent ended as the sound began"
    if after_s > STOP_WITHIN_S:
        return False, ""
    if into.span.end_s > until_s - TALK_GAP_S:
        return None, "the call ended before it was clear whether the agent would stop"
    # The sound decides where nobody knows what the agent would have told: one that has reported no
    # interruption in the whole call may be one that reports none, or some of its messages were dropped.
    latest_s = into.span.end_s + NOTICE_LATE_S
    if notices.complete and not any(sound.start_s <= t <= latest_s for t in notices.interrupted_s):
        return False, "it ended by itself: it reported no interruption"
    return True, f"silent {after_s * 1000:.0f} ms after the sound began"


def _hidden(
    into: Talk | None, sound: Span, talks: Sequence[Talk], until_s: float, echo: LineEcho | None
) -> str:
    """Why an echo of what was heard may pass for the agent's, or hide it; empty where it may not."""
    if into is not None and (why := into.echo_doubt(into.span.end_s, "end")):
        return why
    ends_s = into.span.end_s if into is not None else sound.start_s
    first = next((one for one in talks if ends_s < one.span.start_s <= until_s), None)
    if first is not None:
        return first.echo_doubt(first.span.start_s, "onset")
    after = Span(start_s=max(sound.end_s, ends_s), end_s=max(until_s, sound.end_s, ends_s))
    if echo is not None and echo.covers_s(after) >= HIDES_AN_ANSWER_S:
        return f"nothing else followed, and {doubt(echo.path, 'onset')}"
    return ""


def _reply(talks: Sequence[Talk], from_s: float, to_s: float) -> float | None:
    """The first onset in a stretch."""
    return next((one.span.start_s for one in talks if from_s < one.span.start_s <= to_s), None)
