"""A line of a pinned call: its words, its timing, and what has to go otherwise."""

from __future__ import annotations

from typing import Any

from harness.records.call import SpokenUtterance
from harness.records.scores import CallScores, InterruptionTiming
from metrics.interaction.outcome import TurnOutcome
from voice_sim.policies.script import ScriptLine

STOPS_WITHIN_MS = 500
SHORTEST_OFFSET_S, LONGEST_S = 0.2, 30.0
DEFAULT_PAUSE_S = 0.4


def line_of(one: SpokenUtterance, scores: CallScores, scripted: ScriptLine | None = None) -> dict[str, Any]:
    """An utterance as a line of a script, in the form of a plan file, with what is expected of the agent.

    Args:
        scripted: The line that it was in the call's own script, where it had one.
    """
    if one.pressed:
        return {"press": one.pressed, "pause_s": _pause(one, scores)} | _expected(one, scores)
    line: dict[str, Any] = {"say": one.text}
    if one.kind == "turn":
        line["pause_s"] = _pause(one, scores)
    else:
        timing = _interruption(one, scores)
        offset = timing.actual_offset_s if timing is not None else None
        if offset is None and one.agent_onset_s is not None:
            offset = one.start_s - one.agent_onset_s
        line["barge_in_after_s"] = round(min(max(offset or 1.0, SHORTEST_OFFSET_S), LONGEST_S), 3)
    if one.kind == "backchannel":
        line["kind"] = "backchannel"
    elif one.kind == "turn" and scripted is not None and scripted.kind != "turn":
        # It fell into the agent's silence, where the caller goes on without an answer.
        return line | {"kind": "aside"}
    return line | _expected(one, scores)


def _interruption(one: SpokenUtterance, scores: CallScores) -> InterruptionTiming | None:
    return next((found for found in scores.interruptions if found.index == one.index), None)


def _expected(one: SpokenUtterance, scores: CallScores) -> dict[str, Any]:
    """What has to go otherwise, as the field of a line; nothing where nothing has."""
    expect: list[Any] = []
    timing = _interruption(one, scores)
    if timing is not None and (timing.outcome == "not_stopped" or timing.within_500ms is False):
        expect.append({"stops_within_ms": STOPS_WITHIN_MS})
    turn = next((found for found in scores.turns if found.index == one.index), None)
    if turn is not None and turn.outcome in (TurnOutcome.NOT_ANSWERED, TurnOutcome.TALKED_OVER):
        expect.append("answered")
    return {"expect": expect} if expect else {}


def _pause(one: SpokenUtterance, scores: CallScores) -> float:
    """From the end of the agent's speech before it."""
    before = [end for start, end in agent_spans(scores) if start < one.start_s]
    if not before:
        return DEFAULT_PAUSE_S
    return round(min(max(one.start_s - max(before), 0.0), LONGEST_S), 3)


def agent_spans(scores: CallScores) -> list[tuple[float, float]]:
    """When the agent spoke, in seconds, by the detector that is exact to the sample where there is one."""
    spans = scores.spans.agent
    return spans.get("energy") or next((found for found in spans.values() if found), [])
