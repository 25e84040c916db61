"""What we measured against what the agent logged: bias, spread and 95th percentile of the error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.analysis.timing import CallTiming, measure_timing
from harness.calls.conversation import Held
from harness.calls.voice.recorder import Recording
from harness.selfcheck.calibration.design import CalibrationCall
from harness.selfcheck.calibration.wire_truth import WireTruth
from harness.transports.codecs.table import CODECS
from harness.transports.impairment import outbound_delays_s
from metrics.score import Status

LATE_MS = 2.0
"""A packet is late that is so much behind its place: no less is taken for more than jitter
(``PacketTimes.wire_time``)."""
BEFORE_S = 0.25
"""What the agent heard of the caller may be this much earlier than what we say of it, and is the same: the
caller's side has no clock that lies."""
GROSS_MS = 20.0
"""An error beyond the margin that verdicts are given with is named, one by one: a percentile hides it."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One measured figure beside the truth, in milliseconds.

    True is when the sound was due at the agent's socket by the agent's own clock (``first_clock_s`` in its
    log): an exact one, in calibration. When the very packet left, which the sender may have been late with,
    is ``packet_truth_ms``. ``per_packet_ms`` is the same figure by single packets; None where there is none.
    ``caller_late_ms`` is how much behind its place the packet with the caller's edge reached the agent.
    """

    call_id: str
    index: int
    measured_ms: float
    truth_ms: float
    programmed_ms: float
    packet_truth_ms: float
    per_packet_ms: float | None = None
    caller_late_ms: float = 0.0
    network_ms: float = 0.0
    """What the network in between adds for the caller: the delay that we injected, both ways."""

    @property
    def truths_ms(self) -> list[float]:
        """All that is true of it, for the caller: one value, but where a sender was late with the very packet
        at an edge (``LATE_MS``). Then the clock says one thing and the wire another, both rightly."""
        agent_late_ms = self.packet_truth_ms - self.truth_ms
        return [
            self.truth_ms + self.network_ms + at_the_agent - at_the_caller
            for at_the_agent in (0.0, *([agent_late_ms] if agent_late_ms > LATE_MS else []))
            for at_the_caller in (0.0, *([self.caller_late_ms] if self.caller_late_ms > LATE_MS else []))
        ]

    @property
    def error_ms(self) -> float:
        """Measured less what is true, and of what is true the nearest."""
        return min((self.measured_ms - truth_ms for truth_ms in self.truths_ms), key=abs)

    @property
    def packet_error_ms(self) -> float:
        """The error against the very packet."""
        return self.measured_ms - self.packet_truth_ms - self.network_ms

    @property
    def per_packet_error_ms(self) -> float | None:
        if self.per_packet_ms is None:
            return None
        return self.per_packet_ms - self.packet_truth_ms - self.network_ms


@dataclass(kw_only=True)
class Comparisons:
    """All of one sound.

    Attributes:
        lost: Turns or interruptions that were programmed but yielded no figure, with the reason.
        wrong: What was reported and never was, or denied though it was, or is off by more than
            ``GROSS_MS``: each with its place.
        verdicts_wrong: Interruptions whose 500 ms verdict differs from the truth's, planted clear of 500 ms.
        verdicts: How many verdicts were given.
        faults: Calls that ended as our own fault; their turns are counted nowhere else.
    """

    responses: list[Comparison] = field(default_factory=list)
    interruptions: list[Comparison] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    verdicts_wrong: list[Comparison] = field(default_factory=list)
    verdicts: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class ErrorSummary:
    """Errors in milliseconds. ``p95_abs`` is the error bar that reports print."""

    n: int
    bias: float
    sd: float
    p95_abs: float
    max_abs: float

    @classmethod
    def of(cls, errors_ms: Sequence[float]) -> ErrorSummary | None:
        """None without any errors to summarise."""
        if not errors_ms:
            return None
        errors = np.asarray(errors_ms)
        return cls(
            n=len(errors),
            bias=float(np.mean(errors)),
            sd=float(np.std(errors, ddof=1)) if len(errors) > 1 else 0.0,
            p95_abs=float(np.percentile(np.abs(errors), 95)),
            max_abs=float(np.max(np.abs(errors))),
        )


