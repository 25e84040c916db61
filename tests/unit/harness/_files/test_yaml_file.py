"""YAML of strangers: plans that nobody should write give one message each, quickly and in little memory;
what plain scalars become; what is made harmless."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from harness._files.yaml_file import FieldPath, parse_yaml, read_field, read_yaml
from harness.errors import UserError
from tests.unit.harness._files.bad_plans import BAD_PLANS

MOST_S = 2.0
"""Of processor time, as for every input in `make fuzz`: other tests run beside this one."""
MOST_MIB = 100

_LOAD_ALL = """
import json, resource, sys, time
from pathlib import Path
from harness.errors import UserError
from harness.plans.plan import load_plan
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
begun = peak()
for path in map(Path, sys.argv[1:]):
    at_s = time.process_time()
    try:
        load_plan(path)
        said = "it was taken for a plan"
    except UserError as error:
        said = str(error)
    print(json.dumps([path.name, said, time.process_time() - at_s, peak() - begun]))
"""


def test_a_bad_plan_gives_one_message_at_once_and_in_little_memory(tmp_path: Path) -> None:
    """In a process of their own: memory is its peak, and what is no UserError ends it with a traceback."""
    files = {f"{number}.yaml": name for number, name in enumerate(BAD_PLANS)}
    for file, name in files.items():
        content = BAD_PLANS[name][0]
        (tmp_path / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    paths = [str(tmp_path / file) for file in files]
    done = subprocess.run(
        [sys.executable, "-c", _LOAD_ALL, *paths], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == len(BAD_PLANS) >= 40
    for file, said, took_s, grown_mib in told:
        name = files[file]
        assert BAD_PLANS[name][1] in said, name
        assert all(line.startswith((f"{tmp_path / file}:", "and ")) for line in said.split("\n")), (
            name,
            said,
        )
        assert len(said) < 3000, name
        assert said.replace("\n", "").isprintable(), name
        assert took_s < MOST_S, name
        assert grown_mib < MOST_MIB, name


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "nothing", "unreadable name"])
def test_what_is_no_file_is_named_at_once(tmp_path: Path, kind: str) -> None:
    path = {"device": Path("/dev/zero"), "unreadable name": tmp_path / "a\0b"}.get(
        kind, tmp_path / "plan.yaml"
    )
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    words = {
        "pipe": "is a device or a pipe",
        "device": "is a device or a pipe",
        "folder": "is a folder",
        "nothing": "No such file",
        "unreadable name": "null byte",
    }[kind]
    with pytest.raises(UserError, match=words) as refused:
        read_yaml(path)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("7", 7),
        ("-7", -7),
        ("1_000", 1000),
        ("0x1F", 31),
        ("1.5", 1.5),
        ("-.5e+3", -500.0),
        ("true", True),
        ("No", False),
        ("ON", True),
        ("~", None),
        ("null", None),
        ("", None),
        ("'7'", "7"),
        ('"true"', "true"),
        ("! 7", "7"),
        ("!!str 7", "7"),
        ("nO", "nO"),
        ("0123", "0123"),
        ("2024-12-31", "2024-12-31"),
        ("10:30", "10:30"),
        ("1.2.3", "1.2.3"),
        ("7 o'clock", "7 o'clock"),
    ],
)
def test_a_plain_scalar_of_a_plan_is_what_it_looks_like(written: str, meant: Any) -> None:
    found = parse_yaml(f"a: {written}\n", path=Path("p"), typed=True).content["a"]
    assert found == meant
    assert type(found) is type(meant)
    if "!" not in written:
        untyped = parse_yaml(f"a: {written}\n", path=Path("p")).content["a"]
        assert untyped == written.strip("'\"")


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=12),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(categories=["L"]), min_size=1, max_size=8), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(content=_PLAIN)
def test_what_a_careful_writer_means_is_what_is_read(content: Any) -> None:
    """PyYAML, another implementation, writes it with every text in quotes."""
    written = yaml.dump({"a": content}, Dumper=_Quoting, allow_unicode=True)
    assert parse_yaml(written, path=Path("p"), typed=True).content == {"a": content}


class _Quoting(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


_Quoting.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


def test_lines_of_fields_are_known() -> None:
    file = parse_yaml("a: 1\nb:\n  - c: 2\n    d: 3\n", path=Path("p"))
    assert file.content == {"a": "1", "b": [{"c": "2", "d": "3"}]}
    fields: list[FieldPath] = [("a",), ("b", 0, "c"), ("b", 0, "d"), ("b", 0, "x")]
    assert [file.line_of(field) for field in fields] == [
        1,
        3,
        4,
        3,
    ]


def test_a_text_that_is_no_plan_is_made_harmless() -> None:
    file = parse_yaml('a: "x\\e[2J\\u202Ey\\u200bz"\n"k\\nb": 1\n', path=Path("p"))
    assert file.content == {"a": "x\ufffd[2Jyz", "k b": "1"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("id: one\nb: 2\n", "one"),
        ("b: {id: inner}\nc: [id, x]\nid: last\n", "last"),
        ('"id": "x\\e[2Jy"\n', "x\ufffd[2Jy"),
        ("id: [1, {a: b}]\n", ["1", {"a": "b"}]),
        ("b: {id: inner}\n", None),
        ("- id\n- one\n", None),
        ("id\n", None),
        ("id: one\nb: [1, 2\n", "one"),
        ("id: one\nid: two\n", "one"),
    ],
)
def test_of_a_field_that_is_looked_for_what_comes_behind_is_not_parsed(
    tmp_path: Path, text: str, found: Any
) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert read_field(tmp_path / "a.yaml", "id") == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("# nothing\n", "is empty"),
        ("b: [1, 2\nid: one\n", ":2: not valid YAML"),
        ("b: &x 1\nid: one\n", ":1: YAML anchors and aliases"),
        ("&x\nid: one\n", ":1: YAML anchors and aliases"),
        ("? [1]\n: 2\n", ":1: a key must be a plain word"),
        ("b: " + "[" * 200 + "]" * 200 + "\nid: one\n", "nested deeper"),
    ],
)
def test_of_a_field_that_is_looked_for_what_stands_before_it_has_to_be_in_order(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match=re.escape(message)) as refused:
        read_field(path, "id")
    assert str(path) in str(refused.value)
