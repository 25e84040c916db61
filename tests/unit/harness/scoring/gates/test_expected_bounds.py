"""Expectations: what is left out of what an agent said and pressed, one thing at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.plans.checks.expectations import Expected
from harness.records.call import Event
from harness.scoring.gates.expected import expected_checks
from harness.scoring.gates.held_to import HeldCall
from tests.nights import held, night_call


def _found(call: HeldCall, what: Any, *, line: int | None = None) -> tuple[str, str]:
    [check] = expected_checks(call, "a", [Expected.model_validate({"line": line, "what": what})], {})
    return check.result, check.told


def _key(digit: Any, t: float = 2.0, **other: Any) -> Event:
    made = {"t": t, "side": "agent", "kind": "dtmf", "source": "wire", "data": {"digit": digit}}
    return Event.model_validate(made | other)


def test_keys_are_those_that_the_agent_pressed_on_the_line() -> None:
    others = (_key("7", side="caller"), _key("8", source="rtvi"), _key("9", kind="tone"))
    call = held(night_call("a", [500.0, 900.0]), events=[_key("4"), *others, _key("2"), _key("#")])
    assert _found(call, {"presses": "42#"}) == ("passed", "it pressed 42#")
    assert _found(call, {"presses": "2#4"}) == ("failed", "it pressed 42#")
    none = held(night_call("a", [500.0]), events=[*others, _key("1", data={})])
    assert _found(none, {"presses": "1"}) == ("failed", "it pressed no key")


def test_keys_are_those_of_the_line_from_its_beginning_to_that_of_the_next() -> None:
    call = held(night_call("a", [500.0, 900.0]))
    begins_s = [one.start_s for one in call.record.utterances]
    early, first, second = begins_s[0] - 0.001, begins_s[0], begins_s[1]
    call = held(
        night_call("a", [500.0, 900.0]), events=[_key("1", early), _key("2", first), _key("3", second)]
    )
    assert [_found(call, {"presses": "9"}, line=line)[1] for line in (None, 0, 1)] == [
        "it pressed 123",
        "it pressed 2",
        "it pressed 3",
    ]


@pytest.mark.parametrize(("language", "words"), [("en", "um"), ("zh", "，")])
def test_what_comes_to_no_word_is_not_even_in_silence(language: str, words: str) -> None:
    call = held(night_call("a", [None]))
    plan = call.record.plan.model_copy(update={"language": language})
    call = replace(call, record=call.record.model_copy(update={"plan": plan}))
    assert _found(call, {"said": words}) == ("failed", "heard: nothing")
