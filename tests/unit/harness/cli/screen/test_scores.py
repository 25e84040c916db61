"""The figures in the terminal: a ± that was never calibrated is not called calibrated."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from harness.cli.screen.scores import print_metrics, print_turns
from harness.records.scores import CalibrationNote, CallScores, TurnTiming
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Score, Status

CALIBRATED = CalibrationNote(transport="smallwebrtc", response_p95_ms=0.6, interruption_p95_ms=2.0)
HALF = CalibrationNote(transport="smallwebrtc", response_p95_ms=0.6)
NEVER = CalibrationNote(transport="toy", not_calibrated="run 'outboundeval calibrate'")
WIDEST_CAPTION = "± is the widest error bar of one turn or interruption: what its packets leave open"
CALIBRATED_CAPTION = "and the instrument's own part, from 'outboundeval calibrate'."
ASSUMED_CAPTION = "Of an assumed ± that part was never measured"


def _printed(*notes: CalibrationNote, resolution: float | None = 20.0, width: int = 300) -> str:
    out = io.StringIO()
    metrics = {
        name: Score(
            metric=name,
            value=812.0,
            unit="ms",
            status=Status.MEASURED,
            n=3,
            version="1",
            resolution=resolution,
        )
        for name in ("response_latency_ms", "interruption_delay_ms")
    }
    print_metrics(Console(file=out, width=width), metrics, notes)
    return out.getvalue()


@pytest.mark.parametrize(
    ("notes", "calibrated", "assumed", "partly"),
    [
        ((CALIBRATED,), True, 0, 0),
        ((NEVER,), False, 2, 0),
        ((), False, 2, 0),
        ((CALIBRATED, NEVER), False, 0, 2),
        ((HALF,), True, 1, 0),
    ],
)
def test_each_figure_says_what_its_bar_stands_on(
    notes: tuple[CalibrationNote, ...], calibrated: bool, assumed: int, partly: int
) -> None:
    told = _printed(*notes)
    assert told.count(WIDEST_CAPTION) == 1
    assert (CALIBRATED_CAPTION in told) is calibrated
    assert told.count("20.0 ms (assumed)") == assumed
    assert told.count("20.0 ms (partly assumed)") == partly
    assert (ASSUMED_CAPTION in told) is bool(assumed or partly)


def test_the_reason_is_told_and_no_caption_stands_without_a_bar() -> None:
    assert "toy: run 'outboundeval calibrate'" in _printed(NEVER)
    told = _printed(NEVER, resolution=None)
    assert "±" not in told.replace("      ±", "").split("\n", 3)[3]
    assert ASSUMED_CAPTION not in told
    assert CALIBRATED_CAPTION not in told


def test_on_eighty_columns_every_name_and_figure_can_be_read() -> None:
    narrow, wide = _printed(NEVER, width=80), _printed(NEVER, width=100)
    assert "…" not in narrow
    assert "Response latency" in narrow
    assert "p90" not in narrow
    assert "p90" in wide
    assert ASSUMED_CAPTION in " ".join(narrow.split())


def test_an_answer_whose_time_cannot_be_told_is_shown_between_two() -> None:
    def row(**more: object) -> TurnTiming:
        content = {"user_start_s": 1.0, "user_end_s": 2.0, "status": "indeterminate", "reason": "it stalled"}
        return TurnTiming.model_validate(
            {"index": 0, "outcome": TurnOutcome.ANSWERED, "latency_ms": None, **content, **more}
        )

    text = io.StringIO()
    turns = [row(at_least_ms=4300.4, at_most_ms=6100.0), row(index=1)]
    print_turns(Console(file=text, width=200), CallScores(call_id="c", turns=turns))
    first, second = text.getvalue().splitlines()[2:4]
    assert "4300 to 6100 ms" in first
    assert "—" in second
