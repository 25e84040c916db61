"""Interruption delay and 500 ms interruption success (paper, Table 14).

Delay = last agent speech received - first user speech sent, for an interruption that began while the agent
spoke. The agent has stopped when its last voiced sample is followed by at least 0.6 s of quiet, or by less
quiet but then only by its answer to the interruption; the latter only where the agent reports it, too.

By sound alone a pause between two sentences looks the same. So nobody can tell whether it stopped where it
speaks again over the user; and where it fell silent as at the end of a sentence and has not reported the
interruption, there is no verdict on 500 ms.

Four outcomes: it **stopped**; it **ended by itself**, which is no success and no failure; it did **not
stop**, and its delay is censored, not missing; or the evidence does not decide (**indeterminate**).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, Protocol

from metrics.detection.line_echo import hidden_until
from metrics.interaction.on_wire import MAX_JITTER_S, OnWire, too_open
from metrics.spans import Span
from metrics.speech import TALK_GAP_S, Talk

VERSION = "3"
"""2 told a cut from a sentence's end by how far above the threshold it lay; 1 believed an agent that had
reported no interruption in the whole call, took any quiet for a stop, and the caller's own voice come back
for the agent's."""
SUCCESS_S = 0.5
MIN_REACTION_S = 0.06
"""No agent can hear, decide and fall silent this fast over a network: it had ended by itself."""
REACTION_DOUBT_S = 0.015
"""Of the error bar so much counts beside :data:`MIN_REACTION_S`, which is a bound of ours: stops from 80 ms
on are measured, also where nothing was calibrated."""
BEGAN_AGAIN_S = 2.0
"""Who speaks again after less quiet than this, while the user still does, may only have paused."""
NOT_STOPPED_S = 2.0
BEYOND_USER_S = 0.5
"""Speaking on for longer than both of these (after the user's first and last sample) is not stopping."""
ANSWER_GAP_S = 0.2
NOTICE_BEFORE_S = 0.05
NOTICE_AFTER_S = 1.5
NOTICE_LATE_S = 0.15
"""An agent that reports its interruption this long after it fell silent had nothing left to interrupt."""
GAP_BEFORE_S = 0.02
GAP_AFTER_S = 0.085
"""A loss that begins up to the first after the last speech heard, or ends up to the second before it, leaves
open where the end was: a decoder that missed a packet near the end rings on in the next ones. Of 138 stops
through Opus with 5 % loss, 16 were heard 15 to 39 ms off the lossless end; beyond these bounds 3 are."""
WORD_S = 0.1
"""A loss this long soon after the stop may hide more words."""
MAY_HAVE_ENDED = "it fell silent as at the end of a sentence, and by sound alone may have come to its end"
HIDES_ANOTHER = (
    "the caller's own voice, come back, hides whether the agent stopped for another interruption of the "
    "call, so none of them counts"
)
ENDED_TOO_EARLY = "the call ended before it was clear whether the agent would stop"

Outcome = Literal["stopped", "ended_by_itself", "not_stopped", "indeterminate"]


@dataclass(frozen=True, kw_only=True)
class BargeIn:
    """An interruption as sent: first and last voiced sample, in call seconds."""

    index: int
    start_s: float
    end_s: float


@dataclass(frozen=True, kw_only=True)
class AgentNotices:
    """What the agent itself reported (RTVI, LiveKit, OpenAI Realtime), in call seconds.

    Attributes:
        speaks: It tells when it speaks.
        interrupted_s: When it told that it was interrupted.
        dropped: Some of its messages did not reach us.
    """

    speaks: bool = False
    interrupted_s: tuple[float, ...] = ()
    dropped: bool = False

    @property
    def complete(self) -> bool:
        """Whether an interruption that it did not report was none. Of an agent that has reported none in the
        whole call nobody knows whether it ever would."""
        return self.speaks and bool(self.interrupted_s) and not self.dropped


@dataclass(frozen=True, kw_only=True)
class Interruption:
    """What became of one barge-in.

    Attributes:
        delay_s: Where it stopped, unless an echo hides when.
        censored_s: Where it did not: still speaking this long after the barge-in. Also where the call ended
            before it was clear whether it would stop (indeterminate), or an echo hides when it did: it
            had not before.
        within_500ms: None unless stopped and further from 500 ms than the error bar; None, too, where sound
            alone tells of the stop and it ended as a sentence does.
        stopped_in_pause: The level had fallen off before the stop, so the cut may lie later than the last
            voiced sample shows.
        open_s: How far from its last voiced sample the agent may have stopped: sound fades there, or may
            be the codec's ringing.
        basis: What the outcome rests on.
        on_wire: What the packets at its edges say of the delay; None where there are none.
        under_echo: The caller's own voice, come back, hides what became of it.
    """

    index: int
    outcome: Outcome
    agent_onset_s: float | None = None
    agent_stop_s: float | None = None
    delay_s: float | None = None
    censored_s: float | None = None
    within_500ms: bool | None = None
    stopped_in_pause: bool = False
    open_s: float = 0.0
    basis: str = ""
    reason: str = ""
    on_wire: OnWire | None = None
    under_echo: bool = False


