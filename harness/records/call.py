"""What one call leaves behind, by voice or in text: its plan, its events, and how it ended.

Files of one call, below ``RUN/calls/ID/`` (in text ``RUN/dialogues/ID/``):

``call.json`` (in text ``dialogue.json``)
    :class:`CallRecord`, everything but the events and the audio.
``timeline.jsonl``
    One :class:`Event` a line, ordered by ``t``: what happened, and why the caller said what it said.
``audio.flac``
    Stereo, 48 kHz: left = caller as sent, right = agent as received. Sample 0 is t = 0 on both sides.
``transcript.json``, ``scores.json``
    Written by ``harness.analysis.call``.

All times are seconds since the call began, on one monotonic clock. ``started_at`` is a label for people.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.errors import WhyNotAnswered
from harness.plans.call import CallPlan
from harness.records.base import FileModel, Seconds
from harness.records.usage import SideUsage
from harness.records.written_before import FORMAT, record_as_written_now
from spoken_language.dialogue import Dialogue, DialogueTurn, Speaker
from voice_sim.caller.events import HangUpReason

SAMPLE_RATE_HZ = 48_000
"""Rate of every recording: the highest of any codec, a whole multiple of every other's."""

Side = Speaker


class CallStatus(StrEnum):
    """How a call ended, by voice or in text."""

    COMPLETED = "completed"
    """The call came to the caller's own end: everything was said, or it had what it wanted, or it refused
    (``CallRecord.end_reason``); also where the agent hung up after its goodbye and the caller had nothing
    left to ask."""
    AGENT_HANGUP = "agent_hangup"
    """The agent hung up while the caller was not done yet."""
    CONNECTION_LOST = "connection_lost"
    """The network, or a server between, ended the call while the caller was not done yet: neither side did.
    What was said until then counts; the turn under way, and how the call went as a whole, do not."""
    CALLER_HANGUP = "caller_hangup"
    """The caller gave up on the agent: it had had enough, or the agent stayed silent beyond its patience."""
    TRANSFERRED = "transferred"
    """The agent handed the call on to somebody to whom the plan does not let us follow (event
    ``transferred``)."""
    TIMEOUT = "timeout"
    """The call ran into its limit of time or turns."""
    SETUP_FAILED = "setup_failed"
    """No conversation came about: refused, no answer, garbage SDP, ICE or DTLS failed; in text, the agent
    could not say a first word."""
    NOT_ANSWERED = "not_answered"
    """The call was placed, and nobody took it: busy, declined, no answer, redirected, an unknown number
    (``CallRecord.not_answered``). It counts in ``answered_calls``, and in no other figure."""
    NEVER_RUNG = "never_rung"
    """The agent was to call us, and did not within the limit (``outboundeval answer``)."""
    RANG_OFF = "rang_off"
    """The agent called us, and hung up before anybody could pick up."""
    AGENT_FAILED = "agent_failed"
    """In text: the agent's model or server went away in the middle. No score is made of what was said until
    then."""
    HARNESS_FAULT = "harness_fault"
    """Our own pacing, machine, model or code failed; the call says nothing about the agent."""
    INTERRUPTED = "interrupted"
    """Cut off at the terminal, or by a spent budget: nobody's fault. The next start has it again."""

    @property
    def took_place(self) -> bool:
        """Whether there is a conversation, of which figures can be made."""
        return self in _TOOK_PLACE

    @property
    def is_whole(self) -> bool:
        """Whether one of the two ended the conversation, or its limit, so that it can be judged."""
        return self.took_place and self is not CallStatus.CONNECTION_LOST

    @property
    def nobody_spoke(self) -> bool:
        """Whether no media session came about, so that there is nothing to listen to."""
        return self in _NOBODY_SPOKE

    @property
    def says_nothing(self) -> bool:
        """Whether the call says nothing about the agent, by no fault of the agent's."""
        return self in (CallStatus.HARNESS_FAULT, CallStatus.INTERRUPTED)


_NOBODY_SPOKE = frozenset(
    {CallStatus.SETUP_FAILED, CallStatus.NOT_ANSWERED, CallStatus.NEVER_RUNG, CallStatus.RANG_OFF}
)
_TOOK_PLACE = frozenset(
    {
        CallStatus.COMPLETED,
        CallStatus.AGENT_HANGUP,
        CallStatus.CONNECTION_LOST,
        CallStatus.CALLER_HANGUP,
        CallStatus.TRANSFERRED,
        CallStatus.TIMEOUT,
    }
)


class Event(BaseModel):
    """Something that happened in a call.

    ``source`` says who observed it: ``wire`` (packets), ``vad``, ``asr``, ``policy`` (the caller's own
    decisions), ``rtvi`` and ``livekit`` (the agent's own messages, and its server's) or ``harness``.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    t: Seconds
    side: Side
    kind: str
    source: str
    data: dict[str, Any] = Field(default_factory=dict)


class Gap(BaseModel):
    """A stretch of a side's audio that never arrived (or was never sent). It is silent in the recording.

    Attributes:
        start_s, end_s: From the end of the packet before it to the beginning of the one after it.
        sound_s: How much sound the lost packets held, where the stretch is longer: beside them its sender was
            silent and sent nothing, and nobody knows where in it they belong. None: they fill it.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    side: Side
    start_s: Seconds
    end_s: Seconds
    packets: int
    sound_s: Seconds | None = None

    @property
    def lacking_s(self) -> float:
        """How much sound is missing."""
        return self.end_s - self.start_s if self.sound_s is None else self.sound_s


