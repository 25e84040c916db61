"""The outcome of each of the caller's turns, from when both sides spoke.

:mod:`metrics.interaction.outcome` says which outcomes there are and in which order they are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from metrics.detection.line_echo import CLOSE_S, LineEcho, doubt
from metrics.interaction.interruption import ANSWER_GAP_S, NOTICE_LATE_S
from metrics.interaction.latency import HIDES_AN_ANSWER_S, STILL_TALKING_S, WORD_S
from metrics.interaction.outcome import TurnOutcome
from metrics.spans import Span, merge_spans
from metrics.speech import TALK_GAP_S, Talk

VERSION = "4"
"""3 took for an answer what may be the rest of a sentence that paused as the caller ended; 2 took a comma of
the recogniser's for the middle of a sentence; 1 took a transfer for a hang-up, a request that ends in a
goodbye for a goodbye, a pause beside a lost packet for lost audio, and the caller's own voice come back for
the agent's."""
SHORT_S = 1.0
"""Less speech than this may be a listener's noise: inside a turn it is no talking over, and as a reply it is
an answer only with words that say something."""
LOST_TOGETHER_S = 0.06
"""Losses closer together than this are one stretch: too little came through between to know speech by."""
LOST_AT_THE_END_S = 0.02
"""Audio lost this soon after the last sample heard may hide how the speech ended."""

PAUSED_OR_ANSWERED = (
    "the agent spoke into it, was quiet for a moment around its end, and spoke again: it may have answered "
    "at once, or paused and spoken on"
)


class WaitEnd(StrEnum):
    """What ended the wait for an answer."""

    CALLER_SPOKE = "until the caller spoke again"
    CALLER_GAVE_UP = "until the caller gave the agent up"
    CALLER_TOOK_A_SOUND = "until the caller took for an answer what is no speech"
    AGENT_HUNG_UP = "the agent hung up instead"
    CONNECTION_LOST = "the connection was lost"
    TRANSFERRED = "the agent transferred the call, to where we do not follow,"
    OURS = "the call was ended from our side"


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One of the caller's, and what is known of the wait for an answer to it.

    Attributes:
        span: First and last voiced sample sent.
        not_due: Why it calls for no answer; empty where it does.
        until_s: When the wait ended: the next turn of the caller began, or the call ended.
        ended: What ended it.
        stopped_for: The turn was an interruption and the agent fell silent because of it.
        latency_s: From the turn's end to the answer's onset as it was measured; where packets say otherwise
            than the agent's media clock, another than the place of its speech. None: not measured.
        resolution_s: Half width of the instrument's error bar: an onset closer than this to the turn's end is
            not said to lie before it.
    """

    span: Span
    not_due: str = ""
    until_s: float
    ended: WaitEnd
    stopped_for: bool = False
    latency_s: float | None = None
    resolution_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Line:
    """What else is known of the call that the turn is in.

    Attributes:
        talks: The agent's speech, in order of time.
        caller: Everything that the caller said, listeners' noises included.
        lost: Agent audio that never arrived.
        echo: Of the caller's voice on the agent's channel; None where there is none.
        end_s: When the call ended.
        last_packet_s: When the agent's last packet was over; None where its packets are not known.
        hung_up: The agent ended it.
        says_something: Whether the agent's words in some stretches have any content; None: not known.
        breaks_off: Whether its words in a stretch end in the middle.
        interrupted_s: When the agent reported that it was interrupted (RTVI).
        tones: The agent sounds in marker tones, which have neither words nor soft ends.
    """

    talks: Sequence[Talk]
    caller: Sequence[Span] = ()
    lost: Sequence[Span] = ()
    echo: LineEcho | None = None
    end_s: float
    last_packet_s: float | None = None
    hung_up: bool = False
    says_something: Callable[[Sequence[Span]], bool | None] = lambda spans: None
    breaks_off: Callable[[Span], bool] = lambda span: False
    interrupted_s: Sequence[float] = ()
    tones: bool = False


@dataclass(frozen=True, kw_only=True)
class Judged:
    """An outcome, and for a person what it rests on; empty for a plain answer."""

    outcome: TurnOutcome
    reason: str = ""


def outcome_of(turn: Turn, line: Line) -> Judged:
    """What became of a turn; :mod:`metrics.interaction.outcome` has the order in which outcomes are tried."""
    if turn.not_due:
        return Judged(outcome=TurnOutcome.NOT_DUE, reason=turn.not_due)
    over, unclear = _talked_over(turn, line)
    if over:
        return Judged(outcome=TurnOutcome.TALKED_OVER, reason=over)
    reply = reply_to(turn, line)
    # An answer that was measured followed, whatever is left of an echo before it.
    unclear = "" if turn.latency_s is not None else unclear or _may_be_echo(turn, reply, line.echo)
    if unclear:
        return Judged(outcome=TurnOutcome.NOT_DUE, reason=f"nobody can tell what became of it: {unclear}")
    if not reply or (turn.latency_s is None and _edges_in_echo(reply)):
        return _nothing_followed(turn, line)
    why = _in_part(turn, line, reply)
    if why:
        return Judged(outcome=TurnOutcome.IN_PART, reason=why)
    return Judged(outcome=TurnOutcome.ANSWERED, reason=_unsure(turn, line, reply))


def reply_to(turn: Turn, line: Line) -> list[Talk]:
    """All speech of the agent that follows on a turn: from its end to where the wait for it ended."""
    found = []
    for talk in line.talks:
        if talk.span.start_s >= turn.until_s or talk.span.end_s <= turn.span.end_s:
            continue
        if talk.span.start_s > turn.span.start_s:
            found.append(talk)
        elif (rest := _after_a_quiet_end(turn, talk)) is not None:
            found.append(rest)
    return found


def _after_a_quiet_end(turn: Turn, talk: Talk) -> Talk | None:
    """What follows, in speech that began before the turn, on a quiet in which the turn ended."""
    for before, after in zip(talk.clusters, talk.clusters[1:], strict=False):
        quiet = after.start_s - before.end_s >= ANSWER_GAP_S
        if quiet and before.end_s <= turn.span.end_s + STILL_TALKING_S and after.start_s >= turn.span.end_s:
            rest = tuple(one for one in talk.clusters if one.start_s >= after.start_s)
            return Talk(
                span=Span(start_s=after.start_s, end_s=talk.span.end_s),
                clusters=rest,
                end_doubt=talk.end_doubt,
                soft_end=talk.soft_end,
                echo=talk.echo,
                hidden=talk.hidden,
                own=tuple(
                    Span(start_s=max(one.start_s, after.start_s), end_s=one.end_s)
                    for one in talk.own
                    if one.end_s > after.start_s
                ),
            )
    return None


def _may_be_echo(turn: Turn, reply: Sequence[Talk], echo: LineEcho | None) -> str:
    """Why what followed may be an answer or the caller's own voice come back; empty where any of it is surely
    more, and where it is too short for an answer and no word of it is surely the agent's."""
    wait = Span(start_s=turn.span.end_s, end_s=max(turn.span.end_s, turn.until_s))
    # With what of the echo it runs together with: an answer may lie under both.
    alike = [*(one.span for one in reply), *(() if echo is None else echo.heard)]
    runs = [
        run
        for run in merge_spans(alike, max_gap_s=CLOSE_S)
        if any(run.overlap_s(one.span) > 0 for one in reply)
    ]
    masked = echo is not None and echo.masks
    long = masked or any(run.overlap_s(wait) >= HIDES_AN_ANSWER_S for run in runs)
    word = any(own.overlap_s(wait) >= WORD_S for one in reply for own in one.own)
    return _edges_in_echo(reply) if long or word else ""


