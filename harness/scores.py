"""What analysis leaves of a call and of a run: the models of four files.

``RUN/calls/ID/scores.json``
    :class:`CallScores`: turns, interruptions, spans, clips and per-call scores.
``RUN/calls/ID/transcript.json``
    :class:`Transcript`: what each side said and was heard to say.
``RUN/run.json``
    :class:`RunInfo`: who was called, when, by which version, on which machine.
``RUN/summary.json``
    :class:`Summary`: the run's figures, each with its interval or the reason why there is none.

All times are seconds since the call began, on the clock of :mod:`harness.record`. A value that was not
measured is null and its reason is written beside it; no field ever holds a stand-in number (and none may
hold NaN or an infinity).
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.record import CallStatus, Side
from metrics.dialogue.dialogue import DialogueTurn
from metrics.dialogue.text_scores import TextScores
from metrics.score import Score, Status

WORD_METRICS = ("wer", "cer", "caller_intelligibility_wer", "agent_intelligibility_wer")
"""Keys of :attr:`CallScores.word_counts`."""


class _FileModel(BaseModel):
    """Unknown fields are errors: a typing slip must not become a silently missing figure."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class TurnTiming(_FileModel):
    """One utterance of the caller and the agent's answer to it.

    Attributes:
        index: The caller's utterance, as in ``CallRecord.utterances``.
        user_start_s, user_end_s: First and last voiced sample sent.
        agent_start_s, agent_end_s: First and last voiced sample of the answer as received.
        first_content_s: Onset of the answer's first content word, after fillers ("um", "let me see").
        latency_ms: agent_start_s - user_end_s; negative when they overlap, never clamped.
        content_latency_ms: first_content_s - user_end_s.
        per_packet_latency_ms: The same latency by single packet arrivals, as a cross-check.
        reason: Why there is no latency, or what qualifies it.
        resolution_ms: Half width of the instrument's error bar for this figure.
        noise_floor_dbfs: Of the agent's side around the onset; a high floor widens the error.
    """

    index: int = Field(ge=0)
    user_start_s: float
    user_end_s: float
    agent_start_s: float | None = None
    agent_end_s: float | None = None
    first_content_s: float | None = None
    latency_ms: float | None = None
    content_latency_ms: float | None = None
    per_packet_latency_ms: float | None = None
    status: Status
    reason: str = ""
    resolution_ms: float | None = None
    noise_floor_dbfs: float | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _latency_matches_status(self) -> Self:
        if (self.status is Status.MEASURED) != (self.latency_ms is not None):
            raise ValueError(f"turn {self.index}: status {self.status} with latency_ms {self.latency_ms}")
        if self.status is not Status.MEASURED and not self.reason:
            raise ValueError(f"turn {self.index}: status {self.status} needs a reason")
        return self


InterruptionOutcome = Literal["stopped", "ended_by_itself", "not_stopped", "indeterminate"]


class InterruptionTiming(_FileModel):
    """One barge-in of the caller and what the agent did about it.

    Attributes:
        index: The caller's utterance, as in ``CallRecord.utterances``.
        user_start_s: First voiced sample sent.
        agent_onset_s: Onset of the agent speech that was interrupted.
        planned_offset_s, actual_offset_s: Barge-in after that onset, as planned and as sent.
        agent_stop_s: Last voiced sample before the agent fell silent.
        delay_ms: agent_stop_s - user_start_s, where the outcome is "stopped".
        censored_after_ms: Where the agent did not stop: it was still speaking this long after the barge-in.
        outcome: "ended_by_itself" where the agent had finished what it had to say: no success, no failure.
        within_500ms: None when indeterminate (the error bar straddles 500 ms) or when the agent did not stop.
        stopped_in_pause: The cut may have fallen in a pause between words, so the delay may read short.
        basis: The evidence for the outcome, for instance "rtvi" or "timing alone".
    """

    index: int = Field(ge=0)
    user_start_s: float
    agent_onset_s: float
    planned_offset_s: float
    actual_offset_s: float | None = None
    agent_stop_s: float | None = None
    delay_ms: float | None = None
    censored_after_ms: float | None = None
    outcome: InterruptionOutcome
    within_500ms: bool | None = None
    stopped_in_pause: bool = False
    basis: str = ""
    reason: str = ""
    resolution_ms: float | None = None

    @model_validator(mode="after")
    def _figures_match_outcome(self) -> Self:
        if self.outcome == "stopped" and self.delay_ms is None:
            raise ValueError(f"interruption {self.index}: stopped, but without delay_ms")
        if self.outcome != "stopped" and self.within_500ms is not None:
            raise ValueError(f"interruption {self.index}: {self.outcome} cannot be within 500 ms or not")
        return self


