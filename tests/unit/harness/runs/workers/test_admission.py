"""When one more call may be dialled, on a simulated host that is late from some number of calls on."""

from __future__ import annotations

from harness.plans.run import Load
from harness.runs.workers.admission import (
    CANNOT_S,
    CLOSE_MS,
    HOLD_MS,
    PREPARING_MOST_S,
    STAGGER_S,
    TRY_AGAIN_S,
    WORST_P95_MS,
    Admission,
    Heard,
)

TICK_S = 0.05


class _Host:
    """Calls of one length on a machine whose frames are late beyond so many; the clock is a number."""

    def __init__(self, admission: Admission, *, carries: int, call_s: float = 60.0) -> None:
        self.admission = admission
        self.carries = carries
        self.call_s = call_s
        self.now_s = 100.0
        self.ends: list[float] = []
        self.dials: list[float] = []
        self.most = 0
        self.ms_over: list[float] = []

    def late_ms(self) -> float:
        return 1.0 + 2.2 * max(0, len(self.ends) - self.carries)

    def run(self, seconds: float, *, waiting: int = 10_000) -> None:
        until_s = self.now_s + seconds
        tick = 0
        while self.now_s < until_s:
            self.now_s += TICK_S
            tick += 1
            self.ends = [end for end in self.ends if end > self.now_s]
            if tick % 10 == 0:
                self.ms_over.append(self.late_ms())
                heard = Heard(at_s=self.now_s, late_p95_ms=self.late_ms())
                self.admission.hear(heard, standing=len(self.ends))
            free = len(self.dials) < waiting
            if free and self.admission.may_dial(self.now_s, standing=len(self.ends)):
                self.admission.dialled(self.now_s)
                self.dials.append(self.now_s)
                self.ends.append(self.now_s + self.call_s)
            self.most = max(self.most, len(self.ends))


def test_as_many_stand_as_were_asked_for_where_the_host_carries_them() -> None:
    host = _Host(Admission(12), carries=100, call_s=600)
    host.run(30)
    assert host.most == len(host.ends) == 12
    assert host.admission.found is None


def test_dials_are_staggered() -> None:
    host = _Host(Admission(40), carries=100, call_s=600)
    host.run(60)
    steps = [later - one for one, later in zip(host.dials, host.dials[1:], strict=False)]
    assert min(steps) >= STAGGER_S
    assert len(host.ends) == 40


def test_a_host_finds_its_number_and_all_are_placed() -> None:
    host = _Host(Admission(120), carries=30)
    host.run(900, waiting=120)
    assert len(host.dials) == 120
    assert host.admission.found is not None
    assert 28 <= host.most <= 33
    # What voids a call is never reached, and what is wanted only for moments.
    assert max(host.ms_over) < WORST_P95_MS
    assert sum(ms > CLOSE_MS for ms in host.ms_over) < 0.1 * len(host.ms_over)


def test_nobody_is_dialled_while_frames_are_later_than_wanted() -> None:
    admission = Admission(20)
    admission.dialled(0.0)
    admission.hear(Heard(at_s=2.0, late_p95_ms=HOLD_MS + 0.1), standing=3)
    assert not admission.may_dial(2.1, standing=3)
    admission.hear(Heard(at_s=2.5, late_p95_ms=HOLD_MS - 0.1), standing=3)
    assert admission.may_dial(2.6, standing=3)


def test_one_moment_is_no_limit() -> None:
    admission = Admission(20)
    admission.hear(Heard(at_s=1.0, late_p95_ms=30.0), standing=5)
    admission.hear(Heard(at_s=1.5, late_p95_ms=1.0), standing=5)
    assert admission.found is None


def test_a_number_that_somebody_else_made_small_is_tried_again() -> None:
    host = _Host(Admission(10), carries=3, call_s=20)
    host.run(60)
    assert host.admission.found in (3, 4)
    host.carries, host.most = 100, 0
    host.run(8 * TRY_AGAIN_S + 60)
    assert host.most == 10


