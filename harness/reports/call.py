"""One call as the page shows it: its row in the table, its waveform, its words, its figures."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from harness.analysis.error_bar import bar_standing
from harness.analysis.measures.conversation.turns import median_wait
from harness.judging.checking.standing import judge_standing
from harness.judging.material import of_call, turn_starts_s
from harness.records.call import CallRecord, CallStatus, Event
from harness.records.scores import CallScores, ClipQuality, DialogueScores
from harness.records.timeline import not_understood
from harness.records.witness import SOURCE
from harness.reports.parts.audio import Outline
from harness.reports.parts.formats import clock, count, length, number, with_unit
from harness.reports.parts.judgement import JudgementPanel, StandingOf, judgement_panel, not_judged
from harness.reports.parts.judgement_places import Places, call_places
from harness.reports.parts.marks import Row, interruption_row, marks, turn_row
from harness.reports.parts.playable import Sound, link, linked
from harness.reports.parts.transcript import Entry, dialogue
from harness.reports.told.rows import ToldRow, told_rows
from harness.reports.told.witnessed import MOST_ROWS, WitnessRow, witness_rows
from harness.runs.reader import CallFiles, Problem
from metrics.score import Status
from metrics.synthesis.naturalness import weighted_mean

STATUS_LABELS = {
    CallStatus.COMPLETED: "completed",
    CallStatus.AGENT_HANGUP: "agent hung up",
    CallStatus.CONNECTION_LOST: "connection lost",
    CallStatus.CALLER_HANGUP: "caller gave up",
    CallStatus.TRANSFERRED: "transferred",
    CallStatus.TIMEOUT: "timed out",
    CallStatus.SETUP_FAILED: "not set up",
    CallStatus.NOT_ANSWERED: "not answered",
    CallStatus.NEVER_RUNG: "never rung",
    CallStatus.RANG_OFF: "rang off",
    CallStatus.AGENT_FAILED: "agent failed",
    CallStatus.HARNESS_FAULT: "harness fault",
    CallStatus.INTERRUPTED: "interrupted",
}
UNREADABLE = "unreadable"

NEVER_MS = 1e9
"""Sorts a median that was not reached behind every one that was."""
_TONES = {
    CallStatus.COMPLETED: "good",
    CallStatus.AGENT_HANGUP: "note",
    CallStatus.CONNECTION_LOST: "note",
    CallStatus.CALLER_HANGUP: "bad",
    CallStatus.TRANSFERRED: "note",
    CallStatus.TIMEOUT: "bad",
    CallStatus.SETUP_FAILED: "bad",
    CallStatus.NOT_ANSWERED: "bad",
    CallStatus.NEVER_RUNG: "bad",
    CallStatus.RANG_OFF: "bad",
    CallStatus.AGENT_FAILED: "bad",
    CallStatus.HARNESS_FAULT: "ours",
    CallStatus.INTERRUPTED: "ours",
}

_SHADING_DETECTORS = ("silero", "webrtcvad", "energy")
"""The first that a call has shades its speech: trained detectors bridge the gaps between syllables."""

MAX_EVENTS_SHOWN = 300
_MAX_EVENT_CHARS = 160


@dataclass(frozen=True, kw_only=True)
class Rating:
    """One dimension of a clip; ``share`` is the bar's length in percent, from 1 (0) to 5 (100)."""

    name: str
    shown: str
    share: float


@dataclass(frozen=True, kw_only=True)
class Clip:
    time: str
    play_s: float
    ratings: tuple[Rating, ...]
    others: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Line:
    """An entry of the transcript with its place in the call."""

    entry: Entry
    time: str


@dataclass(frozen=True, kw_only=True)
class CallPanel:
    """Everything that the page says about one call. ``sort`` holds the table's columns as numbers."""

    id: str
    anchor: str
    title: str
    status: str
    status_label: str
    tone: str
    detail: str
    conditions: tuple[str, ...]
    length: str
    turns: str
    p50: str
    interruptions: str
    wer: str
    naturalness: str
    sort: dict[str, float | None]
    lines: tuple[Line, ...]
    turn_rows: tuple[Row, ...]
    interruption_rows: tuple[Row, ...]
    told_rows: tuple[ToldRow, ...]
    witnessed: tuple[WitnessRow, ...]
    witnessed_left_out: int
    clips: tuple[Clip, ...]
    facts: tuple[tuple[str, str], ...]
    unmeasured: tuple[tuple[str, str], ...]
    judgement: JudgementPanel
    events: tuple[tuple[str, str, str, str], ...]
    events_left_out: int
    problems: tuple[Problem, ...]
    sound: Sound
    file_link: str
    recorded: str
    drawing: dict[str, Any] | None


