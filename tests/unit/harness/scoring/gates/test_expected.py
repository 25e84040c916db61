"""Expectations by hand, each with what is told of it: calls of two lines, answered after 0.5 and 0.9 s.

The caller speaks at 1 and 4 s, the agent from 2.5 and 5.9 s on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.plans.checks.expectations import Expected
from harness.records.call import CallStatus, Event
from harness.records.scores import InterruptionTiming
from harness.records.verdict import AfterCall, CheckResult, HttpAnswer
from harness.scoring.gates.expected import Meanings, expected_checks, words_for
from harness.scoring.gates.held_to import HeldCall
from metrics.interaction.outcome import TurnOutcome
from tests.nights import held, night_call

SAYS = ("Your order costs forty dollars.", "Goodbye then.")
NOBODY_ASKED: Meanings = {}
CALL = held(night_call("a", [500.0, 900.0], says=SAYS))


def _checks(
    call: HeldCall | None, *whats: Any, line: int | None = None, meanings: Meanings = NOBODY_ASKED
) -> list[CheckResult]:
    expected = [Expected.model_validate({"line": line, "what": what}) for what in whats]
    return expected_checks(call, "a", expected, meanings)


def _found(call: HeldCall | None, what: Any, **more: Any) -> tuple[str, str]:
    [check] = _checks(call, what, **more)
    return check.result, check.told


def _turns(call: HeldCall, *changes: dict[str, Any]) -> HeldCall:
    scores = call.files.scores
    assert scores is not None
    turns = [turn.model_copy(update=new) for turn, new in zip(scores.turns, changes, strict=True)]
    return replace(call, files=replace(call.files, scores=scores.model_copy(update={"turns": turns})))


def _sources(call: HeldCall, *sources: str) -> HeldCall:
    """Only the agent's lines of these sources."""
    transcript = call.files.transcript
    assert transcript is not None
    lines = [one for one in transcript.lines if one.side == "caller" or one.source in sources]
    return replace(call, files=replace(call.files, transcript=transcript.model_copy(update={"lines": lines})))


def test_a_check_has_its_place_and_names_the_call_that_failed_it() -> None:
    assert _checks(CALL, {"said": "goodbye"}, {"said": "order"}, line=1) == [
        CheckResult(
            name="said: goodbye",
            of="expect",
            call_id="a",
            line=1,
            result="passed",
            told="heard: Goodbye then.",
        ),
        CheckResult(
            name="said: order",
            of="expect",
            call_id="a",
            line=1,
            result="failed",
            told="heard: Goodbye then.",
            calls=("a",),
        ),
    ]
    [unclear] = _checks(CALL, {"stops_within_ms": 500})
    assert (unclear.result, unclear.calls) == ("inconclusive", ("a",))


# --- what hinders a decision, in this order


def test_what_was_not_placed_or_failed_on_our_side_is_inconclusive() -> None:
    assert _found(None, "answered") == ("inconclusive", "the call was not placed")
    for call in (held(night_call("a", status=CallStatus.HARNESS_FAULT)), replace(CALL, guilty=True)):
        assert _found(call, {"ends": "completed"}) == ("inconclusive", "our own side failed in this call")


def test_a_call_that_did_not_come_about_fails_all_but_how_it_ends() -> None:
    refused = held(night_call("a", status=CallStatus.SETUP_FAILED, detail="refused"))
    assert _found(refused, {"not_said": "x"}) == ("failed", "no call came about: refused")
    assert _found(refused, {"ends": "setup_failed"}) == ("passed", "it ended as setup_failed")


@pytest.mark.parametrize("lacking", ["scores", "transcript"])
def test_a_call_that_was_not_scored_is_inconclusive(lacking: str) -> None:
    call = replace(CALL, files=replace(CALL.files, **{lacking: None}))
    assert _found(call, "answered") == ("inconclusive", "the call could not be scored")


def test_a_line_that_was_never_said_fails() -> None:
    assert _found(CALL, "answered", line=1)[0] == "passed"
    result, told = _found(CALL, {"not_said": "x"}, line=2)
    assert (result, told) == (
        "failed",
        "line 3 was never said: the caller said its last line and hung up",
    )


# --- answers


def test_a_line_was_answered_or_what_became_of_it() -> None:
    silent = _turns(CALL, {}, {"outcome": TurnOutcome.NOT_ANSWERED})
    assert _found(silent, "answered", line=0) == ("passed", "line 1 was answered")
    assert _found(silent, "answered") == ("failed", "line 2 was not answered")
    assert _found(silent, {"within_ms": 9000}) == ("failed", "line 2 was not answered")
    part = _turns(CALL, {"outcome": TurnOutcome.IN_PART}, {})
    assert _found(part, "answered", line=0) == ("passed", "line 1 was answered in part")


