"""A spoken suite's check finds noise at its level, and a sound that cannot reach its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from harness.errors import UserError
from harness.plans.call import NoisePlan, VoicePlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.spoken import Setting, SpokenItem, SpokenSuite
from harness.selfcheck.suites import spoken
from harness.selfcheck.suites.spoken import check_spoken
from tests.unit.harness.selfcheck.test_probes import Deaf


@pytest.fixture(autouse=True)
def _no_recogniser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken, "Instruments", Deaf)


def suite_of(items: tuple[SpokenItem, ...], settings: tuple[Setting, ...] = ()) -> SpokenSuite:
    suite = load_suite("noise")
    assert isinstance(suite, SpokenSuite)
    robot = VoicePlan(engine="espeakng", name="en-us")
    return suite.model_copy(update={"items": items, "settings": settings, "callers": {"en": robot}})


def test_noise_is_so_far_below_the_voice() -> None:
    said = SpokenItem(
        id="one", kind="sentence", language="en", say="The train leaves from the other platform."
    )
    settings = (
        Setting(name="clean"),
        Setting(name="street", noise=NoisePlan(kind="street", snr_db=5)),
        Setting(name="shaped", noise=NoisePlan(kind="speech_shaped", snr_db=0)),
    )
    checked, notes = check_spoken(suite_of((said,), settings))
    assert [one.problem for one in checked] == [""] * 3
    assert [one.snr_db for one in checked] == [None, pytest.approx(5, abs=1), pytest.approx(0, abs=1)]
    assert {one.rate for one in checked} == {None}
    assert notes == ["words were not checked: whisper is not installed"]


def test_noise_that_cannot_be_made_is_told_of_its_setting_and_the_others_are_checked() -> None:
    """At -10 dBFS noise that is 10 dB louder reaches full scale by its power alone."""
    said = SpokenItem(id="one", kind="sentence", language="en", say="The train leaves from here.")
    loud = VoicePlan(engine="espeakng", name="en-us", level_dbfs=-10.0)
    settings = (
        Setting(name="storm", voice=loud, noise=NoisePlan(kind="white", snr_db=-10)),
        Setting(name="unheard", noise=NoisePlan(kind="rain", snr_db=5)),
        Setting(name="clean"),
    )
    checked, _ = check_spoken(suite_of((said,), settings))
    storm, unheard, clean = checked
    assert "clips by" in storm.problem
    assert (storm.setting, storm.lines, storm.snr_db, storm.wanted_db, storm.rate) == (
        "storm",
        1,
        None,
        -10,
        None,
    )
    assert "rain" in unheard.problem
    assert clean.problem == ""


def test_noise_of_a_folder_is_that_of_its_recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hum of 1 kHz: what is laid under the line has hardly anything else in it."""
    said = SpokenItem(id="one", kind="sentence", language="en", say="The train leaves from here.")
    hall = Setting(name="hall", noise=NoisePlan(kind="folder", path=tmp_path, snr_db=0))
    with pytest.raises(UserError, match="holds no recording"):
        check_spoken(suite_of((said,), (hall,)))
    hum = 0.1 * np.sin(2 * np.pi * 1000 * np.arange(32_000) / 16_000)
    soundfile.write(tmp_path / "hum.wav", hum, 16_000)
    beds = []

    def rate(items: object, said: object, bed: NDArray[np.float32], *others: object) -> None:
        beds.append(np.abs(np.fft.rfft(bed)) ** 2)

    monkeypatch.setattr(spoken, "_rate", rate)
    (checked,), _ = check_spoken(suite_of((said,), (hall,)))
    assert (checked.problem, checked.snr_db) == ("", pytest.approx(0, abs=1))
    (power,) = beds
    hz = np.arange(len(power)) * 48_000 / (2 * (len(power) - 1))
    assert power[(hz > 900) & (hz < 1100)].sum() > 0.95 * power.sum()


def test_a_sound_that_cannot_be_loud_enough_is_told(tmp_path: Path) -> None:
    clicks = np.zeros(16_000, np.float32)
    clicks[:: 16_000 // 2] = 0.5
    path = tmp_path / "clicks.wav"
    soundfile.write(path, clicks, 16_000)
    items = (SpokenItem(id="clicks", kind="noise", language="en", usable="sound", sound=path),)
    checked, _ = check_spoken(suite_of(items))
    assert [one.setting for one in checked] == ["caller", "clicks"]
    assert "its level is" in checked[1].problem


def test_an_entity_that_its_own_sentence_has_not_is_told() -> None:
    said = {"language": "en", "say": "My order is H B two zero four seven.", "kind": "code"}
    items = tuple(
        SpokenItem.model_validate(said | {"id": name, "entity": entity})
        for name, entity in (("right", "HB2047"), ("wrong", "HB2074"))
    )
    checked, _ = check_spoken(suite_of(items))
    assert [(one.setting, one.problem) for one in checked if one.problem] == [
        ("wrong", "'HB2074' is not found in its own sentence: no agent could be right")
    ]


def test_the_sounds_that_come_along_reach_their_level() -> None:
    suite = load_suite("rejection")
    assert isinstance(suite, SpokenSuite)
    sounds = tuple(item for item in suite.items if item.sound is not None)
    checked, _ = check_spoken(suite_of(sounds))
    assert [one.setting for one in checked[1:] if one.problem] == []
