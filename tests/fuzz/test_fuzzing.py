"""The fuzzer finds what was planted, tells it with its input, and finds nothing where there is nothing."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.fuzz import watch
from tests.fuzz.findings import Finding, keep, of_error, read_findings, shortened
from tests.fuzz.mutations import MUTATIONS, mutate
from tests.fuzz.planted import SEED
from tests.fuzz.watch import Fuzzed, fuzz


def _fuzz(name: str, tmp_path: Path, *, seconds: float = 1.5, by_chance: bool = True) -> Fuzzed:
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "one").write_bytes(SEED)
    return fuzz(
        name,
        seconds=seconds,
        seeds=seeds,
        work=tmp_path / "work",
        package="tests.fuzz.planted",
        by_chance=by_chance,
    )


def _only(fuzzed: Fuzzed) -> Finding:
    assert fuzzed.found is not None
    [found] = fuzzed.found
    return found


@pytest.mark.parametrize("by_chance", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_planted_traceback_is_found_with_its_input(tmp_path: Path, by_chance: bool) -> None:
    if not by_chance:
        pytest.importorskip("atheris", reason="without atheris chance alone leads")
    fuzzed = _fuzz("traceback", tmp_path, seconds=2.0 if by_chance else 15.0, by_chance=by_chance)
    found = _only(fuzzed)
    assert (found.target, found.kind) == ("traceback", "traceback")
    assert "AttributeError" in found.cause
    assert "has no attribute 'upper'" in found.told
    assert isinstance(json.loads((tmp_path / "work/findings" / found.input).read_bytes())["name"], list)
    assert fuzzed.inputs > fuzzed.refused > 0
    assert (fuzzed.by_coverage > 0) is not by_chance


def test_a_planted_slow_input_is_found(tmp_path: Path) -> None:
    fuzzed = _fuzz("slow", tmp_path)
    assert _only(fuzzed).kind == "slow"
    assert fuzzed.slowest_s > 2.0


def test_a_planted_big_input_is_found_and_the_rest_goes_on_without_it(tmp_path: Path) -> None:
    fuzzed = _fuzz("big", tmp_path)
    found = _only(fuzzed)
    assert found.kind == "big"
    assert fuzzed.most_mb > 500
    assert (tmp_path / "work/findings" / found.input).read_bytes() != SEED


@pytest.mark.long
def test_a_planted_endless_wait_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "HANGS_S", 1.0)
    assert _only(_fuzz("hangs", tmp_path)).kind == "hangs"


def test_refusals_are_no_findings(tmp_path: Path) -> None:
    fuzzed = _fuzz("refuses", tmp_path, seconds=1.5)
    assert fuzzed.found == []
    assert fuzzed.inputs == fuzzed.refused > 10


def test_a_cause_is_kept_once_with_its_shortest_input(tmp_path: Path) -> None:
    def keep_one(cause: str, data: bytes) -> bool:
        return keep(tmp_path, target="t", kind="traceback", cause=cause, told="x", data=data)

    assert keep_one("a", b"12345")
    assert not keep_one("a", b"123")
    assert not keep_one("a", b"1234")
    assert keep_one("b", b"1")
    assert [(tmp_path / one.input).read_bytes() for one in read_findings(tmp_path)] in (
        [b"123", b"1"],
        [b"1", b"123"],
    )


def test_the_cause_of_an_error_is_our_innermost_line() -> None:
    from harness._files.json_file import parse_json

    try:
        parse_json("[1, 2")
    except ValueError as error:
        cause, told = of_error(error)
        assert cause == "BadJson in harness/_files/json_file.py:parse_json"
        assert "not valid JSON" in told
    else:
        pytest.fail("it was read")


def test_an_input_is_made_shorter_as_long_as_it_does_the_same() -> None:
    assert shortened(b"aaaaXbbbbbbYcc", lambda data: b"X" in data and b"Y" in data) == b"XY"


@pytest.mark.parametrize("form", MUTATIONS)
def test_broken_inputs_differ_and_repeat_with_their_seed(form: str) -> None:
    data = yaml.safe_dump({"a": [1, {"b": "x"}], "c": "text: more"}).encode() if form == "yaml" else SEED
    broken = [mutate(data, form=form, kinds="", chance=random.Random(seed)) for seed in range(60)]
    assert broken == [mutate(data, form=form, kinds="", chance=random.Random(seed)) for seed in range(60)]
    assert len(set(broken)) > 25
    assert sum(one != data for one in broken) > 40


def test_inputs_of_several_kinds_keep_a_kind() -> None:
    kinds = {
        mutate(b"j" + SEED, form="json", kinds="jy", chance=random.Random(seed))[:1] for seed in range(999)
    }
    assert kinds == {b"j", b"y"}


@pytest.mark.long
def test_two_minutes_of_every_target_find_nothing(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--seconds", "120", "--out", str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=1500,
    )
    assert ended.returncode == 0, ended.stdout[-8000:] + ended.stderr[-2000:]