def test_a_line_that_was_talked_over_is_no_answer_and_has_a_time() -> None:
    over = _turns(CALL, {"outcome": TurnOutcome.TALKED_OVER, "latency_ms": -300.0}, {})
    assert _found(over, "answered", line=0) == ("failed", "line 1 was talked over")
    assert _found(over, {"within_ms": 500}, line=0) == ("passed", "line 1: -300 ms")


def test_lines_that_need_no_answer_are_left_out() -> None:
    goodbye = _turns(CALL, {}, {"outcome": TurnOutcome.NOT_DUE})
    assert _found(goodbye, "answered") == ("passed", "line 1 was answered")
    assert _found(goodbye, "answered", line=1) == ("inconclusive", "no answer was due")


def test_the_worst_of_all_lines_counts() -> None:
    assert _found(CALL, {"within_ms": 2000}) == ("passed", "all 2; the last: line 2: 900 ms")
    assert _found(CALL, {"within_ms": 700}) == ("failed", "line 2: 900 ms")
    # A failure before what nobody can tell, wherever it stands.
    unclear_and_late = _turns(CALL, {"latency_ms": None, "reason": "lost"}, {})
    assert _found(unclear_and_late, {"within_ms": 700})[0] == "failed"
    assert _found(unclear_and_late, {"within_ms": 2000}) == ("inconclusive", "line 1: lost")


def test_a_time_closer_to_its_limit_than_the_error_bar_is_not_told() -> None:
    """±10.5 ms around 500."""
    for within_ms, result in (
        (510.4, "inconclusive"),
        (510.6, "passed"),
        (489.6, "inconclusive"),
        (489.4, "failed"),
    ):
        assert _found(CALL, {"within_ms": within_ms}, line=0)[0] == result
    assert _found(CALL, {"within_ms": 505}, line=0)[1] == (
        "line 1: 500 ms; the error bar of ±10.5 ms reaches over the limit"
    )
    exact = _turns(CALL, {"resolution_ms": None, "latency_ms": 500.0}, {})
    assert _found(exact, {"within_ms": 500}, line=0) == ("passed", "line 1: 500 ms")
    bar = _turns(CALL, {"resolution_ms": 8.0, "latency_ms": 500.0}, {})
    assert _found(bar, {"within_ms": 508}, line=0)[0] == "passed"
    assert _found(bar, {"within_ms": 492}, line=0)[0] == "failed"
    unknown = _turns(CALL, {"latency_ms": None, "reason": ""}, {})
    assert _found(unknown, {"within_ms": 500}, line=0) == ("inconclusive", "line 1: no time can be told")


# --- interruptions


def _interrupted(*timings: dict[str, Any]) -> HeldCall:
    made = [
        InterruptionTiming.model_validate(
            {"index": n, "user_start_s": 2, "agent_onset_s": 1, "planned_offset_s": 1} | timing
        )
        for n, timing in enumerate(timings)
    ]
    return held(night_call("a", [500.0, 900.0], interruptions=made))


def test_an_interruption_stops_the_agent_in_time_or_not() -> None:
    call = _interrupted(
        {"outcome": "stopped", "delay_ms": 400.0, "resolution_ms": 17.0},
        {"outcome": "not_stopped", "censored_after_ms": 3000.0},
    )
    assert _found(call, {"stops_within_ms": 500}, line=0) == ("passed", "interruption in line 1: 400 ms")
    assert _found(call, {"stops_within_ms": 410}, line=0)[0] == "inconclusive"
    told = "interruption in line 2: the agent did not stop, heard to go on for 3000 ms"
    assert _found(call, {"stops_within_ms": 500}, line=1) == ("failed", told)
    assert _found(call, {"stops_within_ms": 500}) == ("failed", told)
    unknown = _interrupted({"outcome": "not_stopped"})
    assert _found(unknown, {"stops_within_ms": 500})[1] == "interruption in line 1: the agent did not stop"


