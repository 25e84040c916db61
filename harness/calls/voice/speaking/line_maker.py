"""The process that makes callers' lines into sound before they are called, for whoever prepares them later,
and reads their examples.

``python -P -m harness.calls.voice.speaking.line_maker``: a call plan a line (JSON) on stdin, and for each,
when all its lines lie in the caches of speech and packets, a line on stdout: ``{"call": ..., "lines": ...}``.
A line that cannot be spoken is left to that preparation, which says why.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import BinaryIO

from harness.calls.callers import read_examples
from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.workers.process import working
from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.understanding import BY_WORDS
from voice_sim.understanding.encoders.base import MissingEncoderError

READY = b'{"ready": true}\n'
NICENESS = 19
"""Far below the words of calls that stand (10): beside two of these at 15, words came a second later."""


def make_lines(plan: CallPlan, builder: CallBuilder) -> int:
    """Speaks and encodes all that is known of a caller's words; how many lines that were. Of a caller that is
    played by a language model nothing is known before it is there.

    Raises:
        UserError: A voice or a line cannot be had.
    """
    return 0 if plan.language_model is not None else len(builder.prepare(plan).clips)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Until the source ends."""
    builder = CallBuilder()
    for line in source:
        plan = CallPlan.model_validate_json(line)
        lines = 0
        with contextlib.suppress(UserError):
            lines = make_lines(plan, builder)
        # Whoever answers questions in a call would read them at the ears' priority, before the words.
        with contextlib.suppress(MissingEncoderError):
            if plan.understanding != BY_WORDS:
                read_examples(plan.about.persona)
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
