"""What makes two runs incomparable: weights, codecs, detectors, our version; no patch of what computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.plans.checks.gates import Gate
from harness.records.call import CallStatus
from harness.runs.database.instrument import instrument_digest
from harness.scoring.comparison.runs import against, compare_runs
from harness.scoring.gates.held_to import held_calls
from tests.nights import night_call
from tests.report.make_run import write_run


def run_of(folder: Path, **info: Any) -> Path:
    run = write_run(folder, [night_call(f"c{n}", [600.0 + 10 * n]) for n in range(12)])
    content = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(content | info))
    return run


BASE = {
    "python": "3.11.7",
    "numpy": "2.1.3",
    "faster-whisper": "1.2.1",
    "av": "14.0.1",
    "whisper-base": "905e5bf8",
}


@pytest.mark.parametrize(
    ("changed", "comparable"),
    [
        ({"numpy": "2.1.9"}, True),
        ({"python": "3.11.9"}, True),
        ({"numpy": "2.2.0"}, False),
        ({"faster-whisper": "1.2.2"}, False),  # carries the trained speech detector
        ({"av": "14.0.2"}, False),  # carries the codecs
        ({"whisper-base": "00000000"}, False),
    ],
)
def test_what_makes_another_figure_makes_another_instrument(
    changed: dict[str, str], comparable: bool, tmp_path: Path
) -> None:
    one = run_of(tmp_path / "one", versions=BASE)
    other = run_of(tmp_path / "other", versions=BASE | changed)
    found = compare_runs(one, other)
    ((name, version),) = changed.items()
    assert bool(found.instruments) != comparable
    assert (found.word == "passed") == comparable
    same = instrument_digest(BASE, "0.1.0") == instrument_digest(BASE | changed, "0.1.0")
    assert same == comparable
    # Told in either case: a person may know better.
    told = found.changed if comparable else found.instruments
    assert any(name in one and (version in one or "2.2" in one) for one in told)


def test_another_version_of_ours_is_another_instrument(tmp_path: Path) -> None:
    one = run_of(tmp_path / "one", outboundeval="0.1.0")
    other = run_of(tmp_path / "other", outboundeval="0.1.1")
    assert compare_runs(one, other).word == "inconclusive"


def night(folder: Path, *, chinese_fail: bool = False, detector: str = "speech 0.5") -> Path:
    """Twelve English calls and three Chinese ones, in which another detector is used."""
    shift = 3.0 if chinese_fail else 0.0
    made = [night_call(f"en{n}", [600.0 + 10 * n + shift * (n % 3)]) for n in range(12)]
    made += [night_call(f"zh{n}", [650.0 + 10 * n]) for n in range(3)]
    if chinese_fail:
        for call in made[12:]:
            call.status, call.scored = CallStatus.SETUP_FAILED, False
    run = write_run(folder, made)
    for call in made:
        path = run / "calls" / call.id / "scores.json"
        if path.is_file():
            content = json.loads(path.read_text())
            content["detectors"] = {"agent": "speech zh" if call.id.startswith("zh") else detector}
            path.write_text(json.dumps(content))
    return run


def test_calls_that_are_in_no_pair_make_no_other_instrument(tmp_path: Path) -> None:
    """The Chinese calls all fail: what measured the others is what it was, and that they failed is told."""
    one, other = night(tmp_path / "one"), night(tmp_path / "other", chinese_fail=True)
    assert compare_runs(one, other).instruments == ()
    gate = Gate.model_validate("response_latency_ms: not worse by 300")
    ((result,), _, _) = against(one, other)([gate], held_calls(other))
    assert "the instrument is another" not in result.told
    assert "3 of 15 calls did not come about" in result.told
    # Of calls that are compared it does.
    found = compare_runs(one, night(tmp_path / "third", detector="speech 0.6"))
    assert found.instruments == ("detector agent: speech 0.5 / speech zh, then speech 0.6 / speech zh",)


def test_a_figure_that_one_side_of_a_pair_could_not_tell_makes_no_other_instrument(tmp_path: Path) -> None:
    """Of two versions of a figure the candidate has one, because calls of the other have no value."""
    runs = []
    for name, values in (("one", (0.1, 0.2)), ("other", (0.1, None))):
        run = write_run(tmp_path / name, [night_call(f"c{n}", [600.0 + 10 * n]) for n in range(12)])
        for n in range(12):
            value = values[n % 2]
            path = run / "calls" / f"c{n}" / "scores.json"
            content = json.loads(path.read_text())
            status = "not_applicable" if value is None else "measured"
            content["scores"] = [
                {"metric": "wer", "unit": "ratio", "value": value, "status": status, "reason": "none"}
                | {"n": 5, "version": f"1.{n % 2}"}
            ]
            path.write_text(json.dumps(content))
        runs.append(run)
    assert compare_runs(*runs).instruments == ()
