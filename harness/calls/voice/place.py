"""One live call: dial, talk, record. Nothing is scored here."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.calls.voice.garbage_pause import undisturbed
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.hearing.words import LiveWords
from harness.calls.voice.live import CallEnd, LiveCall
from harness.calls.voice.recorder import Recording, record, utterance_span
from harness.calls.voice.retries import RetryBell
from harness.calls.voice.speaking.live_voice import LiveVoice
from harness.calls.voice.speaking.mouth import Clips, SpokenClip
from harness.errors import HarnessFault, SetupFailed
from harness.plans.plan import CallPlan
from harness.records.call import CallRecord, CallStatus, Event, Pacing, SpokenUtterance
from harness.transports.base import DialRequest, MediaLog, MediaSession, ReceivedPacket, Transport
from harness.transports.clock import CallClock
from harness.transports.codecs.base import Samples
from harness.transports.uplink import Background, Uplink
from voice_sim.caller.caller import Caller
from voice_sim.policies.base import Policy, ThinkingPolicy

INTERRUPTED = "interrupted at the terminal"
"""Status detail of a call that Ctrl-C ended: the next start of the run places it again."""
PACING_BOUND_P95_MS = 10.0
"""Frames later than this in more than 5 % of a call make it ``harness_fault``."""
MAX_TRACE_CHARS = 8000
_LAG_PROBE_S = 0.05


@dataclass(frozen=True, kw_only=True)
class PreparedCall:
    """A call plan with everything made that can be known before the call."""

    plan: CallPlan
    caller: Caller
    clips: Clips
    background: Background
    versions: dict[str, str]
    policy: Policy | None = None
    """What the caller asks; needed for one that thinks or hears words, so not for a script."""
    bed: Samples | None = None
    """Noise below everything that is said; None: silence."""
    retries: RetryBell | None = None
    """Tells of attempts of the caller's language model that failed."""

    @property
    def hears_words(self) -> bool:
        """Whether the call needs somebody who understands the agent."""
        return self.policy is not None and self.policy.hears_words

    @property
    def speaks_freely(self) -> bool:
        """Whether it may say what could not be made into sound beforehand."""
        return isinstance(self.clips, Mapping)


@dataclass(frozen=True, kw_only=True)
class PlacedCall:
    """A call that was placed, whatever came of it. ``recording`` is None where no media session stood."""

    clock: CallClock
    record: CallRecord
    events: list[Event]
    recording: Recording | None
    late_ms: Sequence[float] = ()
    """Lateness of every frame that we sent."""


async def place_call(
    prepared: PreparedCall,
    *,
    transport: Transport,
    ears: Ears,
    words: LiveWords | None = None,
    voice: LiveVoice | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_audio: Callable[[bytes, float, str], None] = lambda payload, at_s, codec: None,
) -> PlacedCall:
    """Places one call and returns what is left of it. Never raises for what the agent does.

    ``words`` and ``voice`` are for a caller that hears words and one that speaks freely; both are ready.
    ``on_event`` and ``on_audio`` (each packet of the agent, its place on the call's clock, the name of its
    codec) are for those who watch; they must return quickly. Cancelling it (Ctrl-C) hangs up and still
    returns what was recorded, as ``harness_fault``.
    """
    plan = prepared.plan
    started_at = _now()
    clock = CallClock()
    uplink = Uplink(background=prepared.background)
    events: list[Event] = []

    def note(event: Event) -> None:
        events.append(event)
        if on_event is not None:
            on_event(event)

    live: list[LiveCall] = []

    def on_packet(packet: ReceivedPacket) -> None:
        for call in live:
            call.on_packet(packet)

    if prepared.retries is not None:
        prepared.retries.answer = lambda data: note(
            Event(t=clock.now_s(), side="caller", kind="llm-retry", source="policy", data=data)
        )
    request = DialRequest(
        agent=plan.agent,
        clock=clock,
        uplink=uplink,
        request_data=plan.request_data,
        conditions=plan.conditions,
        seed=plan.seed,
        connect_s=plan.limits.connect_s,
        on_packet=on_packet,
        on_event=note,
    )
    session: MediaSession | None = None
    connected_after_s: float | None = None
    lag = _LagProbe()
    with undisturbed():
        try:
            session = await transport.dial(request)
            connected_after_s = clock.now_s()
            note(Event(t=connected_after_s, side="agent", kind="connected", source="wire"))
            call = LiveCall(
                clock=clock,
                uplink=uplink,
                session=session,
                caller=prepared.caller,
                clips=prepared.clips,
                ears=ears,
                on_event=note,
                on_audio=on_audio,
                policy=prepared.policy if isinstance(prepared.policy, ThinkingPolicy) else None,
                words=words,
                voice=voice,
                language=plan.language,
            )
            live.append(call)
            with lag:
                end = await call.run()
        except SetupFailed as failure:
            end = CallEnd(status=CallStatus.SETUP_FAILED, detail=str(failure))
        except HarnessFault as fault:
            end = CallEnd(status=CallStatus.HARNESS_FAULT, detail=str(fault))
        except asyncio.CancelledError:
            end = CallEnd(status=CallStatus.HARNESS_FAULT, detail=INTERRUPTED)
        except Exception as error:
            # A fault in our own code ends this call and no other; its traceback is kept with the call.
            detail = f"our own error: {type(error).__name__}: {error}"
            end = CallEnd(status=CallStatus.HARNESS_FAULT, detail=detail)
            trace = traceback.format_exc()[-MAX_TRACE_CHARS:]
            note(Event(t=clock.now_s(), side="caller", kind="fault", source="harness", data={"trace": trace}))
    end_s = clock.now_s()
    status, detail = end.status, end.detail
    said = {"status": status, "detail": detail} | ({"reason": end.reason} if end.reason else {})
    note(
        Event(
            t=end_s,
            side="caller",
            kind="ended",
            source="harness",
            data=said,
        )
    )
    if session is not None:
        await session.close()
    recording = None
    utterances: list[SpokenUtterance] = []
    pacing = None
    if session is not None:
        log = session.log
        pacing = _pacing(log, lag.max_s, frame_s=uplink.codec.frame_s)
        recording = await asyncio.to_thread(record, clock=clock, uplink=uplink, log=log, end_s=end_s)
        utterances = _spoken(live[0].spoken if live else [], recording, uplink)
        if (
            status is not CallStatus.HARNESS_FAULT
            and pacing is not None
            and pacing.late_p95_ms > pacing.bound_p95_ms
        ):
            detail = (
                f"our sender was {pacing.late_p95_ms:.1f} ms late (p95; bound {pacing.bound_p95_ms:g} ms), "
                f"so the figures would not be the agent's; the call itself ended as {status}: {detail}"
            )
            status = CallStatus.HARNESS_FAULT
    result = CallRecord(
        plan=plan,
        status=status,
        status_detail=detail,
        end_reason=end.reason,
        started_at=started_at,
        connected_after_s=connected_after_s,
        duration_s=end_s,
        utterances=utterances,
        gaps=recording.gaps if recording else [],
        pacing=pacing,
        media=recording.media if recording else None,
        agent_name=session.agent_name if session is not None else "",
        versions=prepared.versions,
    )
    return PlacedCall(
        clock=clock,
        record=result,
        events=sorted(events, key=lambda event: event.t),
        recording=recording,
        late_ms=[late_s * 1000 for late_s in session.log.lateness_s] if session is not None else [],
    )


