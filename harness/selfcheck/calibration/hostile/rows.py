"""The ways in which an agent's media clock is made to lie: one row of the table each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import UserError


@dataclass(frozen=True, kw_only=True)
class Row:
    """One behaviour.

    Attributes:
        name: As ``--rows`` names it.
        title: As the table tells of it.
        clock: What the calibration agent is told (its ``media_clock.py`` has the words).
        ordinary: Such agents are about: most of their turns must be measured, not given up as indeterminate,
            and within 3 ms.
        drifts: Its pace is off by so much that being within the figure's own bar is enough.
    """

    name: str
    title: str
    clock: dict[str, Any]
    ordinary: bool = False
    drifts: bool = False


ROWS: tuple[Row, ...] = (
    Row(name="exact", title="exact", clock={}, ordinary=True),
    Row(name="ppm200", title="timestamps 200 ppm slow", clock={"ppm": 200}, ordinary=True),
    Row(name="slow2", title="a frame every 20.4 ms (+2 %)", clock={"pace": 1.02}, ordinary=True, drifts=True),
    Row(name="fast2", title="a frame every 19.6 ms (−2 %)", clock={"pace": 0.98}, ordinary=True, drifts=True),
    Row(name="slow5", title="a frame every 21 ms (+5 %)", clock={"pace": 1.05}),
    Row(name="fast5", title="a frame every 19 ms (−5 %)", clock={"pace": 0.95}),
    Row(
        name="slip20",
        title="slips 20 ms at each onset",
        clock={"slip": {"ms": 20, "at": "onset"}},
        ordinary=True,
    ),
    Row(
        name="slip28",
        title="slips 28 ms at each onset",
        clock={"slip": {"ms": 28, "at": "onset"}},
        ordinary=True,
    ),
    Row(
        name="slip20third",
        title="slips 20 ms at each third onset",
        clock={"slip": {"ms": 20, "at": "onset", "every": 3}},
        ordinary=True,
    ),
    Row(
        name="slip20back",
        title="slips 20 ms at each onset, caught up 1 s later",
        clock={"slip": {"ms": 20, "at": "onset", "back_after_ms": 1000}},
    ),
    Row(
        name="held",
        title="holds packets for 200 ms at each onset",
        clock={"hold": {"ms": 200, "at": "onset"}},
    ),
    Row(
        name="heldmiddle",
        title="holds packets for 200 ms in the middle of speech",
        clock={"hold": {"ms": 200, "at": "middle"}},
    ),
    Row(
        name="heldend",
        title="holds packets for 200 ms at each end",
        clock={"hold": {"ms": 200, "at": "end"}},
    ),
    Row(
        name="paused",
        title="sends nothing in silence, timestamps stand still (FastRTC)",
        clock={"silence": "unsent_uncounted"},
    ),
    Row(name="frozen", title="timestamps stand still for ever", clock={"stamps": "frozen"}),
    Row(
        name="double",
        title="double speed for 0.5 s after each stop",
        clock={"run": {"speed": 2, "ms": 500, "at": "after"}},
    ),
    Row(
        name="doubleonset",
        title="double speed for 0.5 s from each onset on",
        clock={"run": {"speed": 2, "ms": 500, "at": "onset"}},
    ),
    Row(
        name="half",
        title="half speed for 0.5 s after each stop",
        clock={"run": {"speed": 0.5, "ms": 500, "at": "after"}},
    ),
    Row(
        name="ahead",
        title="timestamps jump ahead by 0.5 s after each stop",
        clock={"jump": {"ms": 500, "at": "after"}},
    ),
    Row(
        name="back",
        title="timestamps jump back by 0.3 s after each stop",
        clock={"jump": {"ms": -300, "at": "after"}},
    ),
    Row(name="khz96", title="96 kHz timestamps where 48 kHz were agreed", clock={"ticks": 2}),
    Row(
        name="ssrc",
        title="another SSRC in the middle of the fourth speech",
        clock={"new_source": {"at": "middle", "speech": 4}},
        ordinary=True,
    ),
    Row(name="dtx", title="sends nothing in silence (DTX)", clock={"silence": "unsent"}, ordinary=True),
    Row(name="random", title="random timestamps", clock={"stamps": "random"}),
    Row(name="backwards", title="timestamps run backwards", clock={"stamps": "backwards"}),
)


def chosen_rows(names: str | None) -> Sequence[Row]:
    """The rows of a list like ``exact,slip20``; all without one. Raises UserError for an unknown name."""
    if names is None:
        return ROWS
    known = {row.name: row for row in ROWS}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in known]
    if unknown or not wanted:
        raise UserError(f"--rows: unknown: {', '.join(unknown) or 'nothing'}; known: {', '.join(known)}")
    return [row for row in ROWS if row.name in wanted]
