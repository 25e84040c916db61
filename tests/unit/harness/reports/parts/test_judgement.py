"""What a judge made of a dialogue, as the report shows it; verdicts and figures by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness._files.atomic_file import write_text
from harness.records.scores import JudgingUse
from harness.records.scores.judging import summed_judging
from harness.records.usage import SideUsage
from harness.reports.html import build_report
from harness.reports.parts.judgement import WORST_REPLIES, JudgementPanel, judgement_panel
from harness.reports.parts.judgement_places import Place, call_places, page_place
from harness.reports.parts.judging_cost import judging_cost, judging_counts, judging_told
from harness.reports.run import run_page
from metrics.dialogue.verdicts import Dimension, ReplyVerdict
from tests.report.judged_calls import (
    FLOW,
    NODES,
    ByHand,
    judged,
    judged_call,
    silent_judged_call,
    unjudged_call,
)
from tests.report.make_run import ATTACK, MadeCall, write_run
from tests.report.sample_calls import faulty_call, setup_failed_call


def view_of(call: MadeCall) -> JudgementPanel:
    assert call.text is not None
    return judgement_panel(call.text, FLOW, places=page_place)


@pytest.fixture(scope="module")
def view() -> JudgementPanel:
    return view_of(judged_call())


def test_every_node_has_its_outcome_its_words_and_its_place(view: JudgementPanel) -> None:
    assert [(one.id, one.outcome, one.key) for one in view.nodes] == [
        ("greet", "achieved", True),
        ("ask", "achieved", True),
        ("explain", "out_of_order", True),
        ("offer", "not_achieved", True),
        ("soothe", "not_applicable", False),
        ("promise", "failed", False),
        ("close", "out_of_order", False),
    ]
    greet, _, explain, offer, soothe, _, close = view.nodes
    assert (greet.quote, greet.place) == ("this is Anna", Place(turn=0, label="turn 0", href="#turn-0"))
    assert explain.order == "ask (only in turn 4)"
    assert close.order == "offer (never)"
    assert (offer.place, offer.criterion) == (None, "The agent offers to pay it back.")
    assert soothe.branch == "The caller is upset."


def test_scores_stand_beside_the_counts_that_they_come_from(view: JudgementPanel) -> None:
    rows = {one.name: one for one in view.flow_scores}
    assert (rows["key_node_completion"].value, rows["key_node_completion"].made_of) == (
        0.75,
        "3 achieved of 4 that apply",
    )
    # promise failed: at worst 4 of 6 were achieved, at best 5 of 6.
    every = rows["node_completion"]
    assert (every.shown, every.made_of) == ("open", "4 achieved of 6 that apply (1 judgement failed)")
    assert "between 0.667 and 0.833" in every.note
    # Of four achieved nodes greet and ask are in order.
    assert rows["process"].made_of == "2 of 4 achieved nodes in order"


def test_without_failures_the_arithmetic_is_shown() -> None:
    nodes = [one.model_copy(update={"outcome": "not_achieved"}) for one in NODES if one.outcome == "failed"]
    rows = {
        one.name: one
        for one in view_of(judged(judged_call(), ByHand(nodes=[*NODES[:5], *nodes, NODES[6]]))).flow_scores
    }
    # Cov = 0.7 x 3/4 + 0.3 x 4/6 = 0.725; Proc = 2/4; TFC = 0.7 x 0.725 + 0.3 x 0.5 = 0.6575.
    assert rows["coverage"].made_of == "0.7 × 3/4 + 0.3 × 4/6"
    assert [rows[name].shown for name in ("coverage", "process", "tfc")] == ["0.7250", "0.5000", "0.6575"]


def test_the_worst_replies_come_first_zeros_before_ones(view: JudgementPanel) -> None:
    assert [one.place.turn for one in view.replies] == [2, 4, 0]
    first = view.replies[0]
    assert first.said.startswith("It is a premium.")
    assert [(one.score, one.dimension) for one in first.lost] == [(0, "hallucination"), (1, "coherence")]
    assert view.replies[1].lost[0].quote == "Goodbye"
    redundancy = next(one for one in view.dimensions if one.name == "redundancy")
    assert (redundancy.zeros, redundancy.ones, redundancy.twos, redundancy.failed) == (1, 0, 2, 0)
    # (0 + 2 + 2) / 2 / 3
    assert redundancy.shown == "0.6667"
    safety = next(one for one in view.dimensions if one.name == "safety")
    assert (safety.shown, safety.note) == ("not measured", "by-hand cannot judge it")


def test_failed_judgements_are_counted_with_their_reasons(view: JudgementPanel) -> None:
    assert (view.failed, view.judgements) == (3, 7 + 21)
    assert [(one.n, one.reason.partition(":")[0]) for one in view.failures] == [
        (2, "no answer"),
        (1, "the answer does not fit"),
    ]
    assert view.failures[0].of == "naturalness of turn 4, coherence of turn 4"


def test_replies_beyond_what_a_reader_reads_are_counted() -> None:
    call = judged_call()
    said = call.said[:2]
    turns = WORST_REPLIES + 3
    call.said = [
        type(one)(
            side=one.side,
            start_s=2.0 * number + (one.side == "caller"),
            end_s=2.0 * number + 1.5,
            text=one.text,
        )
        for number in range(turns)
        for one in said
    ]
    replies = {
        (2 * number, Dimension.COHERENCE): ReplyVerdict(
            turn=2 * number, dimension=Dimension.COHERENCE, outcome="scored", score=1, votes=("1", "2", "0")
        )
        for number in range(turns)
    }
    shown = view_of(judged(call, ByHand(replies=replies)))
    assert (len(shown.replies), shown.replies_left_out) == (WORST_REPLIES, 3)
    assert shown.replies[0].lost[0].votes == "1, 2, 0"


def test_an_agent_that_said_nothing_has_nodes_and_no_replies() -> None:
    view = view_of(silent_judged_call())
    assert {one.outcome for one in view.nodes} == {"not_achieved"}
    assert (view.replies, view.replies_judged) == ((), 0)
    assert {one.name: one.shown for one in view.reply_scores}["gic"] == "not measured"
    assert {one.name: one.made_of for one in view.flow_scores}["process"] == "0 of 0 achieved nodes in order"


def test_a_turn_of_a_call_is_played_from_where_it_begins() -> None:
    call = judged_call()
    assert call.text is not None
    starts_s, turns = (0.5, 3.5, 5.5, 8.4, 10.0), call.text.turns
    find = call_places(starts_s, turns, call.text)
    assert find is not None
    assert find(4) == Place(turn=4, label="turn 4, 0:10.0", play_s=10.0)
    # Other turns than those that were judged lead nowhere.
    assert call_places(starts_s[:2], turns[:2], call.text) is None
    other = turns[1].model_copy(update={"text": "Other words."})
    assert call_places(starts_s, (turns[0], other, *turns[2:]), call.text) is None


def test_another_transcript_of_as_many_turns_leads_nowhere(tmp_path: Path) -> None:
    run_dir = written(tmp_path)
    path = run_dir / "calls" / "judged" / "transcript.json"
    transcript = json.loads(path.read_text())
    line = next(line for line in transcript["lines"] if line["side"] == "agent")
    line["text"] = "What another recogniser heard."
    path.write_text(json.dumps(transcript))
    [shown] = [call.judgement for call in run_page(run_dir).calls if call.id == "judged"]
    assert [one.place and one.place.play_s for one in shown.nodes] == [None] * 7
    assert shown.nodes[0].place == Place(turn=0, label="turn 0")


def test_a_judge_is_named_with_what_is_known_of_it(view: JudgementPanel) -> None:
    assert (view.judge, view.heading) == ("by-hand 7", "provisional")
    assert "has not been checked here" in view.standing[0]
    # Nothing is called final by a judge that nobody has checked.
    assert view.glance == "Provisional open"


# ---- in the report of calls


def written(folder: Path) -> Path:
    calls = [
        judged_call(),
        silent_judged_call(),
        unjudged_call(),
        setup_failed_call(),
        faulty_call(),
    ]
    return write_run(folder / "nightly", calls)


def test_each_call_tells_its_judgement_or_why_there_is_none(tmp_path: Path) -> None:
    run_dir = written(tmp_path)
    write_text(run_dir / "calls" / "silent" / "guard.json", json.dumps({"verdict": "guilty"}))
    view = run_page(run_dir)
    shown = {call.id: call.judgement for call in view.calls + view.faulty}
    assert [one.place and one.place.play_s for one in shown["judged"].nodes] == [
        0.5,
        10.0,
        5.5,
        None,
        None,
        None,
        10.0,
    ]
    assert "the simulator's fault" in shown["silent"].left_out
    assert shown["unheard"].not_measured == "the agent's words are not known"
    for name in ("refused", "late-sender"):
        assert "no scenario" in shown[name].not_measured
    assert "by-hand 7" in " ".join(view.judge)
    assert "judgements failed" in " ".join(view.judge)


def test_what_judges_and_agents_write_stays_text(tmp_path: Path) -> None:
    page = build_report(written(tmp_path)).read_text()
    assert "<script>alert" not in page
    assert "<img" not in page
    # Criterion, quote, reason, reply and failure: all five places have the attack as text.
    assert page.count("&lt;img src=x onerror=alert(2)&gt;") >= 5
    assert page.count("<b>Not measured</b>") == 3
    assert ATTACK.startswith("<script>")


# ---- what judging cost


def use(requests: int = 4, *, cost: float | None = 0.5, unmeasured: int = 0, **more: int) -> JudgingUse:
    asked = SideUsage(
        requests=requests,
        input_tokens=1000 * requests,
        output_tokens=7,
        cost=cost,
        unmeasured_requests=unmeasured,
    )
    return JudgingUse.model_validate({"asked": asked, "answers": requests, **more})


def test_what_is_not_known_is_never_nothing() -> None:
    assert judging_cost(JudgingUse()) == "–"
    assert judging_cost(use()) == "0.5000 USD"
    assert judging_cost(use(cost=None)) == "not known"
    assert judging_cost(use(unmeasured=1)) == "at least 0.5000 USD"
    timed_out = SideUsage(requests=4, failed_attempts=2, unmeasured_attempts=1, cost=0.5)
    assert judging_cost(JudgingUse(asked=timed_out, answers=4)) == "at least 0.5000 USD"
    refused = SideUsage(requests=4, failed_attempts=2, cost=0.5)
    assert judging_cost(JudgingUse(asked=refused, answers=4)) == "0.5000 USD"
    assert judging_cost(JudgingUse(uncounted=2)) == "not known"
    # All answers were kept from another run: what they cost is not known here.
    assert judging_cost(JudgingUse(kept=17)) == "not known"
    assert judging_counts(JudgingUse(kept=17)) == "0 asked now, 17 kept (17 paid for elsewhere)"
    assert "4 requests (4,000 tokens in, 7 out), cost 0.5000 USD" in judging_told(use())


def test_a_second_scoring_forgets_nothing_and_costs_nothing() -> None:
    again = JudgingUse(kept=4).after(use())
    assert (judging_cost(again), judging_counts(again)) == ("0.5000 USD", "0 asked now, 4 kept")
    # One prompt changed: one answer more, and the price of both scorings.
    third = use(1, cost=0.125, kept=3).after(again)
    assert (judging_cost(third), judging_counts(third)) == ("0.6250 USD", "1 asked now, 3 kept")
    both = summed_judging([third, use(2, cost=None)])
    assert (judging_cost(both), both.total.requests) == ("not known", 7)
    partly = summed_judging([use(), JudgingUse(kept=2)])
    assert judging_cost(partly) == "at least 0.5000 USD"
