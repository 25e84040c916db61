"""Where the time went, on the page: bars that make the whole, a table with every n, and no part where claims
contradict what was measured."""

from __future__ import annotations

import re

from harness.analysis.told.split import told_of
from harness.records.call import Event
from harness.records.scores import Summary, TurnTold
from harness.reports.parts.figures import figures
from harness.reports.told.figures import told_table
from harness.reports.told.rows import Segment, told_rows
from harness.runs.reader import CallFiles
from harness.scoring.summary import summarize
from tests.report.make_run import record_of, scores_of
from tests.report.sample_calls import plain_call

FULL = TurnTold(
    index=0,
    start_s=10,
    end_s=11,
    measured_ms=1000,
    end_of_turn_ms=400,
    model_ms=300,
    voice_ms=200,
    not_told_ms=100,
    basis="rtvi",
)
HALF = TurnTold(
    index=1,
    start_s=30,
    end_s=30.5,
    measured_ms=500,
    voice_ms=200,
    not_told_ms=300,
    basis="rtvi",
    why_not={"end_of_turn": "no word of the end", "model": "no word of a model"},
)
LIAR = TurnTold(
    index=2, start_s=50, end_s=51, measured_ms=1000, basis="rtvi", contradiction="4000 ms too much"
)
SILENT = TurnTold(index=3, start_s=70, end_s=70.8, measured_ms=800, not_told_ms=800)


def made(told: list[TurnTold]) -> tuple[list[CallFiles], Summary]:
    call = plain_call()
    record = record_of(call)
    scores = scores_of(call).model_copy(update={"told": told})
    files = CallFiles(
        call_id=call.id, record=record, scores=scores, transcript=None, events=(), audio=None, problems=()
    )
    return [files], summarize([record], [scores])


def test_a_bar_has_the_parts_on_the_scale_of_the_longest_answer() -> None:
    full, half, liar, silent = told_rows("c", [FULL, HALF, LIAR, SILENT])
    assert full.segments == (
        Segment(kind="end_of_turn", x=0, width=40),
        Segment(kind="model", x=40, width=30),
        Segment(kind="voice", x=70, width=20),
        Segment(kind="untold", x=90, width=10),
    )
    assert (
        full.told.replace("\u202f", " ")
        == "end of turn 400 ms · model 300 ms · voice 200 ms · not told 100 ms"
    )
    assert (full.notes, full.time, full.anchor) == ((), "0:10.0", "turn-c-0")
    assert [(one.kind, one.x, one.width) for one in half.segments] == [("voice", 0, 20), ("untold", 20, 30)]
    assert half.notes == ("no word of the end", "no word of a model")
    assert [(one.kind, one.width) for one in liar.segments] == [("untold", 100)]
    assert (liar.told, liar.notes) == ("", ("4000 ms too much",))
    assert [(one.kind, one.width) for one in silent.segments] == [("untold", 80)]


def test_what_is_below_0_is_not_drawn_and_nothing_goes_beyond_the_bar() -> None:
    over = FULL.model_copy(update={"voice_ms": 340.0, "not_told_ms": -40.0})
    (row,) = told_rows("c", [over])
    assert [one.kind for one in row.segments] == ["end_of_turn", "model", "voice"]
    assert row.segments[-1].x + row.segments[-1].width == 100
    assert "not told \u221240" in row.told


def test_an_agent_that_tells_nothing_has_neither_bars_nor_a_table() -> None:
    calls, summary = made([SILENT, SILENT])
    assert told_rows("c", [SILENT, SILENT]) == ()
    assert told_table(calls, figures(summary)) is None
    assert summary.metrics["not_told_ms"].value is None
    assert "the agent tells nothing of where its time went" in summary.metrics["not_told_ms"].reason


def test_the_table_has_each_part_with_its_n_and_what_is_left_out() -> None:
    calls, summary = made([FULL, HALF, LIAR, SILENT])
    table = told_table(calls, figures(summary))
    assert table is not None
    rows = {one.name: one for one in table.figures}
    assert list(rows) == ["told_end_of_turn_ms", "told_model_ms", "told_voice_ms", "not_told_ms"]
    assert [(one.shown, one.counted) for one in rows.values()] == [
        ("400", "1 answer"),
        ("300", "1 answer"),
        ("200", "2 answers"),
        ("300", "3 answers"),
    ]
    assert "1 × claims that contradict what was measured" in rows["told_voice_ms"].reason
    assert rows["not_told_ms"].reason.startswith("1 of 4 answers without: 1 × claims that contradict")
    assert table.answers == "4 answers"
    (lie,) = table.contradictions
    assert (lie.time, lie.what, table.left_out) == ("0:50.0", "4000 ms too much", 0)


def test_claims_that_all_contradict_leave_the_figures_open_and_not_inapplicable() -> None:
    _, summary = made([LIAR])
    for name in ("told_model_ms", "not_told_ms"):
        assert summary.metrics[name].value is None
        assert summary.metrics[name].status.value == "indeterminate"


def test_a_processor_s_name_is_bounded_and_comes_from_the_agent() -> None:
    """It is escaped by the page; here only that it is short and in one place."""
    calls, _ = made([FULL])
    assert calls[0].scores is not None
    turns = calls[0].scores.turns
    rows = [{"processor": "<script>" * 40, "s": 0.1}]
    first = next(one for one in turns if one.outcome.replied and (one.latency_ms or 0) > 0)
    event = Event(t=first.user_end_s + 0.01, side="agent", kind="metrics", source="rtvi", data={"ttfb": rows})
    told = told_of(turns, [event])
    assert max(len(why) for one in told for why in one.why_not.values()) < 120
    assert all(re.search(r"'<script>.{32}'", one.why_not["model"]) for one in told)