def _edges_in_echo(reply: Sequence[Talk]) -> str:
    edges = [(one, edge) for one in reply for edge in (one.span.start_s, one.span.end_s)]
    doubts = [one.echo_doubt(edge, "speech") for one, edge in edges]
    return doubts[0] if doubts and all(doubts) else ""


def _surely_over(turn: Turn, talk: Talk) -> str:
    """What shows that speech whose onset an echo hides talked over a turn; empty where nothing does."""
    inside_s = sum(one.overlap_s(turn.span) for one in talk.own)
    beyond_s = talk.span.end_s - turn.span.end_s
    if inside_s < SHORT_S or beyond_s <= STILL_TALKING_S or talk.echo_doubt(talk.span.end_s, "end"):
        return ""
    return (
        f"the agent spoke for {inside_s:.1f} s while the caller did, and on to {beyond_s:.1f} s after its "
        "end; when it began cannot be told from an echo"
    )


def _talked_over(turn: Turn, line: Line) -> tuple[str, str]:
    """What shows that the agent talked over the turn, or, where nothing does, why nobody can tell."""
    said, unclear = turn.span, ""
    for talk in line.talks:
        begins_inside = said.start_s < talk.span.start_s < said.end_s - turn.resolution_s
        if said.start_s < talk.span.start_s < turn.until_s and talk.span.end_s > said.end_s:
            placed_s = said.end_s - talk.span.start_s
            early_s = placed_s if turn.latency_s is None else -turn.latency_s
            if early_s > turn.resolution_s:
                unclear = talk.echo_doubt(talk.span.start_s, "onset")
                over = f"the agent began {early_s:.2f} s before the caller had finished"
                sure = _surely_over(turn, talk) if unclear else over
                return (sure, "") if sure else ("", unclear)
            break
        if begins_inside and talk.span.duration_s >= SHORT_S:
            if not (hidden := talk.echo_doubt(talk.span.start_s, "onset")):
                return f"the agent spoke for {talk.span.duration_s:.1f} s while the caller did", ""
            unclear = hidden
        begun_before = talk.span.start_s <= said.start_s and talk.span.end_s > said.end_s + STILL_TALKING_S
        if begun_before and not turn.stopped_for:
            beyond_s = talk.span.end_s - said.end_s
            if _after_a_quiet_end(turn, talk) is not None:
                # As of an interruption: so short a quiet is either.
                unclear = PAUSED_OR_ANSWERED
            elif not (hidden := talk.echo_doubt(talk.span.end_s, "end")):
                return f"the agent spoke on without a break, to {beyond_s:.1f} s after the caller's end", ""
            else:
                unclear = hidden
    return "", unclear


