"""What a page is made of: kinds and counts, one level, known degradations, nothing that tells."""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness.errors import UserError
from harness.scoring.listening import making
from harness.scoring.listening.key import read_key, write_key
from harness.scoring.listening.making import ListeningPage, make_page
from metrics.listening.headphone_tones import headphone_trial
from metrics.listening.speech_level import active_speech_level
from tests.unit.harness.scoring.listening.rated_runs import TALKS, rated_run

WORDS = "your money will be back on friday"


@pytest.fixture(scope="module")
def acr(tmp_path_factory: pytest.TempPathFactory) -> ListeningPage:
    folder = tmp_path_factory.mktemp("acr") / "run"
    rated_run(folder, "one", "two", "three")
    return make_page([folder], method="acr", clips=5, seed=3)


@pytest.fixture(scope="module")
def ccr(tmp_path_factory: pytest.TempPathFactory) -> ListeningPage:
    folder = tmp_path_factory.mktemp("ccr")
    rated_run(folder / "old", "one", "two", words=WORDS)
    rated_run(folder / "new", "two", "one", words=WORDS, talks=(TALKS[0],))
    return make_page([folder / "old", folder / "new"], method="ccr", clips=8, seed=3)


def heard(page: ListeningPage, sound: str) -> tuple[np.ndarray, int]:
    samples, rate = soundfile.read(io.BytesIO(page.sounds[sound]), dtype="float32")
    return samples, rate


def test_an_acr_page_has_what_the_method_asks_for(acr: ListeningPage) -> None:
    [key] = acr.keys
    assert Counter(one.kind for one in key.items.values()) == {"clip": 5, "anchor": 4, "gold": 4, "trap": 2}
    assert (acr.clips, acr.calls, len(acr.sheet.training), len(acr.sheet.tones)) == (5, 3, 4, 6)
    assert {one.q_db for one in key.items.values() if one.kind == "anchor"} == {5.0, 15.0, 25.0, 35.0}
    clips = [one.places[0] for one in key.items.values() if one.kind == "clip"]
    assert len({(one.call_id, one.start_s) for one in clips}) == 5


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    runs = [rated_run(tmp_path / place / "nightly", "one").folder for place in ("old", "new")]
    other = rated_run(tmp_path / "other", "one").folder
    page = make_page([*runs, other], method="acr", clips=6, seed=0)
    assert page.keys[0].runs == ("old/nightly", "new/nightly", "other")


def test_a_ccr_page_has_what_the_method_asks_for(ccr: ListeningPage) -> None:
    old, new = ccr.keys
    assert (old.this_run, new.this_run, old.runs) == (0, 1, ("old", "new"))
    assert old.items == new.items
    assert Counter(one.kind for one in old.items.values()) == {"clip": 2, "gold": 3, "null": 2}
    for one in old.items.values():
        if one.kind == "clip":
            assert {place.run for place in one.places} == {0, 1}
            assert len({place.call_id for place in one.places}) == 1


def test_every_clip_is_at_the_same_level_and_none_is_compressed(
    acr: ListeningPage, ccr: ListeningPage
) -> None:
    for page in (acr, ccr):
        traps = {item.id for item in page.sheet.items if page.keys[0].items[item.id].kind == "trap"}
        peaks = []
        for item in (*page.sheet.training, *page.sheet.items):
            for sound in item.sounds:
                samples, rate = heard(page, sound)
                assert (rate, samples.ndim) == (48_000, 1)
                peaks.append(float(np.max(np.abs(samples))))
                if item.id in traps:
                    first, second = samples[: 2 * rate], samples[round(2.4 * rate) :]
                    assert not np.any(np.abs(samples[round(2.01 * rate) : round(2.39 * rate)]) > 1e-4)
                    levels = [active_speech_level(one, rate) for one in (first, second)]
                else:
                    levels = [active_speech_level(samples, rate)]
                assert levels == pytest.approx([page.keys[0].level_dbov] * len(levels), abs=0.05)
        assert page.keys[0].level_dbov <= -26.0
        assert max(peaks) <= 0.9801
        if page.keys[0].level_dbov < -26.0:
            assert max(peaks) == pytest.approx(0.98, abs=0.0005), "no quieter than it has to be"


def test_an_anchor_is_its_clip_with_noise_of_its_strength(acr: ListeningPage) -> None:
    [key] = acr.keys
    clips = {
        key.items[one.id].places[0]: one.sounds[0]
        for one in acr.sheet.items
        if key.items[one.id].kind == "clip"
    }
    measured = {}
    for item in acr.sheet.items:
        is_ = key.items[item.id]
        if is_.kind == "anchor":
            clean, noisy = (
                heard(acr, one)[0].astype(float) for one in (clips[is_.places[0]], item.sounds[0])
            )
            gain = float(clean @ noisy / (clean @ clean))
            rest = noisy - gain * clean
            measured[is_.q_db] = 10 * np.log10(gain**2 * (clean @ clean) / (rest @ rest))
    assert measured == pytest.approx({q_db: q_db for q_db in (5.0, 15.0, 25.0, 35.0)}, abs=0.3)


