"""Groups of dialogues in the terminal: best first, and what was not measured is not the worst."""

from __future__ import annotations

import io

from rich.console import Console

from harness.cli.screen.text_scores import _means
from metrics.score import Score, Status


def _final(value: float | None) -> dict[str, Score]:
    status = Status.NOT_APPLICABLE if value is None else Status.MEASURED
    reason = "nothing to judge" if value is None else ""
    score = Score(metric="final", value=value, unit="ratio", status=status, reason=reason, n=1, version="1")
    return {"final": score, "tfc": score, "gic": score}


def test_who_was_not_measured_stands_below_a_zero() -> None:
    out = io.StringIO()
    groups = {"unmeasured": _final(None), "zero": _final(0.0), "best": _final(0.9), "middle": _final(0.2)}
    Console(file=out, width=200).print(_means("competitor", groups))
    assert [line.split()[0] for line in out.getvalue().splitlines()[1:]] == [
        "best",
        "middle",
        "zero",
        "unmeasured",
    ]
