"""What counts as a difference between two documents, and what an explanation covers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench.same_results.differences import Difference, differences, load_explained
from bench.same_results.shapes import dialogue_shape, scrubbed

PLAN = {
    "dialogue_id": "sop.a", "agent": "sop", "model": "", "temperature": 0.0, "policy": "agenda",
    "caller_model": "", "task": {"entry": "a/b"}, "understanding": "words", "trial": 0, "seed": 7,
    "competitor": "sop",
    "limits": {"turns": 100, "call_s": 900.0, "turn_chars": 4000, "answer_s": 600.0},
}  # fmt: skip
RECORD = {
    "plan": PLAN, "status": "completed", "status_detail": "", "end_reason": "", "duration_s": 3.0,
    "agent_name": "sop", "turns": [{"speaker": "agent", "text": "Hello.", "wall_s": 0.4}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("before", "now", "places"),
    [
        ({"a": [1, 2.0]}, {"a": [1, 2.0 + 1e-12]}, []),
        ({"a": [1, 2.0]}, {"a": [1, 2.001]}, ["a[1]"]),
        ({"a": [1]}, {"a": [1, 2]}, ["a"]),
        ({"a": {"b": "x", "c": None}}, {"a": {"b": "y"}}, ["a.b"]),
        ({"a": 1}, {"a": True}, []),
        ({"a": None}, {"a": 0}, ["a"]),
        ({}, {"a": 0, "b": {}, "c": "", "d": None}, ["a"]),
        ({"a": {}}, {"a": None}, ["a"]),
        (None, {"a": 1}, [""]),
    ],
)
def test_every_place_that_differs_is_found(before: Any, now: Any, places: list[str]) -> None:
    assert [one.path for one in differences(before, now)] == places


def test_what_may_differ_is_left_out_and_a_metrics_version_is_not() -> None:
    document = {
        "version": 2,
        "date": "today",
        "metrics": {"wer": {"value": 0.1, "version": "1"}},
        "wall_s": 3.1,
    }
    assert scrubbed(document) == {"metrics": {"wer": {"value": 0.1, "version": "1"}}}


def test_scores_are_found_by_their_metrics() -> None:
    wer, mos = {"metric": "wer", "value": 0.1}, {"metric": "mos", "value": None}
    before, now = {"scores": [wer]}, {"scores": [mos, {"metric": "wer", "value": 0.2}]}
    places = [one.path for one in differences(scrubbed(before), scrubbed(now))]
    assert places == ["scores.wer.value", "scores.mos"]


def test_a_dialogue_of_either_format_has_one_shape() -> None:
    names = {"dialogue_id": "call_id", "model": "agent_model", "caller_model": "language_model"}
    plan = {names.get(name, name): value for name, value in PLAN.items() if name != "competitor"}
    later = RECORD | {"plan": plan | {"medium": "text", "language_model": None}, "end_reason": None}
    assert dialogue_shape(RECORD, []) == dialogue_shape(later, [])
    assert dialogue_shape(RECORD, [])["turns"] == [{"speaker": "agent", "text": "Hello."}]
    other = later | {"plan": plan | {"seed": 8}}
    assert [one.path for one in differences(dialogue_shape(RECORD, []), dialogue_shape(other, []))] == [
        "plan.seed"
    ]


def test_an_explanation_covers_its_place_alone_and_counts(tmp_path: Path) -> None:
    file = tmp_path / "explained.yaml"
    file.write_text("- {step: chat*, path: 'turns*.text', why: read otherwise}\n", encoding="utf-8")
    explained = load_explained(file)
    assert explained.covers("chat scored", "a", Difference("turns[3].text", "1", "2"))
    assert not explained.covers("plans", "a", Difference("turns[3].text", "1", "2"))
    assert not explained.covers("chat", "a", Difference("status", "1", "2"))
    assert [count for _, count in explained.used()] == [1]


def test_an_explanation_may_name_the_values(tmp_path: Path) -> None:
    file = tmp_path / "explained.yaml"
    file.write_text("- {before: '*rules:3\"', now: '*rules:4\"', why: a new version}\n", encoding="utf-8")
    explained = load_explained(file)
    assert explained.covers("chat", "a", Difference("version", '"1/rules:3"', '"1/rules:4"'))
    assert not explained.covers("chat", "a", Difference("version", '"1/rules:3"', '"2/rules:4"' + " "))
    assert not explained.covers("chat", "a", Difference("version", '"1/rules:3"', "null"))
