"""Writes a run folder as a real run leaves it, with audio made of tones, so that reports can be tested.

The caller hums at 220 Hz on the left, the agent at 330 Hz on the right, both with a syllable-like envelope.
Every time in the files is the time at which the tone really starts or ends.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness.plans.call import CallPlan
from harness.plans.task import TaskPlan
from harness.records.call import (
    SAMPLE_RATE_HZ,
    CallRecord,
    CallStatus,
    Event,
    Gap,
    Media,
    Pacing,
    SpokenUtterance,
)
from harness.records.scores import (
    CalibrationNote,
    CallScores,
    ClipQuality,
    DialogueScores,
    InterruptionTiming,
    Machine,
    RunInfo,
    SpanSet,
    Transcript,
    TranscriptLine,
    TranscriptWord,
    TurnTiming,
    WordCounts,
)
from harness.scoring.summary import summarize
from metrics.score import Status, not_measured

ATTACK = "<script>alert(1)</script> </script><img src=x onerror=alert(2)> & \u2028 'quoted' \"twice\""
"""Said by the agent of one call; must appear as text and do nothing."""

CALIBRATION = CalibrationNote(
    transport="smallwebrtc",
    response_p95_ms=10.5,
    interruption_p95_ms=17.0,
    date="2026-11-02",
    machine="this machine",
)


@dataclass(kw_only=True)
class Said:
    """One stretch of speech of a call, and what was made of it."""

    side: str
    start_s: float
    end_s: float
    text: str
    heard: str | None = None
    """The agent's own transcript of the caller, or Whisper's of the agent; as ``text`` when None."""
    unsure: tuple[str, ...] = ()
    """Words that the recogniser gave a low probability."""
    kind: str = "turn"


@dataclass(kw_only=True)
class MadeCall:
    """A call to be written; ``said`` in order of time."""

    id: str
    title: str = ""
    status: CallStatus = CallStatus.COMPLETED
    detail: str = "the caller said its last line and hung up"
    duration_s: float
    said: list[Said] = field(default_factory=list)
    turns: list[TurnTiming] = field(default_factory=list)
    interruptions: list[InterruptionTiming] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    clips: list[ClipQuality] = field(default_factory=list)
    word_counts: dict[str, WordCounts] = field(default_factory=dict)
    snr_db: float | None = None
    scored: bool = True
    agent_asr: bool = True
    task: TaskPlan | None = None
    """What the call was about; None: a script."""
    text: DialogueScores | None = None


def write_run(folder: Path, calls: list[MadeCall], *, name: str = "nightly") -> Path:
    """Writes ``folder`` with everything but the report, and returns it."""
    records = [record_of(call) for call in calls]
    scores = [scores_of(call) for call in calls if call.scored]
    for call, record in zip(calls, records, strict=True):
        _write_call(folder / "calls" / call.id, call, record)
    info = RunInfo(
        name=name,
        started_at="2026-11-03T02:00:00+00:00",
        finished_at="2026-11-03T02:14:30+00:00",
        outboundeval="0.1.0",
        machine=Machine(cpu_count=2, platform="Linux-6.1-x86_64"),
        plan_digest="8c1f0f0e2b7d4a55",
        agents=["http://127.0.0.1:7860"],
        call_ids=[call.id for call in calls],
        versions={"aiortc": "1.16.0", "faster-whisper": "1.2.1", "whisper": "base int8", "nisqa": "2.0"},
    )
    _write_json(folder / "run.json", info.model_dump(mode="json"))
    summary = summarize(records, scores, run=name)
    _write_json(folder / "summary.json", summary.model_dump(mode="json"))
    return folder


def record_of(call: MadeCall) -> CallRecord:
    lines = [{"say": said.text} for said in call.said if said.side == "caller"] or [{"say": "Hello."}]
    conditions = {"noise": {"snr_db": call.snr_db}} if call.snr_db is not None else {}
    plan = CallPlan.model_validate(
        {
            "call_id": call.id,
            "title": call.title,
            "agent": "http://127.0.0.1:7860",
            **({"policy": "agenda", "task": call.task} if call.task else {"script": {"lines": lines}}),
            "conditions": conditions,
        }
    )
    caller = [said for said in call.said if said.side == "caller"]
    return CallRecord(
        plan=plan,
        status=call.status,
        status_detail=call.detail,
        started_at="2026-11-03T02:00:03+00:00",
        connected_after_s=None if call.status is CallStatus.SETUP_FAILED else 0.412,
        duration_s=call.duration_s,
        utterances=[
            SpokenUtterance(
                index=index,
                text=said.text,
                kind=said.kind,  # type: ignore[arg-type]
                start_s=said.start_s,
                end_s=said.end_s,
                audio_sha256=f"{index:064x}",
            )
            for index, said in enumerate(caller)
        ],
        gaps=call.gaps,
        pacing=Pacing(
            frames=int(call.duration_s * 50),
            late_p50_ms=0.3,
            late_p95_ms=31.0 if call.status is CallStatus.HARNESS_FAULT else 1.1,
            late_max_ms=48.0 if call.status is CallStatus.HARNESS_FAULT else 3.2,
            bound_p95_ms=5.0,
            loop_lag_max_ms=4.0,
        )
        if call.said
        else None,
        media=Media(
            codec="opus/48000/2",
            packets_received=int(call.duration_s * 50) - sum(gap.packets for gap in call.gaps),
            packets_lost=sum(gap.packets for gap in call.gaps),
            packets_duplicate=0,
            packets_reordered=0,
            jitter_ms=0.4,
            kernel_timestamps=True,
        )
        if call.said
        else None,
        agent_name="Reference agent 1.0" if call.said else "",
        versions={"outboundeval": "0.1.0"},
    )


def scores_of(call: MadeCall) -> CallScores:
    spans = {
        side: [(said.start_s, said.end_s) for said in call.said if said.side == side]
        for side in ("caller", "agent")
    }
    scores = []
    if not call.interruptions:
        scores.append(not_measured("interruption_success_500ms", "ratio", "no interruption was planned"))
    if not call.clips:
        scores.append(not_measured("nisqa_mos", "mos", "the NISQA weights are not installed"))
    return CallScores(
        call_id=call.id,
        turns=call.turns,
        interruptions=call.interruptions,
        detectors={"energy": "-48 dBFS, or 5 times the noise floor", "silero": "5.1, threshold 0.5"},
        spans=SpanSet(
            caller={"energy": spans["caller"], "silero": spans["caller"]},
            agent={"energy": spans["agent"], "silero": spans["agent"]},
        ),
        clips=call.clips,
        scores=scores,
        word_counts=call.word_counts,
        calibration=CALIBRATION,
        text=call.text,
    )


def transcript_of(call: MadeCall) -> Transcript:
    lines: list[TranscriptLine] = []
    utterance = 0
    for said in call.said:
        heard = said.text if said.heard is None else said.heard
        times = {"start_s": said.start_s, "end_s": said.end_s}
        if said.side == "caller":
            caller = {"side": "caller", "utterance": utterance, **times}
            lines.append(_line(source="said", text=said.text, **caller))
            lines.append(_line(source="whisper", text=said.text, words=_words(said, said.text), **caller))
            if call.agent_asr:
                lines.append(_line(source="agent_asr", text=heard, **caller))
            utterance += 1
        else:
            lines.append(_line(side="agent", source="agent_text", text=said.text, **times))
            words = _words(said, heard)
            lines.append(_line(side="agent", source="whisper", text=heard, words=words, **times))
    return Transcript(lines=lines)


Stretch = tuple[str, float, float]
"""A side, and from when to when."""


def sound_of(call: MadeCall) -> bytes:
    """FLAC at 48 kHz."""
    return _sound(
        call.duration_s,
        tuple((said.side, said.start_s, said.end_s) for said in call.said),
        tuple((gap.side, gap.start_s, gap.end_s) for gap in call.gaps),
    )


@lru_cache(maxsize=64)
def _sound(duration_s: float, said: Sequence[Stretch], gaps: Sequence[Stretch]) -> bytes:
    """Kept: calls of many tests sound alike, and to make a sound takes longer than all their other files."""
    file = io.BytesIO()
    soundfile.write(file, _audio(duration_s, said, gaps), SAMPLE_RATE_HZ, format="FLAC", subtype="PCM_16")
    return file.getvalue()


@lru_cache(maxsize=8)
def _noise(samples: int) -> NDArray[np.float32]:
    return np.random.default_rng(7).normal(0, 2e-4, (samples, 2)).astype(np.float32)


def _audio(duration_s: float, said: Sequence[Stretch], gaps: Sequence[Stretch]) -> NDArray[np.float32]:
    """[samples, 2] at 48 kHz."""
    samples = round(duration_s * SAMPLE_RATE_HZ)
    audio = _noise(2 ** (samples - 1).bit_length())[:samples].copy()
    for side, start_s, end_s in said:
        first, last = round(start_s * SAMPLE_RATE_HZ), round(end_s * SAMPLE_RATE_HZ)
        t = np.arange(max(0, min(last, samples) - first)) / SAMPLE_RATE_HZ
        hertz = 220 if side == "caller" else 330
        syllables = 0.35 + 0.65 * np.abs(np.sin(2 * np.pi * 2.3 * t) * np.sin(2 * np.pi * 0.37 * t + 1))
        channel = 0 if side == "caller" else 1
        audio[first : first + len(t), channel] += 0.3 * syllables * np.sin(2 * np.pi * hertz * t)
    for side, start_s, end_s in gaps:
        first, last = (round(at * SAMPLE_RATE_HZ) for at in (start_s, end_s))
        audio[first:last, 0 if side == "caller" else 1] = 0.0
    return audio


def _write_call(folder: Path, call: MadeCall, record: CallRecord) -> None:
    folder.mkdir(parents=True)
    _write_json(folder / "call.json", record.model_dump(mode="json"))
    events = [Event(t=0.41, side="agent", kind="connected", source="wire")]
    for said in call.said:
        speech = Event(t=said.start_s, side=said.side, kind="speech_started", source="vad")  # type: ignore[arg-type]
        events.append(speech.model_copy(update={"data": {"text": said.text}}))
    (folder / "timeline.jsonl").write_text("".join(f"{event.model_dump_json()}\n" for event in events))
    if call.said:
        (folder / "audio.flac").write_bytes(sound_of(call))
    if call.scored:
        _write_json(folder / "scores.json", scores_of(call).model_dump(mode="json"))
        _write_json(folder / "transcript.json", transcript_of(call).model_dump(mode="json"))


def _words(said: Said, text: str) -> list[TranscriptWord]:
    words = text.split()
    step = (said.end_s - said.start_s) / max(1, len(words))
    return [
        TranscriptWord(
            word=word,
            start_s=said.start_s + index * step,
            end_s=said.start_s + (index + 1) * step,
            probability=0.31 if word.strip(".,?!") in said.unsure else 0.97,
        )
        for index, word in enumerate(words)
    ]


def _line(**fields: Any) -> TranscriptLine:
    return TranscriptLine.model_validate(fields)


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def answered(index: int, user: tuple[float, float], agent: tuple[float, float], **more: Any) -> TurnTiming:
    """A measured turn; its latency follows from the times."""
    latency_ms = (agent[0] - user[1]) * 1000
    return TurnTiming.model_validate(
        {
            "index": index,
            "user_start_s": user[0],
            "user_end_s": user[1],
            "agent_start_s": agent[0],
            "agent_end_s": agent[1],
            "first_content_s": agent[0] + 0.2,
            "latency_ms": latency_ms,
            "content_latency_ms": latency_ms + 200,
            "per_packet_latency_ms": latency_ms + 0.8,
            "status": Status.MEASURED,
            "resolution_ms": 10.5,
            "noise_floor_dbfs": -71.4,
            **more,
        }
    )
