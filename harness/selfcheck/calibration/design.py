"""Which calls a calibration places: delays and stop delays over their range, with tones and with speech."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness._files.shipped import shipped_folder
from harness.plans.call import CallPlan, ConditionsPlan, Limits
from voice_sim.policies.script import Script, ScriptLine
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import Utterance, prepare_utterance, tone

Sound = Literal["marker", "natural"]

SHORTEST_MS, LONGEST_MS = 120, 2500
SHORTEST_STOP_MS, LONGEST_STOP_MS = 80, 1200
AROUND_500 = (400, 440, 470, 478, 522, 530, 560, 600)
"""Stop delays planted close to the 500 ms line; within 20 ms of it no verdict can be asked for."""
MARGIN_MS = 20
MOST_PER_CALL = 50
"""Answers or stops in one call: each takes up to 14 s, and a call has 900."""
BARGE_IN_OFFSET_S = 1.0
USER_CLIPS = ("question", "answer_long", "answer_short")
INTERRUPTING_CLIP = "interrupt"
AGENT_CLIPS = (
    "untrimmed_parcel",
    "untrimmed_visit",
    "untrimmed_form",
    "untrimmed_offer",
    "untrimmed_summary",
)
"""As a voice gave them, soft beginnings and endings included: an agent's speech is not trimmed for us."""


@dataclass(frozen=True, kw_only=True)
class CalibrationCall:
    """A call with its lines' audio, and what the agent is programmed to do.

    ``kind`` says what the call is for.
    """

    plan: CallPlan
    sound: Sound
    kind: Literal["response", "interruption", "both"]
    utterances: tuple[Utterance, ...]


def design(
    *,
    sound: Sound,
    turns: int,
    interruptions: int,
    calls: int,
    seed: int,
    agent: str,
    conditions: ConditionsPlan,
) -> list[CalibrationCall]:
    """Calls that hold, together, the given numbers of programmed answers and stops.

    Args:
        calls: Into how many calls of each kind they are divided; into more where one would take too long.
    """
    random = Random(seed)
    delays = _spread(SHORTEST_MS, LONGEST_MS, turns)
    near = [delay for delay in AROUND_500 if abs(delay - 500) > MARGIN_MS]
    stops = near + _spread(SHORTEST_STOP_MS, LONGEST_STOP_MS, max(0, interruptions - len(near)))
    # One more than twice the margin: 480 must not come to lie on its other edge.
    stops = [stop if abs(stop - 500) > MARGIN_MS else stop + 2 * MARGIN_MS + 1 for stop in stops][
        :interruptions
    ]
    random.shuffle(delays)
    random.shuffle(stops)
    designed = [
        response_call(part, sound=sound, index=index, agent=agent, conditions=conditions, seed=seed)
        for index, part in enumerate(_divided(delays, calls))
    ]
    designed += [
        interruption_call(part, sound=sound, index=index, agent=agent, conditions=conditions, seed=seed)
        for index, part in enumerate(_divided(stops, calls))
    ]
    return designed


def response_call(
    delays: Sequence[int], *, sound: Sound, index: int, agent: str, conditions: ConditionsPlan, seed: int
) -> CalibrationCall:
    """Each delay, in ms: a line, and an answer that begins so long after it."""
    utterances = [user_utterance(sound, position) for position in range(len(delays))]
    behaviour = {
        "turns": [
            {
                "answer_after_ms": delay,
                "say": agent_speech(sound, position, tone_ms=700),
                "expect_ms": expected_ms(utterance),
            }
            for position, (delay, utterance) in enumerate(zip(delays, utterances, strict=True))
        ],
        "quiet_ms": 60,
    }
    lines = [ScriptLine(say=f"{sound} turn {position + 1}", pause_s=0.3) for position in range(len(delays))]
    return _call(
        f"{sound}-responses-{index + 1}",
        lines,
        utterances,
        behaviour,
        kind="response",
        sound=sound,
        agent=agent,
        conditions=conditions,
        seed=seed + index,
    )


