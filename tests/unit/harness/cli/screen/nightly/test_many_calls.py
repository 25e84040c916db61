"""The table of many calls: progress, time left, and a line a call where nobody looks."""

from __future__ import annotations

import io

from rich.console import Console

from harness.cli.screen.nightly.many_calls import ManyCalls
from harness.records.call import CallStatus


def _printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_each_call_that_ends_is_a_line_with_how_far_it_is() -> None:
    console = Console(file=io.StringIO(), width=120)
    with ManyCalls(console) as shown:
        shown.begin(2, 2, 1)
        shown.dialled("a", 1)
        shown.ended("a", CallStatus.COMPLETED, "all lines said")
        shown.dialled("b", 1)
        shown.ended("b", CallStatus.SETUP_FAILED, "nobody\x1b[2J there")
    text = _printed(console)
    assert "2 calls, at most 2 at once, in 1 process" in text
    assert "1/2 a completed" in text
    assert "2/2 b setup_failed" in text
    assert "\x1b[2J" not in text


def test_limit_and_loss_are_told() -> None:
    console = Console(file=io.StringIO(), width=120)
    with ManyCalls(console) as shown:
        shown.begin(9, 9, 2)
        shown.dialled("a", 1)
        shown.limit(5, "with 6 calls its frames were 5.2 ms late (p95)")
        shown.lost(["a"], "a process that places calls has ended")
    text = _printed(console)
    assert "this machine carries 5 of them (with 6 calls its frames were 5.2 ms late (p95))" in text
    assert "under way in it: a; placed again, and told" in text


def test_time_left_is_told_once_a_call_has_ended() -> None:
    with ManyCalls(Console(file=io.StringIO())) as shown:
        shown.begin(3, 1, 1)
        assert shown.time_left_s is None
        shown.dialled("a", 1)
        shown.ended("a", CallStatus.COMPLETED, "")
        left_s = shown.time_left_s
        assert left_s is not None
        assert left_s >= 0
