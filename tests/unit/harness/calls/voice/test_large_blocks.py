"""Memory of large arrays between small ones that stay: kept by the heap, or given back."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness.calls.voice.large_blocks import give_back_large_blocks

MEASURE = """
import sys
import numpy as np
import psutil
from harness.calls.voice.large_blocks import give_back_large_blocks

if sys.argv[1] == "given back":
    give_back_large_blocks()
np.ones(3_000_000)  # freed at once: from here on the heap serves blocks of this size
before = psutil.Process().memory_info().rss
large, small = [], []
for _ in range(20):
    large.append(np.ones(1_000_000))
    small.append(np.ones(5_000))
large.clear()
print((psutil.Process().memory_info().rss - before) / 1e6)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the heap is glibc's")
def test_what_large_arrays_took_goes_back_to_the_system() -> None:
    kept_mb = {
        how: float(
            subprocess.run(
                [sys.executable, "-c", MEASURE, how], capture_output=True, text=True, check=True, timeout=120
            ).stdout
        )
        for how in ("as it is", "given back")
    }
    assert kept_mb["given back"] < 10
    assert kept_mb["as it is"] > 100, "the heap gives it back by itself: the module is of no use any more"


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda name: object())
    give_back_large_blocks()