def call_panel(
    files: CallFiles,
    *,
    outline: Outline | None = None,
    problems: Iterable[Problem] = (),
    max_events: int = MAX_EVENTS_SHOWN,
    standing_of: StandingOf = judge_standing,
    left_out: str = "",
) -> CallPanel:
    """Puts together what could be read of a call. Without ``outline`` it has neither waveform nor sound.

    ``left_out``: why its text scores are in no figure of the run.
    """
    record, scores = files.record, files.scores
    status = record.status if record else None
    turns = scores.turns if scores else []
    interruptions = scores.interruptions if scores else []
    due = [turn for turn in turns if turn.outcome.due]
    replied = sum(turn.outcome.replied for turn in due)
    p50, beyond_ms = median_wait(due)
    stopped = sum(timing.outcome == "stopped" for timing in interruptions)
    wer, rate_name = _error_rate(scores)
    ratings = [
        (clip.naturalness, clip.end_s - clip.start_s)
        for clip in (scores.clips if scores else [])
        if clip.naturalness is not None and not clip.warnings
    ]
    naturalness = weighted_mean(*zip(*ratings, strict=True)) if ratings else None
    texts = {said.index: said.text for said in record.utterances} if record else {}
    calibrations = [scores.calibration] if scores and scores.calibration else []
    witnessed = witness_rows(files.events, over_s=record.duration_s if record else None)
    return CallPanel(
        id=files.call_id,
        anchor=f"call-{files.call_id}",
        title=record.plan.title if record else "",
        status=str(status) if status else UNREADABLE,
        status_label=STATUS_LABELS[status] if status else UNREADABLE,
        tone=_TONES[status] if status else "bad",
        detail=_detail(record, files.events) if record else "call.json could not be used",
        conditions=_conditions(record),
        length=length(record.duration_s) if record else "",
        turns=_of(replied, len(due)) if scores else "",
        p50=_median(p50, beyond_ms),
        interruptions=f"{stopped} of {len(interruptions)} stopped" if interruptions else "",
        wer="" if wer is None else with_unit(wer, "ratio") + rate_name,
        naturalness="" if naturalness is None else number(naturalness, "mos"),
        sort={
            "length": record.duration_s if record else None,
            "turns": float(replied) if scores else None,
            # Who was waited for in vain is slower than everybody who came, however short the wait.
            "p50": p50 if p50 is not None else None if beyond_ms is None else NEVER_MS + beyond_ms,
            "interruptions": float(stopped) if interruptions else None,
            "wer": wer,
            "naturalness": naturalness,
        },
        lines=_lines(files),
        turn_rows=tuple(
            turn_row(
                files.call_id,
                turn,
                texts.get(turn.index, ""),
                standing=bar_standing("response_latency_ms", calibrations),
            )
            for turn in turns
        ),
        interruption_rows=tuple(
            interruption_row(
                files.call_id,
                timing,
                texts.get(timing.index, ""),
                standing=bar_standing("interruption_delay_ms", calibrations),
            )
            for timing in interruptions
        ),
        told_rows=told_rows(files.call_id, scores.told) if scores else (),
        witnessed=witnessed[:MOST_ROWS],
        witnessed_left_out=max(0, len(witnessed) - MOST_ROWS),
        clips=tuple(_clip(clip) for clip in scores.clips) if scores else (),
        facts=(*_facts(record), *_echo(scores)),
        unmeasured=_unmeasured(scores),
        judgement=_judgement(files, standing_of, left_out),
        events=tuple(_event(event) for event in files.events[:max_events]),
        events_left_out=sum(event.source != SOURCE for event in files.events[max_events:]),
        problems=(*files.problems, *problems),
        sound=linked(files.call_id, files.audio) if outline and files.audio else Sound(kind="none"),
        file_link=link(files.call_id),
        recorded=clock(outline.duration_s) if outline else "",
        drawing=_drawing(files, outline) if outline else None,
    )


def _detail(record: CallRecord, events: Iterable[Event]) -> str:
    """How it ended, whether the person could have been won at all, and what our side did not understand."""
    parts = [record.status_detail]
    if lost := not_understood(events):
        parts.append(f"{count(lost, 'turn')} of the agent not understood, counted as ours")
    if record.plan.task is None or record.plan.task.winnable:
        return "; ".join(filter(None, parts))
    why = record.plan.task.persona.willingness.why
    settled = "this person could not be won; the right end is a courteous close"
    return "; ".join(filter(None, [*parts, f"{settled} ({why})" if why else settled]))


