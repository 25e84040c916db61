"""Suites on disk: the one that comes along, and broken ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness.errors import UserError
from harness.plans.probes.forms import load_suite
from harness.plans.probes.sounds import SoundSuite
from harness.plans.probes.suite import sound_length_s, suite_names

WRITTEN = """
name: toy
version: "1"
summary: A toy.
callers: {en: {engine: piper, name: joe}}
requests: {en: [Tell me more.]}
items:
  - {id: one, kind: cough, sound: SOUND}
"""


def written(folder: Path, text: str) -> str:
    (folder / "suite.yaml").write_text(text, encoding="utf-8")
    return f"{folder}/"


def test_every_suite_that_comes_along_is_whole() -> None:
    assert "restraint" in suite_names()
    for name in suite_names():
        suite = load_suite(name)
        assert suite.name == name
        assert suite.described()
        if isinstance(suite, SoundSuite):
            for item in suite.items:
                assert sound_length_s(item.sound) > 0.2


def test_chinese_has_sounds_of_every_kind() -> None:
    suite = load_suite("restraint")
    assert isinstance(suite, SoundSuite)
    assert all(suite.items_in("zh", kind) and suite.items_in("en", kind) for kind in suite.kinds)
    assert set(suite.kinds) == {"backchannel", "side_talk", "tv", "cough", "keyboard", "hold_music"}


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(UserError, match=r"there is no probe suite 'restrain'; known: .*restraint"):
        load_suite("restrain")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("SOUND", "../../x.flac", "its sound lies outside the suite"),
        ("SOUND", "b.flac", r"items\.one: there is no sound 'b\.flac' in the suite's folder"),
        ("name: toy", "name: Toy", "name"),
        ("{id: one, kind: cough, sound: SOUND}", "{id: ONE, kind: cough, sound: a.flac}", "items"),
        ("{en: [Tell me more.]}", "{zh: [好。]}", "requests: one list"),
        ('version: "1"', 'version: "1"\nover_after_s: [3, 1]', "the smaller first"),
        ("items:", "other: 1\nitems:", "other"),
        ("name: toy", "form: songs\nname: toy", "there is no form of suite 'songs'; known: sounds"),
        ("name: toy", "form: [1]\nname: toy", "there is no form of suite"),
    ],
)
def test_what_is_broken_is_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "a.flac").touch()
    name = written(tmp_path, WRITTEN.replace(old, new).replace("SOUND", "a.flac"))
    with pytest.raises(UserError, match=told):
        load_suite(name)


def test_names_and_kinds_of_one_s_own_may_have_digits(tmp_path: Path) -> None:
    (tmp_path / "a.flac").touch()
    text = WRITTEN.replace("toy", "my-hotel_2").replace("cough", "bell_2").replace("SOUND", "a.flac")
    suite = load_suite(written(tmp_path, text))
    assert (suite.name, [one.split()[3:] for one in suite.described()]) == (
        "my-hotel_2",
        [["dB", "(bell", "2)"]],
    )


def test_what_cannot_be_planted_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    with pytest.raises(UserError, match="cannot be read as sound"):
        sound_length_s(path)
    path.write_bytes(b"no sound")
    with pytest.raises(UserError, match="cannot be read as sound"):
        sound_length_s(path)
    soundfile.write(path, np.zeros((16_000, 2)), 16_000)
    with pytest.raises(UserError, match="2 channels"):
        sound_length_s(path)
