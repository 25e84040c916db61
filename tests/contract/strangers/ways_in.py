"""Every way in: how a text of a stranger gets to us there, and what is made of it.

A new boundary is a function in a file beside this one: it takes the text, brings it in as the stranger would,
and returns what came in. ``LINES`` are those that keep several lines: a document's text, a chat's turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

WAYS: dict[str, Callable[[str, Path], list[str]]] = {}
LINES: set[str] = set()
Way = Callable[[str, Path], list[str]]


def way(name: str, *, lines: bool = False) -> Callable[[Way], Way]:
    """Registers a way in."""

    def registered(function: Way) -> Way:
        WAYS[name] = function
        if lines:
            LINES.add(name)
        return function

    return registered


def texts(content: Any) -> Iterator[str]:
    """Every text and key in what JSON may hold."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from (*texts(key), *texts(value))
    elif isinstance(content, list | tuple):
        for value in content:
            yield from texts(value)


@contextmanager
def refused(*kinds: type[Exception]) -> Iterator[list[str]]:
    """What the refusal says; there has to be one."""
    said: list[str] = []
    with pytest.raises(kinds, match=r".") as refusal:
        yield said
    said.append(str(refusal.value))