def test_an_interruption_of_which_nobody_can_tell_says_why() -> None:
    call = _interrupted(
        {"outcome": "ended_by_itself", "reason": "too soon"},
        {"outcome": "indeterminate", "reason": "audio was lost"},
    )
    assert _found(call, {"stops_within_ms": 500}, line=0) == (
        "inconclusive",
        "interruption in line 1: ended by itself too soon",
    )
    assert _found(call, {"stops_within_ms": 500}, line=1)[1] == (
        "interruption in line 2: indeterminate audio was lost"
    )
    bare = _interrupted({"outcome": "ended_by_itself"})
    assert _found(bare, {"stops_within_ms": 500})[1] == "interruption in line 1: ended by itself"
    assert _found(CALL, {"stops_within_ms": 500}) == ("inconclusive", "nothing was interrupted")


# --- words


def test_words_are_whole_and_in_their_language() -> None:
    assert _found(CALL, {"said": "your order costs $40"}) == (
        "passed",
        "heard: Your order costs forty dollars. Goodbye then.",
    )
    for words in ("rder", "orde", "order cost"):
        assert _found(CALL, {"said": words})[0] == "failed"
    chinese = held(night_call("a", [500.0, 900.0], says=("请您再说一遍", "好的")))
    plan = chinese.record.plan.model_copy(update={"language": "zh"})
    chinese = replace(chinese, record=chinese.record.model_copy(update={"plan": plan}))
    assert _found(chinese, {"said": "再说"})[0] == "passed"
    assert _found(chinese, {"said": "再见"})[0] == "failed"
    # What comes to no word is said by nobody.
    assert _found(CALL, {"said": "um"})[0] == "failed"


def test_a_pattern_is_looked_for_whatever_the_case() -> None:
    assert _found(CALL, {"said": {"regex": "YOUR .* costs"}})[0] == "passed"
    assert _found(CALL, {"said": {"regex": "^costs"}})[0] == "failed"


def test_what_must_not_be_said_is_the_reverse_where_it_can_be_told() -> None:
    assert _found(CALL, {"not_said": "goodbye"})[0] == "failed"
    assert _found(CALL, {"not_said": "hello"}) == (
        "passed",
        "heard: Your order costs forty dollars. Goodbye then.",
    )
    assert _found(_sources(CALL), {"not_said": "hello"})[0] == "inconclusive"


def test_a_line_s_words_are_those_up_to_the_next_line() -> None:
    assert words_for(CALL, 0) == SAYS[0]
    assert words_for(CALL, 1) == SAYS[1]
    assert words_for(CALL, None) == " ".join(SAYS)
    transcript = CALL.files.transcript
    assert transcript is not None
    # A line that begins just when the caller does belongs to what it says.
    utterances = CALL.record.utterances
    for start_s, line in ((utterances[1].start_s, 1), (utterances[1].start_s - 0.001, 0)):
        lines = [
            one.model_copy(update={"start_s": start_s, "end_s": start_s + 1})
            for one in transcript.lines
            if one.side == "agent" and one.text == SAYS[1]
        ]
        moved = transcript.model_copy(update={"lines": lines})
        call = replace(CALL, files=replace(CALL.files, transcript=moved))
        assert words_for(call, line) == SAYS[1]
        assert words_for(call, 1 - line) == ""


def _heard_as(call: HeldCall, heard: str) -> HeldCall:
    """With this in place of what was heard of the first reply; the agent's own text stays."""
    transcript = call.files.transcript
    assert transcript is not None
    lines = [
        one.model_copy(update={"text": heard})
        if one.side == "agent" and one.source == "whisper" and one.text == SAYS[0]
        else one
        for one in transcript.lines
    ]
    return replace(call, files=replace(call.files, transcript=transcript.model_copy(update={"lines": lines})))


def test_an_agent_s_own_text_is_believed_where_its_voice_bears_it_out() -> None:
    """ "Your order costs forty dollars." is what it claims to have said."""
    other_number = _heard_as(CALL, "Your order costs fifty dollars.")
    assert words_for(other_number, 0) == "Your order costs fifty dollars."
    assert _found(other_number, {"said": "forty dollars"}, line=0) == (
        "inconclusive",
        "in the agent's own text, but heard: Your order costs fifty dollars.",
    )
    assert _found(other_number, {"said": "fifty dollars"}, line=0)[0] == "passed"
    assert _found(other_number, {"said": "sixty dollars"}, line=0) == (
        "failed",
        "heard: Your order costs fifty dollars.",
    )
    other_word = _heard_as(CALL, "Your odour costs $40.")
    assert _found(other_word, {"said": "order costs forty"}, line=0) == (
        "passed",
        "in the agent's own text, and nearly so heard: Your odour costs $40.",
    )
    for heard in ("Good morning.", ""):
        result, told = _found(_heard_as(CALL, heard), {"said": "order"}, line=0)
        assert (result, told) == (
            "inconclusive",
            f"in the agent's own text, but heard: {heard or 'nothing'}",
        )


