"""A key that was edited by hand is refused in words, whatever is wrong with it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.scoring.listening.key import ListeningKey, key_path, read_key, write_key

PLACES = [
    {"run": run, "call_id": "a", "recording_sha256": "0" * 64, "start_s": 0.5, "end_s": 3.0} for run in (0, 1)
]
Change = Callable[[dict[str, Any]], Any]


def made(method: str) -> dict[str, Any]:
    """A page of one clip: of run 0, or of runs 0 and 1 against each other."""
    many = 1 if method == "acr" else 2
    return {
        "seed": 1,
        "runs": ["first", "second"],
        "this_run": 0,
        "level_dbov": -26.0,
        "sheet": {
            "method": method,
            "volume": "v001",
            "tones": [],
            "training": [],
            "items": [{"id": "i001", "sounds": ["s001", "s002"][:many]}],
            "sounds": dict.fromkeys(("v001", "s001", "s002"), "0" * 64),
        },
        "items": {"i001": {"kind": "clip", "places": PLACES[:many]}},
    }


def places(content: dict[str, Any], of: list[dict[str, Any]]) -> None:
    content["items"]["i001"]["places"] = of


@pytest.mark.parametrize("method", ["acr", "ccr"])
def test_a_key_is_read_as_it_was_written(method: str, tmp_path: Path) -> None:
    key = ListeningKey.model_validate(made(method))
    write_key(tmp_path, key)
    assert read_key(tmp_path, key.sheet.id) == key


@pytest.mark.parametrize(
    ("method", "change", "told"),
    [
        ("acr", lambda key: places(key, PLACES), r"items.i001: a clip of acr with 2 place\(s\)"),
        ("acr", lambda key: places(key, []), "clip: from nowhere"),
        ("ccr", lambda key: places(key, PLACES[:1]), r"items.i001: a clip of ccr with 1 place\(s\)"),
        ("ccr", lambda key: places(key, [PLACES[0]] * 2), r"items.i001: a clip of ccr with 2 place\(s\)"),
        ("ccr", lambda key: key["runs"].append("third"), r"a comparison of 3 run\(s\)"),
        ("acr", lambda key: key.update(runs=["first"], this_run=1), "it names run 1 of 1"),
        ("acr", lambda key: key["items"].clear(), "its items are not those of its sheet"),
        ("acr", lambda key: key.update(softer=[1]), "it does not tell the tones of its sheet"),
    ],
)
def test_what_was_changed_by_hand_is_told(method: str, change: Change, told: str, tmp_path: Path) -> None:
    content = made(method)
    sheet = ListeningKey.model_validate(copy.deepcopy(content)).sheet.id
    change(content)
    path = key_path(tmp_path, sheet)
    path.parent.mkdir()
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UserError, match=told):
        read_key(tmp_path, sheet)
