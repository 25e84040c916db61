"""How punctual a process sends now, over the calls that stand in it."""

from __future__ import annotations

from harness.calls.voice.pace.standing import calls_standing, new_lateness_s, stands
from harness.transports.base import MediaLog


def test_each_frame_is_told_once_and_the_handshakes_are_not() -> None:
    log = MediaLog(codec="opus")
    log.lateness_s += [0.5] * 25
    with stands(log):
        assert calls_standing() == 1
        assert new_lateness_s() == []
        log.lateness_s += [0.001, 0.002]
        assert new_lateness_s() == [0.001, 0.002]
        assert new_lateness_s() == []
    log.lateness_s.append(0.003)
    assert calls_standing() == 0
    assert new_lateness_s() == []