def test_a_pattern_is_held_to_the_words_that_it_matched() -> None:
    for heard, result in (("Your odour costs $40.", "passed"), ("Your order costs $14.", "inconclusive")):
        pattern = {"said": {"regex": "order costs f[a-z]+"}}
        assert _found(_heard_as(CALL, heard), pattern, line=0)[0] == result


def test_what_an_agent_writes_against_itself_needs_no_ear() -> None:
    misheard = _heard_as(CALL, "Good morning.")
    assert _found(misheard, {"not_said": "order"}, line=0) == (
        "failed",
        f"in the agent's own text: {SAYS[0]}",
    )
    assert _found(misheard, {"not_said": "refund"}, line=0) == ("passed", "heard: Good morning.")


def test_text_alone_counts_where_nobody_wrote_the_sound_down() -> None:
    text_alone = _sources(CALL, "agent_text")
    assert words_for(text_alone, 0) == SAYS[0]
    assert _found(text_alone, {"said": "forty"}) == ("passed", f"in the agent's own text: {' '.join(SAYS)}")
    assert _found(text_alone, {"said": "fifty"}, line=1) == ("failed", "heard: Goodbye then.")


def test_an_agent_without_a_sound_says_nothing_by_its_text() -> None:
    mute = held(night_call("a", [None], says=SAYS[:1]))
    told = replace(CALL, files=replace(mute.files, transcript=CALL.files.transcript), record=mute.record)
    text_alone = _sources(told, "agent_text")
    assert not text_alone.agent_spoke
    assert _found(text_alone, {"said": "forty"}) == (
        "inconclusive",
        "in the agent's own text, but heard: nothing",
    )


def test_an_agent_that_spoke_and_was_not_written_down_says_nothing_either_way() -> None:
    assert words_for(_sources(CALL), None) is None
    assert _found(_sources(CALL), {"said": "order"}) == (
        "inconclusive",
        "nobody wrote down what the agent said: no recogniser, and no text of its own",
    )
    mute = held(night_call("a", [None]))
    assert words_for(mute, None) == ""
    assert _found(mute, {"said": "order"}) == ("failed", "heard: nothing")
    assert _found(mute, {"not_said": "order"})[0] == "passed"


def test_a_quotation_is_no_longer_than_160_characters() -> None:
    call = held(night_call("a", [500.0], says=("word " * 100,)))
    [check] = _checks(call, {"said": "word"})
    assert check.told.startswith("heard: word word")
    assert len(check.told) == len("heard: ") + 160


MEANING = {"said": {"meaning": "a price", "judge": "j"}}


def test_a_meaning_is_what_its_judge_says_of_these_words() -> None:
    key = ("j", "a price", " ".join(SAYS))
    assert _found(CALL, MEANING, meanings={key: ("passed", "by j")}) == ("passed", "by j")
    assert _found(CALL, MEANING) == ("inconclusive", "no judge was asked")
    assert _found(held(night_call("a", [None])), MEANING) == ("failed", "the agent said nothing")


# --- events and tools


def _with_events(*events: tuple[float, str, dict[str, Any]]) -> HeldCall:
    made = [Event(t=t, side="agent", kind=kind, source="rtvi", data=data) for t, kind, data in events]
    return held(night_call("a", [500.0, 900.0]), events=made)


def test_an_event_is_of_a_line_from_its_beginning_to_that_of_the_next() -> None:
    second_s = CALL.record.utterances[1].start_s
    for t, lines in ((0.5, []), (1.0, [0]), (second_s - 0.01, [0]), (second_s, [1]), (99.0, [1])):
        call = _with_events((t, "bot-interrupted", {}))
        event = {"event": {"kind": "bot-interrupted"}}
        assert _found(call, event) == ("passed", f"seen at {t:.1f} s")
        assert [line for line in (0, 1) if _found(call, event, line=line)[0] == "passed"] == lines


def test_an_event_is_known_by_kind_source_and_all_its_data() -> None:
    call = _with_events((1.0, "other", {}), (2.0, "form", {"field": "name", "n": 3}))
    for wanted, result in (
        ({"kind": "form"}, "passed"),
        ({"kind": "form", "source": "rtvi"}, "passed"),
        ({"kind": "form", "source": "wire"}, "failed"),
        ({"kind": "form", "data": {"field": "name", "n": 3}}, "passed"),
        ({"kind": "form", "data": {"field": "name", "n": 4}}, "failed"),
        ({"kind": "form", "data": {"missing": "name"}}, "failed"),
    ):
        assert _found(call, {"event": wanted})[0] == result
    assert _found(call, {"event": {"kind": "none"}}) == ("failed", "no such event among 2")


