"""Which readings are listened to, what is asked of each, and what is told of it to the last figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.symbols import with_verdicts
from harness.analysis.sound.spoken_forms import Forms, HeardForms
from harness.plans.probes.planted import ProbePlan
from harness.records.scores import ProbeReading
from metrics.spans import Span

PRICE: dict[str, Any] = {
    "item": "price",
    "line": 0,
    "kind": "currency",
    "text": "It costs $4.99 now.",
    "key": "$4.99",
    "readings": ["four ninety nine", "four dollars ninety nine"],
    "wrong": ["dollar four"],
}
DATE: dict[str, Any] = {
    "item": "date",
    "line": 1,
    "kind": "date",
    "text": "Until 5/3.",
    "key": "5/3",
    "readings": ["May third"],
    "wrong": ["five slash three"],
}
PLAIN: dict[str, Any] = {"item": "plain", "line": 2, "kind": "plain", "text": "Hello."}


def material(*to_read: dict[str, Any], language: str = "en") -> CallMaterial:
    content = {"suite": "symbols", "version": "1", "to_read": list(to_read)}
    probe = ProbePlan.model_validate(content) if to_read else None
    return CallMaterial(call_id="one", utterances=[], language=language, probe=probe)


def reading(item: str = "price", **fields: Any) -> ProbeReading:
    made = {"suite": "symbols", "item": item, "kind": "x", "language": "en", "text": "x", "said": True}
    made |= {"start_s": 3.0, "end_s": 5.0, "is_symbol": item != "plain"}
    return ProbeReading.model_validate(made | fields)


def nobody_listens(forms: Sequence[Forms], language: str) -> list[HeardForms] | None:
    raise AssertionError(f"asked about {forms} in {language}")


def unasked() -> str:
    raise AssertionError("asked why nobody listened")


def judged(heard: HeardForms, **planned: Any) -> ProbeReading:
    """The price, of which this was heard."""
    (found,) = with_verdicts(
        material(PRICE | planned), [reading()], hear=lambda _forms, _language: [heard], why_not=unasked
    )
    return found


def told(found: ProbeReading) -> tuple[str, str, float | None]:
    return found.verdict, found.spoken_as, found.margin


# ---- which are listened to


@pytest.mark.parametrize(
    "fields",
    [
        {"said": False},
        {"said": None},
        {"reason": "audio of the agent was lost there"},
        {"start_s": None},
        {"end_s": None},
        {"is_symbol": False},
    ],
)
def test_what_is_no_symbol_or_was_not_said_whole_is_left_as_it_is(fields: dict[str, Any]) -> None:
    readings = [reading(**fields)]
    assert with_verdicts(material(PRICE), readings, hear=nobody_listens, why_not=unasked) == readings


def test_a_call_of_no_suite_has_nothing_to_judge() -> None:
    readings = [reading("plain")]
    assert with_verdicts(material(), readings, hear=nobody_listens, why_not=unasked) == readings
    assert with_verdicts(material(), [], hear=nobody_listens, why_not=unasked) == []


def test_each_symbol_is_asked_about_by_its_own_words_at_its_own_time() -> None:
    asked: list[tuple[list[Forms], str]] = []
    heard = [HeardForms(fits=(-5.0, -9.0)), HeardForms(fits=(-20.0, -30.0, -9.0))]

    def hear(forms: Sequence[Forms], language: str) -> list[HeardForms] | None:
        asked.append((list(forms), language))
        return heard

    readings = [reading("date", start_s=1.0, end_s=2.5), reading("plain"), reading()]
    date, plain, price = with_verdicts(
        material(PRICE, DATE, PLAIN, language="zh"), readings, hear=hear, why_not=unasked
    )
    dates = tuple(f"Until {one}." for one in ("May third", "five slash three"))
    ways = ("four ninety nine", "four dollars ninety nine", "dollar four")
    prices = tuple(f"It costs {one} now." for one in ways)
    first = Forms(span=Span(start_s=1.0, end_s=2.5), sentences=dates)
    second = Forms(span=Span(start_s=3.0, end_s=5.0), sentences=prices)
    assert asked == [([first, second], "zh")]
    assert told(date) == ("right", "May third", 4.0)
    assert told(price) == ("wrong", "dollar four", -11.0)
    assert plain == readings[1]


def test_without_anybody_who_listens_each_symbol_says_why_and_nothing_else_does() -> None:
    readings = [reading("plain"), reading(), reading("date", said=False)]
    found = with_verdicts(
        material(PRICE, DATE), readings, hear=lambda _forms, _language: None, why_not=lambda: "no Whisper"
    )
    assert found == [readings[0], reading(reason="no Whisper"), readings[2]]


# ---- what is told of one


def test_a_margin_is_told_to_two_decimals() -> None:
    assert told(judged(HeardForms(fits=(-30.0, -5.0, -9.126)))) == ("right", "four dollars ninety nine", 4.13)
    assert told(judged(HeardForms(fits=(-30.0, -9.126, -5.0)))) == ("wrong", "dollar four", -4.13)


def test_without_a_wrong_way_to_read_it_there_is_no_margin() -> None:
    fits = (-5.0, -6.0)
    assert told(judged(HeardForms(fits=fits), wrong=[])) == ("indeterminate", "four ninety nine", None)
    own = HeardForms(fits=fits, in_words="it is four ninety nine", in_words_fits=-5.0)
    assert told(judged(own, wrong=[])) == ("right", "four ninety nine", None)


def test_what_the_recogniser_wrote_is_held_against_every_way_to_read_it() -> None:
    """-25 is the best of what is known: -13 is twelve above it."""
    fits = (-30.0, -25.0, -29.0)
    unknown = HeardForms(fits=fits, in_words="a penny", in_words_fits=-13.0)
    assert told(judged(unknown)) == ("indeterminate", "a penny", -12.0)
    near = HeardForms(fits=fits, in_words="a penny", in_words_fits=-13.5)
    assert told(judged(near)) == ("right", "four dollars ninety nine", 4.0)


@pytest.mark.parametrize("length", [299, 300, 301])
def test_what_it_wrote_is_told_by_300_characters(length: int) -> None:
    heard = HeardForms(fits=(-30.0, -25.0, -29.0), in_words="a" * length, in_words_fits=-1.0)
    assert judged(heard).spoken_as == "a" * min(length, 300)


def test_what_could_not_be_heard_has_its_reason_and_no_verdict() -> None:
    assert judged(HeardForms(reason="40.0 s of sound; 28 at most")) == reading(
        reason="40.0 s of sound; 28 at most"
    )
