"""numpy computes in one thread inside, and in as many as before afterwards, whatever happened."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from voice_sim.guard.misunderstanding.one_thread import one_thread, threads_of_numpy


def test_one_inside_and_as_before_afterwards() -> None:
    found = threads_of_numpy()
    if found is None:
        pytest.skip("numpy has no OpenBLAS of its own here: nothing is changed")
    get, set_ = found
    at_first = get()
    try:
        set_(2)
        with pytest.raises(ValueError, match="2 threads inside: False"):
            _fail_inside(get)
        assert get() == 2
    finally:
        set_(at_first)


def _fail_inside(get: Callable[[], int]) -> None:
    with one_thread():
        raise ValueError(f"2 threads inside: {get() != 1}")
