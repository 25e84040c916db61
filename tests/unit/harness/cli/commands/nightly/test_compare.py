"""``compare`` on run folders, as a person starts it."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.cli import main as cli
from harness.runs.database.index import put_run
from harness.scoring.comparison.runs import relative_as_before, relative_to
from harness.scoring.gates.decide import decide
from tests.nights import night_call
from tests.report.make_run import write_run


def written(folder: Path, *, seed: int, slower_ms: float = 0.0, calls: int = 12, whisper: str = "") -> Path:
    rng = np.random.default_rng(seed)
    made = [night_call(f"c{n}", [float(v) + slower_ms for v in rng.normal(700, 40, 2)]) for n in range(calls)]
    run = write_run(folder, made)
    if whisper:
        info = json.loads((run / "run.json").read_text())
        info["versions"]["whisper"] = whisper
        (run / "run.json").write_text(json.dumps(info))
    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    return {
        "monday": written(folder / "monday", seed=1),
        "tuesday": written(folder / "tuesday", seed=2),
        "slow": written(folder / "slow", seed=3, slower_ms=400),
        "few": written(folder / "few", seed=4, calls=5),
        "other": written(folder / "other", seed=5, whisper="small int8"),
    }


def compared(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *words: str
) -> tuple[Any, dict[str, Any]]:
    monkeypatch.setattr(sys, "argv", ["outboundeval", "compare", *words, "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return ended.value.code, json.loads(capfd.readouterr().out)


@pytest.mark.parametrize(
    ("candidate", "more", "code", "word"),
    [
        ("tuesday", [], 0, "passed"),
        ("tuesday", ["--gate", "response_latency_ms: not worse by 150"], 0, "passed"),
        ("slow", [], 1, "failed"),
        ("slow", ["--gate", "response_latency_ms: not worse by 150"], 1, "failed"),
        ("few", [], 1, "inconclusive"),
        ("other", [], 1, "inconclusive"),
    ],
)
def test_the_exit_code_is_the_word(
    runs: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    candidate: str,
    more: list[str],
    code: int,
    word: str,
) -> None:
    found, document = compared(monkeypatch, capfd, str(runs["monday"]), str(runs[candidate]), *more)
    assert (found, document["word"]) == (code, word)


def test_what_changed_is_told_with_its_size(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    _, document = compared(monkeypatch, capfd, str(runs["monday"]), str(runs["slow"]))
    latency = document["figures"][0]
    assert (latency["figure"], latency["word"], latency["pairs"]) == ("response_latency_ms", "worse", 12)
    assert latency["estimate"] == pytest.approx(400, abs=40)
    assert latency["low"] < 400 < latency["high"]
    assert document["instruments"] == []
    _, other = compared(monkeypatch, capfd, str(runs["monday"]), str(runs["other"]))
    assert other["instruments"] == ["whisper: base int8, then small int8"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere", "nowhere"], "no run"),
        (["{monday}", "{tuesday}", "--gate", "latency: not worse by 1"], "there is no figure 'latency'"),
        (["{monday}", "{tuesday}", "--gate", "wer <= 1"], "two runs are compared by"),
        (["{monday}", "{tuesday}", "--gate", "wer"], "cannot be read"),
    ],
)
def test_wrong_use(
    runs: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: list[str],
    says: str,
) -> None:
    places = {name: str(folder) for name, folder in runs.items()}
    found, document = compared(monkeypatch, capfd, *(word.format(**places) for word in words))
    assert found == 2
    assert says in document["error"]["message"]


def test_the_last_green_run_of_a_branch_is_the_baseline(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of main, though a newer one of another branch is green, too."""
    monkeypatch.delenv("OUTBOUNDEVAL_STORE", raising=False)
    store = tmp_path / "nights.sqlite"
    for day, (name, branch) in enumerate([("monday", "main"), ("slow", "faster"), ("tuesday", "faster")], 3):
        shutil.copytree(runs[name], tmp_path / name)
        path = tmp_path / name / "run.json"
        started = {"started_at": f"2026-11-0{day}T02:00:00+00:00", "branch": branch}
        path.write_text(json.dumps(json.loads(path.read_text()) | started))
        assert decide(tmp_path / name).word == "passed"
        put_run(str(store), tmp_path / name)
    tuesday = str(tmp_path / "tuesday")
    _, document = compared(monkeypatch, capfd, "last green on main", tuesday)
    assert (document["baseline"], document["word"]) == (str(tmp_path / "monday"), "passed")
    _, document = compared(monkeypatch, capfd, "last green", tuesday)
    assert document["baseline"] == str(tmp_path / "slow")
    code, document = compared(monkeypatch, capfd, "last green on release", tuesday)
    assert (code, "knows no run that 'last green on release'" in document["error"]["message"]) == (2, True)
    checks = {"gates": ["response_latency_ms: not worse by 100"]}
    (tmp_path / "slow" / "checks.json").write_text(json.dumps(checks))
    against = relative_to("last green on main", tmp_path / "slow", store=str(store))
    assert decide(tmp_path / "slow", relative=against).word == "failed"
    against = relative_to("last green on release", tmp_path / "slow", store=str(store))
    assert "no green run on release" in decide(tmp_path / "slow", relative=against).checks[0].told


