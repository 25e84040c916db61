"""Figures of a suite by the agent's log alone, worked out by hand, and verdicts that are not the log's."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.suites.by_the_log import DID_NOTHING, Place, agreement, by_the_log
from bench.suites.repertoire import Repertoire
from harness.records.scores import ProbeHearing, ProbeReading
from harness.selfcheck.selftest.families.suites import SAYS_AGAIN, SAYS_CONTENT

NOTHING_KNOWN = Repertoire(folder=Path())


def hearing(suite: str = "noise", **fields: object) -> ProbeHearing:
    known = {
        "suite": suite,
        "item": "i",
        "kind": "sentence",
        "language": "en",
        "said": "red green blue black",
    }
    return ProbeHearing.model_validate(known | fields)


def place(ours: ProbeHearing | ProbeReading, **log: str) -> Place:
    return Place(ours=ours, log={**DID_NOTHING, **log}, heard=bool(log))


def test_the_rate_in_noise_is_the_mean_of_three_levels_and_what_was_not_heard_is_missing() -> None:
    places = [
        place(hearing(snr_db=10.0), wrote="red green blue black"),
        place(hearing(snr_db=5.0), wrote="red green blorp black"),
        place(hearing(snr_db=0.0)),
        place(hearing(snr_db=15.0), wrote="blorp"),
        place(hearing(snr_db=0.0, language="zh", said="一二"), wrote="一二"),
    ]
    assert by_the_log("noise", places, NOTHING_KNOWN) == {"wer_noisy": pytest.approx((0 + 0.25 + 1) / 3)}


def test_accents_are_held_to_the_setting_that_each_is_compared_with() -> None:
    places = [
        place(hearing("accent", setting="plain"), wrote="red green blue blorp"),
        place(hearing("accent", setting="broad", against="plain"), wrote="red blorp blorp blorp"),
    ]
    assert by_the_log("accent", places, NOTHING_KNOWN) == {"accent_adaptability": pytest.approx(2.0)}


def test_what_an_agent_does_about_muddle_questions_and_noise() -> None:
    again, content = SAYS_AGAIN[1], SAYS_CONTENT[1]
    places = [
        place(hearing("rejection", usable="speech", did="asked_again"), told=again),
        place(hearing("rejection", usable="speech", did="answered"), told=content),
        place(hearing("rejection", usable="speech", did="silent")),
        place(hearing("rejection", usable="good", did="answered"), told=content),
        place(hearing("rejection", usable="sound", did="answered")),
    ]
    assert by_the_log("rejection", places, NOTHING_KNOWN) == {
        "rejection_rate": 0.5,
        "false_rejection_rate": 0.0,
        "silence_at_noise_rate": 1.0,
    }
    found = agreement("rejection", places, NOTHING_KNOWN)
    assert (found.verdicts, found.right) == (5, 4)
    assert found.wrong == ["i: answered, and really silent"]


def test_symbols_count_where_our_verdicts_are_known_to_be_right() -> None:
    known = {"suite": "symbols", "item": "i", "language": "en", "is_symbol": True}
    right = ProbeReading.model_validate(known | {"kind": "percent", "text": "60%", "verdict": "right"})
    wrong = ProbeReading.model_validate(known | {"kind": "percent", "text": "2%", "verdict": "right"})
    email = ProbeReading.model_validate(known | {"kind": "email", "text": "a@b", "verdict": "wrong"})
    repertoire = Repertoire(folder=Path(), misread={"60%": False, "2%": True, "a@b": False})
    places = [place(one, reply="r.flac") for one in (right, wrong, email)]
    assert by_the_log("symbols", places, repertoire) == {"symbol_mispronunciation_rate": 0.5}
    found = agreement("symbols", places, repertoire)
    assert (found.verdicts, found.right) == (2, 1)


def test_pauses_are_those_that_were_spoken_in_sentences_that_were_measured() -> None:
    known = {"suite": "code_switch", "item": "i", "language": "en", "kind": "fr", "key_language": "fr"}
    seams = {"seams": [{"at_s": 1.0, "pause_s": 0.1, "fluent": False}]}
    places = [
        place(ProbeReading.model_validate(known | {"text": text, "delivery": delivery}), reply="r.flac")
        for text, delivery in (("a", seams), ("b", seams), ("c", {"reason": "it was not found"}))
    ]
    repertoire = Repertoire(folder=Path(), paused_ms={"a": 280.0, "b": 0.0, "c": 280.0})
    assert by_the_log("code_switch", places, repertoire) == {"code_switch_pause_ms": 140.0}
