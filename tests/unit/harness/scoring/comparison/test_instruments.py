"""What makes two runs incomparable: weights, codecs, detectors, our version; no patch of what computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.runs.database.instrument import instrument_digest
from harness.scoring.comparison.runs import compare_runs
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
