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
import traceback
from collections.abc import Iterator
from typing import BinaryIO

from harness.calls.callers import read_examples
from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.workers.process import working
from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.understanding import BY_WORDS
from voice_sim.understanding.encoders.base import MissingEncoderError

READY = b'{"ready": true}\n'
SHARED = 8
"""Finished lines that are kept in memory: what is made here goes to disk."""
NICENESS = 19
"""Far below the words of calls that stand (10), which took 0.30 s beside two of these and 0.29 s alone."""


def make_lines(plan: CallPlan, builder: CallBuilder) -> int:
    """Speaks and encodes all that is known of a caller's words; how many lines that were. Of a caller that is
    played by a language model nothing is known before it is there.

    Raises:
        UserError: A voice or a line cannot be had.
    """
    return 0 if plan.language_model is not None else len(builder.prepare(plan).clips)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Until the source ends."""
    builder = CallBuilder(most_shared=SHARED)
    for line in source:
        plan = CallPlan.model_validate_json(line)
        lines = 0
        # Whoever prepares the call meets the same, and says it of that call; the others go on here.
        with _told_of(plan):
            lines = make_lines(plan, builder)
        # Whoever answers questions in a call would read them at the ears' priority, before the words.
        with _told_of(plan):
            if plan.understanding != BY_WORDS:
                read_examples(plan.about.persona)
        sink.write(json.dumps({"call": plan.call_id, "lines": lines}).encode() + b"\n")
        sink.flush()


@contextlib.contextmanager
def _told_of(plan: CallPlan) -> Iterator[None]:
    try:
        yield
    except (UserError, MissingEncoderError):
        pass
    except Exception:
        print(f"call {plan.call_id}: its lines could not be made ahead", file=sys.stderr)
        traceback.print_exc()


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
