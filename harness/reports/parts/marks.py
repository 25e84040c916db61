"""Turns and interruptions of a call as marks over its waveform and rows of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.analysis.measures.conversation.turns import OUTCOME_WORDS
from harness.records.scores import CallScores, InterruptionTiming, TurnTiming
from harness.reports.parts.charts import Tone
from harness.reports.parts.formats import clock, number, with_unit
from metrics.interaction.outcome import TurnOutcome

_LEAD_IN_S = 0.8
"""How long before a mark playing starts, so that the ear knows where it is."""


_TURN_TONES: dict[TurnOutcome, Tone] = {
    TurnOutcome.IN_PART: "open",
    TurnOutcome.TALKED_OVER: "bad",
    TurnOutcome.NOT_ANSWERED: "bad",
    TurnOutcome.NOT_DUE: "idle",
}
"""Of what is no plain answer."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A measured stretch above the waveform; ``play_s`` is where playing starts."""

    anchor: str
    start_s: float
    end_s: float
    play_s: float
    kind: str
    tone: Tone
    label: str
    spoken: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """A turn or an interruption in its table."""

    anchor: str
    number: int
    time: str
    play_s: float
    text: str
    result: str
    tone: Tone
    details: tuple[str, ...]


def turn_anchor(call_id: str, index: int) -> str:
    """The id of a turn's row on the page."""
    return f"turn-{call_id}-{index}"


def interruption_anchor(call_id: str, index: int) -> str:
    """The id of an interruption's row on the page."""
    return f"barge-{call_id}-{index}"


def outcome_words(timing: InterruptionTiming) -> tuple[str, Tone]:
    """What became of an interruption, and its tone on the page."""
    if timing.outcome == "stopped":
        tone: Tone = "open" if timing.within_500ms is None else "good" if timing.within_500ms else "bad"
        if timing.delay_ms is None:
            return "stopped, no delay measured", tone
        return f"stopped after {with_unit(timing.delay_ms, 'ms')}", tone
    if timing.outcome == "not_stopped":
        after = timing.censored_after_ms
        told = "" if after is None else f", still speaking after {with_unit(after, 'ms')}"
        return f"did not stop{told}", "bad"
    if timing.outcome == "ended_by_itself":
        return "ended by itself", "idle"
    return "indeterminate", "open"


def _bar(half_width_ms: float, standing: str) -> str:
    return f"±{half_width_ms:.1f}\u202fms{f', {standing}' if standing else ''}"


def turn_row(call_id: str, turn: TurnTiming, text: str, *, standing: str) -> Row:
    """A turn's latency.

    Args:
        text: What the caller said.
        standing: What its ± stands on, see :func:`harness.analysis.error_bar.bar_standing`.
    """
    details = []
    if turn.at_least_ms is not None and turn.at_most_ms is not None:
        details.append(f"between {with_unit(turn.at_least_ms, 'ms')} and {with_unit(turn.at_most_ms, 'ms')}")
    if turn.content_latency_ms is not None:
        details.append(f"content {with_unit(turn.content_latency_ms, 'ms')}")
    if turn.per_packet_latency_ms is not None:
        details.append(f"packets {with_unit(turn.per_packet_latency_ms, 'ms')}")
    if turn.resolution_ms is not None:
        details.append(_bar(turn.resolution_ms, standing))
    if turn.noise_floor_dbfs is not None:
        details.append(f"noise {number(turn.noise_floor_dbfs, 'dBFS')}\u202fdBFS")
    measured = turn.latency_ms is not None
    return Row(
        anchor=turn_anchor(call_id, turn.index),
        number=turn.index + 1,
        time=clock(turn.user_start_s),
        play_s=_before(turn.user_end_s),
        text=text,
        result=_result(turn),
        tone=_TURN_TONES.get(turn.outcome, "plain" if measured else "open"),
        details=(
            *dict.fromkeys(filter(None, (turn.outcome_reason, turn.reason))),
            *details,
            *turn.notes,
        ),
    )


def _result(turn: TurnTiming) -> str:
    words = OUTCOME_WORDS[turn.outcome]
    if turn.latency_ms is None:
        return words
    shown = with_unit(turn.latency_ms, "ms")
    return shown if turn.outcome is TurnOutcome.ANSWERED else f"{shown}, {words}"


def interruption_row(call_id: str, timing: InterruptionTiming, text: str, *, standing: str) -> Row:
    """What became of an interruption. The arguments are those of :func:`turn_row`."""
    result, tone = outcome_words(timing)
    details = [f"planned {timing.planned_offset_s:.2f}\u202fs into the agent's speech"]
    if timing.actual_offset_s is not None:
        details.append(f"sent at {timing.actual_offset_s:.2f}\u202fs")
    if timing.outcome == "stopped" and timing.delay_ms is not None and timing.within_500ms is None:
        details.append("the error bar straddles 500\u202fms")
    if timing.stopped_in_pause:
        details.append("may have stopped in a pause between words")
    if timing.resolution_ms is not None:
        details.append(_bar(timing.resolution_ms, standing))
    if timing.basis:
        details.append(f"by {timing.basis}")
    return Row(
        anchor=interruption_anchor(call_id, timing.index),
        number=timing.index + 1,
        time=clock(timing.user_start_s),
        play_s=_before(timing.user_start_s),
        text=text,
        result=result,
        tone=tone,
        details=(*([timing.reason] if timing.reason else []), *details),
    )


def marks(call_id: str, scores: CallScores) -> Iterator[Mark]:
    """What is drawn over the waveform: latencies that were measured, and every interruption."""
    for turn in scores.turns:
        if turn.latency_ms is None or turn.agent_start_s is None:
            continue
        shown = with_unit(turn.latency_ms, "ms")
        yield Mark(
            anchor=turn_anchor(call_id, turn.index),
            start_s=turn.user_end_s,
            end_s=turn.agent_start_s,
            play_s=_before(min(turn.user_end_s, turn.agent_start_s)),
            kind="response",
            tone="plain",
            label=shown,
            spoken=f"Turn {turn.index + 1}: response latency {shown}",
        )
    for timing in scores.interruptions:
        words, tone = outcome_words(timing)
        end_s = timing.agent_stop_s
        if end_s is None:
            end_s = timing.user_start_s + (timing.censored_after_ms or 0) / 1000
        yield Mark(
            anchor=interruption_anchor(call_id, timing.index),
            start_s=timing.user_start_s,
            end_s=end_s,
            play_s=_before(timing.user_start_s),
            kind="interruption",
            tone=tone,
            label=words.split(",")[0].replace("stopped after ", "stop "),
            spoken=f"Interruption {timing.index + 1}: {words}",
        )


def _before(seconds: float) -> float:
    return round(max(0.0, seconds - _LEAD_IN_S), 3)