class SpanSet(_FileModel):
    """Speech by each detector ("energy", "silero", "webrtcvad") as [start_s, end_s] pairs, for drawing."""

    caller: dict[str, list[tuple[float, float]]] = Field(default_factory=dict)
    agent: dict[str, list[tuple[float, float]]] = Field(default_factory=dict)


class ClipQuality(_FileModel):
    """NISQA's opinion of one stretch of agent speech; 1 (bad) to 5 (excellent). None where not measured."""

    start_s: float
    end_s: float
    naturalness: float | None = None
    mos: float | None = None
    noisiness: float | None = None
    discontinuity: float | None = None
    coloration: float | None = None
    loudness: float | None = None
    warnings: tuple[str, ...] = ()


class CalibrationNote(_FileModel):
    """The instrument's own error, measured against a reference agent that logs the truth.

    Attributes:
        transport: What was calibrated, for instance "smallwebrtc".
        response_p95_ms, interruption_p95_ms: 95th percentile of the absolute error; None when not calibrated.
        date: Of the calibration, ISO 8601.
        machine: Where it was done, and whether that is the machine of this run.
        not_calibrated: Why there is no error bar; empty when there is one.
    """

    transport: str
    response_p95_ms: float | None = None
    interruption_p95_ms: float | None = None
    date: str | None = None
    machine: str = ""
    not_calibrated: str = ""

    @model_validator(mode="after")
    def _bar_or_reason(self) -> Self:
        if self.response_p95_ms is None and self.interruption_p95_ms is None and not self.not_calibrated:
            raise ValueError("a calibration without an error bar needs the reason in not_calibrated")
        return self


class WordCounts(_FileModel):
    """Edit counts behind an error rate (words for WER, characters for CER), so that calls can be pooled."""

    substitutions: int = Field(ge=0)
    deletions: int = Field(ge=0)
    insertions: int = Field(ge=0)
    reference: int = Field(ge=0)
    """Length of what was really said."""

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions


class DialogueScores(_FileModel):
    """``RUN/dialogues/ID/scores.json`` of a dialogue in text, and the part ``text`` of a call's scores.

    Attributes:
        id: Of the dialogue or call.
        entry, domain, archetype: What it was about; empty where that is not known.
        competitor: Who was judged.
        status: How the dialogue ended.
        not_judged: Why there are no scores; empty where there are.
        notes: What qualifies them, for instance that the words are a transcript.
        turns: Of both sides, as they were judged: verdicts name them by position.
    """

    version: Literal[1] = 1
    id: str
    entry: str = ""
    domain: str = ""
    archetype: str = ""
    competitor: str = ""
    language: str = ""
    status: str = ""
    not_judged: str = ""
    notes: tuple[str, ...] = ()
    digest: str = ""
    turns: tuple[DialogueTurn, ...] = ()
    text: TextScores | None = None

    @model_validator(mode="after")
    def _scores_or_reason(self) -> Self:
        if (self.text is None) != bool(self.not_judged):
            raise ValueError(f"dialogue {self.id}: needs either text scores or the reason in not_judged")
        return self


class CallScores(_FileModel):
    """Everything that analysis measured in one call.

    ``word_counts`` is keyed by metric: see :data:`WORD_METRICS`. A key that is absent was not measured; the
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
    clips: list[ClipQuality] = Field(default_factory=list)
    scores: list[Score] = Field(default_factory=list)
    word_counts: dict[str, WordCounts] = Field(default_factory=dict)
    calibration: CalibrationNote | None = None
    text: DialogueScores | None = None
    """None where nobody told what the call was about."""


TranscriptSource = Literal["said", "whisper", "agent_asr", "agent_text"]


class TranscriptWord(_FileModel):
    """A word with its time; ``probability`` is the recogniser's own, None where it gives none."""

    word: str
    start_s: float
    end_s: float
    probability: float | None = Field(default=None, ge=0.0, le=1.0)


class TranscriptLine(_FileModel):
    """What one source says that one side said.

    Attributes:
        side: Who spoke.
        source: "said": the text that our caller meant to say. "whisper": our own transcript of the audio.
            "agent_asr": the agent's own transcript of the caller. "agent_text": the agent's own text.
        utterance: For the caller's side: the utterance it belongs to, as in ``CallRecord.utterances``.
    """

    side: Side
    source: TranscriptSource
    start_s: float
    end_s: float
    text: str
    words: list[TranscriptWord] = Field(default_factory=list)
    utterance: int | None = None


class Transcript(_FileModel):
    """All lines of a call, ordered by ``start_s``."""

    lines: list[TranscriptLine] = Field(default_factory=list)


