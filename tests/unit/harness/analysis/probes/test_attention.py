"""Selective attention of agents whose attention is planted: the figure is the share that was planted."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from harness.analysis.analysed_call import Ending
from harness.analysis.measures.probes.attention import SELECTIVE_ATTENTION
from harness.plans.probes.attended import Attended
from harness.records.call import CallStatus, Gap
from harness.reports.probed.dialogues import dialogue_told, dialogues_table
from metrics.score import Status
from tests.unit.harness.analysis.probes.attention_calls import ANSWERS_S, Does, attention_of, plans_of, scored

ENGLISH = [plan for plan in plans_of() if plan.language == "en"]
CHINESE = [plan for plan in plans_of() if plan.language == "zh"]


def good(one: Attended) -> Does:
    return Does(wrote=f"something about {one.entity}")


def test_an_agent_that_keeps_to_its_caller() -> None:
    score = SELECTIVE_ATTENTION.pool(scored([*ENGLISH, *CHINESE], good))
    assert (score.value, score.n) == (1.0, 96)
    assert score.reason.startswith("under the request, voice at 15 dB 12 of 12; ")
    assert "by the agent's own transcript (96)" in score.reason
    assert "alone, 24 of 24 requests were taken up" in score.reason


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (Does(wrote="I have no idea", says="Well."), "it did not take up the request"),
        (Does(says=None), "it did not answer the request"),
    ],
)
def test_a_planted_defect_at_one_ratio_is_found_there_alone(bad: Does, told: str) -> None:
    def agent(one: Attended) -> Does:
        return bad if one.heard == "voice" and one.snr_db == 0 else good(one)

    score = SELECTIVE_ATTENTION.pool(scored(ENGLISH, agent))
    # Of 64 dialogues a quarter is at 0 dB.
    assert (score.value, score.n) == (0.75, 64)
    for place in ("under the request", "into its speech"):
        assert f"{place}, voice at 0 dB 0 of 8" in score.reason
        assert f"{place}, voice at 5 dB 8 of 8" in score.reason
        assert f"{place}, babble at 5 dB 8 of 8" in score.reason
    found_there = [one for plan in ENGLISH for one in attention_of(plan, agent) if one.success is False]
    assert {one.reason for one in found_there} == {told}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_agent_that_takes_up_the_others_words(language: str) -> None:
    plans = ENGLISH if language == "en" else CHINESE

    def agent(one: Attended) -> Does:
        return Does(wrote=f"{one.entity}, {one.words[0]}" if one.words else one.entity)

    score = SELECTIVE_ATTENTION.pool(scored(plans, agent))
    # Babble has no words of its own.
    assert score.value == 0.25
    taken = [one for plan in plans for one in attention_of(plan, agent) if one.took_words]
    assert all(one.reason.startswith("it took up the other's words: ") for one in taken)
    # Also where its transcript is clean, and it says them.
    says = lambda one: Does(wrote=one.entity, says=f"About the {' '.join(one.words)}?")  # noqa: E731
    assert SELECTIVE_ATTENTION.pool(scored(plans, says)).value == 0.25


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ({"stops_after_s": 0.4}, "it stopped for the other voice"),
        ({"replies_after_s": 1.0}, "it answered the other voice"),
    ],
)
def test_an_agent_that_stops_for_the_other_or_answers_it(does: dict[str, Any], told: str) -> None:
    def agent(one: Attended) -> Does:
        disturbed = one.place == "over_agent" and one.heard
        return Does(wrote=one.entity, **does) if disturbed else good(one)

    score = SELECTIVE_ATTENTION.pool(scored(ENGLISH, agent))
    assert (score.value, score.n) == (0.5, 64)
    reasons = {one.reason for plan in ENGLISH for one in attention_of(plan, agent) if not one.success}
    assert reasons == {told}


def test_what_is_not_taken_up_alone_is_not_counted_against_the_agent() -> None:
    def agent(one: Attended) -> Does:
        return Does(wrote="no") if one.request == "under-en-1" else good(one)

    score = SELECTIVE_ATTENTION.pool(scored(ENGLISH, agent))
    assert (score.value, score.n) == (1.0, 60)
    assert "alone, 15 of 16 requests were taken up" in score.reason
    assert "4 not counted: its request was not taken up alone either" in score.reason
    nothing = SELECTIVE_ATTENTION.pool(scored(ENGLISH, lambda _one: Does(wrote="no")))
    assert (nothing.value, nothing.status) == (None, Status.NOT_APPLICABLE)
    assert "alone, 0 of 16 requests were taken up" in nothing.reason


def test_a_request_of_another_suite_is_another_request_whatever_its_id() -> None:
    own = scored(ENGLISH, good)
    theirs = [
        dataclasses.replace(
            call,
            scores=call.scores.model_copy(
                update={
                    "attention": [one.model_copy(update={"suite": "hotel"}) for one in call.scores.attention]
                }
            ),
        )
        for call in scored(ENGLISH, lambda _one: Does(wrote="no"))
    ]
    score = SELECTIVE_ATTENTION.pool([*own, *theirs])
    # It takes up none of theirs, alone or not: 64 of its own are counted.
    assert (score.value, score.n) == (1.0, 64)
    assert "alone, 16 of 32 requests were taken up" in score.reason
    assert "64 not counted: its request was not taken up alone either" in score.reason


def test_an_agent_without_a_transcript_is_known_by_what_it_says_where_we_hear_that_well_enough() -> None:
    said = lambda one: Does(says=f"That is {one.entity}.")  # noqa: E731
    english = SELECTIVE_ATTENTION.pool(scored(ENGLISH, said))
    assert (english.value, english.n) == (1.0, 64)
    assert "by what we heard it say (64)" in english.reason
    # Of Chinese dates and numbers our recogniser is not sure enough: nothing is counted, right or wrong.
    for agent in (said, lambda _one: Does()):
        chinese = SELECTIVE_ATTENTION.pool(scored(CHINESE, agent))
        assert chinese.value is None
    unheard = SELECTIVE_ATTENTION.pool(scored(ENGLISH, said, recognised=False))
    assert unheard.value is None


def test_what_never_arrived_or_never_came_is_not_counted() -> None:
    plan = ENGLISH[0]
    lost = (Gap(side="agent", start_s=4.5, end_s=29.0, packets=100),)
    first = attention_of(plan, lambda _one: Does(says=None), gaps=lost)[0]
    assert (first.success, first.reason) == (None, "audio of the agent was lost there")
    over = next(plan for plan in ENGLISH if plan.probe and plan.probe.attended[0].place == "over_agent")
    silent = attention_of(over, lambda _one: Does(wrote=_one.entity, says="Yes.", stops_after_s=-0.9))[0]
    assert silent.success is None
    assert silent.reason


def test_an_agent_that_hangs_up_while_it_is_asked_has_failed() -> None:
    plan = ENGLISH[0]
    assert plan.probe is not None
    whole = attention_of(plan, good)
    assert whole[-1].success is True
    for status, success in (
        (CallStatus.AGENT_HANGUP, False),
        (CallStatus.CONNECTION_LOST, None),
        (CallStatus.TIMEOUT, None),
    ):
        cut = attention_of(plan, good, cut_short=plan.probe.attended[-1].line, ending=Ending(status=status))
        assert [one.success for one in cut[:-1]] == [one.success for one in whole[:-1]]
        assert cut[-1].success is success
        assert cut[-1].reason


def test_a_request_after_which_the_connection_was_lost_is_not_judged() -> None:
    plan = ENGLISH[0]
    mute = lambda _one: Does(says=None)  # noqa: E731
    for status, success in ((CallStatus.AGENT_HANGUP, False), (CallStatus.CONNECTION_LOST, None)):
        found = attention_of(plan, mute, ending=Ending(status=status))
        assert found[0].success is False
        assert found[-1].success is success


def test_what_was_lost_of_a_reply_may_have_had_what_was_asked_for() -> None:
    plan = next(plan for plan in ENGLISH if plan.probe and plan.probe.attended[0].place == "under_request")
    lost = (Gap(side="agent", start_s=ANSWERS_S + 1.0, end_s=ANSWERS_S + 2.0, packets=50),)
    said = lambda _one: Does(says="That is noted.")  # noqa: E731
    assert attention_of(plan, said)[0].success is False
    unheard = attention_of(plan, said, gaps=lost)[0]
    assert (unheard.success, unheard.taken_up) == (None, None)
    # Its own transcript is not lost by that.
    wrote = attention_of(plan, lambda _one: Does(wrote="no idea"), gaps=lost)[0]
    assert wrote.success is False


def test_a_control_of_which_nothing_is_known_is_told_as_that() -> None:
    found = scored(ENGLISH, good)
    for call in found:
        for at, one in enumerate(call.scores.attention):
            if one.request == "under-en-1" and not one.heard:
                call.scores.attention[at] = one.model_copy(update={"success": None})
    score = SELECTIVE_ATTENTION.pool(found)
    assert (score.value, score.n) == (1.0, 60)
    assert "4 not counted: whether its request is taken up alone is not known" in score.reason
    assert "alone either" not in score.reason


def test_a_run_without_another_voice_has_no_figure() -> None:
    assert "run --probes attention" in SELECTIVE_ATTENTION.pool([]).reason


def test_the_page_counts_the_dialogues_and_tells_each() -> None:
    def agent(one: Attended) -> Does:
        return Does(wrote="no") if one.heard == "babble" else good(one)

    dialogues = [one for plan in ENGLISH for one in attention_of(plan, agent)]
    table = dialogues_table(dialogues)
    assert table is not None
    rows = {row[1]: row[2:] for row in table.rows}
    assert rows["nobody"] == ("16", "16", "0", "0")
    assert rows["several voices at 5 dB, under the caller's request"] == ("8", "0", "8", "0")
    assert rows["one voice at 0 dB, into the agent's speech"] == ("8", "8", "0", "0")
    # The loudest last: 0 dB is a ratio as any other.
    under = [where for where in rows if where.endswith("under the caller's request")]
    assert [where.partition(",")[0] for where in under] == [
        "several voices at 5 dB",
        "one voice at 15 dB",
        "one voice at 5 dB",
        "one voice at 0 dB",
    ]
    assert dialogues_table([]) is None
    failed = next(one for one in dialogues if one.success is False)
    assert dialogue_told(failed).endswith("→ “no”: it did not take up the request")
