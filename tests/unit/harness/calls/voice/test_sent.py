"""What the caller sent and how punctual it was, by hand: a frame each 20 ms from call time 1 on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.sent import pacing_of, spoken_utterances
from harness.calls.voice.speaking.mouth import SpokenClip
from harness.records.call import SpokenUtterance
from harness.transports.base import MediaLog
from harness.transports.clips.clip import Clip
from harness.transports.codecs.table import codec_named
from harness.transports.uplink import PlacedClip
from voice_sim.caller.events import Speak
from voice_sim.policies.script import LineSound, Script, ScriptLine

CODEC = codec_named("pcm-16k")
FRAME = CODEC.frame_samples
SENT = 100
"""Frames that left."""


@dataclass
class _Recording:
    sent: PacketTimes


@dataclass
class _Uplink:
    next_frame: int = SENT


def _clip(frames: int, sha256: str) -> Clip:
    """An utterance of so many whole frames."""
    return Clip(
        codec=CODEC, packets=(), pcm=np.zeros(0, np.float32), voiced_samples=frames * FRAME, sha256=sha256
    )


def _spoken(index: int, start_frame: int, frames: int, **action: Any) -> SpokenClip:
    """``start_frame``: of its first voiced sample, five frames behind the clip's first."""
    made = {"index": index, "text": f"line {index}", "kind": "turn", "at_s": 1.5, "agent_onset_s": None}
    said = Speak(**made | action)
    placed = PlacedClip(clip=_clip(frames, f"sha-{start_frame}"), start_frame=start_frame - 5)
    return SpokenClip(index=index, action=said, placed=placed)


def _utterances(
    *spoken: SpokenClip, next_frame: int = SENT, script: Script | None = None
) -> list[SpokenUtterance]:
    media_s = np.arange(SENT) * 0.02
    times = PacketTimes(media_s=media_s, passed_s=1.0 + media_s, placed_s=1.0 + media_s)
    return spoken_utterances(spoken, _Recording(sent=times), _Uplink(next_frame), script=script)  # type: ignore[arg-type]


def test_an_utterance_is_what_was_said_when_it_left() -> None:
    """Frames 20 to 29: from 1.4 s, its last sample one before 1.6 s."""
    [found] = _utterances(_spoken(3, 20, 10, kind="barge_in", agent_onset_s=0.7))
    assert (found.start_s, found.end_s) == pytest.approx((1.4, 1.6 - 1 / 48_000))
    assert found == SpokenUtterance(
        index=3,
        text="line 3",
        kind="barge_in",
        start_s=found.start_s,
        end_s=found.end_s,
        planned_s=1.5,
        agent_onset_s=0.7,
        cut_short=False,
        audio_sha256="sha-20",
    )


def test_what_never_left_was_not_said_and_what_follows_it_is_kept() -> None:
    found = _utterances(_spoken(0, SENT, 10), _spoken(1, 20, 10))
    assert [one.index for one in found] == [1]


def test_an_utterance_is_cut_short_where_its_last_frame_was_not_taken() -> None:
    """Its last voiced frame is 29."""
    for next_frame, cut_short in ((29, True), (30, False)):
        [found] = _utterances(_spoken(0, 20, 10), next_frame=next_frame)
        assert found.cut_short is cut_short


def test_a_thought_in_parts_is_one_utterance_from_its_first_sample_to_its_last() -> None:
    first, second = _spoken(0, 20, 10), _spoken(1, 40, 10, continues=True, text="and more")
    [found] = _utterances(first, second)
    alone, behind = _utterances(first, replace(second, action=replace(second.action, continues=False)))
    assert found == alone.model_copy(
        update={
            "text": "line 0 and more",
            "end_s": behind.end_s,
            "audio_sha256": hashlib.sha256(b"sha-20sha-40").hexdigest(),
        }
    )
    assert behind.end_s == pytest.approx(1.0 + 50 * 0.02, abs=0.001)


def test_a_thought_is_cut_short_by_its_last_part_and_stands_alone_where_its_first_never_left() -> None:
    second = _spoken(1, 40, 10, continues=True)
    [both] = _utterances(_spoken(0, 20, 10), second, next_frame=45)
    assert both.cut_short
    [alone] = _utterances(second)
    assert (alone.index, alone.text, alone.audio_sha256) == (1, "line 1", "sha-40")


def test_keys_that_were_pressed_are_kept() -> None:
    [found] = _utterances(_spoken(0, 20, 10, press="12#"))
    assert found.pressed == "12#"


@pytest.mark.parametrize(
    ("index", "heard"),
    [(0, False), (1, False), (2, True), (3, False)],
    ids=["no sound", "a sound of known words", "a sound whose words were heard", "no line of the script"],
)
def test_words_are_only_heard_where_the_script_has_a_sound_of_such(index: int, heard: bool) -> None:
    script = Script(
        lines=(
            ScriptLine(say="spoken"),
            ScriptLine(say="known", sound=LineSound(path=Path("a.wav"))),
            ScriptLine(say="heard", sound=LineSound(path=Path("b.wav"), words="heard")),
        )
    )
    [found] = _utterances(_spoken(index, 20, 10), script=script)
    assert found.text_heard is heard
    [without] = _utterances(_spoken(index, 20, 10))
    assert without.text_heard is False


# --- punctuality


def test_the_first_half_second_is_the_handshakes() -> None:
    """25 frames of 20 ms may be late by anything; after them 1, 2 .. 75 ms."""
    late_s = [9.0] * 25 + [k / 1000 for k in range(1, 76)]
    pacing = pacing_of(MediaLog(codec="opus", lateness_s=late_s), 0.012, frame_s=0.02)
    assert pacing is not None
    assert pacing.model_dump() == pytest.approx(
        {
            "frames": 100,
            "late_p50_ms": 38.0,
            "late_p95_ms": 71.3,
            "late_max_ms": 75.0,
            "bound_p95_ms": 10.0,
            "loop_lag_max_ms": 12.0,
        }
    )


def test_a_call_of_less_than_that_is_judged_by_all_it_has_and_one_of_nothing_not_at_all() -> None:
    short = pacing_of(MediaLog(codec="opus", lateness_s=[0.003] * 25), 0.0, frame_s=0.02)
    assert short is not None
    assert (short.frames, short.late_p95_ms) == (25, pytest.approx(3.0))
    assert pacing_of(MediaLog(codec="opus"), 0.0, frame_s=0.02) is None
