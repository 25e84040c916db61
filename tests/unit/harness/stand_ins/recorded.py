"""A short call with natural speech on both sides, as a run folder keeps it: made in place of placing one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harness.calls.conversation import Held
from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.recorder import Recording
from harness.plans.call import CallPlan
from harness.plans.task import task_of
from harness.records.call import CallRecord, CallStatus, Event, Media, SpokenUtterance
from harness.records.scores import Machine, RunInfo
from harness.runs.store import RunStore
from harness.transports.clock import CallClock
from tests.unit.harness.stand_ins.chatting import entry
from tests.unit.harness.stand_ins.spoken import RATE, clip, placed_at

END_S = 9.0
QUESTION = "Excuse me, could you tell me when the money will be back on my card?"
"""What the clip says."""
GREETING_S, QUESTION_S, ANSWER_S = 0.3, 2.2, 6.0


def recorded_call(call_id: str = "one", *, answer: str = "refund", text: str = "") -> Held:
    """The agent greets, the caller asks, the agent answers.

    Args:
        text: Of the caller's question; nobody knows it where it is empty.
    """
    question, reply = clip("question"), clip(answer)[: round(2.5 * RATE)]
    utterance = SpokenUtterance(
        index=0,
        text=text,
        kind="turn",
        start_s=QUESTION_S,
        end_s=QUESTION_S + len(question) / RATE,
        audio_sha256="",
    )
    media_s = np.arange(round(END_S / 0.02)) * 0.02
    packets = PacketTimes(media_s=media_s, passed_s=media_s, placed_s=media_s)
    media = Media(
        codec="opus",
        packets_received=len(media_s),
        packets_lost=0,
        packets_duplicate=0,
        packets_reordered=0,
        jitter_ms=0.0,
        kernel_timestamps=True,
    )
    agent = placed_at(reply, ANSWER_S, total_s=END_S)
    agent += placed_at(clip("answer_short"), GREETING_S, total_s=END_S)
    caller = placed_at(question, QUESTION_S, total_s=END_S)
    return Held(
        clock=CallClock(zero_ns=0),
        record=CallRecord(
            plan=CallPlan(call_id=call_id, agent="http://x:1", policy="agenda", task=task_of(entry())),
            status=CallStatus.COMPLETED,
            status_detail="fine",
            started_at="2026-11-03T10:00:00+00:00",
            connected_after_s=0.1,
            duration_s=END_S,
            utterances=[utterance],
        ),
        events=[Event(t=0.1, side="agent", kind="connected", source="wire")],
        recording=Recording(
            audio=np.stack([caller, agent], axis=1), gaps=[], media=media, sent=packets, received=packets
        ),
    )


def recorded_run(folder: Path, *call_ids: str, text: str = QUESTION) -> RunStore:
    """A run folder with such calls."""
    store = run_of(folder, *call_ids)
    for call_id in call_ids:
        store.write(recorded_call(call_id, text=text))
    return store


def run_of(folder: Path, *call_ids: str) -> RunStore:
    """A run folder without any of its calls yet."""
    store = RunStore(folder)
    store.write_info(
        RunInfo(
            name="run",
            started_at="2026-11-03T10:00:00+00:00",
            outboundeval="0.1.0",
            machine=Machine(cpu_count=2, platform="Linux"),
            plan_digest="0" * 16,
            agents=["http://x:1"],
            call_ids=list(call_ids),
        )
    )
    return store
