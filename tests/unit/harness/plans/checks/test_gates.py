"""Gates and expectations as plans write them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from harness.errors import UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.gates import Gate
from harness.plans.plan import expand_plan


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("response_latency_ms.p95 <= 1500", ("limit", "response_latency_ms.p95", "<=", 1500.0, 0.0)),
        ({"response_latency_ms.p95": "< 1500"}, ("limit", "response_latency_ms.p95", "<", 1500.0, 0.0)),
        ("calls.harness_fault.share<=0.05", ("limit", "calls.harness_fault.share", "<=", 0.05, 0.0)),
        ({"response_rate": "not worse by 0.05"}, ("relative", "response_rate", None, None, 0.05)),
        ("wer measured", ("measured", "wer", None, None, 0.0)),
        ("shipped", ("shipped", "", None, None, 0.0)),
    ],
)
def test_a_gate_is_taken_apart(written: Any, taken: tuple[object, ...]) -> None:
    gate = Gate.model_validate(written)
    assert (gate.kind, gate.name, gate.comparison, gate.limit, gate.margin) == taken
    assert Gate.model_validate_json(gate.model_dump_json()) == gate


def test_a_gate_may_only_warn() -> None:
    gate = Gate.model_validate({"gate": "wer: not worse by 0.02", "inconclusive": "warn"})
    assert (gate.text, gate.inconclusive) == ("wer: not worse by 0.02", "warn")


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("response_latency_ms.p95", "cannot be read"),
        ("wer <= many", "cannot be read"),
        ("wer: not worse", "cannot be read"),
        ("wer: not worse by -0.1", "greater than or equal"),
        ("wer.p99 <= 1", "a figure has the parts p50, p90, p95"),
        ("calls. <= 1", "cannot be read"),
        ("calls.timeout.mean <= 1", "calls are counted as"),
        ({"wer": "<= 1", "cer": "<= 1"}, "a gate is"),
        (["wer"], "valid"),
    ],
)
def test_what_is_no_gate_is_told(written: Any, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Gate.model_validate(written)


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        ("wer <= 1", 1.0, True),
        ("wer < 1", 1.0, False),
        ("wer >= 1", 1.0, True),
        ("wer > 1", 1.0, False),
        ("wer == 1", 1.0, True),
        ("wer == 1", 0.9, False),
    ],
)
def test_limits_hold_at_their_edges(text: str, value: float, holds: bool) -> None:
    assert Gate.model_validate(text).holds(value) is holds


def plan(**more: Any) -> dict[str, Any]:
    line = {"say": "Hello.", "expect": [{"within_ms": 900}, "answered"]}
    call = {"id": "a", "script": {"lines": [line, {"say": "Bye."}]}, "expect": [{"said": "hello"}]}
    return {"agent": "http://127.0.0.1:9", "trials": 2, "calls": [call]} | more


def test_expectations_of_calls_and_lines_are_kept_by_call() -> None:
    run = expand_plan(plan())
    assert [(one.line, one.what.told) for one in run.checks.expect["a.1"]] == [
        (None, "said: hello"),
        (0, "answered within 900 ms"),
        (0, "answered"),
    ]
    assert run.checks.expect["a.2"] == run.checks.expect["a.1"]
    assert Checks.model_validate_json(run.checks.model_dump_json()) == run.checks


def test_what_is_demanded_is_no_part_of_the_digest() -> None:
    """The same calls can be held to other demands."""
    bare = plan()
    del bare["calls"][0]["expect"], bare["calls"][0]["script"]["lines"][0]["expect"]
    assert expand_plan(plan(gates=["wer <= 0.1"])).digest == expand_plan(bare).digest


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ([{"sayd": "hello"}], r"calls\[0\].expect\[0\]: what.sayd"),
        ([{}], "give one of"),
        ([{"said": "a", "within_ms": 3}], "give one of"),
        ([{"said": {"regex": "("}}], "regex"),
        ([{"said": 40}], r"give words \(a number in quotes\)"),
        ([{"event": "paid"}], "what.event: a mapping is wanted, 'name: value'"),
        ([{"said": {"meaning": "refund"}}], "a meaning needs a judge"),
        ("said", "is a list"),
        ([{"within_ms": -1}], "greater than 0"),
        ([{"http": {"url": "http://x/", "status": 9}}], "greater than or equal"),
    ],
)
def test_what_is_no_expectation_is_told_with_its_place(expect: Any, says: str) -> None:
    written = plan()
    written["calls"][0]["expect"] = expect
    with pytest.raises(UserError, match=says):
        expand_plan(written)


@pytest.mark.parametrize("of_line", [True, False], ids=["of a line", "of a call"])
@pytest.mark.parametrize(
    ("line", "interrupts"),
    [
        ({}, False),
        ({"kind": "aside"}, False),
        ({"barge_in_after_s": 1.0, "kind": "backchannel"}, False),
        ({"barge_in_after_s": 1.0}, True),
    ],
)
def test_who_is_to_stop_has_to_be_interrupted(line: Any, interrupts: bool, of_line: bool) -> None:
    expect = [{"stops_within_ms": 700}]
    second = {"say": "Wait.", **line, **({"expect": expect} if of_line else {})}
    call = {
        "id": "a",
        "script": {"lines": [{"say": "Hello."}, second]},
        **({} if of_line else {"expect": expect}),
    }
    written = {"agent": "http://127.0.0.1:9", "calls": [call]}
    if interrupts:
        assert expand_plan(written).checks.expect["a"][0].what.stops_within_ms == 700
        return
    place = (
        r"lines\[1\].expect\[0\].stops_within_ms: this line does"
        if of_line
        else r"expect\[0\].stops_within_ms: no line"
    )
    with pytest.raises(UserError, match=place):
        expand_plan(written)


def test_what_is_of_a_whole_call_is_none_of_a_line() -> None:
    written = plan()
    written["calls"][0]["script"]["lines"][1]["expect"] = [{"ends": "completed"}]
    with pytest.raises(UserError, match=r"script.lines\[1\].expect\[0\]: .*is of a whole call"):
        expand_plan(written)


def test_the_value_of_a_secret_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKEND_TOKEN", "s3cr3t-value")
    written = plan()
    written["calls"][0]["expect"] = [
        {
            "http": {
                "url": "http://u:pw-in-clear@x/",
                "headers": {"Authorization": "Bearer {env:BACKEND_TOKEN}"},
            }
        }
    ]
    kept = expand_plan(written).checks.model_dump_json()
    assert "s3cr3t-value" not in kept
    assert "pw-in-clear" not in kept
    assert "{env:BACKEND_TOKEN}" in kept
