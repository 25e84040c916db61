"""The table of how an agent conducts its turns: what was measured, with every place to listen to."""

from __future__ import annotations

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.measures.table import measures
from harness.records.scores import Summary, TurnConduct
from harness.reports.conduct import FIGURES, conduct_figures
from harness.runs.reader import CallFiles
from harness.scoring.summary import summarize
from metrics.interaction.entry import Entry
from tests.report.make_run import record_of, scores_of
from tests.report.sample_calls import plain_call

CUT = "the reply broke off at full level at 64.0 s, while the caller was silent"
CONDUCT = [
    TurnConduct(index=0, start_s=10, end_s=15, entry=Entry.OVERLAP, entry_at_s=14, double_talk_s=1, pauses=0),
    TurnConduct(
        index=1, start_s=50, end_s=55, answered=True, replied=True, cut=CUT, reply_at_s=60, reply_end_s=64
    ),
]


def made(conduct: list[TurnConduct]) -> tuple[list[CallFiles], Summary]:
    call = plain_call()
    record, scores = record_of(call), scores_of(call)
    material = CallMaterial(call_id=call.id, utterances=())
    analysed = AnalysedCall(material=material, conduct=conduct)
    found = [one.of_call(analysed).score for one in measures() if one.entry.name in FIGURES]
    scores = scores.model_copy(update={"conduct": conduct, "scores": found})
    files = CallFiles(
        call_id=call.id, record=record, scores=scores, transcript=None, events=(), audio=None, problems=()
    )
    return [files], summarize([record], [scores])


def test_a_row_for_each_figure_with_its_places() -> None:
    rows = {one.label: one for one in conduct_figures(*made(CONDUCT))}
    overlap = rows["Agent begins inside the caller's turn"]
    assert overlap.told.startswith("1 of 2 turns, 50% (95 % interval ")
    assert [one.time for one in overlap.items] == ["0:14.0"]
    cut = rows["Replies cut by the agent itself"]
    assert cut.told.startswith("1 of 1 reply, 100%")
    assert [(one.time, one.what) for one in cut.items] == [("1:00.0", CUT)]
    assert rows["Double talk"].told.startswith("10% over 2 turns")
    assert rows["Unanswered turns"].items == ()
    # No turn has a pause, no reply a known silence or words.
    assert not {"Split turns", "Long silences", "Repeated replies"} & set(rows)


def test_a_run_of_before_has_no_table() -> None:
    assert conduct_figures(*made([])) == ()
