"""What became of the lines of a spoken suite, counted for a reader, and the section that shows it."""

from __future__ import annotations

from typing import Any

from harness.analysis.measures.probes.transcribed import as_in_the_run
from harness.plans.call import NoisePlan
from harness.plans.probes.asked import Asked
from harness.plans.probes.planted import ProbePlan
from harness.records.call import CallStatus
from harness.records.scores import ProbeHearing
from harness.reports.probed.tables import line_told, table_of, went_wrong
from harness.reports.probes import probe_sections
from harness.scoring.summary import summarize
from tests.report.make_run import record_of, scores_of
from tests.report.sample_calls import plain_call
from tests.unit.harness.reports.test_probes import files


def hearing(**fields: Any) -> ProbeHearing:
    plain = {"suite": "noise", "item": "s-1", "kind": "sentence", "language": "en"}
    return ProbeHearing.model_validate(plain | fields)


def test_error_rates_by_setting() -> None:
    own = [
        hearing(setting="clean", errors=0, length=8, heard="x", source="transcript"),
        hearing(setting="clean", item="s-2", errors=1, length=8, heard="x", source="transcript"),
        hearing(setting="babble 0 dB", length=8, reason="nothing told"),
        hearing(setting="not said"),
    ]
    table = table_of(as_in_the_run(own))
    assert table is not None
    # The agent wrote nothing in the noisy call, and does elsewhere: every word is missing.
    assert [row[:6] for row in table.rows] == [
        ("en", "clean", "2", "16", "1", "0.06"),
        ("en", "babble 0 dB", "1", "8", "8", "1.00"),
        ("en", "not said", "1", "0", "", "not known"),
    ]


def test_entities_and_rejections_by_kind() -> None:
    names = [
        hearing(kind="name", entity="Ann", right=True),
        hearing(kind="name", entity="Ann", right=False, near_miss=True),
        hearing(kind="name", entity="Ann", right=False),
        hearing(kind="name", entity="Ann", reason="it did not say it back"),
    ]
    table = table_of(names)
    assert table is not None
    assert table.rows == (("en", "name", "4", "1", "1", "1", "1"),)
    done = [
        hearing(kind="shreds", usable="speech", did=did)
        for did in ("asked_again", "answered", "silent", None)
    ]
    table = table_of(done)
    assert table is not None
    assert table.rows == (("en", "shreds", "4", "1", "1", "1", "1"),)
    assert table_of([]) is None


def test_what_speaks_against_the_agent_comes_first_and_is_told() -> None:
    wrong = hearing(kind="good", usable="good", did="asked_again", said="Where?", heard="Pardon?")
    assert line_told(wrong) == "“Where?” → “Pardon?”: asked again"
    assert went_wrong(wrong)
    assert not went_wrong(hearing(kind="shreds", usable="speech", did="asked_again"))
    assert went_wrong(hearing(kind="shreds", usable="speech", did="answered"))
    assert not went_wrong(hearing(kind="cough", usable="sound", did="silent"))
    near = hearing(kind="name", entity="Ann", right=False, near_miss=True, heard="Anne")
    assert line_told(near).endswith("Ann is not there, something that sounds like it is")
    assert line_told(hearing(setting="clean", said="a b", heard="a", errors=1, length=2)).endswith(
        "1 of 2 wrong"
    )


def test_the_section_of_a_spoken_suite() -> None:
    made = plain_call()
    asked = tuple(Asked(item=f"s-{n}", line=n, kind="sentence") for n in (1, 2))
    probe = ProbePlan(suite="noise", version="1", asked=asked, setting="clean")
    record = record_of(made)
    loud = record.plan.conditions.model_copy(update={"noise": NoisePlan(kind="babble", snr_db=20)})
    plan = record.plan.model_copy(update={"probe": probe, "conditions": loud})
    record = record.model_copy(update={"plan": plan})
    hearings = [
        hearing(
            item=f"s-{n}", setting="clean", said="one two", errors=n - 1, length=2, start_s=3.0, heard="one"
        )
        for n in (1, 2)
    ]
    scores = scores_of(made).model_copy(update={"hearings": hearings})
    section = probe_sections([files(record, scores)], summarize([record], [scores]))[0]
    assert section.about == "version 1, quick: 1 calls, 2 lines said to the agent"
    assert [one.did for one in section.lines] == [True, False]
    assert section.table is not None
    assert [one.label for one in section.figures] == ["Word error rate in noise"]
    assert section.figures[0].told == "not measured"
    ours = record.model_copy(update={"status": CallStatus.HARNESS_FAULT})
    assert probe_sections([files(ours, scores)], summarize([ours], [scores]))[0].lines == ()
