"""From a call that went wrong to a plan that has it again: the caller's words, its timing, its interruptions,
and what the agent has to do this time."""

from __future__ import annotations

import re
from typing import Any

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.records.call import CallStatus, SpokenUtterance
from harness.records.scores import CallScores
from harness.runs.reader import CallFiles
from harness.scoring.gates.held_to import NOT_PLACED
from metrics.interaction.outcome import TurnOutcome

STOPS_WITHIN_MS = 500
SHORTEST_OFFSET_S, LONGEST_S = 0.2, 30.0
DEFAULT_PAUSE_S = 0.4


def pinned(files: CallFiles) -> dict[str, Any]:
    """A plan file's content with this one call.

    Its lines are what the caller really said, in its voice and conditions, with the pauses it made and the
    offsets of its interruptions; each is expected to go as it did not.

    Raises:
        UserError: The call left no record, or nothing was said in it.
    """
    record = files.record
    if record is None:
        raise UserError(f"{files.call_id}: left no record that can be read")
    said = [one for one in record.utterances if one.text.strip() and not one.cut_short]
    if not said:
        raise UserError(f"{files.call_id}: the caller said nothing in it ({record.status_detail})")
    scores = files.scores or CallScores(call_id=files.call_id)
    lines = [_line(one, scores) for one in said]
    greeted = any(start < said[0].start_s for start, _ in _agent_spans(scores))
    call: dict[str, Any] = {
        "id": re.sub(r"[^A-Za-z0-9._-]", "-", f"pin-{files.call_id}")[:80],
        "title": f"pinned from {files.call_id}",
        "script": {"wait_for_greeting": greeted, "lines": lines},
        **_surroundings(record.plan),
    }
    expect = _of_the_call(record.status, any("expect" in line for line in lines))
    if expect:
        call["expect"] = expect
    plan: dict[str, Any] = {"name": call["id"], "agent": str(record.plan.agent), "calls": [call]}
    if record.plan.headers:
        plan["headers"] = {name: str(value) for name, value in record.plan.headers.items()}
    return plan


def _line(one: SpokenUtterance, scores: CallScores) -> dict[str, Any]:
    line: dict[str, Any] = {"say": one.text}
    timing = next((found for found in scores.interruptions if found.index == one.index), None)
    if one.kind == "turn":
        line["pause_s"] = _pause(one, scores)
    else:
        offset = timing.actual_offset_s if timing is not None else None
        if offset is None and one.agent_onset_s is not None:
            offset = one.start_s - one.agent_onset_s
        line["barge_in_after_s"] = round(min(max(offset or 1.0, SHORTEST_OFFSET_S), LONGEST_S), 3)
    if one.kind == "backchannel":
        line["kind"] = "backchannel"
    expect: list[Any] = []
    if timing is not None and (timing.outcome == "not_stopped" or timing.within_500ms is False):
        expect.append({"stops_within_ms": STOPS_WITHIN_MS})
    turn = next((found for found in scores.turns if found.index == one.index), None)
    if turn is not None and turn.outcome in (TurnOutcome.NOT_ANSWERED, TurnOutcome.TALKED_OVER):
        expect.append("answered")
    if expect:
        line["expect"] = expect
    return line


def _pause(one: SpokenUtterance, scores: CallScores) -> float:
    """From the end of the agent's speech before it."""
    before = [end for start, end in _agent_spans(scores) if start < one.start_s]
    if not before:
        return DEFAULT_PAUSE_S
    return round(min(max(one.start_s - max(before), 0.0), LONGEST_S), 3)


def _agent_spans(scores: CallScores) -> list[tuple[float, float]]:
    spans = scores.spans.agent
    return spans.get("energy") or next((found for found in spans.values() if found), [])


def _surroundings(plan: CallPlan) -> dict[str, Any]:
    """Voice, line and patience; what the plan says nothing of stays out."""
    kept: dict[str, Any] = {"voice": plan.voice.model_dump(mode="json"), "language": plan.language}
    conditions = plan.conditions.model_dump(mode="json", exclude_defaults=True)
    limits = plan.limits.model_dump(mode="json", exclude_defaults=True)
    if conditions:
        kept["conditions"] = conditions
    if limits:
        kept["limits"] = limits
    if plan.request_data:
        kept["request_data"] = plan.request_data
    return kept


def _of_the_call(status: CallStatus, lines_expect: bool) -> list[Any]:
    if status in NOT_PLACED or not status.took_place:
        return ["answered"]
    if status is not CallStatus.COMPLETED:
        return [{"ends": CallStatus.COMPLETED.value}]
    return [] if lines_expect else ["answered"]
