"""The calls of one row: answers and stops planted from fast to slow, in tones and in natural speech."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.plans.call import CallPlan, Limits
from harness.selfcheck.calibration.design import (
    BARGE_IN_OFFSET_S,
    CalibrationCall,
    Sound,
    agent_speech,
    expected_ms,
    interrupting_utterance,
    long_speech,
    user_utterance,
)
from harness.selfcheck.calibration.hostile.rows import Row
from voice_sim.policies.script import Script, ScriptLine
from voice_sim.voice.utterance import Utterance


@dataclass(frozen=True, kw_only=True)
class Planted:
    """What one call holds, in ms: answers, and interruptions, each with the answers before and after it."""

    sound: Sound
    answers: Sequence[int]
    stops: Sequence[tuple[int, int, int]]
    """(answer to the line before, stop, answer to the interruption)."""


PLANTED = (
    Planted(
        sound="marker", answers=(180, 1300, 700), stops=((400, 800, 250), (900, 300, 600), (500, 560, 400))
    ),
    Planted(sound="natural", answers=(900,), stops=((600, 1000, 300), (350, 440, 700), (450, 220, 500))),
)
"""Stops lie at least 60 ms clear of 500 ms: a verdict can be asked for."""
TURNS = sum(len(one.answers) + 2 * len(one.stops) for one in PLANTED)
STOPS = sum(len(one.stops) for one in PLANTED)


def calls_of(row: Row, *, agent: str, seed: int) -> list[CalibrationCall]:
    """The calls of a row, one a sound."""
    return [_call(row, planted, agent=agent, seed=seed) for planted in PLANTED]


def row_of(call_id: str) -> str:
    """The name of the row that a call belongs to."""
    return call_id.rpartition("-")[0]


def _call(row: Row, planted: Planted, *, agent: str, seed: int) -> CalibrationCall:
    sound = planted.sound
    lines: list[ScriptLine] = []
    said: list[Utterance] = []
    turns: list[dict[str, Any]] = []
    for position, delay in enumerate(planted.answers):
        utterance = user_utterance(sound, position)
        said.append(utterance)
        lines.append(ScriptLine(say=f"line {position + 1}", pause_s=0.3))
        turns.append(_turn(delay, agent_speech(sound, position, tone_ms=700), utterance))
    for position, (before, stop, after) in enumerate(planted.stops):
        opening, barge_in = user_utterance(sound, position), interrupting_utterance(sound)
        said += [opening, barge_in]
        lines += [
            ScriptLine(say=f"opening {position + 1}", pause_s=0.3),
            ScriptLine(say=f"barge-in {position + 1}", barge_in_after_s=BARGE_IN_OFFSET_S),
        ]
        turns += [
            _turn(before, long_speech(sound, position), opening) | {"stop_after_ms": stop},
            _turn(after, agent_speech(sound, position, tone_ms=500), barge_in),
        ]
    call_id = f"{row.name}-{sound}"
    behaviour = {"turns": turns, "quiet_ms": 60, "clock": row.clock}
    plan = CallPlan(
        call_id=call_id,
        agent=agent,
        script=Script(wait_for_greeting=False, lines=tuple(lines), hang_up_after_s=0.3),
        limits=Limits(call_s=180, silence_s=10),
        request_data={"session": call_id, "behaviour": behaviour},
        seed=seed,
    )
    return CalibrationCall(plan=plan, sound=sound, kind="both", utterances=tuple(said))


def _turn(answer_after_ms: int, say: dict[str, Any], heard: Utterance) -> dict[str, Any]:
    return {"answer_after_ms": answer_after_ms, "say": say, "expect_ms": expected_ms(heard)}
