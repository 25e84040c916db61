"""Our user agent against sipp: every scenario goes right, and each goes wrong with a fault of its own."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.live.telephone.calling import Called, place
from tests.live.telephone.scenario import Scenario
from tests.live.telephone.sipp import Played, Sipp
from tests.live.telephone.table_in_calls import IN_CALLS
from tests.live.telephone.table_of_calls import CALLS
from tests.live.telephone.table_of_refusals import REFUSALS

pytestmark = pytest.mark.live

SCENARIOS: Mapping[str, Scenario] = {**CALLS, **REFUSALS, **IN_CALLS}
SHORT = ("taken and hung up", "a server wants to know who we are", "nobody picks up", "hold and resume")
"""As many as there is time for before every change; the others belong to the long tests."""


def _marked(name: str) -> object:
    return pytest.param(name, marks=() if name in SHORT else pytest.mark.long)


def _play(one: Scenario, folder: Path) -> tuple[Played, Called]:
    async def played() -> tuple[Played, Called]:
        with Sipp(folder, one.steps, tcp=one.tcp) as sipp:
            called = await place(one.call, sipp.port)
            return await sipp.played(), called

    return asyncio.run(played())


def _went_right(one: Scenario, played: Played, called: Called) -> bool:
    try:
        return played.right and one.check(played, called)
    except IndexError:
        # A message that should be there is not.
        return False


def test_sipp_is_installed() -> None:
    assert shutil.which("sipp"), "apt-get install sip-tester: nobody else judges our user agent"


@pytest.mark.parametrize("name", [_marked(name) for name in SCENARIOS])
def test_it_goes_right(name: str, tmp_path: Path) -> None:
    one = SCENARIOS[name]
    played, called = _play(one, tmp_path)
    told = "\n".join(f"{'>' if message.ours else '<'} {message.first}" for message in played.messages)
    assert _went_right(one, played, called), f"{called.error} {called.kinds()}\n{told}\n{played.complaint}"


@pytest.mark.long
@pytest.mark.parametrize("name", list(SCENARIOS))
def test_it_goes_wrong_with_its_fault(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = SCENARIOS[name]
    one.fault(monkeypatch)
    try:
        played, called = _play(one, tmp_path)
    # A fault may be too much for our own side as well.
    except (AssertionError, AttributeError, TypeError):
        return
    assert not _went_right(one, played, called)


def test_there_are_enough_of_them() -> None:
    assert len(SCENARIOS) >= 30
    # No two notice only what the other one notices, but where they say so by their names.
    assert len({id(one.fault) for one in SCENARIOS.values()}) >= 30