def unplaced_call(prepared: PreparedCall, *, why: str) -> PlacedCall:
    """A call that our own side could not even begin."""
    end = {"status": CallStatus.HARNESS_FAULT, "detail": why}
    return PlacedCall(
        clock=CallClock(),
        record=CallRecord(
            plan=prepared.plan,
            status=CallStatus.HARNESS_FAULT,
            status_detail=why,
            started_at=_now(),
            duration_s=0.0,
            versions=prepared.versions,
        ),
        events=[Event(t=0.0, side="caller", kind="ended", source="harness", data=end)],
        recording=None,
    )


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _spoken(spoken: Sequence[SpokenClip], recording: Recording, uplink: Uplink) -> list[SpokenUtterance]:
    utterances: list[SpokenUtterance] = []
    for one in spoken:
        span = utterance_span(one.placed, recording.sent)
        if span is None:
            continue
        cut_short = one.placed.last_voiced_frame >= uplink.next_frame
        if one.action.continues and utterances:
            first = utterances.pop()
            utterances.append(
                first.model_copy(
                    update={
                        "text": f"{first.text} {one.action.text}",
                        "end_s": span[1],
                        "cut_short": cut_short,
                        "audio_sha256": _sha256_of(first.audio_sha256, one.placed.clip.sha256),
                    }
                )
            )
            continue
        utterances.append(
            SpokenUtterance(
                index=one.index,
                text=one.action.text,
                kind=one.action.kind,
                start_s=span[0],
                end_s=span[1],
                planned_s=one.action.at_s,
                agent_onset_s=one.action.agent_onset_s,
                cut_short=cut_short,
                audio_sha256=one.placed.clip.sha256,
            )
        )
    return utterances


def _sha256_of(*checksums: str) -> str:
    """One checksum for an utterance of several clips."""
    return hashlib.sha256("".join(checksums).encode()).hexdigest()


def _pacing(log: MediaLog, loop_lag_max_s: float, *, frame_s: float) -> Pacing | None:
    if not log.lateness_s:
        return None
    # The first half second is the handshake's: the stream starts while the loop still sets things up.
    settled = np.array(log.lateness_s[round(0.5 / frame_s) :] or log.lateness_s) * 1000
    return Pacing(
        frames=len(log.lateness_s),
        late_p50_ms=float(np.percentile(settled, 50)),
        late_p95_ms=float(np.percentile(settled, 95)),
        late_max_ms=float(np.max(settled)),
        bound_p95_ms=PACING_BOUND_P95_MS,
        loop_lag_max_ms=loop_lag_max_s * 1000,
    )


class _LagProbe:
    """How long the event loop was held up at worst, while in the ``with`` block."""

    def __init__(self) -> None:
        self.max_s = 0.0
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> None:
        self._task = asyncio.create_task(self._probe())

    def __exit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _probe(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_PROBE_S
            await asyncio.sleep(_LAG_PROBE_S)
            self.max_s = max(self.max_s, loop.time() - due)
