"""An agent takes any of the codecs that it is offered: it is heard, and hears us, when each of us speaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from harness.plans.call import Limits
from harness.plans.reach.plan import ReachPlan
from harness.records.call import SAMPLE_RATE_HZ, CallStatus
from harness.transports.webrtc.codec_choice import OFFERABLE
from metrics.speech import detect_speech
from tests.faults.placing import WELL_BEHAVED, Batch, place_all, prepare
from tests.serving import serving_agent

pytestmark = [pytest.mark.live, pytest.mark.long]

LIMITS = Limits(connect_s=10.0, first_speech_s=4.0, silence_s=4.0, call_s=20.0)
PATH_S = 0.02
ALONE, AMONG = "alone", "among-all"
CALLS = [f"{codec}-{how}" for codec in OFFERABLE for how in (ALONE, AMONG)]


@dataclass(frozen=True, kw_only=True)
class _Tried:
    batch: Batch
    truth: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def tried() -> Iterator[_Tried]:
    with serving_agent("calibration") as (agent, _):
        prepared = {}
        for name in CALLS:
            codec, _, how = name.partition("-")
            offered = (codec,) if how == ALONE else OFFERABLE
            prepared[name] = prepare(
                name,
                agent,
                request_data={"session": name, "behaviour": WELL_BEHAVED, "codec": codec},
                limits=LIMITS,
                reach=ReachPlan(codecs=offered),
            )
        prepared["not-offered"] = prepare(
            "not-offered",
            agent,
            request_data={"codec": "g722"},
            limits=LIMITS,
            reach=ReachPlan(codecs=("opus", "pcma")),
        )
        batch = place_all(prepared, at_once=3)
        truth = {name: httpx.get(f"{agent}/truth/{name}", timeout=10).json() for name in CALLS}
        yield _Tried(batch=batch, truth=truth)


@pytest.mark.parametrize("name", CALLS)
def test_what_was_agreed_is_spoken_both_ways(tried: _Tried, name: str) -> None:
    ended, truth = tried.batch.ended[name], tried.truth[name]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    placed = ended.placed
    assert placed.recording is not None
    assert placed.record.media is not None
    assert placed.record.media.codec == name.partition("-")[0]
    zero_s = placed.clock.zero_ns / 1e9
    (said,), (heard,) = placed.record.utterances, truth["heard"]
    assert heard["first_s"] - zero_s == pytest.approx(said.start_s, abs=PATH_S)
    assert heard["last_s"] - zero_s == pytest.approx(said.end_s, abs=PATH_S)
    talks = detect_speech(placed.recording.audio[:, 1], SAMPLE_RATE_HZ, marker_tones=True).talks
    spans = [talk.span for talk in talks]
    assert len(spans) == len(truth["spoke"]) == 2
    for span, one in zip(spans, truth["spoke"], strict=True):
        assert span.start_s == pytest.approx(one["first_s"] - zero_s, abs=PATH_S)
        assert span.end_s == pytest.approx(one["last_s"] - zero_s, abs=PATH_S)


def test_a_codec_that_was_not_offered_is_no_call(tried: _Tried) -> None:
    ended = tried.batch.ended["not-offered"]
    assert ended.status is CallStatus.SETUP_FAILED
    assert "g722 is not offered" in ended.detail


def test_nothing_reaches_the_terminal(tried: _Tried) -> None:
    assert tried.batch.complaints == []
