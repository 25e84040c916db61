"""Makes calls as they could have come out, sample by sample, and keeps them as a run keeps a call.

What the caller said and when, what the agent answered and when, what it wrote of the caller and what it told
that it said are all written by hand: the truth. Nothing of it reaches the scoring but by the files that every
call leaves (``call.json``, ``timeline.jsonl``, ``audio.flac``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness._files.shipped import shipped_folder
from harness.calls.conversation import Held
from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.recorder import Recording
from harness.plans.call import CallPlan
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from harness.records.call import SAMPLE_RATE_HZ, CallRecord, CallStatus, Event, Media, SpokenUtterance
from harness.runs.opening import open_run
from harness.runs.store import RunStore
from harness.versions import library_versions
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import Utterance, prepare_utterance

Samples = NDArray[np.float32]

LEVEL_DBFS = -23.0
BEGINS_S, ENDS_S = 0.6, 1.5
ANSWERS_AFTER_S = 0.9
"""An answer begins so long after the line, give or take :data:`UNSTEADY_S` by the seed."""
UNSTEADY_S = 0.06
PAUSE_S = 0.8
SILENT_FOR_S = 2.6
"""The caller waits so long where nothing is answered."""
WRITES_AFTER_S = 0.3
FLOOR = 1e-4
"""Noise that is under every line: no detector was made for digital silence."""


@dataclass(frozen=True, kw_only=True)
class MadeLine:
    """A line of the caller's, and what the agent made of it.

    Attributes:
        said: The caller's words.
        sound: How it sounds; the words need not be those: metrics of words read the files, not the sound.
        wrote: The agent's own transcript of the line; None: it writes none.
        reply: The agent's answer; None: it says nothing.
        tells: What the agent tells that it answered; None: it tells nothing.
        words_unknown: It is a sound or a muddle; what is "said" is a label.
    """

    said: str
    sound: Samples
    wrote: str | None = None
    reply: Samples | None = None
    tells: str | None = None
    words_unknown: bool = False


@cache
def shipped_clip(name: str) -> Samples:
    """A clip of speech that comes along, from its first to its last voiced sample, at 48 kHz."""
    samples, rate = soundfile.read(shipped_folder("speech") / f"{name}.flac", dtype="float32")
    mono = samples if samples.ndim == 1 else np.asarray(samples.mean(axis=1), np.float32)
    return _utterance(mono, rate).samples


def _utterance(mono: Samples, rate: int) -> Utterance:
    return prepare_utterance(Speech(samples=mono, sample_rate_hz=rate), level_dbfs=LEVEL_DBFS)


def made_call(plan: CallPlan, lines: Sequence[MadeLine], *, random: Random) -> Held:
    """A call in which the lines are said one after the other.

    Args:
        random: For what differs between two days of the same agent: how soon it answers, how it is noisy.
    """
    caller: list[tuple[float, Samples]] = []
    agent: list[tuple[float, Samples]] = []
    utterances, events = [], []
    at_s = BEGINS_S
    for index, line in enumerate(lines):
        end_s = at_s + len(line.sound) / SAMPLE_RATE_HZ
        caller.append((at_s, line.sound))
        utterances.append(
            SpokenUtterance(
                index=index,
                text=line.said,
                kind="turn",
                start_s=at_s,
                end_s=end_s,
                audio_sha256="0",
                text_heard=line.words_unknown,
            )
        )
        if line.wrote:
            events.append(transcript_event(end_s + WRITES_AFTER_S, line.wrote))
        at_s = end_s + SILENT_FOR_S
        if line.reply is not None:
            onset_s = end_s + ANSWERS_AFTER_S + random.uniform(-UNSTEADY_S, UNSTEADY_S)
            agent.append((onset_s, line.reply))
            spoken_s = onset_s + len(line.reply) / SAMPLE_RATE_HZ
            if line.tells is not None:
                events.append(_told(onset_s, spoken_s, line.tells))
            at_s = spoken_s + PAUSE_S
    return held(
        plan,
        caller=caller,
        agent=agent,
        utterances=utterances,
        events=events,
        random=random,
        until_s=at_s,
    )


def held(
    plan: CallPlan,
    *,
    caller: Sequence[tuple[float, Samples]],
    agent: Sequence[tuple[float, Samples]],
    utterances: Sequence[SpokenUtterance],
    events: Sequence[Event],
    random: Random,
    until_s: float = 0.0,
) -> Held:
    """What is left of a call in which both sides made these sounds at these times; it lasts ``until_s`` at
    least, as a caller waits for an answer to the last line, too."""
    ends = [at_s + len(samples) / SAMPLE_RATE_HZ for at_s, samples in (*caller, *agent)]
    length = round(max(max(ends, default=0.0) + ENDS_S, until_s) * SAMPLE_RATE_HZ)
    draws = np.random.default_rng(random.getrandbits(32))
    audio = np.asarray(draws.normal(0.0, FLOOR, size=(length, 2)), np.float32)
    for side, sounds in enumerate((caller, agent)):
        for at_s, samples in sounds:
            start = round(at_s * SAMPLE_RATE_HZ)
            audio[start : start + len(samples), side] += samples
    media = Media(
        codec="none",
        packets_received=0,
        packets_lost=0,
        packets_duplicate=0,
        packets_reordered=0,
        jitter_ms=None,
        kernel_timestamps=False,
    )
    record = CallRecord(
        plan=plan,
        status=CallStatus.COMPLETED,
        status_detail="made for the self-test, not placed",
        started_at="1970-01-01T00:00:00+00:00",
        duration_s=length / SAMPLE_RATE_HZ,
        utterances=list(utterances),
        media=media,
    )
    recording = Recording(
        audio=np.clip(audio, -1.0, 1.0), gaps=[], media=media, sent=PacketTimes(), received=PacketTimes()
    )
    return Held(record=record, events=sorted(events, key=lambda event: event.t), recording=recording)


def keep(folder: Path, name: str, calls: Sequence[Held]) -> None:
    """Keeps calls as a run.

    Raises:
        UserError: The folder holds something else, or cannot be written.
    """
    store = RunStore(folder)
    plan = RunPlan(name=name, units=tuple(Unit(plan=one.record.plan) for one in calls))
    open_run(plan, store, versions=library_versions())
    for one in calls:
        store.write(one)


def transcript_event(at_s: float, text: str) -> Event:
    """The agent's own transcript of what it has just heard."""
    return Event(
        t=at_s, side="agent", kind="user-transcription", source="rtvi", data={"text": text, "final": True}
    )


def _told(onset_s: float, spoken_s: float, text: str) -> Event:
    data = {"text": text, "spoken": True, "began_s": onset_s}
    return Event(t=spoken_s, side="agent", kind="bot-output", source="rtvi", data=data)
