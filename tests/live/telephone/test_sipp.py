"""Our user agent against sipp: every scenario goes right, and each goes wrong with a fault of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.live.telephone.matrix import (
    BEGIN,
    END,
    PAGE,
    SCENARIOS,
    play,
    row,
    went_right,
    went_right_with_a_fault,
)

pytestmark = pytest.mark.live

SHORT = ("taken and hung up", "a server wants to know who we are", "nobody picks up", "hold and resume")
"""As many as there is time for before every change; the others belong to the long tests."""


def _marked(name: str) -> object:
    return pytest.param(name, marks=() if name in SHORT else pytest.mark.long)


def test_sipp_is_installed() -> None:
    assert shutil.which("sipp"), "apt-get install sip-tester: nobody else judges our user agent"


@pytest.mark.parametrize("name", [_marked(name) for name in SCENARIOS])
def test_it_goes_right(name: str, tmp_path: Path) -> None:
    one = SCENARIOS[name]
    played, called = play(one, tmp_path)
    told = "\n".join(f"{'>' if message.ours else '<'} {message.first}" for message in played.messages)
    assert went_right(one, played, called), f"{called.error} {called.kinds()}\n{told}\n{played.complaint}"


@pytest.mark.long
@pytest.mark.parametrize("name", list(SCENARIOS))
def test_it_goes_wrong_with_its_fault(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = SCENARIOS[name]
    one.fault(monkeypatch)
    assert not went_right_with_a_fault(one, tmp_path)


def test_there_are_enough_of_them() -> None:
    assert len(SCENARIOS) >= 30
    # No two notice only what the other one notices, but where they say so by their names.
    assert len({id(one.fault) for one in SCENARIOS.values()}) >= 30


def test_the_page_has_every_pair() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page[page.index(BEGIN) : page.index(END)]
    rows = [
        line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| what sipp")
    ]
    assert rows == [row(name) for name in SCENARIOS]
