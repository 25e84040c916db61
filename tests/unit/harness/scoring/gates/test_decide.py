"""Limits, expectations and second attempts: what passes, what does not, and what nobody can tell."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness._files.atomic_file import write_model
from harness.errors import NotWritten, UserError
from harness.plans.checks.checks import CHECKS_FILE, Checks
from harness.records.call import CallStatus, Event
from harness.records.scores import InterruptionTiming
from harness.records.verdict import AFTER_CALL_FILE, VERDICT_FILE, AfterCall, CheckResult, HttpAnswer
from harness.runs.reader import AGAIN
from harness.scoring.gates.decide import decide, failed_cells, read_verdict, verdict_of
from harness.scoring.gates.held_to import as_second_attempts
from harness.scoring.gates.limits import check_known
from tests.nights import held, night_call
from tests.report.make_run import write_run


def one(gate: Any, *calls: Any) -> CheckResult:
    return verdict_of([held(call) for call in calls], Checks.model_validate({"gates": [gate]})).checks[0]


def expecting(call: Any, *expect: Any, line: int | None = None, **more: Any) -> list[CheckResult]:
    listed = [{"line": line, "what": what} for what in expect]
    checks = Checks.model_validate({"gates": ["response_rate >= 0"], "expect": {"a": listed}})
    return list(verdict_of([held(call, **more)], checks).checks[1:])


CALLS = [night_call(f"c{n}", [500.0 + 100 * n, 600.0]) for n in range(10)]


@pytest.mark.parametrize(
    ("gate", "result"),
    [
        ("response_latency_ms <= 620", "passed"),
        ("response_latency_ms <= 580", "failed"),
        ("response_latency_ms.p95 <= 1500", "passed"),
        ("response_latency_ms.p95 <= 1000", "failed"),
        ("response_latency_ms <= 605", "inconclusive"),  # ±10.5 ms around 600
        ("response_rate == 1", "passed"),
        ("wer <= 1", "failed"),  # nothing was measured: never passed
        ("wer measured", "failed"),
        ("response_rate measured", "passed"),
        ("calls.completed == 10", "passed"),
        ("calls.timeout.share <= 0", "passed"),
        ("response_rate: not worse by 0.1", "undecided"),
    ],
)
def test_gates_by_hand(gate: str, result: str) -> None:
    assert one(gate, *CALLS).result == result


def test_a_percentile_that_is_not_reached_passes_nothing() -> None:
    silent = [night_call(f"s{n}", [600.0, None]) for n in range(10)]
    found = one("response_latency_ms.p95 <= 100000", *silent)
    assert (found.result, found.told) == ("failed", "not reached (> 15000 ms)")


def test_a_gate_that_failed_names_the_calls_beyond_its_limit() -> None:
    found = one("calls.timeout <= 0", *CALLS, night_call("late", status=CallStatus.TIMEOUT))
    assert (found.result, found.calls) == ("failed", ("late",))


def test_an_inconclusive_gate_fails_unless_it_only_warns() -> None:
    held_calls = [held(call) for call in CALLS]
    gate = "response_latency_ms <= 605"
    strict = verdict_of(held_calls, Checks.model_validate({"gates": [gate]}))
    lenient = verdict_of(
        held_calls, Checks.model_validate({"gates": [{"gate": gate, "inconclusive": "warn"}]})
    )
    assert (strict.word, strict.exit_code) == ("inconclusive", 1)
    assert (lenient.word, lenient.exit_code) == ("passed", 0)


@pytest.mark.parametrize("gate", ["latency <= 3", "calls.bored <= 3", "calls.timeout: not worse by 1"])
def test_a_figure_that_nobody_knows_is_told_before_the_first_call(gate: str) -> None:
    with pytest.raises(UserError, match=r"plan\.yaml: gate"):
        check_known(Checks.model_validate({"gates": [gate]}), where="plan.yaml")


CALL = night_call("a", [500.0, 900.0], says=["Your order costs forty dollars.", "Goodbye then."])


@pytest.mark.parametrize(
    ("expect", "line", "result"),
    [
        ({"said": "your order costs $40"}, None, "passed"),
        ({"said": "order"}, 0, "passed"),
        ({"said": "order"}, 1, "failed"),
        ({"said": "rder"}, None, "failed"),  # words, not letters
        ({"said": {"regex": "good ?bye"}}, 1, "passed"),
        ({"not_said": "goodbye"}, None, "failed"),
        ({"not_said": "language model"}, None, "passed"),
        ({"within_ms": 700}, None, "failed"),
        ({"within_ms": 700}, 0, "passed"),
        ({"within_ms": 505}, 0, "inconclusive"),
        ("answered", None, "passed"),
        ({"ends": "completed"}, None, "passed"),
        ({"ends": "timeout"}, None, "failed"),
        ({"stops_within_ms": 500}, None, "inconclusive"),
        ({"event": {"kind": "bot-interrupted"}}, None, "passed"),
        ({"event": {"kind": "bot-interrupted", "source": "wire"}}, None, "failed"),
        ({"tool_call": "lookup_order"}, None, "passed"),
        ({"tool_call": "refund"}, None, "failed"),
        ({"presses": "42"}, None, "passed"),
        ({"presses": "24"}, None, "failed"),
        ({"presses": "42"}, 1, "failed"),
        ({"said": "anything"}, 2, "failed"),  # a line that was never said
        ({"said": {"meaning": "a price", "judge": "http://127.0.0.1:9/v1#m"}}, None, "inconclusive"),
    ],
)
def test_expectations_by_hand(expect: Any, line: int | None, result: str) -> None:
    events = [
        Event(t=1.0, side="agent", kind="bot-interrupted", source="rtvi"),
        Event(
            t=1.5,
            side="agent",
            kind="llm-function-call-in-progress",
            source="rtvi",
            data={"function_name": "lookup_order"},
        ),
        *(
            Event(t=1.6 + n, side="agent", kind="dtmf", source="wire", data={"digit": digit})
            for n, digit in enumerate("142")
        ),
    ]
    (found,) = expecting(CALL, expect, line=line, events=events)
    assert found.result == result, found.told


@pytest.mark.parametrize(
    ("outcome", "more", "result"),
    [
        ("stopped", {"delay_ms": 400.0}, "passed"),
        ("stopped", {"delay_ms": 900.0}, "failed"),
        ("not_stopped", {"censored_after_ms": 3000.0}, "failed"),
        ("ended_by_itself", {}, "inconclusive"),
    ],
)
def test_interruptions_by_hand(outcome: Any, more: Any, result: str) -> None:
    timing = InterruptionTiming(
        index=0, user_start_s=2, agent_onset_s=1, planned_offset_s=1, outcome=outcome, **more
    )
    call = night_call("a", [500.0], interruptions=[timing])
    assert expecting(call, {"stops_within_ms": 500})[0].result == result


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ({"status": 200, "found": {"state": "refunded"}}, "passed"),
        ({"status": 200, "found": {"state": "open"}}, "failed"),
        ({"status": 200}, "failed"),
        ({"status": 500, "found": {"state": "refunded"}}, "failed"),
        ({"error": "refused"}, "inconclusive"),
    ],
)
def test_the_backend_decides(answer: Any, result: str) -> None:
    after = AfterCall(answers=(HttpAnswer(url="http://x/", method="GET", **answer),))
    check = {"http": {"url": "http://x/", "json": {"state": "refunded"}}}
    assert expecting(CALL, check, after=after)[0].result == result
    assert expecting(CALL, check)[0].result == "inconclusive"


def test_a_call_that_did_not_come_about_meets_nothing_and_one_of_ours_says_nothing() -> None:
    refused = night_call("a", status=CallStatus.SETUP_FAILED)
    ours = night_call("a", status=CallStatus.HARNESS_FAULT)
    assert expecting(refused, "answered", {"not_said": "x"})[0].result == "failed"
    assert expecting(refused, {"not_said": "x"})[0].result == "failed"
    assert expecting(ours, "answered")[0].result == "inconclusive"


# --- second attempts


def test_a_second_attempt_turns_nothing_green_and_stands_beside() -> None:
    checks = Checks.model_validate({"expect": {"a": [{"what": {"said": "forty dollars"}}]}})
    wrong = night_call("a", [500.0], says=["I do not know."])
    first = verdict_of([held(wrong)], checks)
    assert failed_cells(first, ["a", "b"]) == ["a"]
    right = as_second_attempts([held(night_call("a", [500.0], says=["Forty dollars."]))])
    both = verdict_of([held(wrong)], checks, again=right)
    assert (both.word, both.rerun) == ("failed", (1, 0))
    (check,) = [one for one in both.checks if one.of == "expect"]
    assert "second attempt (passed)" in check.told
    assert check.first_attempts == "heard: I do not know."
    failing = as_second_attempts([held(wrong)])
    assert verdict_of([held(wrong)], checks, again=failing).rerun == (1, 1)


def test_a_call_that_is_planned_as_again_is_no_second_attempt() -> None:
    checks = Checks.model_validate({"expect": {"a": [{"what": {"said": "forty dollars"}}]}})
    right, other = night_call("a", [500.0], says=["Forty dollars."]), night_call("a.again", [500.0])
    (check,) = [one for one in verdict_of([held(right), held(other)], checks).checks if one.of == "expect"]
    assert (check.call_id, check.result) == ("a", "passed")
    own = Checks.model_validate({"expect": {"a.again": [{"what": {"said": "forty dollars"}}]}})
    wrong = as_second_attempts([held(other)])
    both = verdict_of([held(right), held(other)], own, again=wrong)
    (check,) = [one for one in both.checks if one.of == "expect"]
    assert (check.call_id, check.result) == ("a.again", "failed")
    assert "second attempt (failed)" in check.told


@pytest.mark.parametrize("long", ["", "x" * 2000])
def test_two_expectations_of_one_tool_have_each_its_own_second_attempt(long: str) -> None:
    """Order 7 was looked up in both attempts, order 8 in the first alone. Names of long orders are cut before
    they differ."""
    orders = [f"{long}{number}" for number in (7, 8)]
    told = [
        Event(
            t=2.0, side="agent", kind="tool_call", source="webhook", data={"name": "lookup", "order": order}
        )
        for order in orders
    ]
    wanted = [{"what": {"tool_call": {"name": "lookup", "data": {"order": order}}}} for order in orders]
    checks = Checks.model_validate({"expect": {"a": wanted}})
    call = night_call("a", [500.0])
    again = as_second_attempts([held(call, events=told[:1])])
    decided = verdict_of([held(call, events=told)], checks, again=again)
    seven, eight = (one for one in decided.checks if one.of == "expect")
    assert (seven.result, eight.result) == ("passed", "failed")
    assert (seven.name == eight.name) == bool(long)


def test_gates_are_decided_on_both_attempts_together() -> None:
    """1 of 20 lines unanswered passes 0.95; with a second attempt that is silent twice it is 3 of 22."""
    gate = Checks.model_validate({"gates": ["response_rate >= 0.95"]})
    calls = [held(night_call(f"c{n}", [500.0, 500.0])) for n in range(9)]
    calls.append(held(night_call("bad", [500.0, None])))
    silent = as_second_attempts([held(night_call("bad", [None, None]))])
    assert verdict_of(calls, gate).word == "passed"
    both = verdict_of(calls, gate, again=silent)
    assert both.word == "failed"
    assert "n 22" in both.checks[0].told
    assert "n 20" in both.checks[0].first_attempts


def test_an_agent_that_fails_now_and_then_alarms_as_often_with_reruns_as_without() -> None:
    """It fails 30 % of its calls, the gate wants 70 %: about half of the nights are red, with and without."""
    rng = np.random.default_rng(5)
    checks = Checks.model_validate({"gates": ["calls.completed.share >= 0.7"]})
    good = [held(night_call(f"c{n}")) for n in range(20)]
    bad = [held(night_call(f"c{n}", status=CallStatus.AGENT_HANGUP)) for n in range(20)]
    without = with_reruns = 0
    for _ in range(60):
        calls = [bad[n] if rng.random() < 0.3 else good[n] for n in range(20)]
        first = verdict_of(calls, checks)
        without += first.word == "failed"
        decided = first
        if first.word == "failed":
            cells = [n for n in range(20) if calls[n] is bad[n]]
            again = as_second_attempts([bad[n] if rng.random() < 0.3 else good[n] for n in cells])
            decided = verdict_of(calls, checks, again=again)
        with_reruns += decided.word == "failed"
    assert without == with_reruns
    assert 15 <= without <= 40


# --- the verdict


def _checks(*gates: Any, **expect: Any) -> Checks:
    return Checks.model_validate({"gates": list(gates), "expect": expect})


def test_the_word_is_that_of_the_worst_check() -> None:
    calls = [held(call) for call in CALLS]
    passed, failed, unclear = "response_rate >= 1", "response_rate < 1", "response_latency_ms <= 605"
    relative = "response_rate: not worse by 0.1"
    for gates, word in (
        ([passed], "passed"),
        ([passed, relative], "passed"),
        ([unclear, passed], "inconclusive"),
        ([passed, unclear, failed], "failed"),
    ):
        assert verdict_of(calls, _checks(*gates)).word == word
    # Not placed at all is another word; beside what failed on our side it is none.
    refused, ours = (
        night_call("r", status=CallStatus.SETUP_FAILED),
        night_call("o", status=CallStatus.HARNESS_FAULT),
    )
    assert verdict_of([held(refused)] * 2, _checks(passed)).word == "not_placed"
    assert verdict_of([held(refused), held(ours)], _checks(passed)).word == "failed"
    # One of two: nobody knows what it would have done in the other.
    assert verdict_of([held(refused), calls[0]], _checks(passed)).word == "inconclusive"
    assert verdict_of([], _checks(passed)).word == "failed"


def test_relative_gates_without_a_baseline_decide_nothing_and_say_so() -> None:
    relative = "response_rate: not worse by 0.1"
    found = verdict_of([held(CALLS[0])], _checks(relative, "response_rate >= 1"))
    told = "there is no baseline yet; this run can become one"
    assert [(one.name, one.result, one.of) for one in found.checks] == [
        ("response_rate >= 1", "passed", "gate"),
        (relative, "undecided", "gate"),
    ]
    assert (found.checks[1].told, found.makes_baseline, found.baseline) == (told, told, "")
    assert verdict_of([held(CALLS[0])], _checks("response_rate >= 1")).makes_baseline == ""

    def compared(gates: Any, calls: Any) -> Any:
        assert [gate.text for gate in gates] == [relative]
        return (
            [CheckResult(name=relative, of="gate", result="failed", told=f"of {len(calls)}")],
            "night 1",
            "why",
        )

    found = verdict_of([held(CALLS[0])], _checks(relative), relative=compared)
    assert (found.word, found.baseline, found.makes_baseline) == ("failed", "night 1", "why")


def test_a_limit_on_latency_is_a_gate_or_an_expectation() -> None:
    for checks, noted in (
        (_checks("response_rate >= 1"), True),
        (_checks("response_latency_ms <= 900"), False),
        (_checks("response_latency_answered_ms <= 900"), False),
        (_checks("content_latency_ms <= 900"), False),
        (_checks("response_latency_ms: not worse by 50"), False),
        (_checks("response_rate >= 1", a=[{"what": {"within_ms": 900}}]), False),
        (_checks("response_rate >= 1", a=[{"what": "answered"}]), True),
    ):
        assert bool(verdict_of([held(CALL)], checks).notes) is noted


def test_expectations_are_of_the_call_they_name_and_its_second_attempt() -> None:
    checks = _checks("response_rate >= 0", a=[{"what": "answered"}], b=[{"what": "answered"}])
    again = as_second_attempts([held(night_call("a", [None]))])
    found = verdict_of([held(CALL)], checks, again=again).checks[1:]
    assert [(one.call_id, one.result) for one in found] == [("a", "failed"), ("b", "inconclusive")]
    first = f"first attempt: {found[0].first_attempts}; second attempt (failed): line 1 was not answered"
    assert (found[0].told, found[0].first_attempts) == (first, "all 2; the last: line 2 was answered")
    assert (found[1].told, found[1].first_attempts) == ("the call was not placed", "")


def test_the_worse_of_two_decisions_counts_in_either_order() -> None:
    """Failed and then passed, inconclusive and then passed, passed and then inconclusive."""
    gate = _checks("response_latency_ms <= 605")
    fast = [held(night_call(f"f{n}", [400.0])) for n in range(20)]
    unclear = [held(night_call(f"u{n}", [600.0])) for n in range(12)]
    slow = [held(night_call(f"s{n}", [900.0])) for n in range(3)]
    for calls, again, results in (
        (slow, fast, ("failed", "passed")),
        (unclear[:3], fast, ("inconclusive", "passed")),
        (fast[:3], unclear, ("passed", "inconclusive")),
        (slow[:1], slow[:1], ("failed", "failed")),
    ):
        second = as_second_attempts(again)
        [check] = verdict_of(calls, gate, again=second).checks
        order = ["passed", "inconclusive", "failed"]
        assert check.result == max(results, key=order.index)
        assert check.told.startswith("both attempts: ")


@pytest.mark.parametrize(
    ("first", "second", "worse"),
    [
        ("passed", "undecided", "undecided"),
        ("undecided", "inconclusive", "inconclusive"),
        ("inconclusive", "failed", "failed"),
        ("failed", "passed", "failed"),
        ("undecided", "undecided", "undecided"),
    ],
)
def test_a_relative_gate_is_decided_on_both_attempts_too(first: Any, second: Any, worse: str) -> None:
    gate = "response_rate: not worse by 0.1"

    def compared(gates: Any, calls: Any) -> Any:
        result = first if len(calls) == 1 else second
        return [CheckResult(name=gate, of="gate", result=result, told=f"of {len(calls)}")], "night 1", ""

    again = as_second_attempts([held(CALL)])
    [check] = verdict_of([held(CALL)], _checks(gate), again=again, relative=compared).checks
    assert (check.result, check.told, check.first_attempts) == (worse, "both attempts: of 2", "of 1")


def test_gates_of_calls_stand_beside_gates_of_figures() -> None:
    found = verdict_of([held(CALL)], _checks("calls.completed >= 1", "response_rate >= 1"))
    assert [one.result for one in found.checks] == ["passed", "passed"]
    alone = verdict_of([held(CALL)], _checks("calls.completed >= 1"))
    assert alone.word == "passed"


def test_what_is_told_of_two_attempts_ends_after_800_characters() -> None:
    after = AfterCall(answers=(HttpAnswer(url="http://x/", method="GET", error="e" * 600),))
    checks = _checks("response_rate >= 0", a=[{"what": {"http": {"url": "http://x/"}}}])
    call = held(CALL, after=after)
    found = verdict_of([call], checks, again=as_second_attempts([call])).checks[1]
    assert len(found.told) == 800


def test_calls_that_made_a_run_red_are_named_in_the_plan_s_order() -> None:
    checks = [
        CheckResult(name="x", of="gate", result="failed", told="", calls=("c", "a")),
        CheckResult(name="y", of="gate", result="inconclusive", told="", calls=("b",), warns=True),
        CheckResult(name="z", of="gate", result="inconclusive", told="", calls=("d",)),
    ]
    verdict = verdict_of([], _checks()).model_copy(update={"checks": tuple(checks)})
    assert failed_cells(verdict, ["a", "b", "c", "d", "e"]) == ["a", "c", "d"]


# --- a run folder


def test_a_run_is_decided_once_and_its_verdict_kept(tmp_path: Path) -> None:
    """Its own checks, or the shipped ones; with second attempts where there are any."""
    folder = write_run(tmp_path / "run", [night_call("a", [500.0], says=["No."]), night_call("b", [500.0])])
    assert read_verdict(folder) is None
    shipped = decide(folder)
    assert all(one.ours for one in shipped.checks)
    assert read_verdict(folder) == shipped
    write_model(folder / CHECKS_FILE, _checks("response_rate >= 1", a=[{"what": {"said": "yes"}}]))
    first = decide(folder)
    assert (first.word, first.rerun, failed_cells(first, ["a", "b"])) == ("failed", None, ["a"])
    write_run(folder / AGAIN, [night_call("a", [500.0], says=["Yes."])])
    both = decide(folder)
    assert (both.word, both.rerun) == ("failed", (1, 0))
    assert read_verdict(folder) == both
    (folder / VERDICT_FILE).write_text("{")
    assert read_verdict(folder) is None
    relative = "response_rate: not worse by 0.1"
    write_model(folder / CHECKS_FILE, _checks(relative))

    def compared(gates: Any, calls: Any) -> Any:
        return [CheckResult(name=relative, of="gate", result="passed", told="")], "night 1", ""

    assert decide(folder, relative=compared).baseline == "night 1"
    # What lies outside of the run is none of its files.
    for name in (CHECKS_FILE, VERDICT_FILE):
        (folder / name).rename(tmp_path / name)
        (folder / name).symlink_to(tmp_path / name)
    assert read_verdict(folder) is None
    with pytest.raises(UserError, match=CHECKS_FILE):
        decide(folder)


def test_a_verdict_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [night_call("a")])
    (folder / VERDICT_FILE).mkdir()
    with pytest.raises(NotWritten, match=VERDICT_FILE):
        decide(folder)


def test_a_run_that_was_cut_off_does_not_pass(tmp_path: Path) -> None:
    """A call that was not placed, one whose record is torn, and one that was cut off at the terminal."""
    made = [night_call(f"c{n}") for n in range(4)]
    folder = write_run(tmp_path / "run", made)
    assert decide(folder).word == "passed"
    for unusable in ("unplaced", "torn", "cut off"):
        path = folder / "calls" / "c3" / "call.json"
        content = path.read_text(encoding="utf-8")
        if unusable == "unplaced":
            shutil.rmtree(path.parent)
        elif unusable == "torn":
            path.write_text(content[: len(content) // 2], encoding="utf-8")
        else:
            path.write_text(content.replace('"completed"', '"interrupted"'), encoding="utf-8")
        verdict = decide(folder)
        assert (unusable, verdict.word, verdict.exit_code) == (unusable, "inconclusive", 1)
        assert verdict.checks[0].told == "3 of 4; 1 left no record that can be used: c3"
        assert read_verdict(folder) == verdict
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")


def test_a_call_that_the_plan_did_not_want_taken_is_not_missing(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [night_call("a"), night_call("b", status=CallStatus.NOT_ANSWERED)])
    path = folder / "calls" / "b" / "call.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["not_answered"] = {"reason": "busy", "planned": True}
    path.write_text(json.dumps(record), encoding="utf-8")
    assert decide(folder).word == "passed"
    # What is expected of it is decided all the same: how it ends, and what the backend made of it.
    asked = {"http": {"url": "http://x/", "contains": "busy"}}
    answers = (HttpAnswer(url="http://x/", method="GET", status=200, body="was busy"),)
    write_model(path.parent / AFTER_CALL_FILE, AfterCall(answers=answers))
    expect = [{"what": what} for what in ({"ends": "not_answered"}, asked, {"said": "hello"})]
    write_model(folder / CHECKS_FILE, _checks("calls.not_answered <= 0", b=expect))
    found = decide(folder)
    assert [one.result for one in found.checks] == ["passed", "passed", "passed", "inconclusive"]
    assert found.checks[3].told == "no call came about, as the plan has it"


def test_without_run_json_every_folder_is_a_call_that_was_planned(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [night_call("a"), night_call("b")])
    (folder / "run.json").unlink()
    assert decide(folder).word == "passed"
    (folder / "calls" / "b" / "call.json").unlink()
    assert decide(folder).word == "inconclusive"
