"""What one call leaves behind: its plan, its events, its recording, and how it ended.

Files of one call, below ``RUN/calls/ID/``:

``call.json``
    :class:`CallRecord`, everything but the events and the audio.
``timeline.jsonl``
    One :class:`Event` a line, ordered by ``t``.
``audio.flac``
    Stereo, 48 kHz: left = caller as sent, right = agent as received. Sample 0 is t = 0 on both sides.
``transcript.json``, ``scores.json``
    Written by ``harness.analysis.call``.

All times are seconds since the call began, on one monotonic clock. ``started_at`` is a label for people.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.plans.plan import CallPlan
from spoken_language.dialogue import Speaker
from voice_sim.caller.events import HangUpReason

SAMPLE_RATE_HZ = 48_000
"""Rate of every recording: the highest of any codec, a whole multiple of every other's."""

Side = Speaker


class CallStatus(StrEnum):
    """How a call ended. Only ``harness_fault`` is our doing, and it never counts against the agent."""

    COMPLETED = "completed"
    """The call came to the caller's own end: everything was said, or it had what it wanted, or it refused
    (``CallRecord.end_reason``)."""
    AGENT_HANGUP = "agent_hangup"
    CALLER_HANGUP = "caller_hangup"
    """The caller gave up on the agent: it had had enough, or the agent stayed silent beyond its patience."""
    TIMEOUT = "timeout"
    """The call ran into its length limit."""
    SETUP_FAILED = "setup_failed"
    """No media session came about: refused, no answer, garbage SDP, ICE or DTLS failed."""
    HARNESS_FAULT = "harness_fault"
    """Our own pacing, machine or code failed; the call says nothing about the agent."""


class Event(BaseModel):
    """Something that happened in a call.

    ``source`` says who observed it: ``wire`` (packets), ``vad``, ``asr``, ``policy`` (the caller's own
    decisions), ``rtvi`` (the agent's own messages) or ``harness``.
    """

    model_config = ConfigDict(extra="forbid")

    t: float
    side: Side
    kind: str
    source: str
    data: dict[str, Any] = Field(default_factory=dict)


class Gap(BaseModel):
    """A stretch of a side's audio that never arrived (or was never sent). It is silent in the recording."""

    model_config = ConfigDict(extra="forbid")

    side: Side
    start_s: float
    end_s: float
    packets: int


class SpokenUtterance(BaseModel):
    """An utterance that the caller really sent, known to the sample.

    Attributes:
        index: Position in the call, from 0.
        kind: ``turn``, ``barge_in`` or ``backchannel``.
        planned_s: When its first voiced sample was meant to leave; None where no time was planned.
        start_s, end_s: First and last voiced sample as sent.
        cut_short: True when the call ended before all of it was sent.
        agent_onset_s: For a barge-in: the onset of the agent speech it was aimed at, as heard live.
        audio_sha256: Of the 16-bit PCM that was prepared, so that two runs can be compared; of an utterance
            in several parts, of the parts' checksums.
    """

    model_config = ConfigDict(extra="forbid")

    index: int
    text: str
    kind: Literal["turn", "barge_in", "backchannel"]
    start_s: float
    end_s: float
    planned_s: float | None = None
    agent_onset_s: float | None = None
    cut_short: bool = False
    audio_sha256: str


class Pacing(BaseModel):
    """How punctual our own sender was. A call beyond its bound is ``harness_fault``."""

    model_config = ConfigDict(extra="forbid")

    frames: int
    late_p50_ms: float
    late_p95_ms: float
    late_max_ms: float
    bound_p95_ms: float
    loop_lag_max_ms: float


class Media(BaseModel):
    """What came over the wire from the agent."""

    model_config = ConfigDict(extra="forbid")

    codec: str
    packets_received: int
    packets_lost: int
    packets_duplicate: int
    packets_reordered: int
    jitter_ms: float | None
    kernel_timestamps: bool
    """True when arrival times are the kernel's (SO_TIMESTAMPNS), False when they are the event loop's."""


class CallRecord(BaseModel):
    """One call, as placed. See the module's docstring for its files."""

    model_config = ConfigDict(extra="forbid")

    plan: CallPlan
    status: CallStatus
    status_detail: str
    end_reason: HangUpReason | None = None
    """Why the side that hung up did so: a caller may be satisfied, have refused, have given up, and more.
    None where nobody hung up."""
    started_at: str
    connected_after_s: float | None = None
    duration_s: float
    utterances: list[SpokenUtterance] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)
    pacing: Pacing | None = None
    media: Media | None = None
    agent_name: str = ""
    """What the agent calls itself (RTVI ``bot-ready``), empty where it says nothing."""
    versions: dict[str, str] = Field(default_factory=dict)