def _lines(files: CallFiles) -> tuple[Line, ...]:
    if files.transcript is None:
        return ()
    language = files.record.plan.language if files.record else "en"
    entries = dialogue(files.transcript, language=language)
    return tuple(Line(entry=entry, time=clock(entry.start_s)) for entry in entries)


def _judgement(files: CallFiles, standing_of: StandingOf, left_out: str) -> JudgementPanel:
    record, scores = files.record, files.scores
    if record is not None and record.plan.task is None:
        return not_judged("this call was about no scenario, so there is no task to judge its words by")
    text = scores.text if scores else None
    if text is not None:
        return judgement_panel(
            text,
            record.plan.task.flow if record and record.plan.task else None,
            places=_places(files, text),
            standing_of=standing_of,
            left_out=left_out,
        )
    if record is not None and not record.status.took_place:
        return not_judged(f"{STATUS_LABELS[record.status]}: {record.status_detail}")
    return not_judged("the words of this call have not been judged")


def _places(files: CallFiles, text: DialogueScores) -> Places | None:
    record, transcript = files.record, files.transcript
    material = of_call(record, transcript) if record and transcript else None
    if record is None or transcript is None or material is None:
        return None
    return call_places(turn_starts_s(record, transcript), material.dialogue.turns, text)


def _drawing(files: CallFiles, outline: Outline) -> dict[str, Any]:
    """What the waveform needs, as plain JSON; times in seconds, rounded to the millisecond."""
    record, scores = files.record, files.scores
    spans = {"caller": {}, "agent": {}} if scores is None else scores.spans.model_dump()
    speech = {side: _shading(detectors) for side, detectors in spans.items()}
    if record and record.utterances:
        speech["caller"] = [[round(said.start_s, 3), round(said.end_s, 3)] for said in record.utterances]
    return {
        "duration": round(outline.duration_s, 3),
        "rate": outline.buckets_per_s,
        "caller": outline.packed(outline.caller),
        "agent": outline.packed(outline.agent),
        "speech": speech,
        "gaps": [[gap.side, round(gap.start_s, 3), round(gap.end_s, 3)] for gap in record.gaps]
        if record
        else [],
        "marks": [vars(mark) for mark in marks(files.call_id, scores)] if scores else [],
    }


def _shading(detectors: dict[str, list[tuple[float, float]]]) -> list[list[float]]:
    for name in (*_SHADING_DETECTORS, *detectors):
        if name in detectors:
            return [[round(start_s, 3), round(end_s, 3)] for start_s, end_s in detectors[name]]
    return []


def _clip(clip: ClipQuality) -> Clip:
    main = (("naturalness", clip.naturalness), ("quality", clip.mos))
    others = (
        ("noisiness", clip.noisiness),
        ("discontinuity", clip.discontinuity),
        ("coloration", clip.coloration),
        ("loudness", clip.loudness),
    )
    return Clip(
        time=f"{clock(clip.start_s)} – {clock(clip.end_s)}",
        play_s=max(0.0, clip.start_s),
        ratings=tuple(
            Rating(
                name=name, shown=number(value, "mos"), share=round(100 * min(1, max(0, (value - 1) / 4)), 1)
            )
            for name, value in main
            if value is not None
        ),
        others=tuple(f"{name} {number(value, 'mos')}" for name, value in others if value is not None),
        warnings=clip.warnings,
    )


def _conditions(record: CallRecord | None) -> tuple[str, ...]:
    if record is None:
        return ()
    conditions = record.plan.conditions
    told = []
    if conditions.distance_m is not None:
        told.append(f"{conditions.distance_m:g}\u202fm from the microphone, in a room")
    if conditions.noise is not None:
        told.append(f"noise {conditions.noise.snr_db:g}\u202fdB SNR")
    if conditions.telephone is not None:
        law = "A-law" if conditions.telephone == "alaw" else "µ-law"
        told.append(f"landline, {law}")
    if conditions.echo is not None:
        echo = conditions.echo
        told.append(f"echo at {_db(echo.level_db)} after {echo.delay_ms:g}\u202fms")
    if conditions.line_gain_db:
        told.append(f"line at {_db(conditions.line_gain_db)}")
    if conditions.loss:
        burst = conditions.loss_burst
        bundled = "" if burst is None else f" in bursts of {burst:g} packets"
        told.append(f"{conditions.loss * 100:g}\u202f% loss{bundled}")
    if conditions.delay_ms or conditions.jitter_ms:
        shape = ", normal" if conditions.jitter_shape == "normal" else ""
        told.append(f"delay {conditions.delay_ms:g} ± {conditions.jitter_ms:g}\u202fms{shape}")
    if conditions.reorder:
        told.append(f"{conditions.reorder * 100:g}\u202f% held back by {conditions.reorder_ms:g}\u202fms")
    if conditions.duplicates:
        told.append(f"{conditions.duplicates * 100:g}\u202f% twice")
    outages = [f"at {t:g}\u202fs" for t in conditions.outage_at_s]
    if conditions.outages_per_minute:
        outages.append(f"{conditions.outages_per_minute:g} a minute")
    if outages:
        told.append(f"outages of {conditions.outage_ms:g}\u202fms {', '.join(outages)}")
    return tuple(told)