class AtWire(Protocol):
    """Gives what packets say of a delay, from the times of the barge-in's first sample, of the first and of
    the last sample of the agent's speech; None where they are not known."""

    def __call__(self, barge_in_s: float, onset_s: float, stop_s: float, /) -> OnWire | None: ...


def interruptions(
    barge_ins: Sequence[BargeIn],
    talks: Sequence[Talk],
    *,
    notices: AgentNotices = AgentNotices(),
    gaps: Sequence[Span] = (),
    resolution_s: float,
    call_end_s: float,
    on_wire: AtWire | None = None,
) -> list[Interruption]:
    """What became of each barge-in.

    Args:
        talks: The agent's speech, in order of time.
        notices: What the agent reported of itself.
        gaps: Agent audio that never arrived.
        resolution_s: Half width of the instrument's error bar for a delay.
        call_end_s: When the call ended: speech up to there was cut off by us, not by the agent.
        on_wire: What the packets say of a delay; a clock that they contradict is not believed.
    """
    found = [
        _judge(
            barge_in,
            talks,
            notices=notices,
            gaps=gaps,
            resolution_s=resolution_s,
            call_end_s=call_end_s,
            on_wire=on_wire,
        )
        for barge_in in barge_ins
    ]
    return [_beside_unclear(one) for one in found] if any(one.under_echo for one in found) else found


def _beside_unclear(one: Interruption) -> Interruption:
    """An interruption of a call in which an echo hides what became of another: what it hides depends on when
    the agent stops, so those that are left show too few stops, or too many."""
    if one.outcome not in ("stopped", "not_stopped"):
        return one
    return Interruption(
        index=one.index,
        outcome="indeterminate",
        agent_onset_s=one.agent_onset_s,
        basis="timing",
        reason=HIDES_ANOTHER,
        on_wire=one.on_wire,
    )


def _judge(
    barge_in: BargeIn,
    talks: Sequence[Talk],
    *,
    notices: AgentNotices,
    gaps: Sequence[Span],
    resolution_s: float,
    call_end_s: float,
    on_wire: AtWire | None,
) -> Interruption:
    talk = next((t for t in talks if t.span.start_s < barge_in.start_s <= t.span.end_s), None)
    if talk is None:
        return Interruption(
            index=barge_in.index,
            outcome="ended_by_itself",
            basis="timing",
            reason="the agent was not speaking when the interruption began",
        )
    stop_s, soft, open_s, quiet_s = _stop(barge_in, talk)
    wire = None if on_wire is None else on_wire(barge_in.start_s, talk.span.start_s, stop_s)
    delay_s = stop_s - barge_in.start_s if wire is None else wire.from_to_s
    found = partial(Interruption, index=barge_in.index, agent_onset_s=talk.span.start_s, on_wire=wire)
    # The least that packets leave possible: where they came in a heap, the sound may be over for long.
    least_s = delay_s if wire is None else delay_s - wire.jitter_s
    if talk.echo_doubt(stop_s, "end"):
        jitter_s = 0.0 if wire is None else wire.jitter_s
        return _under_echo(
            barge_in,
            talk,
            stop_s,
            found,
            soft=soft,
            again=quiet_s is not None,
            talks=talks,
            notices=notices,
            gaps=gaps,
            resolution_s=resolution_s,
            jitter_s=jitter_s,
            call_end_s=call_end_s,
        )
    if least_s > NOT_STOPPED_S and stop_s - barge_in.end_s > BEYOND_USER_S:
        reason = f"the agent spoke on for {delay_s:.1f} s"
        return found(outcome="not_stopped", censored_s=delay_s, basis="timing", reason=reason)
    unclear = _unclear_stop(talk, stop_s, gaps=gaps, call_end_s=call_end_s)
    told = notices.complete or bool(_reported(barge_in, stop_s, notices))
    if unclear is None and not told:
        unclear = _began_again(barge_in, stop_s, talks, resolution_s=resolution_s)
    if unclear is None and quiet_s is not None and not told:
        unclear = (
            "timing alone",
            f"it was quiet for only {quiet_s * 1000:.0f} ms, around the end of the interruption: it may "
            "have stopped and answered at once, or paused and spoken on",
        )
    if unclear is None and wire is not None and wire.jitter_s > MAX_JITTER_S:
        unclear = "single packets", too_open(wire)
    if unclear is not None:
        basis, reason = unclear
        known_s = delay_s if reason == ENDED_TOO_EARLY and delay_s >= MIN_REACTION_S else None
        return found(outcome="indeterminate", censored_s=known_s, basis=basis, reason=reason)
    left_open_s = open_s + (0.0 if wire is None else wire.jitter_s)
    if abs(delay_s - MIN_REACTION_S) < min(resolution_s, REACTION_DOUBT_S) + left_open_s:
        reason = (
            f"it fell silent {delay_s * 1000:.0f} ms after the interruption began: nobody can tell whether "
            f"that was too soon for a reaction ({MIN_REACTION_S * 1000:.0f} ms)"
        )
        return found(outcome="indeterminate", basis="timing", reason=reason)
    stop_s = barge_in.start_s + delay_s
    ended, basis, reason = _ended_by_itself(barge_in, stop_s, notices, soft=soft)
    if ended != "stopped":
        return found(outcome=ended, agent_stop_s=stop_s, basis=basis, reason=reason)
    undecided = ""
    if abs(delay_s - SUCCESS_S) <= resolution_s + left_open_s:
        undecided = "within the error bar of 500 ms"
    elif soft and basis == "timing alone":
        undecided = MAY_HAVE_ENDED
    return found(
        outcome="stopped",
        agent_stop_s=stop_s,
        delay_s=delay_s,
        within_500ms=None if undecided else delay_s < SUCCESS_S,
        stopped_in_pause=soft,
        open_s=open_s,
        basis=basis,
        reason=undecided,
    )


