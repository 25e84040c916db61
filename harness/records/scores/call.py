"""``RUN/calls/ID/scores.json``: everything that analysis measured in one call."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from harness.records.base import FileModel, Seconds
from harness.records.scores.attention import ProbeAttention
from harness.records.scores.conduct import TurnConduct
from harness.records.scores.dialogue import DialogueScores
from harness.records.scores.hearings import ProbeHearing
from harness.records.scores.listening import Listened
from harness.records.scores.probes import ProbeReaction
from harness.records.scores.readings import ProbeReading
from harness.records.scores.told import TurnTold
from harness.records.written_before import turn_as_written_now
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Score, Status

MARKER_TONES_ONLY = "the agent sounds in marker tones and never speaks"
"""Stands in ``detectors`` of a call of a calibration agent that plays tones."""


class TurnTiming(FileModel):
    """One utterance of the caller, what became of it, and the agent's answer to it.

    Attributes:
        index: The caller's utterance, as in ``CallRecord.utterances``.
        user_start_s, user_end_s: First and last voiced sample sent.
        agent_start_s, agent_end_s: First and last voiced sample of the answer as received.
        first_content_s: Onset of the answer's first content word, after fillers ("um", "let me see").
        latency_ms: agent_start_s - user_end_s, or by the packets' arrival where that contradicts the agent's
            clock; negative when they overlap, never clamped.
        content_latency_ms: latency_ms, and from the answer's onset to first_content_s.
        per_packet_latency_ms: The same latency by single packet arrivals, as a cross-check.
        at_least_ms, at_most_ms: Where the agent answered and its latency cannot be told: it lies between
            them; None: nothing is known of it.
        heard_latency_ms: The same as heard by somebody who plays each packet when it comes.
        reason: Why there is no latency, or what qualifies it.
        outcome: What became of the turn; in a file that was written without it, what its latency tells.
        outcome_reason: What that rests on; empty for a plain answer.
        waited_ms: Where it was not answered: for how long nothing came. None: nothing could have come any
            more, because the agent hung up.
        resolution_ms: Half width of the error bar for this figure: the instrument's, what packets at its
            edges leave open, and how much of the onset lost audio may hide.
        noise_floor_dbfs: Of the agent's side around the onset; a high floor widens the error.
    """

    index: int = Field(ge=0)
    user_start_s: Seconds
    user_end_s: Seconds
    agent_start_s: Seconds | None = None
    agent_end_s: Seconds | None = None
    first_content_s: Seconds | None = None
    latency_ms: float | None = None
    content_latency_ms: float | None = None
    per_packet_latency_ms: float | None = None
    heard_latency_ms: float | None = None
    at_least_ms: float | None = None
    at_most_ms: float | None = None
    status: Status
    reason: str = ""
    outcome: TurnOutcome
    outcome_reason: str = ""
    waited_ms: float | None = None
    resolution_ms: float | None = None
    noise_floor_dbfs: float | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _as_written_now(cls, content: Any) -> Any:
        return turn_as_written_now(content)

    @model_validator(mode="after")
    def _latency_matches_status(self) -> Self:
        if (self.status is Status.MEASURED) != (self.latency_ms is not None):
            raise ValueError(f"turn {self.index}: status {self.status} with latency_ms {self.latency_ms}")
        if self.status is not Status.MEASURED and not self.reason:
            raise ValueError(f"turn {self.index}: status {self.status} needs a reason")
        low, high = self.at_least_ms, self.at_most_ms
        if (low is None) != (high is None) or (low is not None and high is not None and low > high):
            raise ValueError(f"turn {self.index}: at_least_ms {low}, at_most_ms {high}")
        if low is not None and self.latency_ms is not None:
            raise ValueError(f"turn {self.index}: latency_ms {self.latency_ms}, and at_least_ms {low}")
        if self.waited_ms is not None and self.outcome is not TurnOutcome.NOT_ANSWERED:
            raise ValueError(f"turn {self.index}: {self.outcome}, but waited_ms {self.waited_ms}")
        return self


InterruptionOutcome = Literal["stopped", "ended_by_itself", "not_stopped", "indeterminate"]


class InterruptionTiming(FileModel):
    """One barge-in of the caller and what the agent did about it.

    Attributes:
        index: The caller's utterance, as in ``CallRecord.utterances``.
        user_start_s: First voiced sample sent.
        agent_onset_s: Onset of the agent speech that was interrupted.
        planned_offset_s, actual_offset_s: Barge-in after that onset, as planned and as sent.
        agent_stop_s: Last voiced sample before the agent fell silent.
        delay_ms: agent_stop_s - user_start_s, where the outcome is "stopped"; None where it stopped and an
            echo of the caller hides when.
        censored_after_ms: Where the agent did not stop, not before the call ended, or nobody can tell when:
            it was still speaking this long after the barge-in.
        outcome: "ended_by_itself" where the agent had finished what it had to say: no success, no failure.
        within_500ms: None when indeterminate (the error bar straddles 500 ms, or a sentence may have ended
            there) or when the agent did not stop.
        stopped_in_pause: The cut may have fallen in a pause between words, so the delay may read short.
        basis: The evidence for the outcome, for instance "rtvi" or "timing alone".
        resolution_ms: Half width of the error bar: the instrument's, what packets at its edges leave, and how
            far off the end of the agent's last sound may be.
        heard_delay_ms: The delay as heard by somebody who plays each packet when it comes, or when the one
            before it is over: longer than delay_ms where an agent sends faster than it speaks.
    """

    index: int = Field(ge=0)
    user_start_s: Seconds
    agent_onset_s: Seconds
    planned_offset_s: Seconds
    actual_offset_s: Seconds | None = None
    agent_stop_s: Seconds | None = None
    delay_ms: float | None = None
    censored_after_ms: float | None = None
    outcome: InterruptionOutcome
    within_500ms: bool | None = None
    stopped_in_pause: bool = False
    basis: str = ""
    reason: str = ""
    resolution_ms: float | None = None
    heard_delay_ms: float | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _figures_match_outcome(self) -> Self:
        if self.outcome == "stopped" and self.delay_ms is None and self.censored_after_ms is None:
            raise ValueError(f"interruption {self.index}: stopped, but without delay_ms or censored_after_ms")
        if self.outcome != "stopped" and self.within_500ms is not None:
            raise ValueError(f"interruption {self.index}: {self.outcome} cannot be within 500 ms or not")
        return self


class SpanSet(FileModel):
    """Speech by each detector ("energy", "silero", "webrtcvad") as [start_s, end_s] pairs, for drawing."""

    caller: dict[str, list[tuple[float, float]]] = Field(default_factory=dict)
    agent: dict[str, list[tuple[float, float]]] = Field(default_factory=dict)


class ClipQuality(FileModel):
    """NISQA's opinion of one stretch of agent speech; 1 (bad) to 5 (excellent). None where not measured."""

    start_s: Seconds
    end_s: Seconds
    naturalness: float | None = None
    mos: float | None = None
    noisiness: float | None = None
    discontinuity: float | None = None
    coloration: float | None = None
    loudness: float | None = None
    warnings: tuple[str, ...] = ()


