"""Calls in which our own caller was at fault are on the page, and under none of its figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness._files.atomic_file import write_model
from harness.calls.guard import GUARD_FILE, GuardFile
from harness.plans.probes.planted import Planted, ProbePlan
from harness.records.call import CallRecord
from harness.records.placed.placings import PLACINGS_FILE, Placing
from harness.records.scores import CallScores, InterruptionTiming, TurnTold
from harness.reports.run import RunPage, run_page
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import summarize_guarded
from metrics.score import Evidence, Score, Status
from tests.nights import night_call
from tests.report.make_run import write_run

PROBE = ProbePlan(
    suite="restraint",
    version="1",
    planted=(Planted(item="cough-1", line=1, kind="cough", place="over_agent"),),
)


def _filled(scores: CallScores) -> CallScores:
    """An interruption, a contradiction, a figure on conduct and one of a probe suite besides its turns."""
    told = TurnTold(
        index=0, start_s=1, end_s=2, measured_ms=1000, basis="rtvi", contradiction="4000 ms too much"
    )
    interruption = InterruptionTiming(
        index=1, user_start_s=4, agent_onset_s=3, planned_offset_s=1, outcome="stopped", delay_ms=300.0
    )
    place = Evidence(call_id=scores.call_id, start_s=1.0, value=1.0, text="here")
    measured = [
        Score(metric=name, unit="ratio", value=1.0, status=Status.MEASURED, n=1, evidence=(place,))
        for name in ("unanswered_rate", "false_stop_rate")
    ]
    return scores.model_copy(
        update={
            "told": [told],
            "interruptions": [interruption],
            "scores": [
                *(one for one in scores.scores if one.metric not in ("unanswered_rate", "false_stop_rate")),
                *measured,
            ],
        }
    )


@pytest.fixture
def page(tmp_path: Path) -> RunPage:
    """``fair`` and ``wrong`` stood at once, with six turns each; in ``wrong`` our caller was at fault."""
    names = ("fair", "wrong")
    folder = write_run(tmp_path / "run", [night_call(name, [800.0] * 6) for name in names])
    store = RunStore(folder)
    records, scored = [], []
    for name in names:
        record = store.read_record(name)
        scores = store.read_scores(name)
        assert record is not None
        assert scores is not None
        record = record.model_copy(update={"plan": record.plan.model_copy(update={"probe": PROBE})})
        write_model(store.record_file(name), record)
        scores = _filled(scores)
        store.write_scores_only(scores)
        records.append(record)
        scored.append(scores)
    write_model(folder / "calls" / "wrong" / GUARD_FILE, GuardFile(verdict="guilty"))
    write_model(folder / "calls" / "fair" / GUARD_FILE, GuardFile(verdict="suspected"))
    _placings(folder, records)
    summary = summarize_guarded(store, records, scored, run="nightly")
    assert summary.guard is not None
    assert summary.guard.guilty == ("wrong",)
    store.write_summary(summary)
    return run_page(folder, drawn=False)


def _placings(folder: Path, records: list[CallRecord]) -> None:
    marks = [Placing(t_s=0.0, what="began")]
    marks += [Placing(t_s=0.0, what="dialled", call=one.plan.call_id) for one in records]
    marks += [Placing(t_s=100.0, what="ended", call=one.plan.call_id) for one in records]
    lines = [json.dumps(one.model_dump(exclude_defaults=True)) + "\n" for one in marks]
    (folder / PLACINGS_FILE).write_text("".join(lines))


def test_the_page_shows_the_call(page: RunPage) -> None:
    assert [call.id for call in page.calls] == ["fair", "wrong"]


def test_no_chart_draws_it(page: RunPage) -> None:
    for chart in (page.latency, page.delays):
        assert chart is not None
        titles = [dot.title for dot in chart.dots]
        assert titles
        assert all(title.startswith("fair, ") for title in titles)


def test_no_table_has_a_place_of_it(page: RunPage) -> None:
    assert page.told is not None
    assert page.told.answers == "1 answer"
    assert [one.call_id for one in page.told.contradictions] == ["fair"]
    places = [item.call_id for row in page.conduct for item in row.items]
    places += [item.call_id for section in page.probes for row in section.figures for item in row.items]
    assert set(places) == {"fair"}
    assert [section.about for section in page.probes] == [
        "version 1, quick: 1 calls, 1 sounds planted, 0 places without"
    ]


def test_over_calls_at_once_it_stood_and_its_turns_count_for_nothing(page: RunPage) -> None:
    """Two calls at once all the time; of the one that counts six turns were due."""
    assert page.load is not None
    _, both = page.load.rows
    assert (both.calls, both.answered) == (2, "6 of 6")