def _db(level: float) -> str:
    return f"{level:g}\u202fdB".replace("-", "\N{MINUS SIGN}")


def _facts(record: CallRecord | None) -> tuple[tuple[str, str], ...]:
    if record is None:
        return ()
    plan, voice = record.plan, record.plan.voice
    level = f"{number(voice.level_dbfs, 'dBFS')}\u202fdBFS"
    facts = [
        ("Caller", f"{voice.engine} {voice.name}, {level}, {plan.language}"),
        ("Seed and digest", f"{plan.seed}, {plan.digest}"),
    ]
    if plan.policy != "script":
        facts.insert(0, ("Played by", plan.caller_told))
    if record.agent_name:
        facts.append(("Agent's name", record.agent_name))
    if record.connected_after_s is not None:
        name = "Connected after" if plan.answer is None else "The agent called; it rang for"
        facts.append((name, with_unit(record.connected_after_s * 1000, "ms")))
    if record.pacing is not None:
        pacing = record.pacing
        late = (
            f"p95 {pacing.late_p95_ms:.1f}, at most {pacing.late_max_ms:.1f}; bound {pacing.bound_p95_ms:.1f}"
        )
        facts.append(("Our frames left late by", f"{late}\u202fms"))
    if record.media is not None:
        media = record.media
        facts.append(("Received", f"{count(media.packets_received, 'packet')} of {media.codec}"))
        lost = f"{media.packets_lost:,} lost, {media.packets_reordered:,} out of order"
        facts.append(("On the way", f"{lost}, {media.packets_duplicate:,} twice"))
        if media.early_until_s is not None:
            before = f"until {media.early_until_s:.1f}\u202fs, in the recording and in no figure"
            facts.append(("Before the call was taken", before))
        if media.jitter_ms is not None:
            facts.append(("Jitter", f"{media.jitter_ms:.1f}\u202fms"))
        if media.clock:
            facts.append(("Agent's media clock", media.clock))
        facts.append(("Arrival times", "the kernel's" if media.kernel_timestamps else "the event loop's"))
        if media.path == "srtp":
            facts.append(("Way", "direct, encrypted (SRTP)"))
        elif media.path != "direct":
            facts.append(("Way", f"through a TURN server ({media.path.removeprefix('relay-')})"))
    if record.gaps:
        lacking_s = sum(gap.lacking_s for gap in record.gaps)
        facts.append(("Gaps", f"{count(len(record.gaps), 'gap')}, {lacking_s:.2f}\u202fs that never arrived"))
    return tuple(facts)


def _echo(scores: CallScores | None) -> tuple[tuple[str, str], ...]:
    echo = None if scores is None else scores.line_echo
    return () if echo is None else (("Line echo", echo.note),)


def _unmeasured(scores: CallScores | None) -> tuple[tuple[str, str], ...]:
    if scores is None:
        return ()
    by_reason: dict[str, list[str]] = {}
    for score in scores.scores:
        if score.status is not Status.MEASURED:
            by_reason.setdefault(score.reason, []).append(score.metric.replace("_", " "))
    return tuple((", ".join(names), reason) for reason, names in by_reason.items())


def _error_rate(scores: CallScores | None) -> tuple[float | None, str]:
    """The call's WER, or its CER (and a word that says so) where only that was measured."""
    for name, shown in (("wer", ""), ("cer", " CER")):
        counts = scores.word_counts.get(name) if scores else None
        if counts and counts.reference:
            return counts.errors / counts.reference, shown
    return None, ""


def _median(p50: float | None, beyond_ms: float | None) -> str:
    if p50 is not None:
        return with_unit(p50, "ms")
    return "" if beyond_ms is None else f">\u202f{with_unit(beyond_ms, 'ms')}"


def _of(part: int, whole: int) -> str:
    return str(part) if part == whole else f"{part} of {whole}"


def _event(event: Event) -> tuple[str, str, str, str]:
    data = json.dumps(event.data, ensure_ascii=False) if event.data else ""
    shown = data if len(data) <= _MAX_EVENT_CHARS else f"{data[:_MAX_EVENT_CHARS]}…"
    return clock(event.t), f"{event.side}, {event.source}", event.kind, shown