@pytest.mark.parametrize("kind", ["llm-function-call-in-progress", "bot-tool-call", "function-tool-call"])
def test_what_an_agent_calls_its_tool_with_is_held_against_data(kind: str) -> None:
    call = _with_events((1.0, kind, {"name": "refund", "arguments": {"order": 7, "euros": 40}}))
    for data, result in (({"order": 7}, "passed"), ({"order": 8}, "failed"), ({"to": "Ann"}, "failed")):
        assert _found(call, {"tool_call": {"name": "refund", "data": data}})[0] == result


def test_a_tool_is_known_by_its_name_in_any_of_its_messages() -> None:
    call = _with_events(
        (1.0, "llm-function-call", {"function_name": "lookup", "order": 7}),
        (2.0, "llm-function-call-started", {"name": "refund"}),
        (2.1, "llm-function-call-in-progress", {"name": "c"}),
        (2.2, "llm-function-call-stopped", {"name": "d"}),
        (2.3, "tool_call", {"name": "e"}),
        (2.4, "tool_call", {"name": 7}),
        (2.5, "form", {"name": "no tool"}),
    )
    for name in ("lookup", "refund", "c", "d", "e"):
        assert _found(call, {"tool_call": name})[0] == "passed"
    assert _found(call, {"tool_call": {"name": "lookup", "data": {"order": 7}}})[0] == "passed"
    assert _found(call, {"tool_call": {"name": "lookup", "data": {"order": 8}}})[0] == "failed"
    assert _found(call, {"tool_call": "no tool"}) == (
        "failed",
        "tools that it told of: c, d, e, lookup, refund",
    )
    assert _found(CALL, {"tool_call": "x"})[1] == "tools that it told of: none"


# --- a backend


def _after(*answers: dict[str, Any]) -> HeldCall:
    made = tuple(HttpAnswer(url="http://x/", method="GET", **answer) for answer in answers)
    return replace(CALL, after=AfterCall(answers=made))


def _http(**check: Any) -> dict[str, Any]:
    return {"http": {"url": "http://x/", **check}}


def test_a_backend_s_answer_by_status_words_and_values() -> None:
    call = _after(
        {"status": 200, "body": '{"state": "refunded"}', "found": {"state": "refunded", "n": 1, "ok": True}}
    )
    assert _found(call, _http()) == ("passed", "HTTP 200")
    assert _found(call, _http(status=404)) == ("failed", "HTTP 200 in place of 404")
    assert _found(call, _http(contains="refunded"))[0] == "passed"
    assert _found(call, _http(contains="open")) == (
        "failed",
        """'open' is not in the answer: {"state": "refunded"}""",
    )
    assert _found(call, _http(json={"state": "refunded", "n": 1, "ok": True}))[0] == "passed"
    assert _found(call, _http(json={"state": "open"})) == ("failed", "state is 'refunded', not 'open'")
    # True is no 1, and 1 is no true.
    assert _found(call, _http(json={"n": True}))[0] == "failed"
    assert _found(call, _http(json={"ok": 1}))[0] == "failed"
    assert _found(call, _http(json={"elsewhere": 1})) == ("failed", "elsewhere is None, not 1")


def test_words_behind_the_beginning_of_an_answer_are_those_that_were_found_there() -> None:
    call = _after({"status": 200, "body": "x" * 2000, "contains": "refunded"})
    assert _found(call, _http(contains="refunded")) == ("passed", "HTTP 200")
    assert _found(call, _http(contains="open"))[0] == "failed"


def test_what_no_backend_answered_is_inconclusive() -> None:
    assert _found(_after({"error": "refused"}), _http()) == ("inconclusive", "no answer: refused")
    assert len(_found(_after({"error": "e" * 600}), _http())[1]) == 400
    told = "it was not asked when the call was over"
    assert _found(CALL, _http()) == ("inconclusive", told)
    assert _found(_after(), _http()) == ("inconclusive", told)


def test_answers_belong_to_the_questions_in_their_order() -> None:
    call = _after({"status": 200}, {"status": 201})
    first, _, second = _checks(call, _http(status=200), "answered", _http(status=201))
    assert (first.result, second.result) == ("passed", "passed")
    *_, third = _checks(call, _http(), _http(status=201), _http())
    assert third.result == "inconclusive"
