"""What our side sent in a call, as its record keeps it: the utterances, to the sample, and how punctual."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from harness.calls.voice.recorder import Recording, utterance_span
from harness.calls.voice.speaking.mouth import SpokenClip
from harness.records.call import Pacing, SpokenUtterance
from harness.transports.base import MediaLog
from harness.transports.uplink import Uplink
from voice_sim.policies.script import Script

PACING_BOUND_P95_MS = 10.0
"""Frames later than this in more than 5 % of a call make it ``harness_fault``."""


def spoken_utterances(
    spoken: Sequence[SpokenClip], recording: Recording, uplink: Uplink, *, script: Script | None = None
) -> list[SpokenUtterance]:
    """What the caller really sent; a thought that was spoken in parts is one utterance.

    Args:
        script: Of a caller with fixed lines: of a recorded one the words are perhaps only heard.
    """
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
                pressed=one.action.press,
                audio_sha256=one.placed.clip.sha256,
                text_heard=_only_heard(script, one.index),
            )
        )
    return utterances


def _only_heard(script: Script | None, index: int) -> bool:
    sound = script.lines[index].sound if script is not None and index < len(script.lines) else None
    return sound is not None and sound.words == "heard"


def _sha256_of(*checksums: str) -> str:
    """One checksum for an utterance of several clips."""
    return hashlib.sha256("".join(checksums).encode()).hexdigest()


def pacing_of(log: MediaLog, loop_lag_max_s: float, *, frame_s: float) -> Pacing | None:
    """How punctual our sender was; None where nothing was sent."""
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
