"""From what a call left to its scores: timing, words, voice quality. Runs after the call, never beside it.

The same steps serve a call of ours, yesterday's run, and a stereo recording from somebody's production
system; what a source does not have is not measured, and the score says why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.conduct import conducted
from harness.analysis.error_bar import interruption_resolution_s, response_resolution_s
from harness.analysis.listener import Listener
from harness.analysis.measures.table import found_in
from harness.analysis.outcomes import with_outcomes
from harness.analysis.probes.attention import attention
from harness.analysis.probes.delivery import delivered
from harness.analysis.probes.hearings import hearings
from harness.analysis.probes.reactions import reactions
from harness.analysis.probes.readings import readings
from harness.analysis.probes.symbols import with_verdicts
from harness.analysis.timing import CallTiming, call_timing, never_arrived, sent_at_all
from harness.analysis.told.split import told_of
from harness.analysis.voice import clip_quality, stretches
from harness.analysis.words import first_content_word, transcribe_call
from harness.records.call import CallStatus, SpokenUtterance
from harness.records.scores import (
    MARKER_TONES_ONLY,
    CalibrationNote,
    CallScores,
    InterruptionTiming,
    LineEchoNote,
    SpanSet,
    Transcript,
    TranscriptLine,
    TurnTiming,
)
from metrics.interaction.interruption import Interruption
from metrics.interaction.latency import ResponseLatency
from metrics.interaction.on_wire import OnWire
from metrics.interaction.outcome import TurnOutcome
from metrics.spans import Span
from metrics.speech import (
    FLOOR_FACTOR,
    SILERO_THRESHOLD,
    THRESHOLD_DBFS,
    SpeechActivity,
)

DETECTORS = {
    "energy": f"a sample is voiced from {THRESHOLD_DBFS:g} dBFS, or {FLOOR_FACTOR:g} times the noise floor",
    "silero": f"Silero VAD v6, speech from probability {SILERO_THRESHOLD:g}",
    "webrtcvad": "WebRTC VAD, mode 2, 10 ms frames; for comparison only",
}
MARKER_TONES = DETECTORS["energy"] + f"; it alone decides in this call: {MARKER_TONES_ONLY}"
SWITCHED = "words of another language"
BACKCHANNEL_S = 1.5
GOES_ON_S = 2.0
"""A caller of whom nothing else is known goes on after a shorter pause: it was not left unanswered."""
HEARD_LATER_S = 0.005
"""Less than this between the wire and the ear is not worth a word."""


def analyse(
    material: CallMaterial, *, listener: Listener, calibration: CalibrationNote
) -> tuple[CallScores, Transcript]:
    """Scores and transcript of one call.

    Args:
        listener: Has the call's recording, and the instruments.
        calibration: The error bar that the timing figures carry.
    """
    timing = call_timing(
        listener.activity(
            "agent", present=sent_at_all(material.received), absent=never_arrived(material.gaps)
        ),
        utterances=material.utterances,
        gaps=material.gaps,
        sent=material.sent,
        received=material.received,
        events=material.events,
        interruption_resolution_s=interruption_resolution_s(calibration),
        end_s=material.end_s,
    )
    caller = listener.activity("caller")
    lines = transcribe_call(
        utterances=material.utterances,
        utterances_known=material.utterances_known,
        agent_talks=timing.agent.talks,
        events=material.events,
        language=material.language,
        hear=listener.words,
        caller=not material.utterances_known or material.caller_is_checked or listener.hears_the_caller,
    )
    turns = [
        _turn(latency, utterance, on_wire, timing=timing, lines=lines, calibration=calibration)
        for latency, utterance, on_wire in _with_utterances(timing, material.utterances)
    ]
    recognised = not listener.why_no_whisper
    turns = with_outcomes(turns, timing=timing, material=material, lines=lines, recognised=recognised)
    conduct = conducted(
        turns, timing=timing, material=material, lines=lines, caller=caller, recognised=recognised
    )
    told = told_of(turns, material.events)
    interruptions = [_interruption(one, material.utterances, calibration) for one in timing.interruptions]
    voiced = stretches(timing.agent.talks)
    rated = listener.ratings(voiced)
    predicted = listener.predictions(voiced)
    artefacts = None if timing.agent.marker_tones else listener.artefacts(voiced)
    reacted = reactions(material, turns=turns, talks=timing.agent.talks, echo=timing.agent.echo)
    heard = hearings(material, lines=lines, talks=timing.agent.talks, recognised=recognised)
    attended = attention(
        material, lines=lines, talks=timing.agent.talks, reactions=reacted, recognised=recognised
    )
    read = with_verdicts(
        material,
        readings(material, lines=lines, talks=timing.agent.talks, recognised=recognised),
        hear=listener.forms,
        why_not=listener.why_no_forms,
    )
    if material.probe is not None and not (listener.left_out("sound") and listener.left_out("words")):
        read = delivered(
            read,
            material.probe.to_read,
            lines=lines,
            sound=lambda: listener.sound("agent"),
            language=material.language,
            hear=partial(listener.forms, of=SWITCHED),
            why_not=lambda: listener.why_no_forms(SWITCHED),
        )
    found = found_in(
        AnalysedCall(
            material=material,
            turns=turns,
            interruptions=interruptions,
            lines=lines,
            activity=timing.agent,
            rated=rated,
            predicted=predicted,
            artefacts=artefacts,
            reactions=reacted,
            hearings=heard,
            attention=attended,
            readings=read,
            conduct=conduct,
            told=told,
            sound=listener.sound,
            why_no_recogniser=listener.why_no_whisper,
            why_no_caller_words=listener.why_no_caller_words,
            why_no_rating=listener.why_no_nisqa,
            why_no_prediction=listener.why_no_predictors,
            why_no_artefacts=MARKER_TONES_ONLY if timing.agent.marker_tones else listener.why_no_artefacts,
        )
    )
    scores = CallScores(
        call_id=material.call_id,
        turns=turns,
        interruptions=interruptions,
        detectors=DETECTORS | ({"energy": MARKER_TONES} if timing.agent.marker_tones else {}),
        spans=SpanSet(caller=_by_detector(caller), agent=_by_detector(timing.agent)),
        line_echo=_line_echo(timing.agent),
        clips=[clip_quality(clip) for clip in rated or ()],
        reactions=reacted,
        hearings=heard,
        attention=attended,
        readings=read,
        conduct=conduct,
        told=told,
        scores=[one.score for one in found],
        word_counts={one.score.metric: one.counts for one in found if one.counts is not None},
        unheard={one.score.metric: one.unheard for one in found if one.unheard is not None},
        calibration=calibration,
    )
    return scores, Transcript(lines=sorted(lines, key=lambda line: line.start_s))


def scorable(status: CallStatus) -> bool:
    """Whether a call that ended like this has anything to analyse."""
    return not status.nobody_spoke


def utterances_in(caller: SpeechActivity, agent: SpeechActivity) -> list[SpokenUtterance]:
    """The caller's utterances in a recording of which nothing else is known.

    A pause of less than :data:`GOES_ON_S` in which the agent says nothing is one within what the caller says.
    Speech that begins while the agent speaks is a barge-in, unless it is as short as an "mm-hm": what the
    agent does about it has no say in that, or those that stop it would be picked out.
    """
    found = []
    for index, span in enumerate(_without_pauses(caller, agent)):
        over = next(
            (other for other in agent.talks if other.span.start_s < span.start_s <= other.span.end_s), None
        )
        short = span.duration_s < BACKCHANNEL_S
        found.append(
            SpokenUtterance(
                index=index,
                text="",
                kind="turn" if over is None else "backchannel" if short else "barge_in",
                start_s=span.start_s,
                end_s=span.end_s,
                agent_onset_s=None if over is None else over.span.start_s,
                audio_sha256="",
            )
        )
    return found


def _without_pauses(caller: SpeechActivity, agent: SpeechActivity) -> list[Span]:
    """The caller's talks, joined where it went on before the agent said anything."""
    spans: list[Span] = []
    for talk in caller.talks:
        before_s = spans[-1].end_s if spans else -math.inf
        answered = any(
            one.span.start_s < talk.span.start_s and one.span.end_s > before_s for one in agent.talks
        )
        if talk.span.start_s - before_s < GOES_ON_S and not answered:
            spans[-1] = Span(start_s=spans[-1].start_s, end_s=talk.span.end_s)
        else:
            spans.append(talk.span)
    return spans


