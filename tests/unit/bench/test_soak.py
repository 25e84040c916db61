"""The calls of a soak, and its samples of this process."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator

import pytest

from bench.soak import Soak, plan_of
from harness.plans.call import CallPlan


@pytest.fixture
def opened() -> Iterator[list[int]]:
    """File descriptors, closed at the end."""
    opened: list[int] = []
    yield opened
    for one in opened:
        os.close(one)


async def test_a_sample_sees_memory_and_handles_of_this_process(opened: list[int]) -> None:
    watch = Soak(agents=[])
    before = watch.sample()
    # Pages that nobody had before: an allocator may have such an amount at hand, freed by another test.
    kept = mmap.mmap(-1, 64_000_000)
    kept.write(b"1" * len(kept))
    opened += [os.open(os.devnull, os.O_RDONLY) for _ in range(20)]
    after = watch.sample()
    assert after.memory_mb - before.memory_mb == pytest.approx(len(kept) / 1e6, abs=8)
    assert after.handles - before.handles == 20
    assert after.tasks == 1
    kept.close()


def test_the_same_seed_gives_the_same_calls_and_enough_of_them() -> None:
    def plan(seed: int) -> tuple[CallPlan, ...]:
        return plan_of(["http://127.0.0.1:1"], calls=20, minutes=10, seed=seed).calls

    assert plan(1) == plan(1)
    assert plan(1) != plan(2)
    assert len(plan(1)) >= 20 * 10 * 60 / 8
    assert len({one.call_id for one in plan(1)}) == len(plan(1))