class SpokenUtterance(BaseModel):
    """An utterance that the caller really sent, known to the sample.

    Attributes:
        index: Position in the call, from 0.
        kind: ``turn``, ``barge_in`` or ``backchannel``.
        planned_s: When its first voiced sample was meant to leave; None where no time was planned.
        start_s, end_s: First and last voiced sample as sent.
        cut_short: True when the call ended before all of it was sent.
        agent_onset_s: For a barge-in: the onset of the agent speech it was aimed at, as heard live.
        pressed: Keys of the telephone that were pressed in place of words; ``text`` tells of them, and start
            and end are those of the first and the last key.
        audio_sha256: Of the 16-bit PCM that was prepared, so that two runs can be compared; of an utterance
            in several parts, of the parts' checksums.
        text_heard: The text is what a recogniser heard in a recording: no reference for error rates.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    index: int
    text: str
    kind: Literal["turn", "barge_in", "backchannel"]
    start_s: Seconds
    end_s: Seconds
    planned_s: Seconds | None = None
    agent_onset_s: Seconds | None = None
    cut_short: bool = False
    pressed: str = ""
    audio_sha256: str
    text_heard: bool = False


class Pacing(BaseModel):
    """How punctual our own sender was. A call beyond its bound is ``harness_fault``."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    frames: int
    late_p50_ms: float
    late_p95_ms: float
    late_max_ms: float
    bound_p95_ms: float
    loop_lag_max_ms: float


class Media(BaseModel):
    """What came over the wire from the agent."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    codec: str
    packets_received: int
    packets_lost: int
    packets_duplicate: int
    packets_reordered: int
    jitter_ms: float | None
    kernel_timestamps: bool
    """True when arrival times are the kernel's (SO_TIMESTAMPNS), False when they are the event loop's."""
    path: str = "direct"
    """Which way packets took: ``direct``, or ``relay-udp``, ``relay-tcp``, ``relay-tls``, through a TURN
    server that we speak to so; ``srtp``: direct and encrypted, where a transport can speak in clear, too."""
    early_until_s: Seconds | None = None
    """Until when the recording of the agent's side holds what came before the call was taken (early media);
    no figure is made of it. None: there was none."""
    clock: str = ""
    """What is odd about the agent's media clock, in words; empty for a clock like any other."""


class TextTurn(FileModel):
    """In text: what one side said before the other took the turn, or found that it was silent.

    Attributes:
        start_s, end_s: *Estimated* from the words (``spoken_length``): nobody spoke. They are what the
            caller's patience ran on, and no measurement of the agent.
        why: What in the caller's policy led to the words; empty for the agent.
        wall_s: Real time that the side took to come up with them.
        cut: Longer than a turn may be, or the caller hung up before it was all said.
    """

    speaker: Speaker
    text: str
    start_s: Seconds
    end_s: Seconds
    why: str = ""
    wall_s: Seconds = 0.0
    cut: bool = False


class EarlierAttempt(FileModel):
    """A call of the same plan that was placed again.

    Attributes:
        guilty: It did not fail: our own caller was at fault in it (:mod:`harness.calls.guard`), and how.
    """

    status: CallStatus
    status_detail: str
    started_at: str
    guilty: tuple[str, ...] = ()


class NotTaken(FileModel):
    """Why nobody took a call.

    Attributes:
        code: What the network said, where it said anything (SIP, RFC 3261, section 21).
        planned: It was we who were called, and did not take it because the plan says so.
    """

    reason: WhyNotAnswered
    code: int | None = None
    planned: bool = False


class CallRecord(BaseModel):
    """One call, as it was held. See the module's docstring for its files.

    Attributes:
        version: Of this format. 1 had a type for each medium.
        end_reason: Why the side that hung up did so: a caller may be satisfied, have refused, have given up,
            and more. None where nobody hung up.
        status_detail: For a person.
        not_answered: Of a call with that status.
        voided: How the call itself ended, where our own pacing made it a ``harness_fault``.
        started_at: A label for people (UTC).
        began_monotonic_s: By voice: t = 0 on this machine's monotonic clock, until it is started again: by it
            what others told meanwhile is placed in the call.
        duration_s: In text estimated from the words.
        agent_name: What the agent calls itself (RTVI ``bot-ready``), empty where it says nothing.
        utterances, gaps, pacing, media, connected_after_s: Of a call by voice.
        turns, agent_usage: Of a call in text.
        caller_usage: What the caller's language model took; by voice what it read before the call, too.
        earlier_attempts: Failed and guilty ones of the same plan, oldest first: repeating until it is clean
            shows.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    version: int = FORMAT
    plan: CallPlan
    status: CallStatus
    status_detail: str
    voided: CallStatus | None = None
    end_reason: HangUpReason | None = None
    not_answered: NotTaken | None = None
    started_at: str
    began_monotonic_s: Seconds | None = None
    connected_after_s: Seconds | None = None
    duration_s: Seconds
    utterances: list[SpokenUtterance] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)
    pacing: Pacing | None = None
    media: Media | None = None
    turns: tuple[TextTurn, ...] = ()
    agent_usage: SideUsage = SideUsage()
    caller_usage: SideUsage = SideUsage()
    agent_name: str = ""
    earlier_attempts: tuple[EarlierAttempt, ...] = Field(default=(), max_length=1000)
    versions: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _as_written_now(cls, content: Any) -> Any:
        return record_as_written_now(content)

    @property
    def as_planned(self) -> bool:
        """Whether it came to no conversation because the plan says so: the agent was to meet with that."""
        return self.not_answered is not None and self.not_answered.planned

    @property
    def dialogue(self) -> Dialogue:
        """What judges read of a call in text."""
        return Dialogue(
            turns=tuple(DialogueTurn(speaker=turn.speaker, text=turn.text) for turn in self.turns)
        )