def compare_call(
    designed: CalibrationCall,
    placed: Held,
    truth: dict[str, Any],
    *,
    zero_ns: int,
    interruption_resolution_s: float,
    into: Comparisons,
) -> CallTiming | None:
    """Adds one call's comparisons to ``into``.

    Args:
        truth: The agent's log (``/truth/NAME``), in monotonic seconds of this machine. Where packets were
            lost its raw stamps tell when the caller spoke, since it did not hear all.
        zero_ns: Monotonic nanoseconds at call time 0.
    """
    recording = placed.recording
    if recording is None:
        into.faults.append(f"{designed.plan.call_id}: {placed.record.status}: {placed.record.status_detail}")
        return None
    timing = measure_timing(
        agent_audio=recording.audio[:, 1],
        utterances=placed.record.utterances,
        gaps=recording.gaps,
        sent=recording.sent,
        received=recording.received,
        events=placed.events,
        interruption_resolution_s=interruption_resolution_s,
        end_s=placed.record.duration_s,
        marker_tones=designed.sound == "marker",
    )
    zero_s = zero_ns / 1e9
    caller = _caller_at_the_agent(designed, recording, truth, zero_s)
    _compare_responses(designed, placed, timing, truth, zero_s, caller, into)
    _compare_interruptions(designed, placed, timing, truth, zero_s, caller, into)
    return timing


def injected_ms(designed: CalibrationCall) -> float:
    """The delay that the fastest packets meet there and back: what the lower envelope sees of it."""
    return 2 * designed.plan.conditions.least_delay_ms


def _caller_at_the_agent(
    designed: CalibrationCall, recording: Recording, truth: dict[str, Any], zero_s: float
) -> WireTruth | None:
    """Where packets may be lost, or come too late for its ears, the agent's stamps tell what those cannot;
    None: its ears tell."""
    conditions = designed.plan.conditions
    if not (conditions.loses_packets or conditions.reorder):
        return None
    return WireTruth(
        truth["arrived"],
        recording.sent,
        zero_s=zero_s,
        least_delay_s=conditions.least_delay_ms / 1000,
        delays_s=outbound_delays_s(conditions, seed=designed.plan.seed, packets=len(recording.sent.media_s)),
        clock_rate_hz=CODECS.load(recording.media.codec).clock_rate_hz,
    )


def _compare_responses(
    designed: CalibrationCall,
    placed: Held,
    timing: CallTiming,
    truth: dict[str, Any],
    zero_s: float,
    caller: WireTruth | None,
    into: Comparisons,
) -> None:
    said = {one.index: one for one in placed.record.utterances}
    replies = [
        spoke for spoke in truth["spoke"] if "answer_after_ms" in spoke and spoke["first_wire_s"] is not None
    ]
    for position, (latency, per_packet_s) in enumerate(
        zip(timing.latencies, timing.per_packet_s, strict=True)
    ):
        where = f"{designed.plan.call_id} turn {latency.index + 1}"
        later = timing.latencies[position + 1 :]
        reply = _reply_to(
            replies,
            since_s=said[latency.index].start_s + zero_s,
            end_s=said[latency.index].end_s + zero_s,
            until_s=said[later[0].index].start_s + zero_s if later else np.inf,
        )
        if reply is None:
            if latency.latency_s is None:
                into.lost.append(f"{where}: the agent logged no answer")
            else:
                into.wrong.append(f"{where}: {latency.latency_s * 1000:.0f} ms reported, no answer logged")
            continue
        if latency.latency_s is None:
            after_ms = (reply["first_wire_s"] - reply["heard_last_s"]) * 1000
            told = f"{where}: {latency.status}: {latency.reason}"
            if latency.status is Status.NOT_APPLICABLE:
                into.wrong.append(f"{told}, though an answer after {after_ms:.0f} ms is logged")
            else:
                into.lost.append(told)
            continue
        heard_last_s = reply["heard_last_s"] if caller is None else caller.at_s(said[latency.index].end_s)
        found = Comparison(
            call_id=designed.plan.call_id,
            index=latency.index,
            measured_ms=latency.latency_s * 1000,
            truth_ms=(reply["first_clock_s"] - heard_last_s) * 1000,
            packet_truth_ms=(reply["first_wire_s"] - heard_last_s) * 1000,
            programmed_ms=reply["answer_after_ms"],
            per_packet_ms=None if per_packet_s is None else per_packet_s * 1000,
            caller_late_ms=_caller_late_ms(designed, reply, "heard_last", caller, said[latency.index].end_s),
            network_ms=injected_ms(designed),
        )
        into.responses.append(found)
        _note_if_gross(found, where, into)


