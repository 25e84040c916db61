"""A call of a run, pinned: the caller's words in its voice and conditions, or its very sound."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.records.call import CallStatus
from harness.records.scores import CallScores
from harness.runs.reader import CallFiles
from harness.scoring.gates.held_to import NOT_PLACED
from harness.scoring.pin.case import Case, case_id, with_sounds
from harness.scoring.pin.lines import agent_spans, line_of
from harness.scoring.pin.own_sounds import found_from_anywhere, with_own_sound
from voice_sim.policies.script import ScriptLine

IN_THE_SOUND = ("distance_m", "noise", "telephone", "line_gain_db")
"""Conditions that a recording of the caller as sent has already."""


def pinned_call(files: CallFiles, *, caller: NDArray[np.float32] | None = None) -> Case:
    """A plan with this one call.

    Its lines are what the caller really said, in its voice and conditions, with the pauses it made and the
    offsets of its interruptions; each is expected to go as it did not.

    Args:
        caller: The caller's side of the recording at 48 kHz: its lines are then said by that. None: they are
            spoken anew.

    Raises:
        UserError: The call left no record, nothing was said in it, it was not scored yet, or a recording
            that its plan named is not where it was.
    """
    record = files.record
    if record is None:
        raise UserError(f"{files.call_id}: left no record that can be read")
    said = [one for one in record.utterances if one.text.strip() and not one.cut_short]
    if not said:
        raise UserError(f"{files.call_id}: the caller said nothing in it ({record.status_detail})")
    if files.scores is None and record.status.took_place:
        # When the agent spoke, and what became of a line, is known from the scores alone.
        raise UserError(
            f"{files.call_id}: is not scored, so that nothing tells what went wrong in it; first score its "
            "run: outboundeval score RUN"
        )
    scores = files.scores or CallScores(call_id=files.call_id)
    scripted = [_scripted(record.plan, one.index) for one in said]
    lines = [line_of(one, scores, written) for one, written in zip(said, scripted, strict=True)]
    name = case_id(files.call_id)
    sounds: dict[str, bytes] = {}
    if caller is not None:
        lines, sounds = with_sounds(lines, said, caller, folder=f"{name}-sounds", words="known")
        for line, one in zip(lines, said, strict=True):
            if "sound" in line:
                line["sound"]["words"] = "heard" if one.text_heard else "known"
    else:
        lines = [
            with_own_sound(line, written, place=f"{files.call_id}, line {number}")
            for number, (line, written) in enumerate(zip(lines, scripted, strict=True), 1)
        ]
    greeted = any(start < said[0].start_s for start, _ in agent_spans(scores))
    call: dict[str, Any] = {
        "id": name,
        "title": f"pinned from {files.call_id}",
        "script": {"wait_for_greeting": greeted, "lines": lines},
        **_surroundings(record.plan, sounds_are_sent=caller is not None),
    }
    expect = _of_the_call(record.status, any("expect" in line for line in lines))
    if expect:
        call["expect"] = expect
    plan: dict[str, Any] = {"name": name, "agent": str(record.plan.agent), "calls": [call]}
    if record.plan.headers:
        plan["headers"] = {key: str(value) for key, value in record.plan.headers.items()}
    return Case(content=plan, sounds=sounds)


def _scripted(plan: CallPlan, index: int) -> ScriptLine | None:
    """The line of the call's own script that an utterance is."""
    lines = plan.script.lines if plan.script is not None else ()
    return lines[index] if index < len(lines) else None


def _surroundings(plan: CallPlan, *, sounds_are_sent: bool) -> dict[str, Any]:
    """Voice, line and patience; what the plan says nothing of stays out."""
    kept: dict[str, Any] = {"voice": plan.voice.model_dump(mode="json"), "language": plan.language}
    conditions = plan.conditions.model_dump(mode="json", exclude_defaults=True)
    if sounds_are_sent:
        conditions = {name: value for name, value in conditions.items() if name not in IN_THE_SOUND}
    noise = plan.conditions.noise
    if "noise" in conditions and noise is not None and noise.path is not None:
        path = found_from_anywhere(noise.path, place=f"{plan.call_id}: conditions.noise.path")
        conditions["noise"]["path"] = path
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
