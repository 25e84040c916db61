"""Kept judgements: what is used again, and what is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.judging.cache import VerdictStore

GOOD = '{"score": 2}'


def kept(folder: Path, key: str = "ab12") -> Path:
    """The file of an answer that was kept."""
    VerdictStore(folder).put(key, GOOD)
    return next(folder.rglob(f"{key}.json"))


def test_a_store_counts_what_it_had(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path)
    assert store.get("ab12") is None
    store.put("ab12", GOOD)
    assert store.get("ab12") == GOOD
    assert (store.hits, store.misses) == (1, 1)
    assert "1 of 2" in store.told()
    assert store.problems() == []


@pytest.mark.parametrize(
    ("hits", "misses", "told"),
    [(999, 1, "999 of 1000 judgements were kept from before (99 %)"), (3, 0, "(100 %)"), (0, 3, "(0 %)")],
)
def test_all_but_one_are_not_a_hundred_per_cent(hits: int, misses: int, told: str) -> None:
    store = VerdictStore()
    store.hits, store.misses = hits, misses
    assert told in store.told()


def test_an_answer_that_was_of_no_use_and_was_asked_again_was_not_kept(tmp_path: Path) -> None:
    kept(tmp_path)
    store = VerdictStore(tmp_path)
    assert store.get("ab12") == GOOD
    store.put("ab12", GOOD)
    assert (store.hits, store.misses) == (0, 1)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_text(path.read_text().replace("2}", "1}")),
        lambda path: path.write_text(path.read_text()[:-9]),
        lambda path: path.write_bytes(b"\xff\xfe"),
        lambda path: path.write_text("[]"),
        lambda path: path.write_text("[" * 100_000),
        lambda path: path.write_text(path.read_text() + " " * 1_000_000),
    ],
    ids=["edited", "torn", "no text", "a list", "deep", "too large"],
)
def test_an_answer_that_is_not_as_it_was_written_is_named_and_not_used(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    path = kept(tmp_path)
    damage(path)
    store = VerdictStore(tmp_path)
    assert store.get("ab12") is None
    assert (store.hits, store.misses) == (0, 1)
    assert len(store.problems()) == 1
    assert "1 kept judgements are not as they were written" in store.problems()[0]
    assert str(path) in store.problems()[0]
    store.put("ab12", GOOD)
    assert VerdictStore(tmp_path).get("ab12") == GOOD


def test_an_answer_under_another_key_is_not_used(tmp_path: Path) -> None:
    path = kept(tmp_path)
    path.rename(path.with_name("abcd.json"))
    store = VerdictStore(tmp_path)
    assert store.get("abcd") is None
    assert "not as they were written" in store.problems()[0]


def test_answers_of_before_have_no_seal_and_that_is_said_once(tmp_path: Path) -> None:
    for key in ("ab12", "ab34"):
        kept(tmp_path, key).write_text(
            json.dumps({"applicable": True, "score": 2, "reason": "", "quote": ""})
        )
    store = VerdictStore(tmp_path)
    assert [store.get("ab12"), store.get("ab34")] == [None, None]
    assert len(store.problems()) == 1
    assert store.problems()[0].startswith("2 kept judgements have no seal")


def test_a_fresh_store_reads_nothing_and_keeps_what_is_new(tmp_path: Path) -> None:
    kept(tmp_path)
    fresh = VerdictStore(tmp_path, fresh=True)
    assert fresh.get("ab12") is None
    fresh.put("ab12", '{"score": 1}')
    assert "1 judgements asked afresh" in fresh.told()
    assert VerdictStore(tmp_path).get("ab12") == '{"score": 1}'