def interruption_call(
    stops: Sequence[int], *, sound: Sound, index: int, agent: str, conditions: ConditionsPlan, seed: int
) -> CalibrationCall:
    """Each stop: a line, a long answer that is interrupted, a short answer to the interruption."""
    lines: list[ScriptLine] = []
    utterances: list[Utterance] = []
    turns: list[dict[str, Any]] = []
    for position, stop in enumerate(stops):
        opening, barge_in = user_utterance(sound, position), interrupting_utterance(sound)
        utterances += [opening, barge_in]
        lines += [
            ScriptLine(say=f"{sound} line {position + 1}", pause_s=0.3),
            ScriptLine(say=f"{sound} barge-in {position + 1}", barge_in_after_s=BARGE_IN_OFFSET_S),
        ]
        turns += [
            {
                "answer_after_ms": 400,
                "say": long_speech(sound, position),
                "stop_after_ms": stop,
                "expect_ms": expected_ms(opening),
            },
            {
                "answer_after_ms": 500,
                "say": agent_speech(sound, position, tone_ms=500),
                "expect_ms": expected_ms(barge_in),
            },
        ]
    return _call(
        f"{sound}-interruptions-{index + 1}",
        lines,
        utterances,
        {"turns": turns, "quiet_ms": 60},
        kind="interruption",
        sound=sound,
        agent=agent,
        conditions=conditions,
        seed=seed + 1000 + index,
    )


def _call(
    call_id: str,
    lines: Sequence[ScriptLine],
    utterances: Sequence[Utterance],
    behaviour: dict[str, Any],
    *,
    kind: Literal["response", "interruption"],
    sound: Sound,
    agent: str,
    conditions: ConditionsPlan,
    seed: int,
) -> CalibrationCall:
    plan = CallPlan(
        call_id=call_id,
        agent=agent,
        script=Script(wait_for_greeting=False, lines=tuple(lines), hang_up_after_s=0.3),
        conditions=conditions,
        limits=Limits(call_s=900, silence_s=10),
        request_data={"session": call_id, "behaviour": behaviour},
        seed=seed,
    )
    return CalibrationCall(plan=plan, sound=sound, kind=kind, utterances=tuple(utterances))


def user_utterance(sound: Sound, position: int) -> Utterance:
    """What the caller says at one position of a call."""
    if sound == "marker":
        return tone(0.6)
    return _clip(USER_CLIPS[position % len(USER_CLIPS)])


def interrupting_utterance(sound: Sound) -> Utterance:
    """What the caller interrupts with."""
    return tone(2.2) if sound == "marker" else _clip(INTERRUPTING_CLIP)


def agent_speech(sound: Sound, position: int, *, tone_ms: int) -> dict[str, Any]:
    """What the agent is told to answer: a tone of that length, or a clip of its own length."""
    if sound == "marker":
        return {"tone_ms": tone_ms}
    return {"clip": AGENT_CLIPS[position % len(AGENT_CLIPS)]}


def long_speech(sound: Sound, position: int) -> dict[str, Any]:
    """What the agent is told to say where it is to be interrupted."""
    if sound == "marker":
        return {"tone_ms": 7000}
    first = position % len(AGENT_CLIPS)
    return {"clip": [AGENT_CLIPS[first], AGENT_CLIPS[(first + 1) % len(AGENT_CLIPS)]]}


def expected_ms(utterance: Utterance) -> int:
    """What the agent is told to wait for, so that a pause inside an utterance does not end it."""
    return max(0, round(utterance.duration_s * 1000) - 30)


def _clip(name: str) -> Utterance:
    samples, rate = soundfile.read(shipped_folder("speech") / f"{name}.flac", dtype="float32")
    return prepare_utterance(Speech(samples=_mono(samples), sample_rate_hz=rate), level_dbfs=-23.0)


def _mono(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    return samples if samples.ndim == 1 else np.asarray(samples.mean(axis=1), dtype=np.float32)


def _spread(low: int, high: int, count: int) -> list[int]:
    """``count`` values from low to high, evenly on a logarithmic scale."""
    return [round(value) for value in np.geomspace(low, high, count)] if count else []


def _divided(values: Sequence[int], parts: int) -> list[Sequence[int]]:
    parts = max(parts, -(-len(values) // MOST_PER_CALL))
    return [part for index in range(parts) if (part := values[index::parts])]
