"""Which stretches of an agent's speech are rated, and what becomes of the ratings; the models stand in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.instruments import KINDS, Instruments, Kind
from harness.analysis.listener import Listener
from harness.analysis.measures.table import found, measures
from harness.analysis.measures.voice.nisqa import NisqaMeasure
from harness.analysis.sound.nisqa_clips import BATCH, PADDING_S, RatedClip
from harness.analysis.sound.predicted_clips import PredictedClip
from harness.analysis.voice import LONGEST_CLIP_S, clip_quality, predict_clip, rate_clip, stretches
from harness.records.scores import ClipQuality
from metrics.score import Score, Status
from metrics.spans import Span
from metrics.speech import Talk
from metrics.synthesis.nisqa import NaturalnessResult, NisqaResult, QualityResult
from metrics.synthesis.prediction import Prediction

RATE = 48_000


@dataclass
class _Model:
    """Gives each clip its length in seconds as its value; refuses those shorter than 0.14 s."""

    quality: bool
    batches: list[int] = field(default_factory=list)
    clips: list[tuple[int, int]] = field(default_factory=list)

    def refusal(self, audio: Any, rate: int) -> str:
        return "too short" if len(audio) < 0.14 * rate else ""

    def predict(self, clips: list[tuple[Any, int]]) -> list[NisqaResult]:
        self.batches.append(len(clips))
        results: list[NisqaResult] = []
        for audio, rate in clips:
            assert not self.refusal(audio, rate)
            self.clips.append((len(audio), rate))
            value = len(audio) / rate
            results.append(
                QualityResult(mos=value, noisiness=1.0, discontinuity=2.0, coloration=3.0, loudness=4.0)
                if self.quality
                else NaturalnessResult(naturalness=value)
            )
        return results


@dataclass
class _Both:
    naturalness: Any
    quality: Any
    why_no_nisqa: str = ""
    only: frozenset[Kind] = KINDS
    threads: int = 1

    @property
    def nisqa_digest(self) -> str | None:
        return "stand-in" if self.naturalness is not None else None


def _instruments() -> tuple[Instruments, _Model, _Model]:
    natural, quality = _Model(quality=False), _Model(quality=True)
    return cast(Instruments, _Both(natural, quality)), natural, quality


def _talk(*clusters: tuple[float, float]) -> Talk:
    parts = tuple(Span(start_s=start, end_s=end) for start, end in clusters)
    return Talk(span=Span(start_s=parts[0].start_s, end_s=parts[-1].end_s), clusters=parts)


def _noise(seconds: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    return (0.1 * np.random.default_rng(1).standard_normal(round(seconds * RATE))).astype(np.float32)


@dataclass
class _Rating:
    clips: list[ClipQuality]
    scores: list[Score]


def _rating(rated: list[RatedClip] | None, why: str) -> _Rating:
    call = AnalysedCall(material=CallMaterial(call_id="c", utterances=()), rated=rated, why_no_rating=why)
    nisqa = [measure for measure in measures() if isinstance(measure, NisqaMeasure)]
    return _Rating(
        clips=[clip_quality(clip) for clip in rated or ()],
        scores=[found(measure, call).score for measure in nisqa],
    )


def _rate_voice(audio: Any, talks: list[Talk], instruments: Instruments) -> _Rating:
    listener = Listener(lambda: (audio, audio), instruments=instruments)
    return _rating(listener.ratings(stretches(talks)), listener.why_no_nisqa)


def test_each_stretch_is_rated_with_a_little_quiet_around_it() -> None:
    instruments, natural, quality = _instruments()
    talks = [_talk((1.0, 3.0)), _talk((5.0, 6.5))]
    rating = _rate_voice(_noise(10.0), talks, instruments)
    lengths = [round((2.0 + 2 * PADDING_S) * RATE), round((1.5 + 2 * PADDING_S) * RATE)]
    assert [count for count, _ in natural.clips] == [count for count, _ in quality.clips] == lengths
    assert [(clip.start_s, clip.end_s) for clip in rating.clips] == [(1.0, 3.0), (5.0, 6.5)]
    assert rating.clips[0].naturalness == pytest.approx(2.2)
    scores = {score.metric: score for score in rating.scores}
    assert scores["nisqa_naturalness"].value == pytest.approx((2.2 * 2.0 + 1.7 * 1.5) / 3.5)
    assert scores["nisqa_mos"].n == 2
    assert scores["nisqa_loudness"].value == pytest.approx(4.0)
    assert {one.call_id for one in scores["nisqa_mos"].evidence} == {"c"}


def test_the_padding_does_not_reach_beyond_the_recording() -> None:
    instruments, natural, _ = _instruments()
    _rate_voice(_noise(3.0), [_talk((0.02, 2.98))], instruments)
    assert natural.clips == [(3 * RATE, RATE)]


def test_long_talk_is_rated_in_parts_that_begin_and_end_in_pauses() -> None:
    instruments, _, _ = _instruments()
    clusters = [(float(start), start + 5.5) for start in range(0, 60, 6)]
    rating = _rate_voice(_noise(61.0), [_talk(*clusters)], instruments)
    starts = {start for start, _ in clusters}
    ends = {end for _, end in clusters}
    assert len(rating.clips) == 4
    for clip in rating.clips:
        assert clip.start_s in starts
        assert clip.end_s in ends
        assert clip.end_s - clip.start_s <= LONGEST_CLIP_S
    assert sum(clip.end_s - clip.start_s for clip in rating.clips) == pytest.approx(59.5 - 3 * 0.5)


def test_a_stretch_without_any_pause_stays_whole() -> None:
    instruments, _, _ = _instruments()
    talks = [_talk((1.0, 31.0)), _talk((32.0, 58.0), (58.3, 59.0))]
    rating = _rate_voice(_noise(60.0), talks, instruments)
    assert [(clip.start_s, clip.end_s) for clip in rating.clips] == [(1.0, 31.0), (32.0, 58.0), (58.3, 59.0)]


def test_many_stretches_go_to_the_model_in_batches_and_keep_their_order() -> None:
    instruments, natural, _ = _instruments()
    talks = [_talk((float(n), n + 0.5 + n / 100)) for n in range(2 * BATCH + 1)]
    rating = _rate_voice(_noise(30.0), talks, instruments)
    assert natural.batches == [BATCH, BATCH, 1]
    measured = [clip.naturalness for clip in rating.clips]
    # The first stretch begins at 0: nothing is before it.
    padding = [PADDING_S] + [2 * PADDING_S] * (2 * BATCH)
    assert measured == pytest.approx([0.5 + n / 100 + pad for n, pad in enumerate(padding)], abs=1e-4)


def test_a_stretch_that_a_model_refuses_is_left_out() -> None:
    instruments, natural, _ = _instruments()
    natural.refusal = lambda audio, rate: "no" if len(audio) < RATE else ""  # type: ignore[method-assign]
    rating = _rate_voice(_noise(9.0), [_talk((1.0, 1.5)), _talk((4.0, 6.0))], instruments)
    assert [clip.start_s for clip in rating.clips] == [4.0]
    assert rating.scores[0].n == 1


def test_an_agent_that_never_spoke_has_no_rating() -> None:
    instruments, _, _ = _instruments()
    rating = _rate_voice(_noise(3.0), [], instruments)
    assert rating.clips == []
    assert len(rating.scores) == 6
    assert {score.status for score in rating.scores} == {Status.NOT_APPLICABLE}


def test_without_the_models_the_reason_is_theirs() -> None:
    instruments = cast(Instruments, _Both(None, None, "nisqa: not here; get it from its home"))
    for rating in (
        _rate_voice(_noise(3.0), [_talk((1.0, 2.0))], instruments),
        _rating(*rate_clip(_noise(1.0), RATE, instruments=instruments)),
    ):
        assert rating.clips == []
        assert {score.reason for score in rating.scores} == {"nisqa: not here; get it from its home"}


def test_a_clip_is_rated_whole_and_at_its_own_rate() -> None:
    instruments, natural, quality = _instruments()
    audio = _noise(1.0)[:33_000]
    rating = _rating(*rate_clip(audio, 22_050, instruments=instruments))
    assert natural.clips == quality.clips == [(33_000, 22_050)]
    [clip] = rating.clips
    assert (clip.start_s, clip.end_s) == (0.0, pytest.approx(33_000 / 22_050))
    refused = _rating(*rate_clip(audio[:100], 22_050, instruments=instruments))
    assert refused.clips == []
    assert {score.reason for score in refused.scores} == {"too short"}


def test_swapped_checkpoints_are_an_error_not_a_figure() -> None:
    swapped = cast(Instruments, _Both(_Model(quality=True), _Model(quality=False)))
    with pytest.raises(TypeError, match="hold each other's model"):
        _rate_voice(_noise(3.0), [_talk((1.0, 2.0))], swapped)


def test_a_clip_s_rating_has_all_that_both_models_say() -> None:
    instruments, _, _ = _instruments()
    rating = _rating(*rate_clip(_noise(1.0), RATE, instruments=instruments))
    [clip] = rating.clips
    assert clip == ClipQuality(
        start_s=0.0,
        end_s=1.0,
        naturalness=1.0,
        mos=1.0,
        noisiness=1.0,
        discontinuity=2.0,
        coloration=3.0,
        loudness=4.0,
        warnings=clip.warnings,
    )
    short = _rating(*rate_clip(_noise(0.5), RATE, instruments=instruments))
    assert short.clips[0].warnings == ("under 1 s of speech",)


@pytest.mark.parametrize("refuses", ["naturalness", "quality"])
def test_a_clip_that_one_model_refuses_is_not_rated(refuses: str) -> None:
    instruments, natural, quality = _instruments()
    model = natural if refuses == "naturalness" else quality
    model.refusal = lambda audio, rate: f"no {refuses}"  # type: ignore[method-assign]
    assert rate_clip(_noise(1.0), RATE, instruments=instruments) == (None, f"no {refuses}")


@pytest.mark.parametrize("lacking", ["naturalness", "quality"])
def test_a_clip_is_not_rated_by_one_model_alone(lacking: str) -> None:
    both = _Both(_Model(quality=False), _Model(quality=True), "one is not here")
    setattr(both, lacking, None)
    assert rate_clip(_noise(1.0), RATE, instruments=cast(Instruments, both)) == (None, "one is not here")


def test_talk_of_20_s_is_rated_whole_and_longer_talk_in_parts() -> None:
    assert LONGEST_CLIP_S == 20.0
    assert stretches([_talk((1.0, 11.0), (11.5, 21.0))]) == [Span(start_s=1.0, end_s=21.0)]
    assert stretches([_talk((1.0, 11.0), (11.5, 21.5))]) == [
        Span(start_s=1.0, end_s=11.0),
        Span(start_s=11.5, end_s=21.5),
    ]


# --- a clip by the predictors


PREDICTED = Prediction(dnsmos_sig=3.1, dnsmos_bak=4.2, dnsmos_ovrl=2.9, dnsmos_p808=3.6, plcmos=4.4)


@dataclass
class _Predictors:
    """Says the same of every clip; refuses those shorter than 0.14 s."""

    asked: list[tuple[int, int]] = field(default_factory=list)

    def refusal(self, audio: Any, rate: int) -> str:
        return "too short" if len(audio) < 0.14 * rate else ""

    def predict(self, audio: Any, rate: int) -> Prediction:
        self.asked.append((len(audio), rate))
        return PREDICTED


@dataclass
class _Predicting:
    predictors: _Predictors | None
    why_no_predictors: str = ""


def test_a_clip_is_predicted_whole_and_at_its_own_rate() -> None:
    """Half a second of noise, which is wideband, and too little speech for much to be told."""
    predictors = _Predictors()
    instruments = cast(Instruments, _Predicting(predictors))
    assert predict_clip(_noise(1.0)[:11_025], 22_050, instruments=instruments) == (
        [
            PredictedClip(
                span=Span(start_s=0.0, end_s=0.5), prediction=PREDICTED, warnings=("under 1 s of speech",)
            )
        ],
        "",
    )
    assert predictors.asked == [(11_025, 22_050)]


def test_a_clip_that_the_predictors_refuse_is_not_predicted() -> None:
    predictors = _Predictors()
    instruments = cast(Instruments, _Predicting(predictors))
    assert predict_clip(_noise(1.0)[:100], 22_050, instruments=instruments) == (None, "too short")
    assert predictors.asked == []


def test_without_predictors_the_reason_is_theirs() -> None:
    instruments = cast(Instruments, _Predicting(None, "speechmos: not here"))
    assert predict_clip(_noise(1.0), RATE, instruments=instruments) == (None, "speechmos: not here")