def _reply_to(
    replies: Sequence[Mapping[str, Any]], *, since_s: float, end_s: float, until_s: float
) -> Mapping[str, Any] | None:
    """The agent's reply to one of the caller's turns: by when the agent heard it, which never depends on what
    we found of the reply. An agent that took one turn for several gave the first that came after its end."""
    ours = [one for one in replies if since_s - BEFORE_S <= one["heard_last_s"] < until_s - BEFORE_S]
    return next((one for one in ours if one["first_wire_s"] > end_s), ours[-1] if ours else None)


def _note_if_gross(found: Comparison, where: str, into: Comparisons, *, open_s: float = 0.0) -> None:
    """``open_s``: by how much the report itself says that the figure may be off, beyond the cell's bar."""
    if abs(found.error_ms) > GROSS_MS:
        true_ms = found.measured_ms - found.error_ms
        told = f", reported as open by {open_s * 1000:.1f} ms" if open_s else ""
        into.wrong.append(
            f"{where}: {found.measured_ms:.1f} ms reported, {true_ms:.1f} ms true: "
            f"off by {found.error_ms:+.1f} ms{told}"
        )


def _compare_interruptions(
    designed: CalibrationCall,
    placed: Held,
    timing: CallTiming,
    truth: dict[str, Any],
    zero_s: float,
    caller: WireTruth | None,
    into: Comparisons,
) -> None:
    said = {one.index: one for one in placed.record.utterances}
    cuts = [spoke for spoke in truth["spoke"] if spoke["cut"]]
    for interruption in timing.interruptions:
        where = f"{designed.plan.call_id} interruption {interruption.index + 1}"
        start_s = said[interruption.index].start_s
        # Its agent may have heard no more than the end of it, where packets were lost.
        cut = next(
            (
                c
                for c in cuts
                if start_s - BEFORE_S
                <= c["interrupted_at_s"] - zero_s
                < said[interruption.index].end_s + BEFORE_S
            ),
            None,
        )
        told = f"{where}: {interruption.outcome}: {interruption.reason}"
        if cut is None:
            if interruption.delay_s is None:
                into.lost.append(f"{where}: the agent logged no interruption")
            else:
                into.wrong.append(
                    f"{where}: {interruption.delay_s * 1000:.0f} ms reported, no interruption logged"
                )
            continue
        ran_on = interruption.outcome == "not_stopped"
        measured_s = interruption.censored_s if ran_on else interruption.delay_s
        if measured_s is None:
            if interruption.outcome == "ended_by_itself":
                into.wrong.append(f"{told}, though a stop is logged")
            else:
                into.lost.append(told)
            continue
        interrupted_s = cut["interrupted_at_s"] if caller is None else caller.at_s(start_s)
        found = Comparison(
            call_id=designed.plan.call_id,
            index=interruption.index,
            measured_ms=measured_s * 1000,
            truth_ms=(cut["last_clock_s"] - interrupted_s) * 1000,
            packet_truth_ms=(cut["last_wire_s"] - interrupted_s) * 1000,
            programmed_ms=cut["stop_after_ms"],
            caller_late_ms=_caller_late_ms(designed, cut, "interrupted_at", caller, start_s),
            network_ms=injected_ms(designed),
        )
        if ran_on:
            # It was still speaking then: an agent that has too little of the processor logs a stop as late.
            if found.error_ms > GROSS_MS:
                into.wrong.append(f"{told}, though a stop is logged")
            else:
                into.lost.append(f"{told}; its log says {found.measured_ms - found.error_ms:.0f} ms, too")
            continue
        into.interruptions.append(found)
        _note_if_gross(found, where, into, open_s=interruption.open_s)
        if interruption.within_500ms is not None:
            into.verdicts += 1
            if interruption.within_500ms not in {truth_ms < 500 for truth_ms in found.truths_ms}:
                into.verdicts_wrong.append(found)


def _caller_late_ms(
    designed: CalibrationCall, spoke: Mapping[str, Any], edge: str, caller: WireTruth | None, edge_s: float
) -> float:
    """How late the packet with the caller's edge came, by the agent's stamps: held up here, since what the
    network does to packets on purpose is no doubt about when the caller spoke.

    Args:
        caller: Where the agent's stamps tell when the caller spoke: they tell this, too.
        edge_s: Call time of the edge.
    """
    if caller is not None:
        return caller.late_s(edge_s) * 1000
    if designed.plan.conditions.jitter_ms:
        return 0.0
    return float((spoke[f"{edge}_wire_s"] - spoke[f"{edge}_s"]) * 1000)