def _nothing_followed(turn: Turn, line: Line) -> Judged:
    waited_s = max(0.0, turn.until_s - turn.span.end_s)
    if turn.ended is WaitEnd.CONNECTION_LOST:
        reason = f"{turn.ended} within {waited_s:.1f} s after the turn"
        return Judged(outcome=TurnOutcome.NOT_DUE, reason=reason)
    if turn.ended in (WaitEnd.OURS, WaitEnd.TRANSFERRED):
        reason = f"{turn.ended} {waited_s:.1f} s after the turn, before the caller's patience"
        return Judged(outcome=TurnOutcome.NOT_DUE, reason=reason)
    wait = Span(start_s=turn.span.end_s, end_s=max(turn.span.end_s, turn.until_s))
    for gap in merge_spans(line.lost, max_gap_s=LOST_TOGETHER_S):
        if gap.overlap_s(wait) >= HIDES_AN_ANSWER_S:
            reason = f"{gap.duration_s:.2f} s of audio lost on the way may hide an answer"
            return Judged(outcome=TurnOutcome.NOT_DUE, reason=reason)
    if line.echo is not None and line.echo.covers_s(wait) >= HIDES_AN_ANSWER_S:
        reason = f"nothing else followed, and {doubt(line.echo.path, 'onset')}"
        return Judged(outcome=TurnOutcome.NOT_DUE, reason=reason)
    reason = f"no answer within {waited_s:.1f} s, {turn.ended}{_no_packets(turn, line)}"
    return Judged(outcome=TurnOutcome.NOT_ANSWERED, reason=reason)


def _no_packets(turn: Turn, line: Line) -> str:
    """That the agent sent nothing more, as one does that is silent to the end; its packets may have been
    lost, too."""
    last_s = line.last_packet_s
    if last_s is None or last_s > turn.until_s - HIDES_AN_ANSWER_S:
        return ""
    return f"; no packet of the agent's came after {last_s:.1f} s: it sent none, or they were lost"


def _in_part(turn: Turn, line: Line, reply: Sequence[Talk]) -> str:
    return broke_off(turn, line, reply) or _says_nothing(turn, line, reply)


def broke_off(turn: Turn, line: Line, reply: Sequence[Talk]) -> str:
    """How a reply broke off without any doing of the caller's; empty where it came to an end, or the caller
    or our side ended it. ``reply`` must not be empty."""
    last = reply[-1].span
    if _caller_ended(turn, line, last):
        return ""
    if line.hung_up and last.end_s > line.end_s - TALK_GAP_S and not reply[-1].soft_end:
        return "the agent hung up in the middle of its reply"
    if any(last.start_s < t <= last.end_s + NOTICE_LATE_S for t in line.interrupted_s):
        return f"the agent reported an interruption at {last.end_s:.1f} s, while the caller was silent"
    if not line.tones and not _end_is_hidden(line, reply[-1]) and last.end_s <= line.end_s - TALK_GAP_S:
        if not reply[-1].soft_end:
            return f"the reply broke off at full level at {last.end_s:.1f} s, while the caller was silent"
        if line.breaks_off(last):
            return f"the reply broke off in the middle of its words at {last.end_s:.1f} s"
    return ""


def _says_nothing(turn: Turn, line: Line, reply: Sequence[Talk]) -> str:
    if _caller_ended(turn, line, reply[-1].span):
        return ""
    speech_s = _speech_s(reply)
    if speech_s < SHORT_S and line.says_something([one.span for one in reply]) is False:
        return f"the whole reply is {speech_s:.1f} s of speech that says nothing"
    return ""


def _caller_ended(turn: Turn, line: Line, last: Span) -> bool:
    """Whether the caller spoke into the last of the reply, or our side ended the call in it. What a lost
    connection cut, and when, nobody knows."""
    if turn.ended is WaitEnd.CONNECTION_LOST:
        return True
    others = [one for one in line.caller if one.start_s > turn.span.start_s]
    spoke = any(last.start_s < one.start_s <= last.end_s + ANSWER_GAP_S for one in others)
    return spoke or (not line.hung_up and last.end_s > line.end_s - ANSWER_GAP_S)


def _end_is_hidden(line: Line, talk: Talk) -> bool:
    end_s = talk.span.end_s
    return bool(talk.end_doubt) or any(
        gap.start_s - LOST_AT_THE_END_S <= end_s <= gap.end_s for gap in line.lost
    )


def _unsure(turn: Turn, line: Line, reply: Sequence[Talk]) -> str:
    """What a person should know of an answer that counts as one."""
    speech_s = _speech_s(reply)
    if speech_s >= SHORT_S or _caller_ended(turn, line, reply[-1].span):
        return ""
    if line.says_something([one.span for one in reply]) is None:
        return f"{speech_s:.1f} s of speech; without its words nobody can tell whether it says anything"
    return ""


def _speech_s(reply: Sequence[Talk]) -> float:
    return sum(cluster.duration_s for talk in reply for cluster in talk.clusters)