class Machine(_FileModel):
    """Where the calls were placed from."""

    cpu_count: int | None
    platform: str


class RunInfo(_FileModel):
    """``run.json``. ``finished_at`` stays None until the last call has ended."""

    name: str
    started_at: str
    finished_at: str | None = None
    outboundeval: str
    """Version of the harness."""
    machine: Machine
    plan_digest: str
    agents: list[str]
    call_ids: list[str]
    """In the order of the plan; a call that was not placed has no folder."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Libraries and models, by name."""


PercentileName = Literal["p50", "p90", "p95"]


class MetricSummary(_FileModel):
    """One metric over the run: :class:`metrics.score.Score` without its evidence, kept under its name."""

    value: float | None = None
    unit: str
    n: int = 0
    status: Status
    reason: str = ""
    ci_low: float | None = None
    ci_high: float | None = None
    p50: float | None = None
    p90: float | None = None
    p95: float | None = None
    percentile_intervals: dict[PercentileName, tuple[float | None, float | None]] = Field(
        default_factory=dict
    )
    """95 % intervals of the percentiles; an end that the observations cannot give is None."""
    interval_method: str = ""
    """How the interval was found, or why there is none."""
    resolution: float | None = None
    version: str = "1"

    @model_validator(mode="after")
    def _value_matches_status(self) -> Self:
        if (self.status is Status.MEASURED) != (self.value is not None):
            raise ValueError(f"status {self.status} with value {self.value}")
        if self.status is not Status.MEASURED and not self.reason:
            raise ValueError(f"status {self.status} needs a reason")
        return self


class CompetitorScores(_FileModel):
    """The text scores of one competitor, over all its dialogues and by what they were about."""

    name: str
    dialogues: int
    metrics: dict[str, MetricSummary] = Field(default_factory=dict)
    by_domain: dict[str, dict[str, MetricSummary]] = Field(default_factory=dict)
    by_archetype: dict[str, dict[str, MetricSummary]] = Field(default_factory=dict)


class TextSummary(_FileModel):
    """The text scores of a run: ``summary.json`` of dialogues in text, and the part ``text`` of one of calls.

    Attributes:
        judge, judge_version: Who judged. Several where dialogues were judged by different ones.
        comparable: Why the scores do not compare with published ones; empty where nothing speaks against it.
        dialogues: That were judged.
        not_judged: Reason -> how many were not.
        judgements, failed: Asked for, and failed among them.
        metrics: Over all dialogues.
        competitors: In the order in which they first come up.
    """

    judge: str
    judge_version: str
    comparable: str = ""
    dialogues: int
    not_judged: dict[str, int] = Field(default_factory=dict)
    judgements: int = 0
    failed: int = 0
    metrics: dict[str, MetricSummary] = Field(default_factory=dict)
    with_guilty: dict[str, MetricSummary] = Field(default_factory=dict)
    """The figures with the dialogues that were left out because our own caller was at fault; empty where none
    was."""
    competitors: list[CompetitorScores] = Field(default_factory=list)


class GuardSummary(_FileModel):
    """What the guard says of the simulated callers of a run (``docs/guard.md``).

    Attributes:
        checked: Calls that the guard could judge.
        guilty: Calls left out of every figure: our own caller was at fault, in the last attempt too.
        kinds: Kind of fault -> calls with a certain finding of it.
        suspected: Calls with uncertain findings only; they stay in.
        repeated: Calls that were placed again because an attempt was guilty.
        first_attempts: The figures as they would be with the first attempt of every call, guilty or not.
    """

    checked: int
    guilty: tuple[str, ...] = ()
    kinds: dict[str, int] = Field(default_factory=dict)
    suspected: int = 0
    repeated: int = 0
    first_attempts: dict[str, MetricSummary] = Field(default_factory=dict)


class NotMeasured(_FileModel):
    """A metric without a value, and why."""

    metric: str
    reason: str


class Summary(_FileModel):
    """``summary.json``. Every metric is in ``metrics``; without a value it is also in ``not_measured``."""

    run: str
    calls: dict[CallStatus, int] = Field(default_factory=dict)
    interruptions: dict[InterruptionOutcome, int] = Field(default_factory=dict)
    calibrations: list[CalibrationNote] = Field(default_factory=list)
    """One for each transport of the run."""
    metrics: dict[str, MetricSummary] = Field(default_factory=dict)
    not_measured: list[NotMeasured] = Field(default_factory=list)
    text: TextSummary | None = None
    """None where no call was about a scenario."""
    guard: GuardSummary | None = None
    """None where no caller played a person."""