def test_a_ramp_lets_more_and_more_stand() -> None:
    host = _Host(Admission(40, load=Load(begin=1, to=21, over_s=100)), carries=100, call_s=600)
    host.run(1)
    assert host.most == 1
    host.run(50)
    assert host.most in (10, 11, 12)
    host.run(60)
    assert host.most == 21


def test_a_host_that_is_late_with_one_call_alone_cannot_keep_time() -> None:
    admission = Admission(5)
    admission.hear(Heard(at_s=0.0, late_p95_ms=WORST_P95_MS + 5), standing=1)
    assert admission.cannot_keep_time() == ""
    admission.hear(Heard(at_s=CANNOT_S, late_p95_ms=WORST_P95_MS + 5), standing=1)
    assert "15 ms late" in admission.cannot_keep_time()
    admission.hear(Heard(at_s=CANNOT_S + 1, late_p95_ms=1.0), standing=1)
    assert admission.cannot_keep_time() == ""


def test_callers_that_understand_late_are_too_many() -> None:
    admission = Admission(20)
    now_s, standing, carries, most = 0.0, 0, 6, 0
    for _ in range(round(60 / TICK_S)):
        now_s += TICK_S
        if round(now_s / TICK_S) % 10 == 0:
            understood_s = 1.1 if standing <= carries else 1.9
            admission.hear(
                Heard(at_s=now_s, late_p95_ms=0.5, understood_p95_s=understood_s), standing=standing
            )
        if admission.may_dial(now_s, standing=standing):
            admission.dialled(now_s)
            standing += 1
        most = max(most, standing)
    assert admission.found == carries
    assert most == carries + 1, "that one more is too many is known only when it stands"
    assert Heard(at_s=0.0, late_p95_ms=0.5, understood_p95_s=1.9).told == (
        "words were understood 1.9 s after the agent's end (p95)"
    )
    assert Heard(at_s=0.0, late_p95_ms=4.2, understood_p95_s=1.9).told == "its frames were 4.2 ms late (p95)"


def _told(admission: Admission, *, late_ms: float, from_s: float, until_s: float, preparing: bool) -> None:
    now_s = from_s
    while now_s < until_s:
        admission.hear(Heard(at_s=now_s, late_p95_ms=late_ms), standing=4, preparing=preparing)
        now_s += 0.5


def test_what_is_late_while_calls_are_prepared_is_no_limit() -> None:
    admission = Admission(12)
    _told(admission, late_ms=HOLD_MS + 1, from_s=0, until_s=10, preparing=True)
    assert admission.found is None
    assert not admission.may_dial(10, standing=4), "nobody is dialled meanwhile"
    # What was late then is told for two seconds more.
    _told(admission, late_ms=HOLD_MS + 1, from_s=10, until_s=12, preparing=False)
    _told(admission, late_ms=1, from_s=12, until_s=30, preparing=False)
    assert admission.found is None
    assert admission.may_dial(30, standing=4)


def test_what_stays_late_when_they_are_prepared_is_one() -> None:
    admission = Admission(12)
    _told(admission, late_ms=HOLD_MS + 1, from_s=0, until_s=4, preparing=True)
    _told(admission, late_ms=HOLD_MS + 1, from_s=4, until_s=10, preparing=False)
    assert admission.found == 4


def test_and_so_is_what_is_late_for_as_long_as_no_preparation_takes() -> None:
    admission = Admission(12)
    _told(admission, late_ms=HOLD_MS + 1, from_s=0, until_s=PREPARING_MOST_S + 1, preparing=True)
    assert admission.found == 4


def test_words_that_were_late_then_are_told_for_longer() -> None:
    admission = Admission(12)

    def told(from_s: int, until_s: int, *, preparing: bool) -> None:
        for now_s in range(from_s, until_s):
            late = Heard(at_s=now_s, late_p95_ms=1.0, understood_p95_s=2.0)
            admission.hear(late, standing=4, preparing=preparing)

    told(0, 8, preparing=True)
    told(8, 22, preparing=False)
    assert admission.found is None
    told(22, 28, preparing=False)
    assert admission.found == 3
