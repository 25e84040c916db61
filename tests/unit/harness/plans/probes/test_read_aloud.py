"""The form ``read_aloud``: what the agent is told, what it is asked, and what stands in a call together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.probes.expanding import minutes_of
from harness.plans.probes.forms import load_suite
from harness.plans.probes.read_aloud import READINGS_A_CALL, request

CURRENCY = {
    "id": "currency-en-1",
    "kind": "currency",
    "language": "en",
    "text": "That comes to $4.99.",
    "key": "$4.99",
    "readings": ["four ninety nine"],
    "wrong": ["dollar four"],
}


def _suite(folder: Path, items: list[dict[str, Any]]) -> str:
    content = {
        "form": "read_aloud",
        "name": "mine",
        "version": "1",
        "summary": "Sentences.",
        "callers": {"en": {"engine": "piper", "name": "joe"}, "zh": {"engine": "kokoro", "name": "jm_kumo"}},
        "items": items,
    }
    (folder / "mine").mkdir()
    (folder / "mine" / "suite.yaml").write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    return f"{folder}/mine"


def _calls(suite: str, size: str) -> tuple[CallPlan, ...]:
    return expand_plan(
        {
            "agent": "http://127.0.0.1:7860",
            "defaults": {"request_data": {"customer": 7}},
            "probes": [{"suite": suite, "size": size}],
        }
    ).calls


def _item(number: int, *, language: str = "en", kind: str = "", control: str = "") -> dict[str, Any]:
    return {
        "id": f"{language}-{number}",
        "kind": kind or f"kind_{number % 20}",
        "language": language,
        "text": f"Sentence {number}.",
        "control": control,
    }


def test_the_agent_is_told_by_number_and_asked_by_number(tmp_path: Path) -> None:
    (call,) = _calls(_suite(tmp_path, [CURRENCY, _item(1), _item(2)]), "full")
    assert call.probe is not None
    assert call.request_data["customer"] == 7
    told = call.request_data["read_aloud"]
    assert [one["number"] for one in told] == [1, 2, 3]
    assert [one["text"] for one in told] == [one.text for one in call.probe.to_read]
    assert call.script is not None
    assert [line.say for line in call.script.lines] == [
        f"Please read number {number} aloud." for number in ("one", "two", "three")
    ]
    assert [one.line for one in call.probe.to_read] == [0, 1, 2]
    (priced,) = [one for one in call.probe.to_read if one.item == "currency-en-1"]
    assert (priced.key, priced.readings, priced.wrong) == ("$4.99", ("four ninety nine",), ("dollar four",))


def test_full_has_every_item_once_in_calls_of_ten(tmp_path: Path) -> None:
    items = [_item(number) for number in range(25)] + [_item(number, language="zh") for number in range(11)]
    calls = _calls(_suite(tmp_path, items), "full")
    counted = Counter(one.item for call in calls if call.probe for one in call.probe.to_read)
    assert counted == {item["id"]: 1 for item in items}
    assert [len(call.probe.to_read) for call in calls if call.probe] == [10, 10, 5, 10, 1]
    assert [call.language for call in calls] == ["en", "en", "en", "zh", "zh"]
    assert minutes_of(calls).startswith("probes: 5 calls with 36 sentences for the agent to read aloud")


@pytest.mark.parametrize(("size", "english", "chinese"), [("quick", 10, 5), ("few", 4, 0)])
def test_the_smaller_sizes_draw_from_as_many_kinds_as_they_hold(
    tmp_path: Path, size: str, english: int, chinese: int
) -> None:
    items = [_item(number) for number in range(60)] + [_item(number, language="zh") for number in range(30)]
    calls = _calls(_suite(tmp_path, items), size)
    read = [(call.language, one) for call in calls if call.probe for one in call.probe.to_read]
    assert Counter(language for language, _ in read) == Counter({"en": english, "zh": chinese})
    assert len({(language, one.kind) for language, one in read}) == english + chinese


def test_an_item_and_its_control_are_in_one_call(tmp_path: Path) -> None:
    items = [_item(number) for number in range(12)]
    items += [_item(100 + number, control=f"en-{number}") for number in range(12)]
    for size in ("full", "quick"):
        (tmp_path / size).mkdir()
        for call in _calls(_suite(tmp_path / size, items), size):
            assert call.probe is not None
            here = {one.item for one in call.probe.to_read}
            assert len(here) <= READINGS_A_CALL
            assert all(one.control in here for one in call.probe.to_read if one.control)


def test_of_many_items_with_one_control_each_call_has_it(tmp_path: Path) -> None:
    items = [_item(0), *(_item(number, control="en-0") for number in range(1, 24))]
    calls = _calls(_suite(tmp_path, items), "full")
    read = [[one.item for one in call.probe.to_read] for call in calls if call.probe]
    assert [len(own) for own in read] == [10, 10, 6]
    assert all("en-0" in own for own in read)
    assert {name for own in read for name in own} == {item["id"] for item in items}


def test_the_same_seed_draws_the_same(tmp_path: Path) -> None:
    suite = _suite(tmp_path, [_item(number) for number in range(40)])
    assert _calls(suite, "quick") == _calls(suite, "quick")


def test_chinese_is_asked_in_chinese() -> None:
    assert request("zh", 10) == "请朗读第十句。"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"key": "$5.00"}, r"items\.0: .*key: '\$5\.00' stands 0 times in the text"),
        ({"text": "4 and 4.", "key": "4"}, "stands 2 times in the text"),
        ({"key": ""}, "readings, wrong: of what"),
        ({"readings": []}, "what is right, where something is wrong"),
        ({"wrong": ["four ninety nine"]}, "'four ninety nine' is one of the readings"),
        ({"language": "fr"}, r"items\.0\.language"),
        ({"control": "nobody"}, r"items\.currency-en-1\.control: an item of the same language"),
        ({"id": "en-1"}, "ids must differ"),
    ],
)
def test_what_does_not_fit_together_is_refused_with_its_place(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    suite = _suite(tmp_path, [CURRENCY | changed, _item(1)])
    with pytest.raises(UserError, match=told):
        load_suite(suite)


def test_the_caller_waits_longer_than_a_voice_pauses_between_two_sentences(tmp_path: Path) -> None:
    (call,) = _calls(_suite(tmp_path, [CURRENCY, _item(1)]), "full")
    assert call.script is not None
    # The longest pause between two sentences of the voices that come with the harness is 1.1 s.
    assert all(line.pause_s >= 1.5 for line in call.script.lines)
