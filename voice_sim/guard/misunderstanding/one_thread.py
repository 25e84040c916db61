"""Arithmetic of numpy in one thread: for small matrices, several wait for each other by spinning.

On two busy cores a sentence took 2 s in numpy's own threads and 0.04 s in one. numpy cannot be told, its
OpenBLAS can; with another library underneath, nothing is changed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

_FORMS = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")


@contextmanager
def one_thread() -> Iterator[None]:
    """What is inside is worked out in one thread; afterwards there are as many as before."""
    if (found := threads_of_numpy()) is None:
        yield
        return
    get, set_ = found
    before = get()
    set_(1)
    try:
        yield
    finally:
        set_(before)


@cache
def threads_of_numpy() -> tuple[Callable[[], int], Callable[[int], object]] | None:
    """How many threads numpy's OpenBLAS uses, and how to say so; None where it has none that is known."""
    package = Path(np.__file__).parent
    for file in (*package.parent.glob("numpy.libs/*openblas*"), *package.glob(".dylibs/*openblas*")):
        try:
            library = ctypes.CDLL(str(file))
        except OSError:
            continue
        for form in _FORMS:
            get = getattr(library, form.format("get"), None)
            set_ = getattr(library, form.format("set"), None)
            if get is not None and set_ is not None:
                return get, set_
    return None