def _with_utterances(
    timing: CallTiming, utterances: Sequence[SpokenUtterance]
) -> list[tuple[ResponseLatency, SpokenUtterance, OnWire | None]]:
    by_index = {utterance.index: utterance for utterance in utterances}
    return [
        (latency, by_index[latency.index], on_wire)
        for latency, on_wire in zip(timing.latencies, timing.on_wire, strict=True)
    ]


def _turn(
    latency: ResponseLatency,
    utterance: SpokenUtterance,
    on_wire: OnWire | None,
    *,
    timing: CallTiming,
    lines: Sequence[TranscriptLine],
    calibration: CalibrationNote,
) -> TurnTiming:
    status, reason = latency.status, latency.reason
    latency_s = latency.latency_s
    notes = []
    if latency.hidden_s > 0:
        notes.append(f"up to {latency.hidden_s * 1000:.0f} ms of the onset may be hidden by lost audio")
    notes += _wire_notes(on_wire, shown=latency_s is not None)
    if latency.tone is not None:
        after_ms = (latency.tone.start_s - utterance.end_s) * 1000
        length_ms = latency.tone.duration_s * 1000
        what = f"a sound that is no speech (a tone of {length_ms:.0f} ms)"
        notes.append(f"{what} began {after_ms:.0f} ms after the turn")
    answer = latency.answer.span if latency.answer is not None else None
    content: float | None = None
    content_s: float | None = None
    if latency_s is not None:
        assert answer is not None  # it was measured to its onset
        content = first_content_word(lines, answer)
        if content is not None:
            # From the onset as it was measured: by arrival it may be elsewhere than in the recording.
            content_s = latency_s + (content - answer.start_s)
    return TurnTiming(
        index=latency.index,
        user_start_s=utterance.start_s,
        user_end_s=utterance.end_s,
        agent_start_s=answer.start_s if answer else None,
        agent_end_s=answer.end_s if answer else None,
        first_content_s=content,
        latency_ms=None if latency_s is None else latency_s * 1000,
        content_latency_ms=None if content_s is None else content_s * 1000,
        per_packet_latency_ms=None if on_wire is None else on_wire.passed_s * 1000,
        heard_latency_ms=None if on_wire is None or latency_s is None else on_wire.heard_s * 1000,
        at_least_ms=None if latency.between_s is None else latency.between_s[0] * 1000,
        at_most_ms=None if latency.between_s is None else latency.between_s[1] * 1000,
        status=status,
        reason=reason,
        outcome=TurnOutcome.ANSWERED if answer is not None else TurnOutcome.NOT_ANSWERED,
        resolution_ms=(response_resolution_s(calibration) + latency.hidden_s + _jitter_s(on_wire)) * 1000,
        noise_floor_dbfs=timing.agent.noise_floor_dbfs,
        notes=tuple(notes),
    )


