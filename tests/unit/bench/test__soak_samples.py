"""The soak's verdict: what grows is told from what stands still; and its samples."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from bench._soak_samples import Pacing, Sample, read_samples, row, verdict
from harness.transports.base import MediaLog

STEADY = Sample(
    at_s=0.0,
    memory_mb=500.0,
    children_mb=200.0,
    handles=120,
    threads=12,
    tasks=200,
    calls=20,
    ended=0,
    late_p95_ms=1.5,
    late_frames=0,
    frames=10_000,
    cpu=0.4,
    agents_cpu=0.2,
)
LEAKS = {"memory_mb": 0.3, "children_mb": 0.3, "handles": 0.1, "threads": 0.1, "tasks": 0.1}
"""What is added with each sample of ten seconds."""
SPREADS = {"memory_mb": 8, "children_mb": 1, "handles": 4, "threads": 1, "tasks": 9}


def _hour(seed: int = 3, **leak: float) -> list[Sample]:
    """Samples that vary as those of twenty calls do, some of them growing."""
    rng = np.random.default_rng(seed)
    samples = []
    for index in range(1, 361):
        moved = {
            name: getattr(STEADY, name) + leak.get(name, 0.0) * index + float(rng.normal(0, spread))
            for name, spread in (
                ("memory_mb", 8),
                ("children_mb", 1),
                ("handles", 4),
                ("threads", 1),
                ("tasks", 9),
            )
        }
        for name in ("handles", "threads", "tasks"):
            moved[name] = round(moved[name])
        samples.append(dataclasses.replace(STEADY, at_s=index * 10.0, **moved))  # type: ignore[arg-type]
    return samples


def test_an_hour_in_which_nothing_grows_is_good() -> None:
    stated: list[str] = []
    assert verdict(_hour(), warm_up_min=10, stated=stated)
    assert not [line for line in stated if "GROWS" in line]
    assert "memory, both" in "\n".join(stated)


@pytest.mark.parametrize(("name", "a_sample"), LEAKS.items())
def test_a_planted_leak_is_found(name: str, a_sample: float) -> None:
    stated: list[str] = []
    assert not verdict(_hour(**{name: a_sample}), warm_up_min=10, stated=stated)
    assert [line for line in stated if "GROWS" in line]


def test_what_grows_only_while_it_warms_up_is_no_leak() -> None:
    samples = [
        dataclasses.replace(one, memory_mb=one.memory_mb - max(0.0, 600 - one.at_s)) for one in _hour()
    ]
    assert verdict(samples, warm_up_min=10, stated=[])
    assert not verdict(samples, warm_up_min=0, stated=[])


def test_too_short_a_soak_is_not_called_good() -> None:
    stated: list[str] = []
    assert not verdict(_hour()[:63], warm_up_min=10, stated=stated)
    assert "too few samples" in "\n".join(stated)


def test_lateness_is_counted_once_and_of_calls_that_stand() -> None:
    pacing = Pacing()
    log, ended = MediaLog(codec="opus"), MediaLog(codec="opus")
    pacing.watch(log)
    pacing.watch(ended)
    log.lateness_s += [0.001, 0.030]
    ended.lateness_s.append(0.002)
    assert sorted(pacing.late_ms()) == pytest.approx([1.0, 2.0, 30.0])
    assert pacing.calls == 2
    del ended
    log.lateness_s.append(0.004)
    assert pacing.late_ms() == pytest.approx([4.0])
    assert pacing.calls == 1


def test_samples_come_back_from_their_file_even_with_a_torn_line(tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    file.write_text(json.dumps(dataclasses.asdict(STEADY)) + '\n{"at_s": 3', encoding="utf-8")
    assert read_samples(file) == [STEADY]
    assert row(STEADY).split()[:3] == ["0.0", "500.0", "200.0"]
