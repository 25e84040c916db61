"""What is said of a figure that its packets leave too open."""

from __future__ import annotations

import pytest

from metrics.interaction import on_wire
from metrics.interaction.on_wire import OnWire, too_open


def test_the_reason_has_the_figure_by_its_packets_what_they_leave_open_and_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the clock 800 ms; by the packets' own passing 857 ms, 762 ms to either side."""
    wire = OnWire(from_to_s=0.8, jitter_s=0.762, passed_s=0.857, heard_s=0.9)
    said = "single packets say 857 ms, ±762 ms: something on the way, or the agent, stalled just then "
    assert too_open(wire) == said + "(bound 50 ms)"
    assert on_wire.MAX_JITTER_S == 0.05
    assert not wire.strays
    monkeypatch.setattr(on_wire, "MAX_JITTER_S", 0.7)
    assert too_open(wire) == said + "(bound 700 ms)"