def _interruption(
    one: Interruption, utterances: Sequence[SpokenUtterance], calibration: CalibrationNote
) -> InterruptionTiming:
    utterance = next(u for u in utterances if u.index == one.index)
    heard_onset_s = utterance.agent_onset_s if utterance.agent_onset_s is not None else utterance.start_s
    onset_s = one.agent_onset_s if one.agent_onset_s is not None else heard_onset_s
    planned_s = utterance.planned_s if utterance.planned_s is not None else utterance.start_s
    return InterruptionTiming(
        index=one.index,
        user_start_s=utterance.start_s,
        agent_onset_s=onset_s,
        planned_offset_s=planned_s - heard_onset_s,
        actual_offset_s=utterance.start_s - onset_s,
        agent_stop_s=one.agent_stop_s,
        delay_ms=None if one.delay_s is None else one.delay_s * 1000,
        censored_after_ms=None if one.censored_s is None else one.censored_s * 1000,
        outcome=one.outcome,
        within_500ms=one.within_500ms,
        stopped_in_pause=one.stopped_in_pause,
        basis=one.basis,
        reason=one.reason,
        resolution_ms=(interruption_resolution_s(calibration) + _jitter_s(one.on_wire) + one.open_s) * 1000,
        heard_delay_ms=None if one.on_wire is None or one.delay_s is None else one.on_wire.heard_s * 1000,
        notes=_wire_notes(one.on_wire, shown=one.delay_s is not None),
    )


def _jitter_s(on_wire: OnWire | None) -> float:
    return 0.0 if on_wire is None else on_wire.jitter_s


def _wire_notes(on_wire: OnWire | None, *, shown: bool) -> tuple[str, ...]:
    """What is to be told of a figure that is given by arrival, or that was heard later than it came."""
    if on_wire is None or not shown:
        return ()
    notes = []
    if on_wire.strays:
        notes.append("by its packets' arrival, which its media clock contradicts")
    if on_wire.heard_s - on_wire.from_to_s > on_wire.jitter_s + HEARD_LATER_S:
        notes.append(f"its packets came in heaps: heard until {on_wire.heard_s * 1000:.0f} ms")
    return tuple(notes)


def _line_echo(agent: SpeechActivity) -> LineEchoNote | None:
    if agent.echo is None:
        return None
    path = agent.echo.path
    return LineEchoNote(
        delay_ms=path.delay_s * 1000,
        gain_db=path.gain_db,
        talks=path.talks,
        seconds=path.seconds,
        note=agent.echo.note,
    )


def _by_detector(activity: SpeechActivity) -> dict[str, list[tuple[float, float]]]:
    def pairs(spans: Sequence[Span]) -> list[tuple[float, float]]:
        return [(span.start_s, span.end_s) for span in spans]

    return {
        "energy": pairs(activity.energy),
        "silero": pairs(activity.silero),
        "webrtcvad": pairs(activity.webrtcvad),
    }