def test_scored_again_a_run_is_compared_with_what_it_was(runs: dict[str, Path], tmp_path: Path) -> None:
    """A red night does not turn green because somebody scores it again."""
    night, before = tmp_path / "night", tmp_path / "before"
    shutil.copytree(runs["slow"], night)
    shutil.copytree(runs["monday"], before)
    checks = {"gates": ["response_latency_ms: not worse by 100"]}
    (night / "checks.json").write_text(json.dumps(checks))
    assert decide(night, relative=relative_to(str(before), night)).word == "failed"
    assert decide(night, relative=relative_as_before(night)).word == "failed"
    shutil.rmtree(before)
    gone = decide(night, relative=relative_as_before(night))
    assert (gone.word, "is not there any more" in gone.checks[0].told) == ("inconclusive", True)


def _night(run: Path, folder: Path, baseline: str) -> Path:
    """A copy of a run, held to a relative gate and placed without being scored."""
    shutil.copytree(run, folder)
    checks = {"gates": ["response_latency_ms: not worse by 100"], "baseline": baseline}
    (folder / "checks.json").write_text(json.dumps(checks))
    return folder


def test_a_run_that_was_not_scored_is_compared_with_what_its_checks_name(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    night = _night(runs["slow"], tmp_path / "night", str(runs["monday"]))
    found = decide(night, relative=relative_as_before(night))
    assert (found.word, found.baseline) == ("failed", str(runs["monday"]))
    lost = _night(runs["slow"], tmp_path / "lost", str(tmp_path / "nowhere"))
    found = decide(lost, relative=relative_as_before(lost))
    assert (found.word, "is not there any more" in found.checks[0].told) == ("inconclusive", True)


def test_the_report_of_a_run_that_was_not_scored_knows_its_baseline(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    night = _night(runs["slow"], tmp_path / "night", str(runs["monday"]))
    monkeypatch.setattr(sys, "argv", ["outboundeval", "report", str(night), "--markdown"])
    with pytest.raises(SystemExit):
        cli.main()
    verdict = json.loads((night / "verdict.json").read_text())
    assert (verdict["word"], verdict["baseline"]) == ("failed", str(runs["monday"]))


def test_a_baseline_named_from_here_is_found_from_elsewhere(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = _night(runs["slow"], tmp_path / "night", "")
    monkeypatch.chdir(runs["monday"].parent)
    assert decide(night, relative=relative_to("monday", night)).word == "failed"
    monkeypatch.chdir(tmp_path)
    found = decide(night, relative=relative_as_before(night))
    assert (found.word, found.baseline) == ("failed", str(runs["monday"]))


def test_the_last_green_run_of_one_that_is_scored_later_is_none_after_it(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Placed on the 4th, scored when the 5th is there."""
    monkeypatch.delenv("OUTBOUNDEVAL_STORE", raising=False)
    for day, name in ((3, "monday"), (5, "tuesday"), (4, "slow")):
        night = _night(runs[name], tmp_path / name, "last green")
        info = json.loads((night / "run.json").read_text())
        started = {"started_at": f"2026-11-0{day}T02:00:00+00:00"}
        (night / "run.json").write_text(json.dumps(info | started))
        if name != "slow":
            decide(night)
            put_run(str(tmp_path / "nights.sqlite"), night)
    found = decide(tmp_path / "slow", relative=relative_as_before(tmp_path / "slow"))
    assert (found.word, found.baseline) == ("failed", str(tmp_path / "monday"))
