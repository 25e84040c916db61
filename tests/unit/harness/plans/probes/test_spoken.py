"""Suites in which things are said to the agent: what comes along, sizes, settings, and broken ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from fixtures import PROBES_FOLDER
from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.plans.probes.expanding import ProbesWanted, minutes_of, probe_calls, seconds_of
from harness.plans.probes.forms import load_suite
from harness.plans.probes.spoken import LINES_A_CALL, SpokenSuite
from harness.plans.probes.suite import sound_length_s, suite_names
from metrics.recognition.proper_nouns import find_entity
from voice_sim.conditions import NOISES
from voice_sim.tts import ENGINES

SUITES = ("noise", "accent", "rejection", "entities")
WRITTEN = """
form: spoken
name: toy
version: "1"
summary: A toy.
callers: {en: {engine: piper, name: joe}}
settings:
  - {name: clean}
  - {name: loud, noise: {kind: white, snr_db: 0}, against: clean}
items:
  - {id: one, kind: sentence, language: en, say: Hello there.}
"""


def suite_named(name: str) -> SpokenSuite:
    suite = load_suite(name)
    assert isinstance(suite, SpokenSuite)
    return suite


def calls(name: str, size: str = "quick", seed: int = 0) -> list[dict[str, Any]]:
    return probe_calls([ProbesWanted.model_validate({"suite": name, "size": size})], seed=seed)


def asked(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for call in found for one in call["probe"]["asked"]]


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_that_comes_along_can_be_said(name: str) -> None:
    assert name in suite_names()
    suite = suite_named(name)
    assert set(suite.callers) == {"en", "zh"}
    for item in suite.items:
        if item.sound is not None:
            assert sound_length_s(item.sound) > 0.2
        if item.entity:
            assert find_entity(item.entity, item.say, kind=item.kind, language=item.language).right  # type: ignore[arg-type]
    for setting in suite.settings:
        assert setting.voice is None or setting.voice.engine in ENGINES.names()
        assert setting.noise is None or setting.noise.kind in NOISES.names()
    for one in ("README.md", "LICENSE.md"):
        assert (PROBES_FOLDER / name / one).is_file()


@pytest.mark.parametrize("name", SUITES)
def test_quick_takes_three_minutes_at_most_and_full_has_a_third_in_chinese(name: str) -> None:
    for seed in range(10):
        assert sum(map(seconds_of, calls(name, seed=seed))) <= 180
    assert calls(name, seed=3) == calls(name, seed=3)
    assert any(calls(name, seed=3) != calls(name, seed=seed) for seed in range(4, 9))
    found = calls(name, "full")
    chinese = [call for call in found if call["language"] == "zh"]
    assert len(asked(chinese)) >= len(asked(found)) / 3
    assert all(len(call["probe"]["asked"]) <= LINES_A_CALL for call in found)
    expanded = expand_plan({"agent": "http://127.0.0.1:7860", "probes": [{"suite": name, "size": "full"}]})
    assert len({plan.call_id for plan in expanded.calls}) == len(found)
    told = minutes_of(expanded.calls)
    assert f"{len(found)} calls with {len(asked(found))} lines said to the agent; about" in told


def test_noise_has_the_same_sentences_at_every_level_and_in_every_kind() -> None:
    for size in ("quick", "full"):
        for language in ("en", "zh"):
            own = [call for call in calls("noise", size) if call["language"] == language]
            said = {tuple(one["item"] for one in call["probe"]["asked"]) for call in own}
            assert len(said) == 1
    met = Counter(
        (call["conditions"]["noise"]["snr_db"], call["conditions"]["noise"]["kind"])
        for call in calls("noise", "full")
        if call["language"] == "en" and "conditions" in call
    )
    assert len({kind for _, kind in met}) == 5
    assert set(met.values()) == {1}
    assert {level for level, _ in met} == {15, 10, 5, 0}
    quick = {
        call["conditions"]["noise"]["snr_db"] if "conditions" in call else None
        for call in calls("noise")
        if call["language"] == "en"
    }
    assert quick == {None, 15, 10, 5, 0}


def test_accents_come_with_the_voice_that_they_are_compared_with() -> None:
    suite = suite_named("accent")
    assert sum(bool(one.against) for one in suite.settings_in("en")) >= 6
    for size in ("quick", "full"):
        found = calls("accent", size)
        there = {call["probe"]["setting"] for call in found}
        compared = [call["probe"]["against"] for call in found if call["probe"]["against"]]
        assert compared
        assert set(compared) <= there
    kinds = {one.name: one.voice.engine for one in suite.settings if one.voice is not None}
    for one in suite.settings:
        robots = {name for name, engine in kinds.items() if engine == "espeakng"}
        assert not one.against or (one.name in robots) == (one.against in robots)


@pytest.mark.parametrize(("name", "most"), [("noise", 4), ("accent", 4), ("entities", 3), ("rejection", 3)])
def test_few_is_a_handful_in_one_language_with_what_it_is_compared_with(name: str, most: int) -> None:
    for seed in range(5):
        found = calls(name, "few", seed=seed)
        assert {call["language"] for call in found} == {"en"}
        assert 2 <= len(asked(found)) <= most
        there = {call["probe"]["setting"] for call in found}
        assert {call["probe"]["against"] for call in found} - {""} <= there


def test_entities_are_two_hundred_of_eight_kinds() -> None:
    suite = suite_named("entities")
    counted = Counter((item.kind, item.language) for item in suite.items)
    assert counted.total() >= 200
    assert len({kind for kind, _ in counted}) == 8
    quick = asked(calls("entities"))
    assert len({one["kind"] for one in quick if "-en-" in one["item"]}) == 8


def test_rejection_has_each_kind_and_good_input_in_quick() -> None:
    for seed in range(5):
        quick = asked(calls("rejection", seed=seed))
        assert {one["kind"] for one in quick} == {
            *("good", "reversed", "shreds", "babble", "foreign", "noise", "cough")
        }
        assert sum(one["usable"] == "good" for one in quick) >= 4


def test_a_line_that_nobody_answers_does_not_end_the_call() -> None:
    for name in SUITES:
        for call in calls(name):
            assert {line["kind"] for line in call["script"]["lines"]} == {"aside"}
            # Nobody is given up who says nothing to any line, each of which takes up to ten seconds.
            limits = call["limits"]
            most = len(call["script"]["lines"]) * (limits["prompt_s"] + 10.0)
            assert most < limits["silence_s"] < limits["call_s"]
            for line, one in zip(call["script"]["lines"], call["probe"]["asked"], strict=True):
                sound = line.get("sound")
                assert (sound is None) == (one["usable"] in ("", "good"))
                assert sound is None or sound["words"] == "heard"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("against: clean", "against: dirty", "no setting that others are compared with"),
        ("{name: clean}", "{name: loud}", "settings: names must differ"),
        ("say: Hello there.", 'say: ""', "give say or sound"),
        ("say: Hello there.", "sound: a.flac", "only where 'usable' says what it is"),
        ("say: Hello there.", "usable: speech, sound: ../../x.flac", "lies outside the suite"),
        ("language: en", "language: zh", "each in a language of 'callers'"),
        ("language: en", "language: fr", "items"),
        ("snr_db: 0", "snr_db: 1000", "settings"),
        (
            "say: Hello there.",
            "say: Hello there., entity: there",
            "'sentence' is no kind of entity; known:",
        ),
        ("kind: white", "kind: folder, path: hall", "settings.loud.noise.path: there is no folder 'hall'"),
        ("kind: white", "kind: folder, path: ../hall", "settings.loud.noise.path: it lies outside the suite"),
    ],
)
def test_what_is_broken_is_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "suite.yaml").write_text(WRITTEN.replace(old, new), encoding="utf-8")
    with pytest.raises(UserError, match=told):
        load_suite(f"{tmp_path}/")


def test_a_folder_of_recordings_is_looked_for_in_the_suite(tmp_path: Path) -> None:
    (tmp_path / "hall").mkdir()
    text = WRITTEN.replace("kind: white", "kind: folder, path: hall")
    (tmp_path / "suite.yaml").write_text(text, encoding="utf-8")
    (loud,) = [one for one in calls(f"{tmp_path}/", "full") if "loud" in one["id"]]
    assert loud["conditions"]["noise"]["path"] == str(tmp_path / "hall")


def test_a_suite_of_ones_own_becomes_calls(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text(WRITTEN, encoding="utf-8")
    found = calls(f"{tmp_path}/", "full")
    assert [call["id"] for call in found] == ["toy.en.clean.1", "toy.en.loud.1"]
    assert found[1]["conditions"] == {"noise": {"kind": "white", "snr_db": 0.0}}
    with pytest.raises(UserError, match="toy has no sounds that could be replaced"):
        probe_calls([ProbesWanted.model_validate({"suite": f"{tmp_path}/", "sounds": {"x": "y"}})])


def test_settings_of_every_name_that_a_suite_may_give_have_calls_with_ids_of_their_own() -> None:
    """Long ones, and such as differ only in capitals or in how words are joined."""
    names = ["Loud", "loud", "LOUD", "very loud", "very-loud", "x" * 60, "x" * 59 + "y"]
    content = yaml.safe_load(WRITTEN)
    content["name"] = "t" * 40
    content["settings"] = [{"name": name} for name in names]
    content["items"] = [content["items"][0] | {"id": f"one-{number}"} for number in range(1000)]
    found = SpokenSuite.model_validate(content).calls(size="full", random=Random(0))
    plan = expand_plan({"agent": "http://127.0.0.1:7860", "calls": found})
    ids = [call.call_id for call in plan.calls if call.call_id.endswith(".100")]
    within = [one.removeprefix("t" * 40 + ".en.").removesuffix(".100") for one in ids]
    assert within == ["loud", "loud-2", "loud-3", "very-loud", "very-loud-2", "x" * 32, "x" * 30 + "-2"]
    assert max(map(len, ids)) == 80


def test_the_settings_of_the_page_on_own_suites_fit_together() -> None:
    page = (Path(__file__).parents[5] / "docs" / "own-suites.md").read_text(encoding="utf-8")
    written = page.partition("## `spoken`")[2].partition("```yaml\n")[2].partition("```")[0]
    head = {"form": "spoken", "name": "page", "version": "1", "summary": "Of the page."}
    callers = {"callers": {"en": {"engine": "piper", "name": "joe"}}}
    suite = SpokenSuite.model_validate({**head, **callers, **yaml.safe_load(written)})
    names = {one.name for one in suite.settings}
    assert len(names) == len(suite.settings) == 5
    assert {one.against for one in suite.settings} - {""} <= names
