"""JSON of strangers: what is refused and with which words, and what is made harmless."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from harness._files.json_file import MAX_DEPTH, MAX_VALUES, BadJson, parse_json, read_json, read_model
from harness.errors import UserError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON: Expecting value"),
        ("{", "not valid JSON"),
        ("1 2", "Extra data"),
        (b"\xff\xfe1", "is not UTF-8 text"),
        ("NaN", "NaN is no number"),
        ('{"t": -Infinity}', "-Infinity is no number"),
        ("1e999", "1e999 is larger than any number"),
        ("-1e999", "-1e999 is larger"),
        ("1" + "0" * 5000, "a number of 5001 digits"),
        ("1" + "0" * 5000 + ".5", "is larger than any number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), f"nested deeper than {MAX_DEPTH}"),
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' is there twice"),
        ('{"a\\u001b[2J\\n": 1, "a\\u001b[2J\\n": 3}', "the key 'a\ufffd[2J ' is there twice"),
        ('{"a": 1, "a\\u200b": 2}', "two keys differ in characters"),
        ("[" + "[]," * MAX_VALUES + "[]]", f"more than {MAX_VALUES} values"),
        ("{'a': 1}", "not valid JSON"),
        ('"\x1b"', "not valid JSON"),
    ],
    ids=range(19),
)
def test_what_is_not_read_is_said_at_once(text: str | bytes, words: str) -> None:
    begun_s = time.process_time()
    with pytest.raises(BadJson) as refused:
        parse_json(text)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 200
    assert time.process_time() - begun_s < 1.0


def test_texts_and_keys_are_harmless_wherever_they_stand() -> None:
    written = r'{"k\u001b": ["a\u202eb", {"c": "\ud800", "d": "\ud83d\ude00\u0085x"}], "n": 1.5, "o": null}'
    assert parse_json(written) == {"k\ufffd": ["ab", {"c": "?", "d": "😀\nx"}], "n": 1.5, "o": None}
    assert parse_json('["a\u202eb", "\u200bc"]') == ["ab", "c"]
    assert parse_json(b'\xef\xbb\xbf{"a": "b\\nc\\td"}') == {"a": "b\nc\td"}


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(categories=["L"])), inner),
    max_leaves=20,
)  # fmt: skip


@given(content=_JSON, ascii_only=st.booleans())
def test_plain_content_comes_back_as_it_is(content: Any, ascii_only: bool) -> None:
    assert parse_json(json.dumps(content, ensure_ascii=ascii_only)) == content


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    a: int


def test_a_file_is_read_as_a_model_or_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}')
    assert read_model(path, _Model) == _Model(a=1)
    path.write_text('{"a": "x",\n"[/]\\u001b\\nx": 2}')
    with pytest.raises(UserError, match=r"a\.json: cannot be read: a: Input") as refused:
        read_model(path, _Model)
    assert str(refused.value).split("\n")[1].startswith(f"{path}: cannot be read: [/]\ufffd x: Extra inputs")
    path.write_text('{"a": 1,\n\n"b" 2}')
    with pytest.raises(UserError, match=r"a\.json:3: cannot be read: not valid JSON"):
        read_model(path, _Model)


def test_a_link_out_of_the_folder_a_pipe_and_a_large_file_are_not_read(tmp_path: Path) -> None:
    inside = tmp_path / "run"
    inside.mkdir()
    (tmp_path / "secret.json").write_text("1")
    (inside / "link.json").symlink_to(tmp_path / "secret.json")
    (inside / "own.json").write_text("2")
    (inside / "own-link.json").symlink_to("own.json")
    assert read_json(inside / "own-link.json", within=inside) == 2
    with pytest.raises(OSError, match="leads out of"):
        read_json(inside / "link.json", within=inside)
    with pytest.raises(OSError, match="leads out of"):
        read_json(inside / ".." / "secret.json", within=inside)
    os.mkfifo(inside / "pipe.json")
    with pytest.raises(OSError, match="is a device or a pipe"):
        read_json(inside / "pipe.json")
    (inside / "large.json").write_text("1234")
    with pytest.raises(OSError, match="the most that is read is 3"):
        read_json(inside / "large.json", max_bytes=3)
