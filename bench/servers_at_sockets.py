"""Answers and stops of other makers' servers, against the packets at their sockets.

``python -m bench.servers_at_sockets [fastrtc] [speech-to-speech]`` needs the judges' Pythons that
``.ci/judges`` names and a machine with nothing else to do; it places 60 programmed answers and 36 stops, by
tones, in about 15 minutes a server. Goal: p95 of both errors <= 3 ms, >= 90 % measured, and no
verdict on 500 ms wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from harness.errors import UserError
from harness.selfcheck.calibration.compare import Comparison
from tests.live.offers.socket_timing import JUDGES, Measured, measure

TURNS, STOPS, CALLS = 60, 36, 4
BOUND_MS = 3.0
LEAST_MEASURED = 0.9


def main(names: Sequence[str]) -> int:
    """Prints each server's table; 1 where a goal was missed."""
    unknown = sorted(set(names) - set(JUDGES))
    if unknown:
        raise UserError(f"no such server: {', '.join(unknown)}; there are {', '.join(JUDGES)}")
    missed = False
    for name in names or tuple(JUDGES):
        found = measure(
            *JUDGES[name],
            turns=TURNS,
            stops=STOPS,
            calls=CALLS,
            on_call=lambda call: print(f"  {call} ended", flush=True),
        )
        print(name, flush=True)
        missed |= not _keeps(found)
    return int(missed)


def _keeps(found: Measured) -> bool:
    compared = found.compared
    # What follows an interruption is an answer as well, and so are the lines before.
    answers = _row("answers", compared.responses, due=TURNS + 2 * STOPS)
    stops = _row("stops", compared.interruptions, due=STOPS)
    print(f"  verdicts on 500 ms: {compared.verdicts}, wrong: {len(compared.verdicts_wrong)}")
    for lost in compared.lost:
        print(f"  not measured: {lost}")
    return answers and stops and not compared.verdicts_wrong


def _row(what: str, compared: Sequence[Comparison], *, due: int) -> bool:
    errors_ms = np.abs([one.error_ms for one in compared])
    if not errors_ms.size:
        print(f"  {what}: none of {due} measured")
        return False
    p50, p95 = np.percentile(errors_ms, (50, 95))
    print(
        f"  {what}: {errors_ms.size} of {due} measured, error p50 {p50:.2f}, p95 {p95:.2f},"
        f" worst {errors_ms.max():.2f} ms"
    )
    return bool(p95 <= BOUND_MS and errors_ms.size >= LEAST_MEASURED * due)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UserError as error:
        sys.exit(str(error))
