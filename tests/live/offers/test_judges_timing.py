"""Figures of FastRTC's and speech-to-speech's own servers against what passed their sockets."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest

from tests.live.offers.socket_timing import JUDGES, Measured, measure

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

TURNS, STOPS = 12, 8
BOUND_MS = 3.0
LEAST_MEASURED = 0.9


@pytest.fixture(scope="module")
def called() -> Iterator[dict[str, Future[Measured]]]:
    """Both judges are called at the same time."""
    with ThreadPoolExecutor(len(JUDGES)) as pool:
        yield {name: pool.submit(measure, *judge, turns=TURNS, stops=STOPS) for name, judge in JUDGES.items()}


@pytest.fixture(scope="module", params=list(JUDGES))
def measured(request: pytest.FixtureRequest, called: dict[str, Future[Measured]]) -> Measured:
    return called[request.param].result()


def test_answers_lie_within_the_bound(measured: Measured) -> None:
    found = measured.compared
    # What follows an interruption is an answer as well, and so are the lines before.
    due = TURNS + 2 * STOPS
    assert len(found.responses) >= LEAST_MEASURED * due, found.lost
    errors_ms = np.abs([one.error_ms for one in found.responses])
    assert np.percentile(errors_ms, 95) <= BOUND_MS, sorted(errors_ms)[-4:]


def test_stops_lie_within_the_bound_and_no_verdict_is_wrong(measured: Measured) -> None:
    found = measured.compared
    assert len(found.interruptions) >= LEAST_MEASURED * STOPS, found.lost
    errors_ms = np.abs([one.error_ms for one in found.interruptions])
    assert np.percentile(errors_ms, 95) <= BOUND_MS, sorted(errors_ms)[-4:]
    assert found.verdicts_wrong == []
    assert found.verdicts > 0
    # On both sides of the line, or the verdicts would say nothing.
    assert min(one.truth_ms for one in found.interruptions) < 500
    assert max(one.truth_ms for one in found.interruptions) > 500


def test_its_clock_is_as_strange_as_it_was_said_to_be(measured: Measured) -> None:
    """Else the figures above would prove less than they seem to."""
    sent = [np.array(log["sent"], dtype=np.int64) for log in measured.truths.values()]
    apart_s = np.concatenate([np.diff(one[:, 2]) for one in sent]) / 1e9
    assert np.count_nonzero(apart_s > 0.3) >= TURNS, "it sends in silence"
    ticks = np.concatenate([np.diff(one[:, 1]) % 2**32 for one in sent])
    pauses = apart_s > 0.3
    if np.median(ticks[pauses]) == 960:
        leaps = (ticks > 48_000) & ~pauses
        assert np.count_nonzero(leaps) >= STOPS / 2, "its time stamps leap when a queue was thrown away"
    else:
        np.testing.assert_allclose(ticks[pauses] / 48_000, apart_s[pauses], atol=0.03)
