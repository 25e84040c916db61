"""Many calls as they happen, in the terminal: a table with a line a call, how far it is, how long it takes
yet.

Where nobody looks (a log, a pipe) a line is printed for each call that ends, and one now and then for all.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from harness.records.call import CallStatus
from spoken_language.outside_text import one_line

SHOWN = 40
"""Lines of the table at most; those that have stood longest."""
NOW_AND_THEN_S = 30.0
_MAX_CHARS = 100


@dataclass(kw_only=True)
class _Standing:
    since_s: float
    doing: str = "dialling"


def _told(length_s: float) -> str:
    return f"{length_s:.0f} s" if length_s < 90 else f"{length_s / 60:.0f} min"


class ManyCalls:
    """Use as a context manager; its methods are the callbacks of a ``ManyWatcher``."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None
        self._standing: dict[str, _Standing] = {}
        self._lengths_s: list[float] = []
        self._missing = self._done = self._failed = 0
        self._most = 1
        self._late_ms = 0.0
        self._limit: int | None = None
        self._began_s = self._told_s = time.monotonic()

    def __enter__(self) -> ManyCalls:
        if self._console.is_terminal:
            self._live = Live(console=self._console, refresh_per_second=2, get_renderable=self._shown)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, missing: int, most: int, processes: int) -> None:
        self._missing, self._most = missing, most
        self._began_s = time.monotonic()
        many = "1 process" if processes == 1 else f"{processes} processes"
        self._print(f"{missing} calls, at most {most} at once, in {many}", "dim")

    def dialled(self, call: str, standing: int) -> None:
        self._standing[call] = _Standing(since_s=time.monotonic())

    def doing(self, call: str, what: str, t_s: float) -> None:
        if call in self._standing:
            self._standing[call].doing = what

    def ended(self, call: str, status: CallStatus, detail: str) -> None:
        stood = self._standing.pop(call, None)
        length_s = time.monotonic() - stood.since_s if stood is not None else 0.0
        self._lengths_s.append(length_s)
        self._done += 1
        self._failed += not status.took_place
        style = "green" if status is CallStatus.COMPLETED else "yellow"
        line = Text.assemble(
            (f"{self._done}/{self._missing} ", "bold"),
            f"{call} ",
            (str(status), style),
            f", {length_s:.1f} s: {one_line(detail, most=_MAX_CHARS)}",
        )
        self._console.print(line, highlight=False, soft_wrap=True)

    def lost(self, calls: Sequence[str], why: str) -> None:
        for call in calls:
            self._standing.pop(call, None)
        which = ", ".join(calls) or "no call"
        self._print(f"{one_line(why)}; under way in it: {which}; placed again, and told", "yellow")

    def paced(self, standing: int, late_p95_ms: float) -> None:
        self._late_ms = late_p95_ms
        if self._live is None and time.monotonic() - self._told_s >= NOW_AND_THEN_S:
            self._told_s = time.monotonic()
            self._print(self._all_of_them(), "dim")

    def limit(self, calls: int, why: str) -> None:
        self._limit = calls
        self._print(f"this machine carries {calls} of them ({why}); the others wait", "yellow")

    @property
    def time_left_s(self) -> float | None:
        """Until all have ended, by how long calls took and how many stand at once; None while none has
        ended."""
        left = self._missing - self._done
        if not self._lengths_s or not left:
            return None
        passed_s = time.monotonic() - self._began_s
        return left * passed_s / self._done

    def _all_of_them(self) -> str:
        waiting = self._missing - self._done - len(self._standing)
        most = self._most if self._limit is None else min(self._most, self._limit)
        left_s = self.time_left_s
        left = "" if left_s is None else f", about {_told(left_s)} left"
        failed = f", {self._failed} did not take place" if self._failed else ""
        return (
            f"{self._done} of {self._missing} ended{failed}, {len(self._standing)} stand (at most {most}), "
            f"{waiting} wait, our frames {self._late_ms:.1f} ms late (p95){left}"
        )

    def _shown(self) -> RenderableType:
        table = Table(box=None, pad_edge=False, show_header=False)
        now_s = time.monotonic()
        for call, one in list(self._standing.items())[:SHOWN]:
            stands_s = now_s - one.since_s
            table.add_row(
                Text(f"{int(stands_s // 60):02d}:{stands_s % 60:02.0f}", "dim"),
                Text(one_line(call, most=60), "bold"),
                Text(one_line(one.doing, most=_MAX_CHARS)),
            )
        more = len(self._standing) - SHOWN
        rest = [Text(f"… and {more} more", "dim")] if more > 0 else []
        return Group(table, *rest, Text(self._all_of_them(), "dim"))

    def _print(self, text: str, style: str) -> None:
        self._console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)
