"""sipp calls us: every scenario goes right, and each goes wrong with a fault of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.live.telephone.rung.being_called import Rung, be_called
from tests.live.telephone.rung.table import INCOMING, Incoming
from tests.live.telephone.sipp import Played, Sipp

pytestmark = pytest.mark.live

SHORT = (
    "it rings, is picked up, and the agent hangs up",
    "the agent gives up while it rings",
    "whoever rings has to know a password",
)
"""As many as there is time for before every change; the others belong to the long tests."""


def _marked(name: str) -> object:
    return pytest.param(name, marks=() if name in SHORT else pytest.mark.long)


def _play(one: Incoming, folder: Path) -> tuple[Played, Rung]:
    played: list[Played] = []

    async def agent(port: int) -> None:
        with Sipp(folder, one.steps, tcp=one.tcp, calls=port, password=one.password) as sipp:
            played.append(await sipp.played())

    rung = asyncio.run(be_called(one.answer, agent))
    return played[0], rung


def _went_right(one: Incoming, played: Played, rung: Rung) -> bool:
    try:
        return played.right and one.check(played, rung)
    except (IndexError, KeyError):
        # A message or an event that should be there is not.
        return False


@pytest.mark.parametrize("name", [_marked(name) for name in INCOMING])
def test_it_goes_right(name: str, tmp_path: Path) -> None:
    one = INCOMING[name]
    played, rung = _play(one, tmp_path)
    told = "\n".join(f"{'>' if message.ours else '<'} {message.first}" for message in played.messages)
    assert _went_right(one, played, rung), f"{rung.error} {rung.kinds()}\n{told}\n{played.complaint}"


@pytest.mark.long
@pytest.mark.parametrize("name", list(INCOMING))
def test_it_goes_wrong_with_its_fault(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = INCOMING[name]
    one.fault(monkeypatch)
    try:
        played, rung = _play(one, tmp_path)
    # A fault may be too much for our own side as well.
    except (AssertionError, AttributeError, TypeError, IndexError):
        return
    assert not _went_right(one, played, rung)


def test_there_are_enough_of_them() -> None:
    assert len(INCOMING) >= 30