def test_a_null_pair_sounds_the_same_and_differs_in_its_bytes(ccr: ListeningPage) -> None:
    key = ccr.keys[0]
    for item in ccr.sheet.items:
        first, second = (heard(ccr, one)[0] for one in item.sounds)
        if key.items[item.id].kind == "null":
            assert ccr.sounds[item.sounds[0]] != ccr.sounds[item.sounds[1]]
            assert np.max(np.abs(first - second)) <= 3.1 / 32768
            assert key.items[item.id].right == (-1, 0, 1)
        elif key.items[item.id].kind == "gold":
            right = key.items[item.id].right
            assert right in ((-3, -2, -1), (1, 2, 3))
            # Noise is what a high-pass leaves.
            rough = [float(np.std(np.diff(one))) for one in (first, second)]
            assert (rough[1] > rough[0]) == (max(right) < 0)


def test_nothing_on_the_page_tells_what_is_what(acr: ListeningPage, ccr: ListeningPage) -> None:
    for page in (acr, ccr):
        content = page.sheet.model_dump()
        assert set(content) == {"method", "volume", "tones", "training", "items", "sounds"}
        assert {field for item in content["items"] for field in item} == {"id", "sounds"}
        for item in page.sheet.items:
            for sound in item.sounds:
                samples, _ = heard(page, sound)
                # A WAV header and two bytes a sample: the size is the duration and no more.
                assert len(page.sounds[sound]) == 44 + 2 * len(samples)
    assert [one.id for one in acr.sheet.items] == sorted(one.id for one in acr.sheet.items)


@pytest.mark.long
def test_the_place_on_the_page_is_by_chance(tmp_path: Path) -> None:
    rated_run(tmp_path, "one")
    kinds: Counter[str] = Counter()
    for seed in range(8):
        page = make_page([tmp_path], method="acr", clips=2, seed=seed, headphones=False)
        kinds[page.keys[0].items["q001"].kind] += 1
    # 2 clips, 4 anchors, 4 gold and 2 traps of 12: a fixed order would give 8 of one.
    assert max(kinds.values()) < 7
    assert len(kinds) >= 3


def test_the_tones_are_those_of_the_key(acr: ListeningPage) -> None:
    softer = acr.keys[0].softer
    assert Counter(softer) == {1: 2, 2: 2, 3: 2}
    for right, sound in zip(softer, acr.sheet.tones, strict=True):
        samples, rate = heard(acr, sound)
        meant = [headphone_trial(softer=right, inverted=other) for other in (1, 2, 3) if other != right]
        assert rate == 8_000
        assert min(float(np.max(np.abs(samples - one))) for one in meant) < 0.001


def test_the_sheet_is_a_checksum_over_every_sound(tmp_path: Path, acr: ListeningPage) -> None:
    assert set(acr.sheet.sounds) == set(acr.sounds)
    for name, content in acr.sounds.items():
        assert acr.sheet.sounds[name] == hashlib.sha256(content).hexdigest()
    other = dict(acr.sheet.sounds) | {"s001": "0" * 64}
    assert acr.sheet.model_copy(update={"sounds": other}).id != acr.sheet.id
    rated_run(tmp_path / "run", "one", "two", "three")
    again = make_page([tmp_path / "run"], method="acr", clips=5, seed=3)
    assert again == acr
    assert make_page([tmp_path / "run"], method="acr", clips=5, seed=4).sheet.id != acr.sheet.id
    assert make_page([tmp_path / "run"], method="acr", clips=5, seed=3, headphones=False).sheet.tones == ()


def test_a_key_comes_back_and_a_changed_one_is_refused(tmp_path: Path, acr: ListeningPage) -> None:
    [key] = acr.keys
    path = write_key(tmp_path, key)
    assert path == tmp_path / "listening" / f"key-{acr.sheet.id}.json"
    assert read_key(tmp_path, acr.sheet.id) == key
    path.write_text(path.read_text().replace('"tones": [\n   "s', '"tones": [\n   "s001", "s'))
    with pytest.raises(UserError, match=r"key-.*\.json"):
        read_key(tmp_path, acr.sheet.id)
    with pytest.raises(
        UserError, match=f"no page {'0' * 16} was made from this run; pages of this run: {acr.sheet.id}"
    ):
        read_key(tmp_path, "0" * 16)


def test_what_cannot_be_made_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rated_run(tmp_path / "a", "one", words=WORDS)
    rated_run(tmp_path / "b", "one", words="something else altogether was said here")
    with pytest.raises(
        UserError, match="there is no pair: in no call of the same id did the agent say the same"
    ):
        make_page([tmp_path / "a", tmp_path / "b"], method="ccr", clips=4, seed=0)
    with pytest.raises(UserError, match="ccr compares two runs, and 1 were given"):
        make_page([tmp_path / "a"], method="ccr", clips=4, seed=0)
    with pytest.raises(UserError, match="the same run was given twice"):
        make_page([tmp_path / "a", tmp_path / "a" / "."], method="acr", clips=4, seed=0)
    with pytest.raises(UserError, match="nothing of it is among the 1 clips"):
        make_page([tmp_path / "a", tmp_path / "b"], method="acr", clips=1, seed=0)
    monkeypatch.setattr(making, "MAX_SOUND_BYTES", 1_000_000)
    with pytest.raises(UserError, match=r"4 clips make a page of \d+ MB"):
        make_page([tmp_path / "a"], method="acr", clips=4, seed=0)
    with pytest.raises(UserError, match="no run: it has neither"):
        make_page([tmp_path / "nowhere"], method="acr", clips=1, seed=0)
