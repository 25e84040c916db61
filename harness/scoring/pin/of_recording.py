"""A stereo recording from production, pinned: the caller's very sound, with the timing it had."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harness.analysis.instruments import Instruments
from harness.errors import UserError
from harness.runs.sound_file import read_audio_file
from harness.scoring.pin.case import Case, case_id, with_sounds
from harness.scoring.pin.lines import agent_spans, line_of
from harness.scoring.recording import at_call_rate, score_recording

NOT_UNDERSTOOD = "(not understood)"
"""Stands for the words of a line of which our recogniser heard none."""


def pinned_recording(path: Path, *, instruments: Instruments, language: str, caller_is_left: bool) -> Case:
    """A plan that says the caller's side of a recording again, each line with what it was answered by then.

    The words beside the sounds are our recogniser's: for people to read, and no reference for error rates.

    Raises:
        UserError: It is no recording of two sides, or nobody speaks on the caller's.
    """
    found = score_recording(path, instruments=instruments, language=language, caller_is_left=caller_is_left)
    if found.kind != "stereo":
        raise UserError(f"{path}: one channel; a call is pinned from two, the caller's and the agent's")
    if not found.utterances:
        other = "right" if caller_is_left else "left"
        raise UserError(f"{path}: no speech is heard on the caller's side; is it --caller {other}?")
    heard = {
        line.utterance: line.text
        for line in found.transcript.lines
        if line.side == "caller" and line.utterance is not None and line.text.strip()
    }
    said = [
        one.model_copy(update={"text": heard.get(one.index, NOT_UNDERSTOOD), "text_heard": True})
        for one in found.utterances
    ]
    sound = read_audio_file(path)
    channel = np.ascontiguousarray(sound.samples[:, 0 if caller_is_left else 1])
    name = case_id(path.stem)
    lines, sounds = with_sounds(
        [line_of(one, found.scores) for one in said],
        said,
        at_call_rate(channel, sound.sample_rate_hz),
        folder=f"{name}-sounds",
        words="heard",
    )
    greeted = any(start < said[0].start_s for start, _ in agent_spans(found.scores))
    call = {
        "id": name,
        "title": f"pinned from {path.name}",
        "language": language,
        "script": {"wait_for_greeting": greeted, "lines": lines},
    }
    if not any("expect" in line for line in lines):
        call["expect"] = ["answered"]
    return Case(content={"name": name, "calls": [call]}, sounds=sounds)