class CalibrationNote(FileModel):
    """The instrument's own error, measured against a reference agent that logs the truth.

    Attributes:
        transport, codec, network: What was calibrated, for instance "smallwebrtc", "opus", "clean"; what
            version 0.1 wrote has the first alone.
        response_p95_ms, interruption_p95_ms: 95th percentile of the absolute error; None when not calibrated.
        date: Of the calibration, ISO 8601.
        machine: Where it was done, and whether that is the machine of this run.
        not_calibrated: Why there is no error bar; empty when there is one.
    """

    transport: str
    codec: str = "opus"
    network: str = "clean"
    response_p95_ms: float | None = None
    interruption_p95_ms: float | None = None
    date: str | None = None
    machine: str = ""
    not_calibrated: str = ""

    @property
    def what(self) -> str:
        """What was calibrated, for people: the transport, and what is unusual about the rest."""
        rest = [self.codec] if self.codec != "opus" else []
        rest += [self.network or "another network"] if self.network != "clean" else []
        return f"{self.transport} ({', '.join(rest)})" if rest else self.transport

    @model_validator(mode="after")
    def _bar_or_reason(self) -> Self:
        if self.response_p95_ms is None and self.interruption_p95_ms is None and not self.not_calibrated:
            raise ValueError("a calibration without an error bar needs the reason in not_calibrated")
        return self