def _under_echo(
    barge_in: BargeIn,
    talk: Talk,
    stop_s: float,
    found: Callable[..., Interruption],
    *,
    soft: bool,
    again: bool,
    talks: Sequence[Talk],
    notices: AgentNotices,
    gaps: Sequence[Span],
    resolution_s: float,
    jitter_s: float,
    call_end_s: float,
) -> Interruption:
    """What became of an interruption where an echo hides how the agent's speech ended: at the earliest with
    the last of its own voice, at the latest with the echo."""
    hidden = talk.echo_doubt(stop_s, "end")
    unclear = partial(found, outcome="indeterminate", basis="timing", reason=hidden)
    last_s = max((min(one.end_s, stop_s) for one in talk.own if one.start_s < stop_s), default=None)
    over_s = hidden_until(stop_s, talk.hidden)
    reaction_s = MIN_REACTION_S + min(resolution_s, REACTION_DOUBT_S) + jitter_s
    if last_s is None or last_s - barge_in.start_s < reaction_s:
        return unclear(under_echo=True)
    if over_s - barge_in.start_s > NOT_STOPPED_S and over_s - barge_in.end_s > BEYOND_USER_S:
        return unclear(under_echo=True)
    # What nobody could tell without an echo either.
    lost = any(_may_hide(gap, at_s) for gap in gaps for at_s in (last_s, over_s))
    told = notices.complete or bool(_reported(barge_in, last_s, notices))
    spoke_again = not told and _began_again(barge_in, stop_s, talks, resolution_s=resolution_s) is not None
    if lost or again or spoke_again or over_s > call_end_s - TALK_GAP_S:
        return unclear()
    early, late = (_ended_by_itself(barge_in, at_s, notices, soft=soft) for at_s in (last_s, over_s))
    if early[0] != late[0]:
        return unclear(under_echo=True)
    if early[0] != "stopped":
        return found(outcome=early[0], basis=early[1], reason=early[2])
    basis, open_s = early[1], resolution_s + jitter_s
    within = None
    if not (soft and basis == "timing alone"):
        if last_s - barge_in.start_s > SUCCESS_S + open_s:
            within = False
        elif over_s - barge_in.start_s < SUCCESS_S - open_s:
            within = True
    reason = (
        f"{hidden}; it stopped {(last_s - barge_in.start_s) * 1000:.0f} to "
        f"{(over_s - barge_in.start_s) * 1000:.0f} ms after the interruption began"
    )
    return found(
        outcome="stopped",
        censored_s=last_s - barge_in.start_s,
        within_500ms=within,
        basis=basis,
        reason=reason,
    )


