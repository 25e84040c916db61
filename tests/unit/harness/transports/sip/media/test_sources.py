"""Whose sound it is: the agent's when it moves, and nobody else's."""

from __future__ import annotations

from collections import Counter

from aiortc.rtp import RtpPacket

from harness.transports.sip.media.sources import Place, Sources

FIRST, SECOND, NAMED, STRANGER = (("192.0.2.9", port) for port in (1000, 2000, 3000, 4000))
MS = 1_000_000


class Line:
    """Packets that come, each at a time that the test says."""

    def __init__(self, named: Place | None = None) -> None:
        self.passed_over: Counter[str] = Counter()
        self.events: list[dict[str, object]] = []
        self.sources = Sources(
            passed_over=self.passed_over, on_event=lambda kind, data: self.events.append(data)
        )
        self.sources.expect(named)
        self.numbers: Counter[Place] = Counter()

    def comes(self, source: Place, at_ms: int, *, step: int = 1) -> list[int]:
        """When what is heard now came, in milliseconds."""
        self.numbers[source] += step
        if not self.sources.may_send(source, at_ms * MS):
            return []
        packet = RtpPacket(sequence_number=self.numbers[source], ssrc=source[1], payload=b"x")
        return [arrival // MS for _, arrival in self.sources.take(packet, source, at_ms * MS)]

    def run(self, source: Place, from_ms: int, to_ms: int) -> list[int]:
        """A packet every 20 ms."""
        return [at for start in range(from_ms, to_ms, 20) for at in self.comes(source, start)]


def test_sound_that_moves_is_heard_after_the_first_place_was_silent() -> None:
    line = Line()
    assert line.run(FIRST, 1000, 2000) == list(range(1000, 2000, 20))
    # The last packet came at 1980: from 3480 on the next place may be the agent's, and nothing is lost then.
    assert line.run(SECOND, 2000, 4000) == list(range(3480, 4000, 20))
    assert line.passed_over == {"from somewhere else": 74}
    assert line.events == [
        {"address": "192.0.2.9:1000", "named": False},
        {"address": "192.0.2.9:2000", "named": False, "silent_s": 1.5},
    ]


def test_a_few_packets_are_no_stream() -> None:
    line = Line()
    line.run(FIRST, 1000, 2000)
    assert line.run(SECOND, 4000, 4080) == []
    # One after a hole in its numbers begins again.
    assert line.comes(SECOND, 4080, step=50) == []
    assert line.run(SECOND, 4100, 4180) == [4080, 4100, 4120, 4140, 4160]


def test_nobody_gets_in_while_the_agent_sends() -> None:
    line = Line()
    heard: list[int] = []
    for start in range(1000, 9000, 20):
        heard += line.comes(FIRST, start) + line.comes(STRANGER, start + 7)
    assert heard == list(range(1000, 9000, 20))


def test_who_sent_beside_the_agent_does_not_get_in_when_it_pauses() -> None:
    line = Line()
    for start in range(1000, 2000, 20):
        line.comes(FIRST, start)
        line.comes(STRANGER, start + 7)
    assert line.run(STRANGER, 2007, 9000) == []
    assert line.run(FIRST, 9000, 9100) == [9000, 9020, 9040, 9060, 9080]


def test_what_was_there_before_comes_back_first() -> None:
    line = Line()
    line.run(FIRST, 1000, 2000)
    assert line.run(STRANGER, 5000, 6000)
    for start in range(6000, 6080, 20):
        assert line.comes(FIRST, start) == []
        assert line.comes(STRANGER, start + 7) == [start + 7]
    # The fifth in a row: of who was there before nothing is lost, and the other one is passed over.
    assert line.comes(FIRST, 6080) == [6000, 6020, 6040, 6060, 6080]
    assert line.run(STRANGER, 6087, 9000) == []


def test_the_named_place_comes_before_all_others_at_once() -> None:
    line = Line(NAMED)
    assert line.comes(FIRST, 1000) == [1000]
    assert line.comes(NAMED, 1020) == [1020]
    assert line.comes(FIRST, 1040) == []
    assert [one["named"] for one in line.events] == [False, True]


def test_a_new_description_begins_anew_and_the_same_one_does_not() -> None:
    line = Line(NAMED)
    line.run(NAMED, 1000, 2000)
    line.sources.expect(NAMED)
    assert line.comes(SECOND, 2000) == []
    line.sources.expect(("192.0.2.9", 5000))
    assert line.comes(SECOND, 2020) == [2020]
    line.sources.expect(("192.0.2.9", 5000), anew=True)
    assert line.comes(FIRST, 2040) == [2040]


def test_where_hundreds_send_none_of_them_is_the_agent() -> None:
    line = Line()
    line.run(FIRST, 1000, 2000)
    for number in range(200):
        line.comes(("192.0.2.10", number), 1900)
    assert line.run(SECOND, 5000, 6000) == []
