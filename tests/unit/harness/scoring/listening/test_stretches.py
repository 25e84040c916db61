"""Which stretches are heard: whole, long enough, not cut off by the caller, from many calls."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from harness._files.atomic_file import write_model
from harness.calls.guard import GuardFile
from harness.errors import UserError
from harness.records.call import CallStatus
from harness.records.scores import CallScores, InterruptionTiming, SpanSet
from harness.scoring.listening.stretches import in_turn, spoken_stretches, stretches_of, with_sound
from metrics.listening.speech_level import active_speech_level
from tests.unit.harness.scoring.listening.rated_runs import RATE, rated_run


def scores(*energy: tuple[float, float], cut: tuple[float, float] | None = None) -> CallScores:
    interruptions = []
    if cut is not None:
        onset_s, stop_s = cut
        interruptions.append(
            InterruptionTiming(
                index=0,
                user_start_s=stop_s - 0.3,
                agent_onset_s=onset_s,
                planned_offset_s=1.0,
                agent_stop_s=stop_s,
                delay_ms=300.0,
                outcome="stopped",
                within_500ms=True,
            )
        )
    spans = SpanSet(agent={"energy": list(energy), "silero": list(energy)})
    return CallScores(call_id="a", spans=spans, interruptions=interruptions)


def test_pauses_part_them_and_what_is_short_is_left_out() -> None:
    found = spoken_stretches(scores((1.0, 2.0), (2.5, 4.0), (6.0, 7.0), (20.0, 23.0)))
    assert found == [(0.85, 4.15), (19.85, 23.15)]


def test_what_is_long_is_parted_at_its_last_pause() -> None:
    found = spoken_stretches(scores((0.0, 5.0), (5.2, 10.0), (10.3, 14.0)))
    assert found == [(0.0, 10.15), (10.15, 14.15)]
    # Twenty seconds without a pause cannot be parted, and nobody rates them.
    assert spoken_stretches(scores((0.0, 20.0))) == []


def test_what_the_caller_interrupted_is_left_out() -> None:
    assert spoken_stretches(scores((1.0, 4.0), (10.0, 13.0), cut=(10.0, 13.0))) == [(0.85, 4.15)]


def test_energy_that_no_model_calls_speech_is_left_out() -> None:
    spans = SpanSet(agent={"energy": [(1.0, 4.0), (6.0, 9.0)], "silero": [(6.1, 8.9)]})
    assert spoken_stretches(CallScores(call_id="a", spans=spans)) == [(5.85, 9.15)]


def test_every_call_has_its_turn_before_one_has_its_next(tmp_path: Path) -> None:
    first = rated_run(tmp_path / "a", "one", "two", "three")
    second = rated_run(tmp_path / "b", "four")
    found = stretches_of(first) + stretches_of(second, run=1)
    assert len(found) == 8
    for seed in range(20):
        order = in_turn(found, random.Random(seed))
        assert sorted(order, key=repr) == sorted(found, key=repr)
        assert Counter(one.run for one in order[:4]) == {0: 2, 1: 2}
        of_first = [one.call_id for one in order if one.run == 0]
        assert set(of_first[:3]) == {"one", "two", "three"}
    assert in_turn(found, random.Random(1)) == in_turn(found, random.Random(1))


def test_a_clip_is_the_agents_side_of_that_stretch(tmp_path: Path) -> None:
    store = rated_run(tmp_path, "one", "two")
    found = stretches_of(store)
    clips = with_sound(found, [store], most=3)
    assert [clip.stretch for clip in clips] == found[:3]
    for clip in clips:
        audio = store.read_audio(clip.stretch.call_id)
        assert audio is not None
        there = audio[round(clip.stretch.start_s * RATE) : round(clip.stretch.end_s * RATE), 1]
        middle = slice(RATE // 10, -RATE // 10)
        assert np.array_equal(clip.samples[middle], there[middle])
        assert clip.samples[0] == clip.samples[-1] == 0.0
        assert active_speech_level(clip.samples, RATE) is not None


def test_silence_is_passed_over_for_the_next(tmp_path: Path) -> None:
    store = rated_run(tmp_path, "one", "two")
    found = stretches_of(store)
    # By the detectors there was speech; in the recording there is none.
    silent = [one for one in found if one.call_id == "one"]
    audio = store.read_audio("one")
    assert audio is not None
    beyond = [one.__class__(**{**vars(one), "start_s": 7.0, "end_s": 9.0}) for one in silent]
    clips = with_sound([*beyond, *(one for one in found if one.call_id == "two")], [store], most=1)
    assert [clip.stretch.call_id for clip in clips] == ["two"]


def test_a_call_that_is_in_no_figure_is_not_rated(tmp_path: Path) -> None:
    store = rated_run(tmp_path, "one", "two")
    guilty = GuardFile(verdict="guilty", version="1")
    write_model(store.call_folder("one") / "guard.json", guilty)
    assert {one.call_id for one in stretches_of(store)} == {"two"}
    write_model(store.call_folder("two") / "guard.json", guilty)
    with pytest.raises(UserError, match="2 were left out, because our own side or caller was"):
        stretches_of(store)


def test_a_call_in_which_our_own_side_failed_is_not_rated(tmp_path: Path) -> None:
    store = rated_run(tmp_path, "one", "two")
    record = store.read_record("one")
    assert record is not None
    failed = record.model_copy(update={"status": CallStatus.HARNESS_FAULT})
    write_model(store.record_file("one"), failed)
    assert {one.call_id for one in stretches_of(store)} == {"two"}


def test_a_run_that_was_not_scored_says_so(tmp_path: Path) -> None:
    store = rated_run(tmp_path, "one")
    (store.call_folder("one") / "scores.json").unlink()
    with pytest.raises(UserError, match=f"no call of it was scored; outboundeval score {tmp_path}"):
        stretches_of(store)