class WordCounts(FileModel):
    """Edit counts behind an error rate (words for WER, characters for CER), so that calls can be pooled."""

    substitutions: int = Field(ge=0)
    deletions: int = Field(ge=0)
    insertions: int = Field(ge=0)
    reference: int = Field(ge=0)
    """Length of what was really said."""

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions


class LineEchoNote(FileModel):
    """The caller's own voice on the agent's channel.

    Attributes:
        delay_ms, gain_db: How much later and how much louder (quieter: below 0) it is than what was sent.
        talks, seconds: In how many stretches of the caller's speech it was found, and how long both sounded.
        note: What that means for the call's figures.
    """

    delay_ms: float
    gain_db: float
    talks: int = Field(ge=0)
    seconds: Seconds
    note: str


class CallScores(FileModel):
    """Everything that analysis measured in one call.

    ``word_counts`` is keyed by metric. A key that is absent was not measured; the
    reason is in ``scores`` under the same name. ``detectors`` says in words how each speech detector was set
    ("energy" -> "-48 dBFS, or 5 times the noise floor"), because the threshold alone moves an onset by tens
    of milliseconds.
    """

    version: Literal[1] = 1
    call_id: str
    turns: list[TurnTiming] = Field(default_factory=list)
    interruptions: list[InterruptionTiming] = Field(default_factory=list)
    detectors: dict[str, str] = Field(default_factory=dict)
    spans: SpanSet = SpanSet()
    line_echo: LineEchoNote | None = None
    """None where none was found."""
    clips: list[ClipQuality] = Field(default_factory=list)
    reactions: list[ProbeReaction] = Field(default_factory=list)
    """Of a call of a probe suite: one for each place, in the order of the plan."""
    hearings: list[ProbeHearing] = Field(default_factory=list)
    """Of a call of a suite of the form ``spoken``: one for each line, in the order of the plan."""
    attention: list[ProbeAttention] = Field(default_factory=list)
    """Of a call of a suite of the form ``other_voice``: one for each dialogue, in the order of the plan."""
    readings: list[ProbeReading] = Field(default_factory=list)
    """Of a call of a suite of the form ``read_aloud``: one for each sentence, in the order of the plan."""
    conduct: list[TurnConduct] = Field(default_factory=list)
    """How the agent conducted each turn that was due an answer, in order."""
    told: list[TurnTold] = Field(default_factory=list)
    """Where the time of each answer went, by what the agent tells of itself, in order."""
    scores: list[Score] = Field(default_factory=list)
    word_counts: dict[str, WordCounts] = Field(default_factory=dict)
    unheard: dict[str, WordCounts] = Field(default_factory=dict)
    """As ``word_counts``, where the agent wrote no transcript in this call: all that was said, as missing.
    Counts only in a run in other calls of which it wrote one; of itself it says nothing of the agent."""
    calibration: CalibrationNote | None = None
    text: DialogueScores | None = None
    """None where nobody told what the call was about."""
    listening: Listened | None = None
    """What people said of the voice; None where nobody rated it."""

    @property
    def agent_spoke(self) -> bool:
        """Whether the agent spoke: sound that Silero takes for speech, or marker tones of an agent that has
        nothing else. Noise, and what webrtcvad alone calls speech, is none."""
        heard = self.spans.agent
        tones = MARKER_TONES_ONLY in self.detectors.get("energy", "")
        speech = heard.get("energy" if tones else "silero", [])
        sounds = heard.get("energy", [])
        return any(one[0] < sound[1] and sound[0] < one[1] for one in speech for sound in sounds)
