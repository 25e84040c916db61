"""One dialogue in text, on the virtual clock. Times are worked out by hand: 2.5 words a second, the agent
answers 0.8 s after the caller, the scripted caller 0.5 s after the agent."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from harness.calls.text.agents.base import AgentFailed, AgentReply
from harness.calls.text.converse import converse
from harness.calls.text.talk import Participants
from harness.errors import BudgetSpent
from harness.models.language.cap_exceeded import CapExceeded
from harness.records.call import CallRecord, CallStatus, Event
from harness.records.endings import STATUS_OF_REASON
from tests.unit.harness.stand_ins.chatting import (
    THINKS,
    ScriptedAgent,
    ScriptedCaller,
    hold,
    job,
    plan,
    sides,
)
from voice_sim.caller.events import HangUpReason
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.base import Heard, Leave, Line, PolicyError


def _said(record: CallRecord) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in record.turns]


def _times(record: CallRecord) -> list[tuple[float, float]]:
    return [(turn.start_s, turn.end_s) for turn in record.turns]


def test_turns_alternate_and_take_their_time_on_the_virtual_clock() -> None:
    took_s = []
    # The first one reads the entry, and a busy machine may hold up any of them.
    for _ in range(3):
        agent = ScriptedAgent("Hello, this is the bank.", "On Friday.", "Goodbye.")
        thanks = Line(text="Thanks.", pause_s=0.5, ends_call="satisfied")
        began = time.monotonic()
        record = hold(ScriptedCaller("When does it come?", thanks), agent).record
        took_s.append(time.monotonic() - began)
    assert min(took_s) < 1.0  # nobody waits
    assert _said(record) == [
        ("agent", "Hello, this is the bank."),
        ("caller", "When does it come?"),
        ("agent", "On Friday."),
        ("caller", "Thanks."),
        ("agent", "Goodbye."),
    ]
    assert _times(record) == [
        (0.0, 2.0),  # 5 words
        (2.5, 4.1),  # 4 words
        (4.9, 5.7),
        (6.2, 6.6),
        (7.4, 7.8),
    ]
    assert record.status is CallStatus.COMPLETED
    assert record.end_reason == "satisfied"
    assert record.duration_s == 7.8


def test_the_agent_is_asked_with_all_that_was_said_and_with_nothing_at_its_opening() -> None:
    agent = ScriptedAgent("Hello.", "Yes.")
    hold(ScriptedCaller("Is it you?", Leave(reason="satisfied")), agent)
    assert [[(turn.speaker, turn.text) for turn in turns] for turns in agent.asked] == [
        [],
        [("agent", "Hello."), ("caller", "Is it you?")],
    ]


def test_the_caller_reads_the_words_of_the_agent() -> None:
    caller = ScriptedCaller("Who is it?", Leave(reason="refused"))
    record = hold(caller, ScriptedAgent("Hello there.", "The bank.")).record
    heard = [turn for turn in caller.dialogues[-1] if isinstance(turn, Heard)]
    assert [(turn.text, turn.onset_s, turn.end_s) for turn in heard] == [
        ("Hello there.", 0.0, 0.8),
        ("The bank.", 3.3, 4.1),
    ]
    assert (record.status, record.end_reason) == (CallStatus.COMPLETED, "refused")


def test_a_caller_may_pick_up_and_speak_first() -> None:
    agent = ScriptedAgent("It is the bank.")
    record = hold(ScriptedCaller("Hello?", None, wait_for_greeting=False), agent).record
    assert _said(record)[0] == ("caller", "Hello?")
    assert len(agent.asked) == 1
    assert record.status is CallStatus.COMPLETED
    assert record.end_reason == "completed"


def test_a_line_keeps_the_reason_for_which_it_was_said() -> None:
    held = hold(ScriptedCaller(Line(text="Why?", why="must_ask reason")), ScriptedAgent("Hello."))
    assert held.record.turns[1].why == "must_ask reason"
    said = [event for event in held.events if event.kind == "said" and event.side == "caller"]
    assert [event.data["why"] for event in said] == ["must_ask reason"]


def test_events_are_told_as_they_happen_in_order_of_time() -> None:
    seen: list[Event] = []
    held = hold(ScriptedCaller("Yes?", None), ScriptedAgent("Hello."), on_event=seen.append)
    assert seen == held.events
    times = [event.t for event in held.events]
    assert times == sorted(times)
    assert [event.kind for event in held.events if event.kind in ("connected", "said", "ended")] == [
        "connected",
        "said",
        "said",
        "said",
        "ended",
    ]


# --- silence


def test_an_agent_that_never_speaks_is_left_when_the_callers_patience_ends() -> None:
    record = hold(ScriptedCaller("Hello?"), ScriptedAgent("")).record
    assert record.status is CallStatus.CALLER_HANGUP
    assert record.end_reason == "no_greeting"
    assert record.duration_s == 15.0
    assert record.turns == ()


def test_a_silent_agent_is_asked_after_and_then_asked_again() -> None:
    agent = ScriptedAgent("Hello.", "", "Sorry, yes.")
    caller = ScriptedCaller("Is it late?", "Good.", when_silent=Line(text="Hello?", why="silence"))
    patience = Patience(call_s=900.0, prompt_s=5.0)
    held = hold(caller, agent, patience=patience)
    assert _said(held.record)[:4] == [
        ("agent", "Hello."),
        ("caller", "Is it late?"),
        ("caller", "Hello?"),
        ("agent", "Sorry, yes."),
    ]
    # "Is it late?" ends at 0.4 + 0.5 + 1.2 = 2.1 s, so "Hello?" comes at 7.1 s.
    assert held.record.turns[2].start_s == pytest.approx(7.1)
    assert [event.kind for event in held.events if event.side == "agent"].count("silent") == 1


def test_an_agent_that_falls_silent_for_good_is_left() -> None:
    held = hold(ScriptedCaller("Is it late?"), ScriptedAgent("Hello.", " \n "))
    assert held.record.end_reason == "agent_silent"
    assert held.record.status is CallStatus.CALLER_HANGUP
    assert held.record.duration_s == pytest.approx(2.1 + 15.0)


# --- hanging up


def test_an_agent_hangs_up_after_its_words_and_the_caller_says_no_more() -> None:
    agent = ScriptedAgent("Hello.", AgentReply(text="Goodbye.", hangs_up=True))
    caller = ScriptedCaller("Yes?", "Wait!")
    record = hold(caller, agent).record
    assert _said(record)[-1] == ("agent", "Goodbye.")
    assert (record.status, record.end_reason) == (CallStatus.AGENT_HANGUP, "agent_hangup")
    assert len(agent.asked) == 2


def test_an_agent_may_hang_up_without_a_word() -> None:
    record = hold(ScriptedCaller("Yes?"), ScriptedAgent(AgentReply(text="", hangs_up=True))).record
    assert record.status is CallStatus.AGENT_HANGUP
    assert record.turns == ()


def test_where_both_are_done_at_once_the_caller_has_ended_it_by_its_own_condition() -> None:
    agent = ScriptedAgent("Hello.", AgentReply(text="Goodbye.", hangs_up=True))
    record = hold(ScriptedCaller(Line(text="Bye.", ends_call="satisfied")), agent).record
    assert _said(record)[-1] == ("agent", "Goodbye.")
    assert (record.status, record.end_reason) == (CallStatus.COMPLETED, "satisfied")


def test_every_reason_of_the_caller_has_a_status() -> None:
    reasons: list[HangUpReason] = [
        "satisfied",
        "refused",
        "gave_up",
        "completed",
        "agent_silent",
        "declined",
        "unanswered",
        "no_greeting",
        "limit",
        "agent_hangup",
        "connection_lost",
    ]
    assert set(STATUS_OF_REASON) == set(reasons)
    for reason in ("satisfied", "refused", "completed"):
        assert STATUS_OF_REASON[reason] is CallStatus.COMPLETED
    assert STATUS_OF_REASON["gave_up"] is CallStatus.CALLER_HANGUP
    assert all(CallStatus(status).took_place for status in STATUS_OF_REASON.values())


# --- limits


def test_an_endless_dialogue_ends_at_the_limit_of_turns() -> None:
    record = hold(ScriptedCaller(*["And then?"] * 100), ScriptedAgent("More."), turns=7).record
    assert len(record.turns) == 7
    assert (record.status, record.end_reason) == (CallStatus.TIMEOUT, "limit")


def test_an_endless_dialogue_ends_at_the_limit_of_time_in_the_middle_of_a_turn() -> None:
    agent = ScriptedAgent("one two three four five six seven eight nine ten")  # 4 s
    record = hold(ScriptedCaller(*["Go on."] * 100), agent, patience=Patience(call_s=20.0)).record
    assert (record.status, record.end_reason) == (CallStatus.TIMEOUT, "limit")
    assert record.duration_s == 20.0
    assert record.turns[-1].cut
    assert record.turns[-1].end_s == 20.0
    # The first turn to 4.0; "Go on." from 4.5 to 5.3, the next turn from 6.1 to 10.1, then 12.2 to 16.2, and
    # from 18.3 on: 1.7 s are four words of 0.4 s. The rest nobody heard, and nobody judges.
    assert record.turns[-1].start_s == 18.3
    assert record.dialogue.turns[-1].text == "one two three four"
    assert record.dialogue.turns[-3].text.endswith("nine ten")
    assert not any(turn.cut for turn in record.turns[:-1])


def test_a_giant_text_is_cut_and_the_timeline_says_so() -> None:
    held = hold(ScriptedCaller(Leave(reason="gave_up")), ScriptedAgent("word " * 400_000), turn_chars=100)
    record = held.record
    assert len(record.turns[0].text) == 99
    assert record.turns[0].cut
    (cut,) = [event for event in held.events if event.kind == "cut"]
    assert (cut.data["kept"], cut.data["chars"]) == (99, 2_000_000)
    assert (record.status, record.end_reason) == (CallStatus.CALLER_HANGUP, "gave_up")


def test_what_would_move_a_cursor_or_break_a_file_is_taken_out_of_both_sides_words() -> None:
    held = hold(ScriptedCaller("Hm\x1b[2J."), ScriptedAgent("A\x00\x1b[31mred\ud800\u2028one\n- two"))
    assert held.record.turns[0].text == "A [31mred one\n- two"
    assert held.record.turns[1].text == "Hm [2J."
    held.record.model_dump_json()


def test_a_policy_without_words_does_not_go_on_for_ever() -> None:
    endless = ScriptedCaller(*[Line(text="…", pause_s=0.0)] * 10_000)
    record = hold(endless, ScriptedAgent(""), patience=Patience(call_s=60.0, prompt_s=1.0)).record
    assert record.status in (CallStatus.TIMEOUT, CallStatus.CALLER_HANGUP)


# --- thinking


def test_a_caller_that_thinks_says_its_parts_as_one_turn_that_takes_no_longer() -> None:
    parts = [Line(text="Well, I see.", pause_s=0.5, more=True, why="a"), Line(text="And when?", why="b")]
    agent = ScriptedAgent("Hello.", "On Friday.")
    record = hold(ScriptedCaller(THINKS, Leave(reason="satisfied"), thoughts=[parts]), agent).record
    assert _said(record)[1] == ("caller", "Well, I see. And when?")
    assert record.turns[1].why == "a; b"
    assert _times(record)[1] == (0.9, 2.9)  # 3 and 2 words
    assert len(agent.asked) == 2  # not between the parts


def test_parts_of_a_chinese_turn_are_joined_without_a_space() -> None:
    parts = [Line(text="我知道了。", more=True), Line(text="什么时候？")]
    caller = ScriptedCaller(THINKS, Leave(reason="satisfied"), thoughts=[parts])
    chinese = job("cs-bank-complaint-zh/hesitant").plan
    record = asyncio.run(converse(chinese, sides(caller, ScriptedAgent("您好。")))).record
    assert record.turns[1].text == "我知道了。什么时候？"


@pytest.mark.parametrize(
    ("thought", "reason"),
    [
        ([], "completed"),
        ([Leave(reason="refused", why="enough")], "refused"),
        ([Line(text="Bye.", ends_call="refused")], "refused"),
        ([Line(text="Hm.", more=True)], "completed"),
    ],
    ids=["nothing", "leaves", "last words", "promises more and says nothing"],
)
def test_a_thought_may_end_the_call_or_come_to_nothing(
    thought: list[Line | Leave], reason: HangUpReason
) -> None:
    record = hold(ScriptedCaller(THINKS, thoughts=[thought]), ScriptedAgent("Hello.")).record
    assert (record.status, record.end_reason) == (CallStatus.COMPLETED, reason)


@pytest.mark.parametrize(
    ("thought", "reason"),
    [
        ([Line(text="All right.", more=True), Line(text="Bye.", ends_call="satisfied")], "satisfied"),
        ([Line(text="Bye.", ends_call="satisfied")], "satisfied"),
        ([Leave(reason="satisfied")], "satisfied"),
        ([Line(text="Wait, what about the fee?")], "agent_hangup"),
        (PolicyError("the model is gone"), "agent_hangup"),
    ],
    ids=["last words in parts", "last words", "leaves", "has a question", "fails"],
)
def test_a_caller_that_thinks_may_have_been_done_when_the_agent_hung_up(
    thought: Any, reason: HangUpReason
) -> None:
    agent = ScriptedAgent("Hello.", AgentReply(text="That was all. Goodbye.", hangs_up=True))
    held = hold(ScriptedCaller("Yes?", THINKS, thoughts=[thought]), agent)
    assert held.record.end_reason == reason
    assert _said(held.record)[-1] == ("agent", "That was all. Goodbye.")
    told = [event.data["why"] for event in held.events if event.kind == "not-asked"]
    assert told == (["the model is gone"] if isinstance(thought, PolicyError) else [])


def test_a_cap_that_is_reached_at_the_agents_goodbye_is_a_dialogue_to_hold_again() -> None:
    agent = ScriptedAgent("Hello.", AgentReply(text="Goodbye.", hangs_up=True))
    spent = PolicyError("no more tokens")
    spent.__cause__ = CapExceeded("the dialogue has used 10 tokens", what="tokens")
    record = hold(ScriptedCaller("Yes?", THINKS, thoughts=[spent]), agent).record
    assert record.status is CallStatus.INTERRUPTED


# --- failures, and whose they are


def test_an_agent_that_fails_before_its_first_word_was_never_set_up() -> None:
    agent = ScriptedAgent(AgentFailed("connection refused"))
    record = hold(ScriptedCaller("Hello?", wait_for_greeting=False), agent).record
    assert record.status is CallStatus.SETUP_FAILED
    assert record.status_detail == "connection refused"
    assert _said(record) == [("caller", "Hello?")]
    assert not record.status.took_place


def test_an_agent_that_fails_in_the_middle_has_failed_and_its_words_are_kept() -> None:
    agent = ScriptedAgent("Hello.", AgentFailed("HTTP 503"))
    record = hold(ScriptedCaller("Yes?"), agent).record
    assert record.status is CallStatus.AGENT_FAILED
    assert record.status_detail == "HTTP 503"
    assert _said(record) == [("agent", "Hello."), ("caller", "Yes?")]
    assert record.end_reason is None
    assert not record.status.took_place


@pytest.mark.parametrize(
    ("goodbye", "status", "reason"),
    [
        (Line(text="Thanks, bye.", ends_call="satisfied"), CallStatus.COMPLETED, "satisfied"),
        (Line(text="Thanks, bye.", parting=True), CallStatus.COMPLETED, "satisfied"),
        (Line(text="I've had enough.", ends_call="gave_up"), CallStatus.CALLER_HANGUP, "gave_up"),
    ],
    ids=["last words", "took leave", "had enough"],
)
@pytest.mark.parametrize("failing", ["fails", "never answers"])
def test_an_agent_that_fails_only_at_the_goodbye_has_held_its_call(
    goodbye: Line, status: CallStatus, reason: HangUpReason, failing: str
) -> None:
    async def hang() -> str:
        await asyncio.Event().wait()
        return "never"

    last = hang if failing == "never answers" else AgentFailed("HTTP 503")
    held = hold(ScriptedCaller("Yes?", goodbye), ScriptedAgent("Hello.", "On Friday.", last), answer_s=0.05)
    assert (held.record.status, held.record.end_reason) == (status, reason)
    assert _said(held.record)[-2:] == [("agent", "On Friday."), ("caller", goodbye.text)]
    (told,) = [event.data["why"] for event in held.events if event.kind == "failed-at-goodbye"]
    assert told == ("HTTP 503" if failing == "fails" else "no answer within 0.05 s")


def test_an_agent_that_fails_before_its_first_word_was_never_set_up_though_the_caller_is_through() -> None:
    caller = ScriptedCaller(Line(text="Wrong number, bye.", ends_call="gave_up"), wait_for_greeting=False)
    assert hold(caller, ScriptedAgent(AgentFailed("HTTP 503"))).record.status is CallStatus.SETUP_FAILED


def test_an_agent_that_never_answers_has_failed() -> None:
    async def hang() -> str:
        await asyncio.Event().wait()
        return "never"

    record = hold(ScriptedCaller("Yes?"), ScriptedAgent("Hello.", hang), answer_s=0.05).record
    assert record.status is CallStatus.AGENT_FAILED
    assert "0.05 s" in record.status_detail


@pytest.mark.parametrize("when", ["in a thought", "at once"])
def test_a_policy_that_fails_is_our_fault(when: str) -> None:
    error = PolicyError("the caller's model is gone")
    caller = ScriptedCaller(THINKS, thoughts=[error]) if when == "in a thought" else ScriptedCaller(error)
    held = hold(caller, ScriptedAgent("Hello."))
    assert held.record.status is CallStatus.HARNESS_FAULT
    assert "the caller's model is gone" in held.record.status_detail
    assert _said(held.record) == [("agent", "Hello.")]


def test_a_policy_that_cannot_think_is_our_fault() -> None:
    class Thoughtless(ScriptedCaller):
        think = None  # type: ignore[assignment]

    held = hold(Thoughtless(THINKS), ScriptedAgent("Hello."))
    assert held.record.status is CallStatus.HARNESS_FAULT


def test_a_thought_without_end_is_our_fault() -> None:
    class Ponders(ScriptedCaller):
        async def think(self, dialogue):  # type: ignore[no-untyped-def]
            await asyncio.Event().wait()
            yield Line(text="never")

    record = hold(Ponders(THINKS), ScriptedAgent("Hello."), answer_s=0.05).record
    assert record.status is CallStatus.HARNESS_FAULT
    assert "0.05 s" in record.status_detail


@pytest.mark.parametrize("whose", ["agent", "caller"])
def test_an_error_in_our_own_code_is_our_fault_and_leaves_its_traceback(whose: str) -> None:
    defect = ZeroDivisionError("planted")
    agent = ScriptedAgent("Hello.", defect) if whose == "agent" else ScriptedAgent("Hello.")
    caller = ScriptedCaller("Yes?") if whose == "agent" else ScriptedCaller(defect)
    held = hold(caller, agent)
    assert held.record.status is CallStatus.HARNESS_FAULT
    assert "ZeroDivisionError: planted" in held.record.status_detail
    (fault,) = [event for event in held.events if event.kind == "fault"]
    assert "Traceback" in fault.data["trace"]


@pytest.mark.parametrize("whose", ["agent", "caller"])
def test_a_spent_budget_is_nobodys_failure(whose: str) -> None:
    if whose == "agent":
        spent = BudgetSpent("the run has used 5 USD")
        record = hold(ScriptedCaller("Yes?"), ScriptedAgent("Hello.", spent)).record
    else:
        failure = PolicyError("the caller's language model failed")
        failure.__cause__ = CapExceeded("the run has used 5 USD", what="cost")
        record = hold(ScriptedCaller(THINKS, thoughts=[failure]), ScriptedAgent("Hello.")).record
    assert record.status is CallStatus.INTERRUPTED
    assert record.status_detail == "the run has used 5 USD"


def test_a_dialogue_that_is_broken_off_keeps_what_was_said() -> None:
    waiting = asyncio.Event()

    async def hang() -> str:
        waiting.set()
        await asyncio.Event().wait()
        return "never"

    async def run() -> CallRecord:
        talk = sides(ScriptedCaller("Yes?"), ScriptedAgent("Hello.", hang))
        task = asyncio.create_task(converse(plan(), talk))
        await waiting.wait()
        task.cancel()
        return (await task).record

    record = asyncio.run(run())
    assert record.status is CallStatus.INTERRUPTED
    assert _said(record) == [("agent", "Hello."), ("caller", "Yes?")]


# --- what models took


def test_real_time_of_each_side_is_kept_apart_from_the_virtual_clock() -> None:
    async def slow() -> str:
        await asyncio.sleep(0.08)
        return "Yes."

    agent = ScriptedAgent("Hello.", slow)
    record = hold(ScriptedCaller("Really?", None), agent).record
    assert 0.08 <= record.turns[2].wall_s < 1.0
    assert record.agent_usage.wall_s >= 0.08
    assert record.caller_usage.wall_s < 0.08
    assert record.turns[2].start_s == 2.1  # as if it had answered at once: 0.4 + 0.5 + 0.4 + 0.8


def test_retries_of_a_model_go_into_the_timeline() -> None:
    talk: Participants = sides(ScriptedCaller("Yes?", None), ScriptedAgent("Hello."))
    talk.happened.append(("agent", "retry", {"reason": "HTTP 429"}))
    held = asyncio.run(converse(plan(), talk))
    (retry,) = [event for event in held.events if event.kind == "retry"]
    assert (retry.side, retry.source, retry.data) == ("agent", "model", {"reason": "HTTP 429"})


def test_the_versions_of_both_sides_are_kept() -> None:
    class Versioned(ScriptedCaller):
        version = "scripted/3"

    talk = sides(Versioned("Yes?", None), ScriptedAgent("Hello."))
    record = asyncio.run(converse(plan(), talk, versions={"outboundeval": "1.2.3"})).record
    assert record.versions == {"outboundeval": "1.2.3", "caller in text": "scripted/3"}
