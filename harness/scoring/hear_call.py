"""The process that has the instruments listen to calls of a run, and keeps what they heard.

``python -P -m harness.scoring.hear_call``: see :mod:`harness.scoring.beside`.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import BinaryIO

from harness.analysis.call import analyse
from harness.analysis.instruments import Instruments, Kind
from harness.analysis.listener import Listener
from harness.runs.elsewhere.calibration_file import calibration_of
from harness.runs.store import RunStore
from harness.scoring.beside import Heard, Order
from harness.scoring.material import call_material, sides_of

_INSTRUMENTS: dict[tuple[frozenset[Kind], bool, int], Instruments] = {}
"""Of this process, loaded once."""


def hear_call(order: Order) -> Heard:
    """Never raises for what is wrong with a call: it is told when the call is scored."""
    try:
        return _heard(order)
    except Exception as error:
        return Heard(call_id=order.call_id, failed=f"{type(error).__name__}: {error}")


def _heard(order: Order) -> Heard:
    store = RunStore(order.folder)
    record, recording = store.read_record(order.call_id), store.recording(order.call_id)
    if record is None or recording is None:
        return Heard(call_id=order.call_id, failed="it has no record or no recording")
    cache = store.analysis_cache(order.call_id, fresh=order.fresh)
    listener = Listener(
        partial(sides_of, recording, record.media),
        instruments=_instruments(order),
        recording_sha256=recording.sha256,
        cache=cache,
    )
    calibration = calibration_of(store.call_folder(order.call_id), record)
    analyse(call_material(store, record), listener=listener, calibration=calibration)
    return Heard(
        call_id=order.call_id,
        asked=listener.asked,
        measured=listener.measured,
        changed=frozenset(cache.changed),
        problems=tuple(cache.problems),
    )


def _instruments(order: Order) -> Instruments:
    key = (order.only, order.caller_words, order.threads)
    if key not in _INSTRUMENTS:
        _INSTRUMENTS[key] = Instruments(
            threads=order.threads, only=order.only, caller_words=order.caller_words
        )
    return _INSTRUMENTS[key]


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Until the source ends."""
    for line in source:
        sink.write(hear_call(Order.model_validate_json(line)).model_dump_json().encode() + b"\n")
        sink.flush()


def main() -> None:
    # What a library prints must not come between what is told.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