def _unclear_stop(
    talk: Talk, stop_s: float, *, gaps: Sequence[Span], call_end_s: float
) -> tuple[str, str] | None:
    """Why nobody can tell that the agent fell silent there, after what this rests on; None where one can."""
    if stop_s > call_end_s - TALK_GAP_S:
        return "timing", ENDED_TOO_EARLY
    hidden = next((gap for gap in gaps if _may_hide(gap, stop_s)), None)
    if hidden is not None:
        lost_ms, apart_ms = hidden.duration_s * 1000, (hidden.start_s - stop_s) * 1000
        where = f"{apart_ms:.0f} ms after" if apart_ms > 0 else "at"
        return (
            "timing",
            f"{lost_ms:.0f} ms of audio were lost {where} the last speech heard: it may hide the stop",
        )
    if talk.end_doubt and stop_s == talk.span.end_s:
        return "two detectors", talk.end_doubt
    return None


def _began_again(
    barge_in: BargeIn, stop_s: float, talks: Sequence[Talk], *, resolution_s: float
) -> tuple[str, str] | None:
    """Why an agent that speaks again over the user may not have stopped at all; None where it does not."""
    until_s = min(stop_s + BEGAN_AGAIN_S, barge_in.end_s - resolution_s)
    again = next((one for one in talks if stop_s < one.span.start_s < until_s), None)
    if again is None:
        return None
    return (
        "timing alone",
        f"it spoke again {again.span.start_s - stop_s:.1f} s later, over the interruption: it may have "
        "stopped, or paused and spoken on",
    )


def _may_hide(gap: Span, stop_s: float) -> bool:
    """Whether the agent's last sound may lie in, or be bent by, what never arrived."""
    before_s = TALK_GAP_S if gap.duration_s >= WORD_S else GAP_BEFORE_S
    return gap.start_s - before_s <= stop_s <= gap.end_s + GAP_AFTER_S


def _stop(barge_in: BargeIn, talk: Talk) -> tuple[float, bool, float, float | None]:
    """The last voiced sample before the agent fell silent, whether it lies in a soft ending, how far off it
    may be, and how long the quiet was, where that was too short to be told from a pause by itself."""
    for before, after in zip(talk.clusters, talk.clusters[1:], strict=False):
        if before.end_s <= barge_in.start_s:
            continue
        quiet_s = after.start_s - before.end_s
        # Less than a talk's gap of quiet, but what follows it begins only after the user has finished.
        if quiet_s >= ANSWER_GAP_S and before.end_s < barge_in.end_s <= after.start_s:
            return before.end_s, False, talk.open_after(before), quiet_s
    return talk.span.end_s, talk.soft_end, talk.open_after(talk.clusters[-1]), None


def _reported(barge_in: BargeIn, stop_s: float, notices: AgentNotices) -> list[float]:
    """When the agent told of this interruption; of an agent that does not tell when it speaks, nothing."""
    since_s, until_s = barge_in.start_s - NOTICE_BEFORE_S, stop_s + NOTICE_AFTER_S
    return [t for t in notices.interrupted_s if notices.speaks and since_s <= t <= until_s]


def _ended_by_itself(
    barge_in: BargeIn, stop_s: float, notices: AgentNotices, *, soft: bool
) -> tuple[Literal["stopped", "ended_by_itself", "indeterminate"], str, str]:
    if stop_s - barge_in.start_s < MIN_REACTION_S:
        return (
            "ended_by_itself",
            "timing",
            f"it fell silent {(stop_s - barge_in.start_s) * 1000:.0f} ms after the interruption began: "
            "too soon for a reaction",
        )
    reported = _reported(barge_in, stop_s, notices)
    if not reported and notices.complete:
        return "ended_by_itself", "the agent's own messages", "the agent reported no interruption"
    if not reported and notices.speaks and soft:
        why = "some of its messages were dropped" if notices.dropped else "it has reported none in the call"
        return (
            "indeterminate",
            "timing alone",
            f"it fell silent as at the end of a sentence and reported no interruption, but {why}: it may "
            "have stopped or ended by itself",
        )
    if not reported:
        return "stopped", "timing alone", ""
    if reported[0] - stop_s > NOTICE_LATE_S:
        return (
            "indeterminate",
            "the agent's own messages",
            f"the agent reported the interruption {(reported[0] - stop_s) * 1000:.0f} ms after it had fallen "
            "silent: it may have ended by itself or been in a pause",
        )
    return "stopped", "timing and the agent's own messages", ""
