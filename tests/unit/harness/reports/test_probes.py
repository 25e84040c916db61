"""The section of a probe suite: its figures and every item behind them; nothing where there are no probes."""

from __future__ import annotations

from harness.analysis.measures.probes.restraint import FALSE_STOPS
from harness.plans.probes.planted import Planted, ProbePlan
from harness.records.call import CallRecord
from harness.records.scores import CallScores, ProbeReaction
from harness.reports.probes import probe_sections
from harness.runs.reader import CallFiles
from harness.scoring.summary import summarize
from metrics.score import Evidence, Score, Status
from tests.report.make_run import record_of, scores_of
from tests.report.sample_calls import plain_call

PROBE = ProbePlan(
    suite="restraint",
    version="1",
    planted=(
        Planted(item="cough-1", line=1, kind="cough", place="over_agent"),
        Planted(item="cough-1", line=2, kind="cough", place="over_agent", control=True),
    ),
)


def probed() -> tuple[CallRecord, CallScores]:
    made = plain_call()
    record = record_of(made)
    record = record.model_copy(update={"plan": record.plan.model_copy(update={"probe": PROBE})})
    reactions = [
        ProbeReaction(
            suite="restraint",
            item=f"cough-{number}",
            kind="cough",
            planned="over_agent",
            over_agent=True,
            start_s=10.0 * number,
            end_s=10.0 * number + 1,
            stopped=number == 2,
            replied=False,
        )
        for number in (1, 2)
    ]
    evidence = tuple(
        Evidence(call_id=made.id, start_s=one.start_s, value=float(bool(one.stopped)), text=one.item)
        for one in reactions
    )
    score = Score(
        metric=FALSE_STOPS.entry.name, unit="ratio", value=0.5, status=Status.MEASURED, n=2, evidence=evidence
    )
    return record, scores_of(made).model_copy(update={"reactions": reactions, "scores": [score]})


def files(record: CallRecord, scores: CallScores) -> CallFiles:
    return CallFiles(
        call_id=record.plan.call_id,
        record=record,
        scores=scores,
        transcript=None,
        events=(),
        audio=None,
        problems=(),
    )


def test_every_item_of_a_suite_is_there_those_that_count_first() -> None:
    record, scores = probed()
    call = files(record, scores)
    section = probe_sections([call], summarize([record], [scores]))[0]
    assert section.suite == "restraint"
    assert section.about == "version 1, quick: 1 calls, 1 sounds planted, 1 places without"
    stops, replies = section.figures
    assert stops.told.startswith("1 of 2 sounds, 50% (95 % interval ")
    assert [(one.what, one.did) for one in stops.items] == [("cough-2", True), ("cough-1", False)]
    assert stops.items[0].call_id == record.plan.call_id
    assert replies.told.startswith("0 of 2 sounds, 0%")


def test_a_run_without_probes_has_no_section() -> None:
    made = plain_call()
    call = files(record_of(made), scores_of(made))
    assert probe_sections([call], summarize([record_of(made)], [scores_of(made)])) == ()


def test_two_suites_of_a_kind_have_each_their_own_figure() -> None:
    record, scores = probed()
    probe = PROBE.model_copy(update={"suite": "ours"})
    plan = record.plan.model_copy(update={"probe": probe, "call_id": "ours"})
    none_stopped = [one.model_copy(update={"suite": "ours", "stopped": False}) for one in scores.reactions]
    other = record.model_copy(update={"plan": plan})
    theirs = scores.model_copy(update={"call_id": "ours", "reactions": none_stopped, "scores": []})
    summary = summarize([record, other], [scores, theirs])
    first, second = probe_sections([files(record, scores), files(other, theirs)], summary)
    assert first.figures[0].told.startswith("1 of 2 sounds, 50%")
    assert second.suite == "ours"
    assert second.figures[0].told.startswith("0 of 2 sounds, 0%")
    whole = summary.metrics[FALSE_STOPS.entry.name]
    assert (whole.value, whole.n) == (0.25, 4)
