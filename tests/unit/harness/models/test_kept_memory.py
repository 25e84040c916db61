"""Large arrays, one after the other, in a thread as networks have them: how often pages are had anew."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness.models.kept_memory import keep_freed_memory

MEASURE = """
import sys
from resource import RUSAGE_SELF, getrusage
from threading import Thread

import numpy as np

from harness.models.kept_memory import keep_freed_memory

if sys.argv[1] == "kept":
    keep_freed_memory()


def passing():
    for _ in range(20):
        np.ones(10_000_000)


def in_a_thread():
    thread = Thread(target=passing)
    thread.start()
    thread.join()


in_a_thread()
before = getrusage(RUSAGE_SELF).ru_minflt
in_a_thread()
print(getrusage(RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the heap is glibc's")
def test_memory_of_large_arrays_is_used_again_by_other_threads() -> None:
    faults = {
        how: int(
            subprocess.run(
                [sys.executable, "-c", MEASURE, how], capture_output=True, text=True, check=True, timeout=120
            ).stdout
        )
        for how in ("as it is", "kept")
    }
    assert faults["kept"] < 100
    assert faults["as it is"] > 300, "memory is kept by itself: the module is of no use any more"


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda name: object())
    keep_freed_memory()
