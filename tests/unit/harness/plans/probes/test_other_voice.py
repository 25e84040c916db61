"""Dialogues with another voice, drawn from the suite that comes along."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.probes.expanding import ProbesWanted, items_of, minutes_of, probe_calls, seconds_of
from harness.plans.probes.forms import load_suite
from harness.plans.probes.other_voice import OtherVoiceSuite
from harness.plans.probes.planted import ProbePlan
from metrics.recognition.proper_nouns import find_entity
from spoken_language.entity_kinds import EntityKind
from voice_sim.policies.script import LineSound

AGENT = "http://127.0.0.1:7860"


def suite() -> OtherVoiceSuite:
    found = load_suite("attention")
    assert isinstance(found, OtherVoiceSuite)
    return found


def calls(size: str = "quick", seed: int = 0) -> list[dict[str, Any]]:
    return probe_calls([ProbesWanted.model_validate({"suite": "attention", "size": size})], seed=seed)


def dialogues(found: list[dict[str, Any]], language: str | None = None) -> list[dict[str, Any]]:
    return [
        one for call in found if language in (None, call["language"]) for one in call["probe"]["attended"]
    ]


def plans(size: str) -> tuple[CallPlan, ...]:
    return expand_plan({"agent": AGENT, "probes": [{"suite": "attention", "size": size}]}).calls


def test_what_is_to_be_taken_up_stands_in_the_request_and_nothing_of_the_others() -> None:
    own = suite()
    for request in own.requests:
        kind = cast(EntityKind, request.kind)
        assert find_entity(request.entity, request.say, kind=kind, language=request.language).right, request
        for other in own.others:
            assert not any(word.casefold() in request.say.casefold() for word in other.words), (
                request,
                other,
            )
    for other in own.others:
        assert all(word.casefold() in other.says.casefold() for word in other.words), other


def test_a_word_that_the_caller_says_too_is_none_of_the_other_s() -> None:
    shipped = suite()
    voice = next(one for one in shipped.others if one.id == "other-en-1")
    asked = next(one for one in shipped.requests if one.id == "under-en-1")
    asks = asked.model_copy(update={"say": "About the parrot, on March 14th. Could you repeat the date?"})
    babble = next(one for one in shipped.others if one.language == "en" and one.babble)
    own = shipped.model_copy(
        update={"requests": (asks,), "others": (voice, babble), "callers": {"en": shipped.callers["en"]}}
    )
    found = dialogues(own.calls(size="full", random=Random(0)))
    heard = [one["words"] for one in found if one["heard"] == "voice"]
    assert heard == [["kitchen"]] * 3


def test_the_longest_names_that_requests_and_voices_may_have_make_a_plan() -> None:
    shipped = suite()
    asks = shipped.requests[0].model_copy(update={"id": "r" * 50, "place": "over_agent", "language": "en"})
    voice = next(one for one in shipped.others if one.id == "other-en-1")
    babble = next(one for one in shipped.others if one.language == "en" and one.babble)
    own = shipped.model_copy(
        update={
            "requests": (asks,),
            "others": (voice.model_copy(update={"id": "v" * 60}), babble),
            "callers": {"en": shipped.callers["en"]},
            "snrs_db": (-9.99999,),
        }
    )
    (call,) = own.calls(size="full", random=Random(0))
    longest = f"{'r' * 50} {'v' * 60} -9.99999 dB"
    assert set(items_of([call])) == {f"{'r' * 50} alone", longest}
    assert longest in ProbePlan.model_validate(call["probe"]).items


def test_the_other_voices_are_short_enough_to_be_heard_whole() -> None:
    for other in suite().others:
        said = recorded_line(LineSound(path=other.sound, words="heard", trimmed=True), level_dbfs=-23.0)
        assert 1.0 < said.duration_s < 3.5, other.id


def test_full_is_sixty_and_thirty_dialogues_and_each_request_once_alone() -> None:
    found = calls("full")
    for language, least in (("en", 60), ("zh", 30)):
        there = dialogues(found, language)
        others = Counter((one["place"], one["heard"], one["snr_db"]) for one in there if one["heard"])
        assert others.total() >= least
        assert len(others) == 8
        assert len(set(others.values())) == 1
        alone = Counter(one["request"] for one in there if not one["heard"])
        assert set(alone.values()) == {1}
        assert set(alone) == {one["request"] for one in there}


def test_quick_takes_three_minutes_and_has_every_ratio_at_both_places() -> None:
    for seed in range(10):
        found = calls(seed=seed)
        assert sum(map(seconds_of, found)) <= 180
        english = {(one["place"], one["heard"], one["snr_db"]) for one in dialogues(found, "en")}
        assert len(english) == 10
        assert {one["snr_db"] for one in dialogues(found, "zh")} == {None, 0}


def test_few_is_one_request_alone_and_with_another_voice() -> None:
    assert [one["snr_db"] for one in dialogues(calls("few"))] in ([None, 0], [0, None])


@pytest.mark.parametrize("size", ["few", "quick", "full"])
def test_lines_and_dialogues_fit_together(size: str) -> None:
    found = plans(size)
    for call in found:
        assert call.probe is not None
        assert call.script is not None
        places = {one.item: one for one in call.probe.planted}
        for one in call.probe.attended:
            line = call.script.lines[one.line]
            assert find_entity(
                one.entity, line.say, kind=cast(EntityKind, one.kind), language=call.language
            ).right
            assert (line.under is not None) == (one.place == "under_request" and not one.control)
            if line.under is not None:
                assert line.under.level_db == -(one.snr_db or 0)
                assert len(line.under.sha256) == 64
            assert (one.item in places) == (one.place == "over_agent")
            if one.place == "over_agent" and not one.control:
                falls_in = call.script.lines[places[one.item].line]
                assert places[one.item].line == one.line + 1
                assert falls_in.sound is not None
                assert falls_in.sound.level_db == -(one.snr_db or 0)
                assert falls_in.kind == "backchannel"
    told = minutes_of(found)
    assert f"{sum(len(call.probe.attended) for call in found if call.probe)} dialogues" in told
    assert "places" not in told


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("others", [{"id": "a", "language": "en", "sound": "a.flac"}], "give says"),
        (
            "others",
            [{"id": "a", "language": "en", "sound": "a.flac", "babble": True}],
            "one voice and a babble",
        ),
        ("snrs_db", [99], "less than or equal to 40"),
        ("requests", [], "at least 1"),
    ],
)
def test_a_broken_suite_is_told(tmp_path: Path, field: str, value: Any, told: str) -> None:
    content = suite().model_dump(mode="json") | {field: value}
    for one in content["others"]:
        one["sound"] = "a.flac"
    (tmp_path / "suite.yaml").write_text(__import__("json").dumps(content), encoding="utf-8")
    with pytest.raises(UserError, match=told):
        load_suite(f"{tmp_path}/")
