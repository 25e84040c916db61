"""The process that makes callers' lines into sound before they are called, for whoever prepares them later.

``python -P -m harness.calls.voice.speaking.line_maker``: a call plan a line (JSON) on stdin, and for each,
when all its lines lie in the cache of speech, a line on stdout: ``{"call": ..., "lines": ...}``. A line that
cannot be spoken is left to that preparation, which says why.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import BinaryIO

from harness.calls.callers import policy_of
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.calls.voice.workers.process import working
from harness.errors import UserError
from harness.plans.call import CallPlan

READY = b'{"ready": true}\n'
NICENESS = 15
"""Below the ears and the words of calls that stand."""


def make_lines(plan: CallPlan, clips: ClipMaker) -> int:
    """Speaks all that is known of a caller's words; how many lines that were. Of a caller that is played by a
    language model nothing is known before it is there.

    Raises:
        UserError: A voice or a line cannot be had.
    """
    if plan.language_model is not None:
        return 0
    texts = policy_of(plan, model=None).prepared_lines()
    if plan.script is not None:
        # What is a recording already is not spoken.
        texts = [line.say for line in plan.script.lines if line.sound is None]
    for text in texts:
        clips.speak(plan.voice, text, conditions=plan.conditions, seed=plan.seed)
    return len(texts)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Until the source ends."""
    clips = ClipMaker()
    for line in source:
        plan = CallPlan.model_validate_json(line)
        lines = 0
        with contextlib.suppress(UserError):
            lines = make_lines(plan, clips)
        sink.write(json.dumps({"call": plan.call_id, "lines": lines}).encode() + b"\n")
        sink.flush()


def main() -> None:
    # What a library prints must not come between what is told.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with working(niceness=NICENESS):
        sink.write(READY)
        sink.flush()
        serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
