"""Tables of parts: what is found, and what a person is told when it is not."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from voice_sim.conditions import NOISES
from voice_sim.registry import MissingExtraError, Part, Table, UnknownPartError
from voice_sim.tts import ENGINES, create_engine
from voice_sim.tts.base import SynthesisError

TABLE = Table(
    kind="thing",
    group="outboundeval.no-such-group",
    parts={
        "sqrt": Part(target="math:sqrt"),
        "absent": Part(target="a_package_that_nobody_has:x", extra="local"),
        "broken": Part(target="voice_sim.no_such_module:x", extra="local"),
    },
)


def test_a_part_is_imported_by_name() -> None:
    assert TABLE.load("sqrt")(9.0) == 3.0


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownPartError, match=r"unknown thing 'sqtr'; known: absent, broken, sqrt"):
        TABLE.load("sqtr")


def test_a_missing_package_names_the_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"a_package_that_nobody_has.*outboundeval\[local\]"):
        TABLE.load("absent")


def test_a_missing_module_of_our_own_is_not_disguised_as_a_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        TABLE.load("broken")


def test_piper_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "voice_sim.tts.piper", raising=False)
    monkeypatch.setitem(sys.modules, "piper", None)  # type: ignore[arg-type]  # how Python blocks an import
    with pytest.raises(MissingExtraError, match=r"speech engine 'piper' needs.*outboundeval\[local\]"):
        create_engine("piper")


def test_a_part_of_another_package_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name = "theirs"
        value = "their_package:make"

    def entries(*, group: str, name: str | None = None) -> list[Entry]:
        return [Entry()] if group == TABLE.group and name in (None, "theirs") else []

    package = ModuleType("their_package")
    package.make = "made elsewhere"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "their_package", package)
    monkeypatch.setattr("voice_sim.registry.entry_points", entries)
    assert TABLE.load("theirs") == "made elsewhere"
    assert "theirs" in TABLE.names()


def test_the_known_engines_and_noises() -> None:
    assert {"piper", "espeak"} <= set(ENGINES.names())
    assert {"white", "speech_shaped", "babble"} <= set(NOISES.names())
    with pytest.raises(UnknownPartError, match="espeak, espeakng, kokoro, livekit, piper"):
        create_engine("festival")
    with pytest.raises(SynthesisError, match="needs a folder"):
        create_engine("piper")
