"""Two runs of the same plan against the calibration agent: the same caller, apart from measured times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from harness.records.call import CallRecord, CallStatus, Event
from harness.runs.store import RunStore
from harness.selfcheck.reference_agents import serving
from tests.faults.command_line import start, write_plan
from tests.faults.placing import beneath_pacing

pytestmark = [pytest.mark.live, pytest.mark.calls(places=2), pytest.mark.long]

BEHAVIOUR: dict[str, Any] = {
    "greeting": {"after_ms": 200, "say": {"tone_ms": 600}},
    "turns": [
        {"answer_after_ms": 400, "say": {"tone_ms": 4000}, "stop_after_ms": 300, "expect_ms": 600},
        {"answer_after_ms": 300, "say": {"tone_ms": 500}, "expect_ms": 600},
    ],
    "quiet_ms": 300,
}
PLAN: list[dict[str, Any]] = [
    {
        "id": "interrupting-in-noise",
        "script": {
            "lines": [
                {"say": "Could you tell me what this is about?", "pause_s": 0.3},
                {"say": "Sorry just one moment please.", "barge_in_after_s": 0.9},
            ],
            "hang_up_after_s": 0.3,
        },
        "conditions": {"noise": {"kind": "speech_shaped", "snr_db": 45}},
        "request_data": {"behaviour": BEHAVIOUR},
    },
]
CALL = PLAN[0]["id"]
SLIP = 100
"""Two milliseconds, in samples."""

Sound = np.ndarray[Any, np.dtype[np.int16]]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What one run left of its call."""

    record: CallRecord
    events: list[Event]
    caller: Sound


@pytest.fixture(scope="module")
def calibration() -> Iterator[str]:
    with serving("calibration") as address:
        yield address


@pytest.fixture(scope="module")
def kept(calibration: str, joe_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Kept]:
    """Two processes, at the same time."""
    folder = tmp_path_factory.mktemp("twice")
    plan = write_plan(folder / "same.yaml", PLAN)
    commands = [
        start("run", str(plan), "--agent", calibration, "--out", "run", "--no-score", folder=folder / name)
        for name in ("once", "again")
    ]
    for command in commands:
        assert command.ends() in (0, 1), command.stderr
    return [_read(RunStore(folder / name / "run")) for name in ("once", "again")]


def _read(store: RunStore) -> Kept:
    record = store.read_record(CALL)
    assert record is not None
    assert beneath_pacing(record) is CallStatus.COMPLETED
    audio, _ = soundfile.read(store.call_folder(CALL) / "audio.flac", dtype="int16")
    return Kept(record=record, events=store.read_events(CALL), caller=audio[:, 0])


def test_the_same_is_said(kept: list[Kept]) -> None:
    once, again = (
        [(said.index, said.text, said.kind, said.audio_sha256) for said in one.record.utterances]
        for one in kept
    )
    assert once == again
    assert [(index, kind) for index, _, kind, _ in once] == [(0, "turn"), (1, "barge_in")]
    assert len({sha256 for *_, sha256 in once}) == 2
    assert once[0][1:2] == ("Could you tell me what this is about?",)
    assert kept[0].record.plan == kept[1].record.plan
    assert kept[0].record.plan.digest == kept[1].record.plan.digest


def test_it_sounds_the_same_to_the_sample(kept: list[Kept]) -> None:
    """The recording has what left, so this is what the agent was sent: voice and noise."""
    once, again = ([_sound(one, index) for index in range(2)] for one in kept)
    for first, second in zip(once, again, strict=True):
        assert len(first) > 0.5 * 48_000
        assert np.abs(first.astype(float)).mean() > 100
        assert _same(first, second)
    assert not _same(once[0][:20_000], again[1][:20_000])


def test_timelines_differ_only_in_measured_times(kept: list[Kept]) -> None:
    for source in ("policy", "vad", "wire", "harness"):
        once, again = (
            [_without_times(event) for event in one.events if event.source == source] for one in kept
        )
        assert once == again, source
        assert once, source
    decisions = [event for event in kept[0].events if event.source == "policy"]
    assert [event.data.get("text") for event in decisions if event.kind == "speak"] == [
        line["say"] for line in PLAN[0]["script"]["lines"]
    ]


def test_measured_times_are_near_each_other(kept: list[Kept]) -> None:
    """The same decisions at the same moments, as far as a caller's ears and frames of 20 ms allow."""
    once, again = ([said.start_s - _first_onset_s(one) for said in one.record.utterances] for one in kept)
    assert once == pytest.approx(again, abs=0.06)
    assert [said.start_s for said in kept[0].record.utterances] != [
        said.start_s for said in kept[1].record.utterances
    ]


def _sound(one: Kept, index: int) -> Sound:
    said = one.record.utterances[index]
    return one.caller[round(said.start_s * 48_000) : round(said.end_s * 48_000)]


def _same(first: Sound, second: Sound) -> bool:
    """Sample for sample, from some start: times are measured, frames laid down to within a millisecond."""
    core = first[SLIP:-SLIP]
    return any(np.array_equal(core, second[start : start + len(core)]) for start in range(2 * SLIP))


def _first_onset_s(one: Kept) -> float:
    return float(next(event.data["at_s"] for event in one.events if event.kind == "speech-started"))


def _without_times(event: Event) -> tuple[Any, ...]:
    data = {name: value for name, value in event.data.items() if not name.endswith("_s")}
    return event.side, event.kind, event.source, data
